"""`pressmark merge`: two references of one work become one."""

from __future__ import annotations

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.session import Session, json_option, with_session, write_options
from pressmark.library import Write


@click.command(short_help="Fold reference B into reference A.")
@click.argument("a", shell_complete=complete_key)
@click.argument("b", shell_complete=complete_key)
@write_options
@json_option
@with_session
def command(session: Session, a: str, b: str, write: Write, as_json: bool) -> None:
    """Fold B into A: A's values stand, B fills what is empty, B's key becomes an alias of A."""
    library = session.library
    outcome = library.merge(library.get(a).key, library.get(b).key, write=write)
    session.report(outcome, write, as_json)
