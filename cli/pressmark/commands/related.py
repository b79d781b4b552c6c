"""`pressmark related`: what in the library is related to a paper, or to a text."""

from __future__ import annotations

import click

from pressmark.commands.filtered import Filtered, filter_options
from pressmark.commands.session import Session, json_option, with_session


@click.command(cls=Filtered, short_help="Find what is related to a paper or a text.")
@click.argument("what", metavar="KEY|ID|TEXT")
@click.option("-k", "--limit", "k", type=click.IntRange(1, 200), help="How many: 10; at most 200.")
@filter_options
@click.option("--explain", is_flag=True, help="Show the rank in every channel.")
@json_option
@with_session
def command(
    session: Session,
    what: str,
    k: int | None,
    filters: tuple[str, ...],
    explain: bool,
    as_json: bool,
) -> None:
    """Find the papers nearest to one that is held, or to a pasted text.

    The paper itself is left out.
    """
    from pressmark.commands.retrieval import findings_json, findings_lines, progress
    from pressmark.find import related

    found = related(
        session.library,
        what,
        filters,
        k=k or session.config.find_limit,
        explain=explain,
        progress=progress(session),
    )
    lines = findings_lines(found, explain)
    session.emit(findings_json(session.library, found), lines, as_json, found.warnings)
