"""`pressmark rename`: another name; citations and links follow, the old one stays an alias."""

from __future__ import annotations

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.session import Session, json_option, with_session, write_options
from pressmark.library import Write


@click.command(short_help="Rename a reference or a note; links follow.")
@click.argument("old", shell_complete=complete_key)
@click.argument("new")
@write_options
@json_option
@with_session
def command(session: Session, old: str, new: str, write: Write, as_json: bool) -> None:
    """Rename OLD to NEW: the file moves, citations and links are rewritten, OLD is kept in aliases.

    OLD is a reference, or a note by its path, name or title; NEW a key, or a note's name or path.
    See what would change first with --dry-run.
    """
    from pressmark.links import rename_edits

    library = session.library
    if _is_note(session, old):
        from pressmark.notes import rename

        session.report(rename(library, old, new, write), write, as_json)
        return
    key = library.get(old).key
    outcome = library.rename(key, new, prose=lambda: rename_edits(library, key, new), write=write)
    session.report(outcome, write, as_json)


def _is_note(session: Session, name: str) -> bool:
    """Whether a name means a note: by its path, or where no reference answers to it."""
    if name.removeprefix("./").startswith("notes/"):
        return True
    if session.library.catalogue.resolve(name):
        return False
    from pressmark.notes import exists

    return exists(session.library, name)
