"""`pressmark undo`: take back a commit with a commit, so that nothing leaves the history."""

from __future__ import annotations

import click

from pressmark.commands.session import Session, json_option, with_session, write_options
from pressmark.library import Write


@click.command(short_help="Take back a Pressmark commit.")
@click.argument("revision", required=False)
@write_options
@json_option
@with_session
def command(session: Session, revision: str | None, write: Write, as_json: bool) -> None:
    """Revert REVISION, or without it the last commit that Pressmark made."""
    outcome = session.library.undo(revision, write=write)
    session.report(outcome, write, as_json)
