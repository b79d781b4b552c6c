"""`pressmark agent-guide`: how an agent uses the library well, as a skill or for AGENTS.md."""

from __future__ import annotations

import click

from pressmark.commands.session import Session, json_option, with_session


@click.command(short_help="Print how agents should use the library.")
@click.option("--agents-md", is_flag=True, help="The paragraph for an AGENTS.md.")
@click.option("--read-only", is_flag=True, help="Leave out the tools that write.")
@json_option
@with_session
def command(session: Session, agents_md: bool, read_only: bool, as_json: bool) -> None:
    """Print a SKILL.md, or the paragraph for an AGENTS.md; it names only tools that exist.

    pressmark agent-guide > SKILL.md
    """
    from pressmark.mcp.guide import NAMES, WRITE, agents_paragraph, skill

    served = tuple(name for name in NAMES if not (read_only and name in WRITE))
    text = agents_paragraph(served) if agents_md else skill(served)
    session.emit({"text": text, "tools": list(served)}, text.rstrip("\n"), as_json)
