"""`pressmark dedupe`: references that look like one work, side by side, for a person to decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.filtered import Filtered
from pressmark.commands.session import (
    Session,
    json_option,
    on_terminal,
    with_session,
    write_options,
)
from pressmark.errors import BadInput
from pressmark.library import Write

if TYPE_CHECKING:
    from pressmark.exchange.duplicates import Pair


@click.command(cls=Filtered, short_help="Walk through references that look alike.")
@click.argument("references", nargs=-1, shell_complete=complete_key)
@click.option("--report", is_flag=True, help="Markdown for a pull request, no questions.")
@click.option("--list", "listing", is_flag=True, help="Only list them, no questions.")
@click.option(
    "--apart", metavar="KEY", help="The reference and KEY are two works: never ask again."
)
@write_options
@json_option
@with_session
def command(
    session: Session,
    references: tuple[str, ...],
    report: bool,
    listing: bool,
    apart: str | None,
    write: Write,
    as_json: bool,
) -> None:
    """Show pairs of references that look like one work, and why; on a terminal, ask what to do.

    Two DOIs are two works and never a pair. Nothing is merged but on your word.
    """
    from pressmark.exchange import duplicates
    from pressmark.render import counted

    library = session.library
    if apart:
        if len(references) != 1:
            raise BadInput(
                "Two works are told apart at a time.", next=f"pressmark dedupe KEY --apart {apart}"
            )
        key = library.get(references[0]).key
        outcome = duplicates.keep_apart(library, key, library.get(apart).key, write=write)
        session.report(outcome, write, as_json)
        return
    words = list(references)
    chosen = {each.key for each in library.select(words, required=bool(words))}
    found = [p for p in duplicates.pairs(library.all()) if {p.a.key, p.b.key} & chosen]
    if report:
        session.emit([_data(p) for p in found], duplicates.markdown(found).rstrip(), as_json)
        return
    if as_json or listing or not on_terminal():
        lines = [line for pair in found for line in [*_lines(pair), ""]]
        lines.append(f"{counted(len(found), 'pair')} to look at.")
        session.emit([_data(p) for p in found], lines, as_json)
        return
    _walk(session, found, write)


def _data(pair: Pair) -> dict[str, object]:
    return {
        "keys": [pair.a.key, pair.b.key], "titles": [pair.a.title, pair.b.title],
        "score": pair.score, "why": list(pair.why), "against": list(pair.against),
    }  # fmt: skip


def _lines(pair: Pair) -> list[str]:
    """Both records in two columns, and what speaks for and against."""
    from pressmark.exchange.duplicates import side_by_side

    rows = side_by_side(pair)
    width = max(16, min(44, max(len(mine) for _, mine, _ in rows)))
    lines = [f"{name:10} {mine[:width]:{width}}  {theirs}" for name, mine, theirs in rows]
    lines.append(f"{'for':10} {', '.join(pair.why)}")
    return lines + ([f"{'against':10} {'; '.join(pair.against)}"] if pair.against else [])


def _walk(session: Session, found: Sequence[Pair], write: Write) -> None:
    """One pair after another: merge them, keep them apart for ever, leave them, or stop."""
    from pressmark.exchange import duplicates

    gone: set[str] = set()
    for number, pair in enumerate(found, 1):
        if {pair.a.key, pair.b.key} & gone:
            continue
        for line in ["", f"{number} of {len(found)}", *_lines(pair)]:
            session.print_line(line)
        asked = click.prompt(
            "[m]erge into the first, [o]ther way round, [a]part for ever, [l]eave, [q]uit",
            type=click.Choice(["m", "o", "a", "l", "q"]), show_choices=False, default="l",
        )  # fmt: skip
        if asked == "q":
            return
        first, second = (pair.b, pair.a) if asked == "o" else (pair.a, pair.b)
        if asked in ("m", "o"):
            session.library.merge(first.key, second.key, write=write)
            gone.add(second.key)
        elif asked == "a":
            duplicates.keep_apart(session.library, pair.a.key, pair.b.key, write=write)
