"""Many calls at once, on one server, on several, and beside the command line."""

from __future__ import annotations

import os
import random
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from agents.agent import Agent, drive, reply_of, stdio
from agents.conftest import git
from pressmark.errors import Interrupted
from pressmark.mcp import server
from pressmark.mcp.calls import Log
from pressmark.mcp.desk import Call, Desk
from pressmark.mcp.tools import TOOLS
from shell import IDENTITY, Shell

THREADS = 16
CALLS = 200 if os.environ.get("PRESSMARK_FULL") else 24
"""Calls of each thread; all two hundred in the full run."""


def mixed(number: int) -> list[tuple[str, dict[str, Any]]]:
    """Some calls in an order of their own."""
    drawn = random.Random(number)
    pool: list[tuple[str, dict[str, Any]]] = [
        ("find_papers", {"query": "herons in the river", "k": 5}),
        ("find_papers", {"query": "attention instead of recurrence"}),
        ("find_related", {"paper": "vaswani2017attention", "k": 5}),
        ("find_passages", {"query": "random surfer", "papers": ["page1999pagerank"]}),
        ("exact_search", {"term": "wade in river 7"}),
        ("get_paper", {"paper": "page1999pagerank", "section": "Method"}),
        ("get_paper", {"paper": "heron2003study"}),
        ("get_citation_neighbors", {"paper": "devlin2019bert", "direction": "refs"}),
        ("get_research_profile", {"paper": "page1999pagerank"}),
        ("check_citations", {"keys": ["heron2003study", "nobody"]}),
        ("library_status", {}),
    ]
    return [drawn.choice(pool) for _ in range(CALLS)]


def answer(desk: Desk, tool: str, arguments: dict[str, Any]) -> str:
    """One call as the server makes it on a worker thread."""
    row = TOOLS[tool]
    call = Call(desk, desk.library, lambda _d, _t, _w: None, threading.Event())
    told = row.run(call, row.arguments(arguments))
    return f"{told.text}\n{told.answer.model_dump_json()}"


def test_sixteen_threads_answer_as_one_would(agent: Agent) -> None:
    alone = {}
    for tool, arguments in {repr(c): c for n in range(THREADS) for c in mixed(n)}.values():
        alone[f"{tool}{arguments}"] = answer(agent.desk, tool, arguments)

    def work(number: int) -> list[bool]:
        return [
            answer(agent.desk, tool, arguments) == alone[f"{tool}{arguments}"]
            for tool, arguments in mixed(number)
        ]

    with ThreadPoolExecutor(THREADS) as threads:
        results = list(threads.map(work, range(THREADS)))
    assert all(map(all, results))
    assert sum(map(len, results)) == THREADS * CALLS


def test_calls_of_one_client_run_side_by_side(agent: Agent, monkeypatch: Any) -> None:
    together = threading.Barrier(4, timeout=20)
    slow = TOOLS["library_status"]

    def meet(call: Call, asked: Any) -> Any:
        together.wait()
        return slow.run(call, asked)

    from dataclasses import replace

    tools = {"library_status": replace(slow, run=meet)}

    async def step(client: Client) -> list[Any]:
        found = []

        async def one() -> None:
            found.append(await client.call_tool("library_status", {}))

        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(one)
        return found

    replies = drive(server.build(agent.desk, tools), step)
    assert [reply.is_error for reply in replies] == [False] * 4


def test_a_cancelled_call_stops_at_its_next_step(agent: Agent) -> None:
    gone = threading.Event()
    call = Call(agent.desk, agent.desk.library, lambda _d, _t, _w: None, gone)
    call.progress("texts", 1, 3)
    gone.set()
    with pytest.raises(Interrupted):
        call.progress("texts", 2, 3)


