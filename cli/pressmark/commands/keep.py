"""`pressmark keep`: keep candidates that a search or topic brought."""

from __future__ import annotations

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.filtered import Filtered
from pressmark.commands.session import Session, json_option, with_session, write_options
from pressmark.library import Write


@click.command(cls=Filtered, short_help="Keep candidates that a search or topic brought.")
@click.argument("references", nargs=-1, required=True, shell_complete=complete_key)
@write_options
@json_option
@with_session
def command(session: Session, references: tuple[str, ...], write: Write, as_json: bool) -> None:
    """Keep the candidates that REFERENCES name: the stage field goes, the reference stays."""
    library = session.library
    keys = library.keys_of(references)
    outcome = library.keep(keys, write=write)
    session.report(outcome, write, as_json)
