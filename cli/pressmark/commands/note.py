"""`pressmark note`: begin, list, find, show, change and remove notes; quotations and highlights."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pressmark.commands.session import Session, json_option, with_session, write_options
from pressmark.errors import BadInput
from pressmark.library import Write

if TYPE_CHECKING:
    from pressmark.notes import Draft, NoteQuery


Function = TypeVar("Function", bound=Callable[..., Any])


@click.group(short_help="Begin, find, quote and change notes.")
def command() -> None:
    """Notes are your own Markdown under notes/; any editor will do."""


@command.command(short_help="Begin a note.")
@click.argument("title", required=False)
@click.option("--about", multiple=True, metavar="REF", help="A reference it is about.")
@click.option("--quote", "quotes", multiple=True, metavar="TEXT", help="Words of its full text.")
@click.option("--page", metavar="N", help="The page the quotation is on.")
@click.option("--comment", metavar="TEXT", help="What to say to the quotation.")
@click.option("-t", "--tag", "tags", multiple=True, metavar="TAG", help="Tag it.")
@click.option("--template", metavar="NAME", help="From notes/templates/, or daily, literature.")
@click.option("--author", metavar="NAME", help="Who wrote it, when it was not you.")
@click.option("--edit/--no-edit", "edit", default=None, help="Open the editor first, or not.")
@write_options
@json_option
@with_session
def new(
    session: Session,
    title: str | None,
    about: tuple[str, ...],
    quotes: tuple[str, ...],
    page: str | None,
    comment: str | None,
    tags: tuple[str, ...],
    template: str | None,
    author: str | None,
    edit: bool | None,
    write: Write,
    as_json: bool,
) -> None:
    """Begin a note called TITLE; the file is yours to write from then on.

    On a terminal your editor opens it first. Without TITLE the reference or the day gives one.
    A quotation is looked up in the full text and keeps its place, so that it is found again.
    """
    from datetime import datetime

    from pressmark.notes import Anchor, compose

    if (page or comment) and not quotes and not about:
        raise BadInput("--page and --comment belong to --quote.")
    anchors = [Anchor(exact=words.strip(), page=page or "") for words in quotes]
    if comment or (page and not quotes):
        last = anchors.pop() if anchors else Anchor(page=page or "")
        anchors.append(Anchor(exact=last.exact, page=last.page, comment=comment or ""))
    draft = compose(
        session.library, title or "", about=about, tags=tags, anchors=anchors, template=template,
        author=author, today=session.today, time=datetime.now().strftime("%H:%M"),
    )  # fmt: skip
    _file(session, draft, write, as_json, edit)


def _file(session: Session, draft: Draft, write: Write, as_json: bool, edit: bool | None) -> None:
    """File a new note, once an editor has had it where a person is there to use it."""
    from pressmark.commands.session import on_terminal
    from pressmark.notes import file

    asked = edit if edit is not None else on_terminal() and not as_json and not write.dry_run
    if asked:
        from pressmark.commands.editor import begin

        outcome = begin(session, draft, write)
    else:
        outcome = file(session.library, draft, write)
    session.report(outcome, write, as_json)


def _filters(function: Function) -> Function:
    """The options by which notes are chosen."""
    options = (
        click.option("-t", "--tag", "tags_all", multiple=True, metavar="TAG",
                     help="With this tag; given twice, with both."),
        click.option("--any-tag", "tags_any", multiple=True, metavar="TAG",
                     help="With one of these tags."),
        click.option("--not-tag", "tags_exclude", multiple=True, metavar="TAG",
                     help="Without this tag."),
        click.option("--about", metavar="REF", help="About or citing this reference."),
        click.option("--provider", metavar="KIND", help="About what has a doi, arxiv, pmid …"),
        click.option("--identifier", metavar="ID", help="That identifier; needs --provider."),
        click.option("--format", "form", metavar="FORM",
                     help="About what was read from jats, html or pdf."),
        click.option("--from", "date_from", metavar="DATE", help="Begun on this day or later."),
        click.option("--until", "date_to", metavar="DATE", help="Begun on this day or earlier."),
        click.option("--author", type=click.Choice(["any", "mine", "named"]), default="any",
                     help="Whose."),
        click.option("--author-name", metavar="NAME", help="The name, with --author named."),
        click.option("--offset", type=click.IntRange(0), default=0, help="Skip this many first."),
        click.option("-n", "--limit", type=click.IntRange(1), help="At most this many."),
    )  # fmt: skip
    decorated: Any = function
    for option in reversed(options):
        decorated = option(decorated)
    return decorated  # type: ignore[no-any-return]


@command.command("list", short_help="List the notes.")
@_filters
@json_option
@with_session
def list_(session: Session, as_json: bool, **filters: object) -> None:
    """List the notes with their titles and what they are about, the newest first."""
    from pressmark.notes import find, note_data
    from pressmark.render import table

    found = find(session.library, _query(filters))
    data = [{k: v for k, v in note_data(n).items() if k != "body"} for n in found.notes]
    rows = [(n.slug, n.title, ", ".join(n.about)) for n in found.notes]
    session.emit(data, table(rows), as_json, session.unread("notes/"))
    asked = {k: v for k, v in filters.items() if v not in ((), None, "any", 0)}
    if not found.total:
        session.say("No note matches." if asked else "There is no note yet.")
    elif found.next_offset is not None:
        session.say(
            f"{len(found.notes)} of {found.total}; go on with --offset {found.next_offset}."
        )


@command.command("find", short_help="Find notes by their text.")
@click.argument("words", nargs=-1)
@_filters
@click.option("--meaning", is_flag=True, help="Rank by words and meaning, from the index.")
@json_option
@with_session
def find_(
    session: Session, words: tuple[str, ...], meaning: bool, as_json: bool, **filters: object
) -> None:
    """Find the notes whose text holds all WORDS, the best first; without WORDS the newest.

    With --meaning the notes nearest to WORDS come first, whether they hold them or not.
    """
    from pressmark.find.noting import preview
    from pressmark.notes import find

    filters["limit"] = filters["limit"] or 50
    asked = " ".join(words)
    if meaning:
        _near(session, asked, filters, as_json)
        return
    found = find(session.library, _query(filters, asked or None))
    hits = [
        (note, score, preview(note, words[0] if words else ""))
        for note, score in zip(found.notes, found.scores, strict=True)
    ]
    data = {
        "total": found.total, "offset": found.offset, "next_offset": found.next_offset,
        "notes": [
            {"slug": n.slug, "title": n.title, "about": list(n.about), "tags": list(n.tags),
             "created": n.created, "author": n.author, "score": s, "preview": p}
            for n, s, p in hits
        ],
    }  # fmt: skip
    lines = [
        line for note, _, text in hits for line in (f"{note.slug}  {note.title}", f"    {text}")
    ]
    session.emit(data, lines, as_json, session.unread("notes/"))
    if not found.total:
        session.say("No note matches.")


def _near(session: Session, words: str, filters: dict[str, object], as_json: bool) -> None:
    """The notes nearest to some words, among those that pass the filters."""
    from dataclasses import replace

    from pressmark.find.noting import near_notes
    from pressmark.notes import find

    if not words.strip():
        raise BadInput("--meaning needs words to be near to.")
    query = _query(filters)
    scope = find(session.library, replace(query, offset=0, limit=None)).notes
    near = near_notes(
        session.library, words, scope, offset=query.offset, limit=query.limit or 50
    )  # fmt: skip
    data = {
        "total": near.total, "index_status": near.index_status, "semantic": near.semantic,
        "notes": [
            {"note_id": n.slug, "text_preview": n.preview, "score": n.score} for n in near.notes
        ],
    }  # fmt: skip
    lines = [line for n in near.notes for line in (f"{n.slug}  {n.score}", f"    {n.preview}")]
    session.emit(data, lines, as_json)
    if not near.notes:
        session.say("No note matches.")


def _query(filters: dict[str, object], keyword: str | None = None) -> NoteQuery:
    """The query that the options ask for; `--about` takes the notes that cite, too."""
    from pressmark.notes import NoteQuery

    named: dict[str, Any] = {
        ("format" if name == "form" else name): value for name, value in filters.items()
    }
    named["citing"] = named.pop("about")
    return NoteQuery(keyword=keyword, **named)


@command.command(short_help="Show one note.")
@click.argument("name")
@json_option
@with_session
def show(session: Session, name: str, as_json: bool) -> None:
    """Show the note that NAME, its path or its title, means."""
    from pressmark.notes import get, note_data, path_of

    note = get(session.library, name)
    repository = session.library.repository if as_json else None
    history = repository.log(path_of(note), 1) if repository else []
    data = {**note_data(note, session.library), "updated": history[0].date if history else None}
    session.emit(data, note.body.strip("\n"), as_json)


@command.command(short_help="Change a note's fields, or open the editor.")
@click.argument("name")
@click.option("--set", "settings", multiple=True, metavar="FIELD=VALUE", help="Empty clears.")
@click.option("--add-tag", "add_tags", multiple=True, metavar="TAG", help="Add a tag.")
@click.option("--remove-tag", "remove_tags", multiple=True, metavar="TAG", help="Take one away.")
@click.option("--clear-anchors", is_flag=True, help="Forget its quotations.")
@click.option("--clear-metadata", is_flag=True, help="Clear every field that is your own.")
@write_options
@json_option
@with_session
def edit(
    session: Session,
    name: str,
    settings: tuple[str, ...],
    add_tags: tuple[str, ...],
    remove_tags: tuple[str, ...],
    clear_anchors: bool,
    clear_metadata: bool,
    write: Write,
    as_json: bool,
) -> None:
    """Change the fields of the note that NAME means; its text is left alone.

    What is not named stays. Without a change to make, your editor opens the file.
    What a note is about, who wrote it and when it was begun stay as they are.
    """
    from pressmark.commands.edit import setting
    from pressmark.notes import UNSET, NoteChange, get, update

    if settings or add_tags or remove_tags or clear_anchors or clear_metadata:
        fields = {field: value or "" for field, value in map(setting, settings)}
        change = NoteChange(
            fields=fields or UNSET, add_tags=add_tags, remove_tags=remove_tags,
            anchors=() if clear_anchors else UNSET, metadata={} if clear_metadata else UNSET,
        )  # fmt: skip
        outcome = update(session.library, name, change, write)
    else:
        from pressmark.commands.editor import edit_note

        outcome = edit_note(session, get(session.library, name).slug, write)
    session.report(outcome, write, as_json)


@command.command(short_help="Remove a note.")
@click.argument("name")
@write_options
@json_option
@with_session
def remove(session: Session, name: str, write: Write, as_json: bool) -> None:
    """Remove the note that NAME means; that there is none is no error."""
    from pressmark.commands.session import outcome_data, outcome_text
    from pressmark.notes import remove as take_away

    removed, outcome = take_away(session.library, name, write)
    data = {"removed": removed, **outcome_data(outcome, write)}
    session.emit(data, outcome_text(outcome, write) if removed else [], as_json, outcome.warnings)
    if removed:
        session.say_where(outcome, write)
    else:
        session.say(f"There is no note {name}.")


@command.command(short_help="Make a note of a PDF's highlights.")
@click.argument("reference")
@click.option("--edit/--no-edit", "edit", default=None, help="Open the editor first, or not.")
@write_options
@json_option
@with_session
def highlights(
    session: Session, reference: str, edit: bool | None, write: Write, as_json: bool
) -> None:
    """Make a note of what you highlighted and wrote in the PDF of REFERENCE.

    Each highlight is a quotation with its page; those that stand in a note already are left out.
    """
    from pressmark.notes import highlights as read

    _file(session, read(session.library, reference, today=session.today), write, as_json, edit)


@command.command(short_help="Verify a quotation against the full text.")
@click.argument("reference")
@click.argument("words")
@click.option("--page", metavar="N", help="Prefer the place on this page.")
@json_option
@with_session
def quote(session: Session, reference: str, words: str, page: str | None, as_json: bool) -> None:
    """Find where WORDS stand in the full text of REFERENCE: page, section, paragraph.

    Typography, hyphens and line ends do not matter; exit status 1 when the words are not there.
    """
    from pressmark.notes import quote as look_up

    library = session.library
    key = library.get(reference).key
    places = look_up(library, key, words, page=page or "")
    data = {
        "key": key,
        "places": [
            {"exact": p.exact, "prefix": p.prefix, "suffix": p.suffix, "page": p.page or None,
             "section": p.section or None, "paragraph": p.paragraph, "score": p.score,
             "verbatim": p.score == 100, "start": p.start, "end": p.end}
            for p in places
        ],
    }  # fmt: skip
    session.emit(data, [line for p in places for line in _place(p, key)], as_json)


def _place(place: object, key: str) -> list[str]:
    from pressmark.notes import Place

    assert isinstance(place, Place)
    where = [f"p. {place.page}" if place.page else "", place.section, f"¶ {place.paragraph}"]
    sure = (
        "word for word" if place.score == 100 else f"not word for word ({place.score:.0f} of 100)"
    )
    return [
        f"{key}, {', '.join(filter(None, where))}: {sure}",
        f"    … {place.prefix} «{place.exact}» {place.suffix} …",
    ]


@command.command(short_help="List mentions that are not linked.")
@click.argument("name", required=False)
@json_option
@with_session
def mentions(session: Session, name: str | None, as_json: bool) -> None:
    """List where prose names a reference or a note by its title or alias without a link.

    NAME limits it to one reference or note. Nothing is written.
    """
    from pressmark.links import unlinked
    from pressmark.notes import exists, get, path_of
    from pressmark.render import counted

    library = session.library
    path = None
    if name is not None:
        found = library.catalogue.resolve(name)
        path = library.path(found[0]) if len(found) == 1 else None
        if path is None:
            path = path_of(get(library, name)) if exists(library, name) else None
            path = path or library.path(library.get(name).key)
    hits = unlinked(library, path)
    data = [
        {"path": m.path, "line": m.line, "column": m.column, "words": m.words,
         "target": m.target.path, "write": m.write, "sentence": m.sentence}
        for m in hits
    ]  # fmt: skip
    lines = [f"{m.path}:{m.line}:{m.column}  {m.words} → {m.write}" for m in hits]
    session.emit(data, lines, as_json)
    session.say(f"{counted(len(hits), 'mention')} without a link.")
