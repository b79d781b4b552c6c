"""`pressmark changes`: what was added, removed, changed and retracted since a commit or a date."""

from __future__ import annotations

import click

from pressmark.commands.session import Session, json_option, with_session
from pressmark.errors import BadInput


@click.command(short_help="Say what changed since a commit, a date or your last look.")
@click.argument("revision", metavar="[REV]", required=False)
@click.option("--until", metavar="REV", default="HEAD", help="Up to this commit: HEAD.")
@click.option("--since-seen", is_flag=True, help="Since you last asked so; then it is marked.")
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown"]), default="text",
    help="Lines, or tables for a pull request.",
)  # fmt: skip
@json_option
@with_session
def command(
    session: Session, revision: str | None, until: str, since_seen: bool, form: str, as_json: bool
) -> None:
    """Say which references were added, removed, changed and retracted since REV.

    REV is a commit, a tag, a branch or a date (2026-11-01, 7d); without one the last commit is
    meant. What is not committed does not count.
    """
    from pressmark.topics import changing, telling

    if since_seen and revision:
        raise BadInput("--since-seen says itself since when.", next="leave REV out")
    library = session.library
    if since_seen:
        found = changing.since_seen(library)
    else:
        found = changing.changes(library, revision, until)
    text = telling.as_markdown(found).rstrip("\n") if form == "markdown" else telling.as_text(found)
    session.emit(telling.as_data(found), text, as_json)
