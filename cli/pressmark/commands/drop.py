"""`pressmark drop`: drop candidates and remember it, so that they are never offered again."""

from __future__ import annotations

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.filtered import Filtered
from pressmark.commands.session import Session, json_option, with_session, write_options
from pressmark.library import Write


@click.command(cls=Filtered, short_help="Drop candidates; they are never offered again.")
@click.argument("references", nargs=-1, required=True, shell_complete=complete_key)
@click.option("--reason", default="", metavar="TEXT", help="Why; kept in the search or topic.")
@write_options
@json_option
@with_session
def command(
    session: Session, references: tuple[str, ...], reason: str, write: Write, as_json: bool
) -> None:
    """Drop the candidates that REFERENCES name.

    The search or topic that found them remembers it, with the reason.
    """
    library = session.library
    outcome = library.drop(library.keys_of(references), reason=reason, write=write)
    session.report(outcome, write, as_json)
