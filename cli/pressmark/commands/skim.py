"""`pressmark skim`: the key passages of one paper."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.session import Session, json_option, with_session
from pressmark.render import citation

if TYPE_CHECKING:
    from pressmark.find import Skim


@click.command(short_help="Read the key passages of one paper.")
@click.argument("key", shell_complete=complete_key)
@click.option("--offset", type=click.IntRange(0), default=0, help="Go on at this character.")
@click.option(
    "--chars", type=click.IntRange(1), default=14000, help="One page: 14,000; 1,000 to 40,000."
)
@json_option
@with_session
def command(session: Session, key: str, offset: int, chars: int, as_json: bool) -> None:
    """Show abstract, start of the introduction, method and conclusion of KEY, in that order.

    What is left of method and conclusion comes on the pages after the first.
    """
    from pressmark.find import skim

    found = skim(session.library, key, offset=offset, chars=chars)
    session.emit(_json(session, found), _lines(found), as_json, then=found.next)
    if found.next_offset and not as_json:
        session.say(f"Go on with --offset {found.next_offset} (of {found.total}).")


def _json(session: Session, found: Skim) -> dict[str, object]:
    return {
        "key": found.key,
        "path": session.library.path(found.key),
        "citation": citation(found.reference),
        "notice": found.reference.notice,
        "parts": [asdict(part) for part in found.parts],
        "offset": found.offset,
        "next_offset": found.next_offset,
        "total": found.total,
        "missing": list(found.missing),
    }


def _lines(found: Skim) -> list[str]:
    lines = [citation(found.reference)]
    for part in found.parts:
        page = f", p. {part.page}" if part.page is not None else ""
        lines += ["", f"[{part.role}: {part.section}{page}]", part.text.strip()]
    if not found.parts:
        lines += ["", "No abstract and no text of it is held."]
    return lines
