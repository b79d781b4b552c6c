"""Every tool there is in, those that one server serves out."""

from __future__ import annotations

from collections.abc import Mapping

from pressmark.errors import Configuration
from pressmark.mcp import checking, cited, discover, shelves, verify, world, write
from pressmark.mcp.desk import Desk
from pressmark.mcp.guide import NAMES
from pressmark.mcp.tool import Tool

_ALL = (
    *discover.TOOLS,
    *verify.TOOLS,
    *checking.TOOLS,
    *cited.TOOLS,
    *world.TOOLS,
    *write.TOOLS,
    *shelves.TOOLS,
)

TOOLS: Mapping[str, Tool] = {
    tool.name: tool for tool in sorted(_ALL, key=lambda tool: NAMES.index(tool.name))
}
"""By name, in the order in which they are listed."""

VARIABLE = "PRESSMARK_TOOLS"
"""The environment variable that narrows the set: names or groups, joined by commas."""


def chosen(desk: Desk) -> dict[str, Tool]:
    """The tools of a server: those that write only where it may, and of these what was named."""
    wanted = [each.strip() for each in desk.env.get(VARIABLE, "").split(",") if each.strip()]
    known = {*TOOLS, *(tool.group for tool in TOOLS.values())}
    strange = [each for each in wanted if each not in known]
    if strange:
        raise Configuration(
            f"{VARIABLE} names {', '.join(strange)}, which is no tool.",
            next=f"use names or groups: {', '.join(sorted(known))}",
        )
    return {
        name: tool
        for name, tool in TOOLS.items()
        if (desk.mode != "read" or not tool.writes)
        and (not wanted or name in wanted or tool.group in wanted)
    }
