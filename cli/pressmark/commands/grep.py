"""`pressmark grep`: the lines of references, texts and notes that hold an exact term."""

from __future__ import annotations

from dataclasses import asdict

import click

from pressmark.commands.filtered import Filtered, filter_options
from pressmark.commands.session import Session, json_option, with_session


@click.command(cls=Filtered, short_help="Find an exact term in titles, abstracts and text.")
@click.argument("term")
@filter_options
@click.option("--case", is_flag=True, help="Letter case matters.")
@click.option("-n", "--limit", type=click.IntRange(1), default=200, help="At most this many: 200.")
@json_option
@with_session
def command(
    session: Session, term: str, filters: tuple[str, ...], case: bool, limit: int, as_json: bool
) -> None:
    """Find TERM as it stands, in references, full texts and notes."""
    from pressmark.find import grep

    found = grep(session.library, term, filters, case=case, limit=limit)
    lines = [f"{line.path}:{line.line}:{line.column}: {line.text}" for line in found]
    session.emit({"lines": [asdict(line) for line in found]}, lines, as_json)
    if not found and not as_json:
        session.say("No line holds it.")
