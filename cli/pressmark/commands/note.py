"""`pressmark note`: a new note, the list of notes, one note."""

from __future__ import annotations

import click

from pressmark.commands.session import Session, json_option, with_session, write_options
from pressmark.library import Write


@click.group(short_help="Make, list and show notes.")
def command() -> None:
    """Notes are your own Markdown under notes/; any editor will do."""


@command.command(short_help="Begin a note.")
@click.argument("title")
@click.option("--about", multiple=True, metavar="REF", help="A reference it is about.")
@click.option("-t", "--tag", "tags", multiple=True, metavar="TAG", help="Tag it.")
@write_options
@json_option
@with_session
def new(
    session: Session,
    title: str,
    about: tuple[str, ...],
    tags: tuple[str, ...],
    write: Write,
    as_json: bool,
) -> None:
    """Begin a note called TITLE; the file is yours to write from then on."""
    from pressmark.notes import begin

    outcome = begin(
        session.library, title, about=about, tags=tags, today=session.today, write=write
    )
    session.report(outcome, write, as_json)


@command.command("list", short_help="List the notes.")
@click.option("-t", "--tag", metavar="TAG", help="Only those with this tag.")
@click.option("--about", metavar="REF", help="Only those about or citing this reference.")
@json_option
@with_session
def list_(session: Session, tag: str | None, about: str | None, as_json: bool) -> None:
    """List the notes with their titles and what they are about."""
    from pressmark.notes import listed
    from pressmark.render import table

    found = listed(session.library, tag=tag, about=about)
    data = [
        {"slug": n.slug, "title": n.title, "about": list(n.about), "tags": list(n.tags)}
        for n in found
    ]
    rows = [(n.slug, n.title, ", ".join(n.about)) for n in found]
    session.emit(data, table(rows), as_json, session.unread("notes/"))
    if not found:
        session.say("No note matches." if tag or about else "There is no note yet.")


@command.command(short_help="Show one note.")
@click.argument("name")
@json_option
@with_session
def show(session: Session, name: str, as_json: bool) -> None:
    """Show the note that NAME, its path or its title, means."""
    from pressmark.notes import get

    note = get(session.library, name)
    data = {
        "slug": note.slug, "title": note.title, "about": list(note.about), "tags": list(note.tags),
        "created": note.created, "body": note.body,
    }  # fmt: skip
    session.emit(data, note.body.strip("\n"), as_json)
