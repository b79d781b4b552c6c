"""`pressmark mcp`: the library served to agents over the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path

import click

from pressmark.commands.session import Session, with_session
from pressmark.errors import Configuration

PORT = 8790


@click.command(short_help="Serve the library to agents over MCP.")
@click.option("--write", "write", is_flag=False, flag_value="commit", metavar="[branch]",
              help="Serve the tools that write too; with =branch they only propose.")  # fmt: skip
@click.option("--http", is_flag=True, help="Serve on 127.0.0.1 instead of stdin and stdout.")
@click.option("--port", type=click.IntRange(1024, 65535), default=PORT, help="With --http: 8790.")
@click.option("--text", "plain", is_flag=True, help="Answer in text alone, for simpler clients.")
@click.option("--log", "log", metavar="DIR", help="Log each call's outline to DIR/<date>.jsonl.")
@with_session
def command(
    session: Session, write: str | None, http: bool, port: int, plain: bool, log: str | None
) -> None:
    """Serve the library of -C, or around the working folder, to one agent over stdin and stdout.

    Read-only unless --write. PRESSMARK_TOOLS=find_papers,get_paper narrows the set.
    """
    try:
        import mcp  # noqa: F401
    except ImportError as problem:
        from pressmark.mcp import INSTALL

        raise Configuration("The agents' protocol is not installed.", next=INSTALL) from problem
    from pressmark.mcp import server
    from pressmark.mcp.calls import Log
    from pressmark.mcp.desk import Desk

    modes = {None: "read", "commit": "write", "branch": "branch"}
    if write not in modes:
        raise click.BadParameter("--write takes nothing, or =branch.")
    desk = Desk(session.start, modes[write], session.offline, plain)
    assert desk.library  # a folder that is no library is said before a client connects
    kept = Log(Path(log) if log else None)
    if http:
        session.say(f"Serving on http://127.0.0.1:{port}/mcp")
        server.serve_http(desk, port, kept)
    else:
        server.serve_stdio(desk, kept)
