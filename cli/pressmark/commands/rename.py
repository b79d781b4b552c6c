"""`pressmark rename`: another key; every citation and link follows, the old key stays an alias."""

from __future__ import annotations

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.session import Session, json_option, with_session, write_options
from pressmark.library import Write


@click.command(short_help="Give a reference another key; citations follow.")
@click.argument("old", shell_complete=complete_key)
@click.argument("new")
@write_options
@json_option
@with_session
def command(session: Session, old: str, new: str, write: Write, as_json: bool) -> None:
    """Rename OLD to NEW: the file moves, citations and links are rewritten, OLD is kept in aliases.

    See what would change first with --dry-run.
    """
    from pressmark.links import rename_edits

    library = session.library
    key = library.get(old).key
    outcome = library.rename(key, new, prose=lambda: rename_edits(library, key, new), write=write)
    session.report(outcome, write, as_json)
