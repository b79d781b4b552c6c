"""`pressmark undo`: take back a commit with a commit, so that nothing leaves the history."""

from __future__ import annotations

import click

from pressmark.commands.session import Session, json_option, with_session, write_options
from pressmark.library import Outcome, Write


@click.command(short_help="Take back a Pressmark commit.")
@click.argument("revision", required=False)
@write_options
@json_option
@with_session
def command(session: Session, revision: str | None, write: Write, as_json: bool) -> None:
    """Revert REVISION, or without it the last commit that Pressmark made.

    A document or text that git does not have is put aside with the reference it belongs to, and
    comes back when the undo is undone.
    """
    from dataclasses import replace

    from pressmark.fulltext import undoing

    outcome = session.library.undo(revision, write=write)
    if not (write.dry_run or write.branch):
        notes = (*undoing.settle(session.library, outcome), *_left(session, outcome))
        outcome = replace(outcome, warnings=(*outcome.warnings, *notes))
    session.report(outcome, write, as_json)


def _left(session: Session, outcome: Outcome) -> list[str]:
    """A sentence for each mention of a name that the undo took away.

    A rename writes into files with edits of the user's and leaves them out of its commit, so
    that its undo cannot know what to do with them.
    """
    from pressmark.catalogue import layout

    gone = [
        layout.name(change.path).rpartition("/")[2] for change in outcome.changes
        if change.after is None and layout.kind(change.path) in ("reference", "note")
    ]  # fmt: skip
    came = any(
        change.before is None and layout.kind(change.path) in ("reference", "note")
        for change in outcome.changes
    )
    if not gone or not came:
        return []
    from pressmark.links import left_behind

    return [
        f"{each.path}:{each.line} still says {each.link.target}: it was not in the commit."
        for each in left_behind(session.library, gone)
    ]
