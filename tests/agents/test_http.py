"""The server on local HTTP: it answers there and refuses a foreign Host or Origin."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from mcp import Client

from agents.agent import CLI, drive, reply_of
from shell import IDENTITY

INITIALIZE = {
    "jsonrpc": "2.0", "id": 1, "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}  # fmt: skip
ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.fixture
def address(root: Path, home: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    env = {
        **os.environ, **IDENTITY, "HOME": str(home), "PYTHONPATH": str(CLI),
        "PRESSMARK_OFFLINE": "1", "PRESSMARK_MODEL": "none",
    }  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-m", "pressmark", "-C", str(root), "mcp", "--http", "--port", str(port)],
        env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        for _ in range(200):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


def test_it_answers_on_loopback_and_refuses_foreign_pages(address: str) -> None:
    async def step(client: Client) -> object:
        return reply_of(await client.call_tool("get_paper", {"paper": "vaswani2017attention"}))

    reply = drive(f"{address}/mcp", step)
    assert reply.data["key"] == "vaswani2017attention"
    ours = httpx.post(f"{address}/mcp", json=INITIALIZE, headers=ACCEPT)
    assert ours.status_code == 200
    host = httpx.post(f"{address}/mcp", json=INITIALIZE, headers={**ACCEPT, "Host": "evil.com"})
    assert host.status_code == 421
    origin = httpx.post(
        f"{address}/mcp", json=INITIALIZE, headers={**ACCEPT, "Origin": "http://evil.com"}
    )
    assert origin.status_code == 403
    with pytest.raises(httpx.HTTPError):  # nothing listens beyond loopback
        httpx.get(f"http://{_own()}:{address.rpartition(':')[2]}/mcp", timeout=2)


def _own() -> str:
    """An address of this machine that is not loopback, or one that is nobody's."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return "127.0.0.2"
        name: str = probe.getsockname()[0]
        return "127.0.0.2" if name.startswith("127.") else name