def test_progress_reaches_a_client_that_asks_for_it(agent: Agent) -> None:
    from dataclasses import replace

    row = TOOLS["library_status"]

    def steps(call: Call, asked: Any) -> Any:
        for done in range(3):
            call.progress("texts", done, 3)
        return row.run(call, asked)

    heard: list[tuple[float, float | None, str | None]] = []

    async def listen(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    async def step(client: Client) -> Any:
        return await client.call_tool("library_status", {}, progress_callback=listen)

    tools = {"library_status": replace(row, run=steps)}
    assert not drive(server.build(agent.desk, tools), step).is_error
    assert heard == [(0.0, 3.0, "texts"), (1.0, 3.0, "texts"), (2.0, 3.0, "texts")]


def test_a_client_that_leaves_in_mid_call_leaves_no_process(root: Path, home: Path) -> None:
    import subprocess
    import sys

    from agents.agent import CLI

    env = {
        **os.environ, **IDENTITY, "HOME": str(home), "PYTHONPATH": str(CLI),
        "PRESSMARK_OFFLINE": "1",
    }  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-m", "pressmark", "-C", str(root), "mcp"], env=env,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin
    process.stdin.write(
        b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
        b'"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}\n'
        b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
        b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"find_papers",'
        b'"arguments":{"query":"herons"}}}\n'
    )
    process.stdin.close()
    assert process.wait(20) == 0
    assert process.stderr
    assert b"Traceback" not in process.stderr.read()


def test_two_servers_and_the_command_line_write_one_library(root: Path, home: Path) -> None:
    env = {**IDENTITY, "HOME": str(home), "PRESSMARK_MODEL": "none", "PRESSMARK_OFFLINE": "1"}
    path = os.environ["PATH"]

    def serve(name: str) -> list[bool]:
        async def step(client: Client) -> list[bool]:
            done = []
            for number in range(4):
                reply = reply_of(await client.call_tool("write_note", {
                    "action": "create", "title": f"Note {name} {number}", "text": "Words.",
                }))  # fmt: skip
                done.append(not reply.failed)
            return done

        found: list[bool] = drive(stdio(root, "--write", env={**env, "PATH": path}), step)
        return found

    with ThreadPoolExecutor(3) as threads:
        servers = [threads.submit(serve, name) for name in ("one", "two")]
        shell = Shell(root, home, env)
        for number in range(4):
            shell("note", "new", f"Note shell {number}", "--no-edit")
        assert [future.result() for future in servers] == [[True] * 4, [True] * 4]
    names = git(root, "ls-files", "notes").split()
    assert len([name for name in names if name.startswith("notes/note-")]) == 12
    assert git(root, "status", "--porcelain") == ""
    agent = Agent(Desk(root, offline=True))
    assert agent("library_status").data["counts"]["notes"] == 13


def test_what_another_process_changes_is_answered_at_the_next_call(
    agent: Agent, root: Path
) -> None:
    assert agent("exact_search", term="flamingo").data["total"] == 0
    path = root / "notes/ideas/attention.md"
    path.write_text(path.read_text("utf-8") + "\nA flamingo.\n", "utf-8")
    assert agent("exact_search", term="flamingo").data["total"] == 1
    assert agent("find_papers", query="flamingo").data["notes"][0]["note"] == "ideas/attention"


def test_the_log_says_what_was_called_and_no_text(agent: Agent, tmp_path: Path) -> None:
    import json

    async def step(client: Client) -> None:
        await client.call_tool("find_papers", {"query": "attention instead of recurrence"})
        await client.call_tool("get_paper", {"paper": "nobody1999"})

    drive(server.build(agent.desk, log=Log(tmp_path / "calls")), step)
    (kept,) = (tmp_path / "calls").iterdir()
    assert kept.name.endswith(".jsonl")
    assert len(kept.stem) == len("2026-01-01")
    first, second = map(json.loads, kept.read_text("utf-8").splitlines())
    assert (first["tool"], first["arguments"], first["error"]) == (
        "find_papers", {"query": 31}, None,
    )  # fmt: skip
    assert first["characters"] > 500
    assert (second["tool"], second["error"]) == ("get_paper", "not_found")
    assert "recurrence" not in kept.read_text("utf-8")
    assert "nobody" not in kept.read_text("utf-8")
