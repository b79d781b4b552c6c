"""`pressmark collection`: named reading lists: make one, fill it, list and show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.session import (
    Session,
    json_option,
    outcome_data,
    outcome_text,
    with_session,
    write_options,
)
from pressmark.errors import NotFound
from pressmark.library import Write

if TYPE_CHECKING:
    from pressmark.topics.collecting import Collected


@click.group(short_help="Make, fill, list and show reading lists.")
def command() -> None:
    """Reading lists: Markdown files under topics/collections/, one key a line."""


@command.command(short_help="Begin a reading list.")
@click.argument("title", nargs=-1, required=True)
@write_options
@json_option
@with_session
def new(session: Session, title: tuple[str, ...], write: Write, as_json: bool) -> None:
    """Begin the reading list TITLE."""
    from pressmark.topics.collecting import new_collection

    done = new_collection(session.library, " ".join(title), write=write)
    _report(session, done, write, as_json)


@command.command(short_help="Put references into a list.")
@click.argument("slug")
@click.argument("references", nargs=-1, required=True, shell_complete=complete_key)
@write_options
@json_option
@with_session
def add(
    session: Session, slug: str, references: tuple[str, ...], write: Write, as_json: bool
) -> None:
    """Put REFERENCES, by key or any identifier, into the list SLUG; it is made if need be.

    What names no reference is reported; the rest go in.
    """
    from pressmark.topics.collecting import collect

    _report(session, collect(session.library, slug, references, write=write), write, as_json)


@command.command(short_help="Take references out of a list.")
@click.argument("slug")
@click.argument("references", nargs=-1, required=True, shell_complete=complete_key)
@write_options
@json_option
@with_session
def remove(
    session: Session, slug: str, references: tuple[str, ...], write: Write, as_json: bool
) -> None:
    """Take REFERENCES out of the list SLUG; they stay in the library."""
    from pressmark.topics.collecting import uncollect

    _report(session, uncollect(session.library, slug, references, write=write), write, as_json)


@command.command("list", short_help="List the reading lists.")
@json_option
@with_session
def list_(session: Session, as_json: bool) -> None:
    """List the reading lists and how many references each has."""
    from pressmark.render import table

    found = session.library.collections()
    data = [
        {"slug": c.slug, "title": c.title, "vocabulary": c.vocabulary, "members": len(c.members)}
        for c in found
    ]
    rows = [(each.slug, str(len(each.members)), each.title) for each in found]
    session.emit(data, table(rows), as_json, session.unread("topics/collections/"))
    if not rows:
        session.say("There is no collection yet.")


@command.command(short_help="Show a reading list and its references.")
@click.argument("slug")
@json_option
@with_session
def show(session: Session, slug: str, as_json: bool) -> None:
    """Show the reading list SLUG, named by its slug or its title."""
    from pressmark.render import rows
    from pressmark.topics.collecting import collection, members

    held = collection(session.library, slug)
    found, missing = members(session.library, held)
    data = {
        "slug": held.slug, "title": held.title, "vocabulary": held.vocabulary,
        "members": list(held.members), "missing": missing, "text": held.body.strip(),
    }  # fmt: skip
    lines = [held.title, held.body.strip(), "", *rows(found)]
    warnings = [f"{key} is in the list and not in the library." for key in missing]
    session.emit(data, lines, as_json, warnings)


def _report(session: Session, done: Collected, write: Write, as_json: bool) -> None:
    """What went in or out; a rejected word is named, and the exit status is 1 when all were."""
    data = {
        "slug": done.slug,
        "keys": list(done.keys),
        "rejected": [{"word": word, "reason": reason} for word, reason in done.rejected],
        **outcome_data(done.outcome, write),
    }
    failure = None
    if done.rejected and not done.keys:
        failure = NotFound(done.rejected[-1][1], next="pressmark list WORDS")
    told = done.rejected[:-1] if failure else done.rejected
    warnings = [*done.outcome.warnings, *(f"{word}: {reason}" for word, reason in told)]
    session.emit(data, outcome_text(done.outcome, write), as_json, warnings, failure)
    session.say_where(done.outcome, write)
