"""`pressmark cites`: what a reference cites or what cites it, with the sentences that do."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.session import Session, json_option, with_session
from pressmark.render import citation

if TYPE_CHECKING:
    from pressmark.find import CitingSentence, Neighbour, Neighbours


@click.command(short_help="What a reference cites, or what cites it.")
@click.argument("key", shell_complete=complete_key)
@click.option(
    "--direction", type=click.Choice(["refs", "cited-by"]), default="refs",
    help="What it cites (refs), or what cites it.",
)  # fmt: skip
@click.option("-k", "--limit", "k", type=click.IntRange(1, 200), default=20, help="How many: 20.")
@click.option("--offset", type=click.IntRange(0), default=0, help="Skip this many first.")
@json_option
@with_session
def command(session: Session, key: str, direction: str, k: int, offset: int, as_json: bool) -> None:
    """Show the citations of KEY; where the citing text is held, the sentences that cite.

    What it cites comes in the order of its reference list, held or not; of what cites it the
    library knows only what it holds.
    """
    from pressmark.find import cites

    found = cites(session.library, key, direction, k=k, offset=offset)
    session.emit(_json(session, found), _lines(found, offset), as_json)
    if as_json:
        return
    if not found.items:
        session.say("No citation is known.")
    elif found.next_offset:
        session.say(f"{found.total} in all, {found.held} held; go on with "
                    f"--offset {found.next_offset}.")  # fmt: skip


def _json(session: Session, found: Neighbours) -> dict[str, object]:
    return {
        "key": found.key,
        "direction": found.direction,
        "total": found.total,
        "held": found.held,
        "next_offset": found.next_offset,
        "works": [_work(session, each) for each in found.items],
    }


def _work(session: Session, each: Neighbour) -> dict[str, object]:
    return {
        "identity": each.identity or None,
        "key": each.key,
        "path": session.library.path(each.key) if each.key else None,
        "citation": citation(each.reference) if each.reference else None,
        "entry": each.entry or None,
        "sentences": [asdict(sentence) for sentence in each.sentences],
    }


def _lines(found: Neighbours, offset: int) -> list[str]:
    lines: list[str] = []
    for number, each in enumerate(found.items, offset + 1):
        if each.reference:
            lines.append(f"{number:3}. {citation(each.reference)}  [{each.key}]")
        else:
            lines.append(f"{number:3}. {each.entry or each.identity}  (not held)")
        lines += [f"     {_place(sentence)}{sentence.text}" for sentence in each.sentences]
    return lines


def _place(sentence: CitingSentence) -> str:
    parts = [sentence.section, f"p. {sentence.page}" if sentence.page else ""]
    named = ", ".join(part for part in parts if part)
    return f"{named}: " if named else ""
