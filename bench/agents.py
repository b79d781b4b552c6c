"""What agents pay: sizes of every answer, and the server's start beside a bare one of the SDK.

    python bench/agents.py [LIBRARY …]            # sizes on these libraries, as a table
    python bench/agents.py --start LIBRARY        # one start to the first answer, then the end
    python bench/agents.py --bare                 # the same of a server with one empty tool

`measure.py` runs the last two for docs/benchmarks.md.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
CLI = HERE.parent / "cli"
sys.path.insert(0, str(CLI))

HELLO = (
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"}}},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
)  # fmt: skip

BARE = """
import anyio, mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server

async def listed(context, params):
    tool = types.Tool(name="nothing", description="Nothing.", input_schema={"type": "object"})
    return types.ListToolsResult(tools=[tool])

async def called(context, params):
    return types.CallToolResult(content=[types.TextContent(type="text", text="nothing")])

async def run():
    server = Server("bare", version="1", on_list_tools=listed, on_call_tool=called)
    async with stdio_server() as (reader, writer):
        await server.run(reader, writer, server.create_initialization_options())

anyio.run(run)
"""
"""The smallest server that the SDK can make."""


def one_answer(command: list[str], tool: str, arguments: dict[str, Any]) -> float:
    """Start a server, ask it once, let it end; seconds by the clock to the answer."""
    began = time.perf_counter()
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments}}  # fmt: skip
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin and process.stdout
    for message in (*HELLO, call):
        process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()
    for line in process.stdout:
        if json.loads(line).get("id") == 2:
            break
    took = time.perf_counter() - began
    process.stdin.close()
    process.wait()
    return took


def ours(library: Path) -> list[str]:
    """The command that serves a library."""
    os.environ["PYTHONPATH"] = str(CLI)
    return [sys.executable, "-m", "pressmark", "-C", str(library), "mcp"]


def calls(library: Path) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """A tool, its usual call and its largest, on a library."""
    from pressmark import open_library

    held = open_library(library, offline=True)
    keys = held.catalogue.keys()
    with_text = sorted(held.catalogue.with_fulltext()) or keys
    key, most = with_text[0], {"max_characters": 24_000}
    cited = max(keys[:2000], key=lambda each: len(held.catalogue.cited_by(each)))
    words = "results of the new method for the model"
    yield "find_papers", {"query": words}, {"query": words, "k": 200, "explain": True, **most}
    yield "find_related", {"paper": key}, {"paper": key, "k": 200, **most}
    yield "find_passages", {"query": words}, {"query": words, "k": 200, **most}
    yield "exact_search", {"term": "method"}, {"term": "e", "k": 200, **most}
    yield "get_paper", {"paper": key}, {"paper": key, "part": "text", "characters": 20_000, **most}
    yield (
        "get_citation_neighbors", {"paper": cited, "direction": "cited_by"},
        {"paper": cited, "direction": "refs", "k": 200, **most},
    )  # fmt: skip
    yield "get_research_profile", {"paper": key}, {"paper": key, "characters": 14_000}
    draft = " ".join(f"[@{each}]" for each in keys[:20])
    yield "check_citations", {"text": draft}, {"keys": [f"no{n}body" for n in range(500)]}
    yield "library_status", {}, {}
    urls = [f"https://doi.org/10.1234/x.{n}" for n in range(10_000)]
    yield "leads", {"urls": urls[:5]}, {"urls": urls}
    yield "resolve_identifier", {"identifier": "10.1234/x"}, {"identifier": "arXiv:1706.03762"}


def sizes(library: Path) -> Iterator[str]:
    """A row a tool: characters of its usual and its largest answer, as a client receives them."""
    import anyio
    from mcp import Client

    from pressmark.mcp import server
    from pressmark.mcp.desk import Desk

    desk = Desk(library, offline=True)

    async def asked(tool: str, arguments: dict[str, Any]) -> tuple[int, bool]:
        async with Client(server.build(desk)) as client:
            result = await client.call_tool(tool, arguments)
            told = result.model_dump_json(by_alias=True, exclude_none=True)
            return len(told), bool(result.is_error)

    for tool, usual, largest in calls(library):
        cells = []
        for arguments in (usual, largest):
            size, failed = anyio.run(asked, tool, arguments)
            cells.append(f"{size:,}{' (refused)' if failed else ''}")
        yield f"| `{tool}` | {cells[0]} | {cells[1]} |"


def warm(library: Path, times: int = 20) -> tuple[float, float]:
    """CPU seconds of a warm `find_papers`, and of the call of the core behind it."""
    from pressmark.find import find
    from pressmark.mcp.desk import Call, Desk
    from pressmark.mcp.server import _answered
    from pressmark.mcp.tools import TOOLS

    desk, tool = Desk(library, offline=True), TOOLS["find_papers"]
    arguments = {"query": "results of the new method"}

    def ours() -> None:
        call = Call(desk, desk.library, lambda _d, _t, _w: None, threading.Event())
        _answered(tool.run(call, tool.arguments(arguments)), plain=False).model_dump_json()

    def core() -> None:
        find(desk.library, arguments["query"], k=20)

    costs = []
    for run in (ours, core):
        run()
        began = time.process_time()
        for _ in range(times):
            run()
        costs.append((time.process_time() - began) / times)
    return costs[0], costs[1]


def main(words: list[str]) -> None:
    if words[:1] == ["--bare"]:
        one_answer([sys.executable, "-c", BARE], "nothing", {})
    elif words[:1] == ["--start"]:
        one_answer(ours(Path(words[1])), "find_papers", {"query": "results of the new method"})
    else:
        sys.stdout = io.TextIOWrapper(sys.stdout.buffer, "utf-8", line_buffering=True)
        for name in words or [str(HERE.parent)]:
            print(f"\n{name}\n\n| tool | usual | largest |\n|---|---:|---:|")
            for row in sizes(Path(name)):
                print(row)
            mine, core = warm(Path(name))
            print(f"\nfind_papers warm {mine:.4f} CPU s, the core's call {core:.4f}")


if __name__ == "__main__":
    main(sys.argv[1:])
