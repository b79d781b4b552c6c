"""`pressmark cite`: references as lines that a person can paste."""

from __future__ import annotations

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.filtered import Filtered
from pressmark.commands.session import Session, json_option, with_session


@click.command(cls=Filtered, short_help="Print a reference as a citation line.")
@click.argument("references", nargs=-1, required=True, shell_complete=complete_key)
@json_option
@with_session
def command(session: Session, references: tuple[str, ...], as_json: bool) -> None:
    """Print one line a reference: who, when, what, where."""
    from pressmark.render import citation

    found = session.library.select(references, required=True)
    data = [{"key": ref.key, "citation": citation(ref)} for ref in found]
    session.emit(data, [citation(ref) for ref in found], as_json)
