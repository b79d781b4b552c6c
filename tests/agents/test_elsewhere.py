"""The server for clients of an older generation, and for one on another machine over ssh."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from agents.agent import CLI, drive, reply_of

OLD = os.environ.get("PRESSMARK_OLD_CLIENT", "")
"""A Python that has the SDK's first generation."""

ASK = """
import asyncio, json, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

async def main():
    given = json.loads(sys.argv[1])
    async with stdio_client(StdioServerParameters(**given)) as (reader, writer):
        async with ClientSession(reader, writer) as session:
            hello = await session.initialize()
            tools = (await session.list_tools()).tools
            good = await session.call_tool("get_paper", {"paper": "vaswani2017attention"})
            bad = await session.call_tool("get_paper", {"paper": "nobody1999"})
            note = await session.read_resource("pressmark://note/ideas/attention")
            prompt = await session.get_prompt("what_changed", {"since": "2026-01-01"})
            print(json.dumps([
                hello.protocolVersion, len(tools), good.structuredContent["key"], bad.isError,
                bad.content[0].text, note.contents[0].text, prompt.messages[0].content.text,
            ]))

asyncio.run(main())
"""


def served(root: Path, home: Path) -> dict[str, Any]:
    env = {"HOME": str(home), "PYTHONPATH": str(CLI), "PRESSMARK_OFFLINE": "1"}
    args = ["-m", "pressmark", "-C", str(root), "mcp"]
    return {"command": sys.executable, "args": args, "env": env}


@pytest.mark.skipif(not OLD, reason="not possible here: PRESSMARK_OLD_CLIENT names no Python")
def test_a_client_of_the_first_generation_connects(root: Path, home: Path) -> None:
    env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = subprocess.run(
        [OLD, "-c", ASK, json.dumps(served(root, home))], env=env, capture_output=True, text=True,
        timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    version, tools, key, failed, line, note, prompt = json.loads(done.stdout)
    assert (version, tools, key, failed) == ("2025-11-25", 12, "vaswani2017attention", True)
    assert line.startswith("not_found: ")
    assert "[@hochreiter1997long]" in note
    assert "pressmark://changes/2026-01-01" in prompt


def test_the_handshake_of_an_older_protocol_is_answered(root: Path, home: Path) -> None:
    given = served(root, home)
    messages = (
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2024-11-05", "capabilities": {},
            "clientInfo": {"name": "old", "version": "1"}}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
         "params": {"name": "get_paper", "arguments": {"paper": "vaswani2017attention"}}},
    )  # fmt: skip
    process = subprocess.Popen(
        [given["command"], *given["args"]], env={**os.environ, **given["env"]},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin
    assert process.stdout
    for message in messages:
        process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()
    answers = [json.loads(process.stdout.readline()) for _ in range(2)]
    process.stdin.close()
    assert process.wait(20) == 0
    assert answers[0]["result"]["protocolVersion"] == "2024-11-05"
    assert answers[1]["result"]["structuredContent"]["key"] == "vaswani2017attention"


SSHD = shutil.which("sshd") or (shutil.which("/usr/sbin/sshd"))


@pytest.mark.skipif(not SSHD, reason="not possible here: there is no sshd")
def test_a_library_on_another_machine_is_served_over_ssh(
    root: Path, home: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "ssh"
    folder.mkdir(mode=0o700)
    for name in ("host", "key"):
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)], check=True
        )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    (folder / "config").write_text(
        f"Port {port}\nListenAddress 127.0.0.1\nHostKey {folder}/host\n"
        f"AuthorizedKeysFile {folder}/key.pub\nStrictModes no\nUsePAM no\nPidFile none\n"
    )
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    assert SSHD
    daemon = subprocess.Popen([SSHD, "-D", "-f", str(folder / "config")])
    try:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        given = served(root, home)
        remote = [f"{k}={v}" for k, v in given["env"].items()]
        client = StdioServerParameters(
            command="ssh",
            args=[
                "-T", "-o", "BatchMode=yes", "-o", "StrictHostKeyChecking=no", "-o",
                "UserKnownHostsFile=/dev/null", "-i", str(folder / "key"), "-p", str(port),
                "127.0.0.1", "env", *remote, given["command"], *given["args"],
            ],
        )  # fmt: skip

        async def step(connected: Client) -> Any:
            found = await connected.call_tool("get_paper", {"paper": "vaswani2017attention"})
            return reply_of(found)

        assert drive(client, step).data["key"] == "vaswani2017attention"
    finally:
        daemon.terminate()
        daemon.wait(10)
