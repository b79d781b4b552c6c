"""An agent for the tests: a real client of the SDK's, driven step by step from ordinary tests."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, MCPError, StdioServerParameters

from pressmark.mcp import server
from pressmark.mcp.desk import Desk

CLI = Path(__file__).resolve().parents[2] / "cli"


@dataclass(frozen=True)
class Reply:
    """What a client received of one call."""

    data: dict[str, Any]
    text: str
    failed: bool
    size: int
    """Characters of the whole result on the wire."""


@dataclass
class Agent:
    """Calls tools of one desk in this process; every call is a session of its own."""

    desk: Desk
    env: Mapping[str, str] = field(default_factory=dict)

    def __call__(self, tool: str, **arguments: Any) -> Reply:
        """Call a tool that must answer."""
        reply = self.attempt(tool, arguments)
        assert not reply.failed, reply.text
        return reply

    def error(self, tool: str, **arguments: Any) -> str:
        """Call a tool that must fail; its line."""
        reply = self.attempt(tool, arguments)
        assert reply.failed, reply.text
        return reply.text

    def attempt(self, tool: str, arguments: dict[str, Any]) -> Reply:
        async def step(client: Client) -> Reply:
            return reply_of(await client.call_tool(tool, arguments))

        return self.run(step)

    def run(self, step: Callable[[Client], Awaitable[Any]]) -> Any:
        """Any step of a client."""
        return drive(server.build(self.desk), step)


def reply_of(result: Any) -> Reply:
    text = "".join(block.text for block in result.content)
    size = len(result.model_dump_json(by_alias=True, exclude_none=True))
    return Reply(result.structured_content or {}, text, bool(result.is_error), size)


def drive(connection: Any, step: Callable[[Client], Awaitable[Any]]) -> Any:
    """Connect, take one step, disconnect."""

    async def run() -> Any:
        async with Client(connection) as client:
            try:
                return await step(client)
            except MCPError as error:  # the client's task group would wrap it
                return error

    done = anyio.run(run)
    if isinstance(done, MCPError):
        raise done
    return done


def stdio(root: Path, *options: str, env: Mapping[str, str]) -> StdioServerParameters:
    """`pressmark mcp` as a client starts it."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "pressmark", "-C", str(root), "mcp", *options],
        env={"PYTHONPATH": str(CLI), **env},
    )


def strings(value: Any, trusted: bool = True) -> list[tuple[bool, str]]:
    """Every text in an answer, and whether it stands outside every `untrusted` field."""
    if isinstance(value, dict):
        return [
            each
            for name, inner in value.items()
            for each in strings(inner, trusted and name != "untrusted")
        ]
    if isinstance(value, list):
        return [each for inner in value for each in strings(inner, trusted)]
    return [(trusted, value)] if isinstance(value, str) else []


def dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
