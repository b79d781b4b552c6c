"""`pressmark related`: what in the library is related to a paper, or to a text."""

from __future__ import annotations

import click

from pressmark.commands.filtered import Filtered, filter_options
from pressmark.commands.session import Session, json_option, with_session


@click.command(cls=Filtered, short_help="Find what is related to a paper or a text.")
@click.argument("what", metavar="KEY|ID|TEXT")
@click.option("--text", is_flag=True, help="What is given is a text, even if it is one word.")
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
    what: str,
    text: bool,
    k: int | None,
    offset: int,
    filters: tuple[str, ...],
    exclude: tuple[str, ...],
    relation: str,
    explain: bool,
    as_json: bool,
) -> None:
    """Find the papers nearest to one that is held, or to a pasted text.

    The paper itself is left out. Of one that is not held, paste title and abstract.
    """
    from pressmark.commands.retrieval import findings_json, findings_lines, progress
    from pressmark.find import related

    found = related(
        session.library,
        what,
        filters,
        k=k or session.config.find_limit,
        offset=offset,
        exclude=exclude,
        relation=relation,
        text=text,
        explain=explain,
        progress=progress(session),
    )
    lines = findings_lines(found, explain, offset)
    session.emit(findings_json(session.library, found, offset), lines, as_json, found.warnings)
