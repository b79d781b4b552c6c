"""`pressmark remove`: remove references from the library."""

from __future__ import annotations

from dataclasses import replace

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.filtered import Filtered
from pressmark.commands.session import Session, json_option, with_session, write_options
from pressmark.library import Write


@click.command(cls=Filtered, short_help="Remove references from the library.")
@click.argument("references", nargs=-1, required=True, shell_complete=complete_key)
@click.option("--force", is_flag=True, help="Even if it is most of the library.")
@write_options
@json_option
@with_session
def command(
    session: Session, references: tuple[str, ...], force: bool, write: Write, as_json: bool
) -> None:
    """Remove the references that REFERENCES name, with their full texts, in one commit."""
    library = session.library
    keys = library.keys_of(references)
    outcome = library.remove(keys, write=replace(write, force=force))
    session.report(outcome, write, as_json)
