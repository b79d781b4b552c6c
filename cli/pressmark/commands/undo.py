"""`pressmark undo`: take back a commit with a commit, so that nothing leaves the history."""

from __future__ import annotations

import click

from pressmark.commands.session import (
    Session,
    json_option,
    outcome_data,
    with_session,
)


@click.command(short_help="Take back a Pressmark commit.")
@click.argument("revision", required=False)
@json_option
@with_session
def command(session: Session, revision: str | None, as_json: bool) -> None:
    """Revert REVISION, or without it the last commit that Pressmark made."""
    outcome = session.library.undo(revision)
    lines = [f"{change.kind:8} {change.path}" for change in outcome.changes]
    session.emit(outcome_data(outcome), lines, as_json, outcome.warnings)
