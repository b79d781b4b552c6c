"""`pressmark log`: the commits that touched a reference, the newest first."""

from __future__ import annotations

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.session import Session, json_option, with_session


@click.command(short_help="Show the history of a reference.")
@click.argument("key", required=False, shell_complete=complete_key)
@click.option("-n", "--limit", type=click.IntRange(1), default=20, help="At most this many: 20.")
@json_option
@with_session
def command(session: Session, key: str | None, limit: int, as_json: bool) -> None:
    """Show the commits that touched KEY's file, or without KEY those of the whole library."""
    library = session.library
    entries = library.log(library.get(key).key if key else None, limit)
    data = [
        {"sha": e.sha, "date": e.date, "author": e.author, "subject": e.subject} for e in entries
    ]
    text = [f"{e.sha[:10]}  {e.date[:10]}  {e.author}  {e.subject}" for e in entries]
    session.emit(data, text, as_json)
    if not entries:
        session.say("No commit yet.")
