"""`pressmark find`: the papers of the library that answer, each with the passage that shows why."""

from __future__ import annotations

import click

from pressmark.commands.filtered import Filtered, filter_options
from pressmark.commands.session import Session, json_option, with_session


@click.command(cls=Filtered, short_help="Find papers in the library, each with its passage.")
@click.argument("words", metavar="QUERY", nargs=-1, required=True)
@click.option("-k", "--limit", "k", type=click.IntRange(1, 200), help="How many: 20; at most 200.")
@click.option("--offset", type=click.IntRange(0), default=0, help="Skip this many first.")
@filter_options
@click.option("--exclude", multiple=True, metavar="KEY", help="More, but not these.")
@click.option("--relation", metavar="KIND", default="any", help="any; others are ranked as any.")
@click.option("--explain", is_flag=True, help="Show the rank in every channel.")
@json_option
@with_session
def command(
    session: Session,
    words: tuple[str, ...],
    k: int | None,
    offset: int,
    filters: tuple[str, ...],
    exclude: tuple[str, ...],
    relation: str,
    explain: bool,
    as_json: bool,
) -> None:
    """Find papers by what they say; ask in plain words. Nothing here touches the network.

    Ranked by words, by meaning where a model is installed, and by the citations between the
    papers; scores are only comparable within one answer.
    """
    from pressmark.commands.retrieval import findings_json, findings_lines, progress
    from pressmark.find import find

    found = find(
        session.library,
        " ".join(words),
        filters,
        k=k or session.config.find_limit,
        offset=offset,
        exclude=exclude,
        relation=relation,
        explain=explain,
        progress=progress(session),
    )
    lines = findings_lines(found, explain, offset)
    session.emit(findings_json(session.library, found, offset), lines, as_json, found.warnings)
    if as_json:
        return
    if not found.hits:
        session.say("Nothing in the library answers.")
    if found.semantic == "off" and found.next:
        session.say(f"semantic: off; turn it on with: {found.next}")
