"""A note in, what the command line, agents and editors are told of it out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pressmark import ids
from pressmark.notes import anchor
from pressmark.notes.naming import path_of
from pressmark.record import Extra, Note

if TYPE_CHECKING:
    from pressmark.library import Library


def anchors_of(note: Note) -> list[anchor.Anchor]:
    """The note's anchors; one without a reference belongs to what the note is about."""
    return [anchor.read(item) for item in note.anchors]


def metadata(note: Note) -> dict[str, Extra]:
    """The front-matter fields that are the user's own."""
    return dict(note.extra)


def note_data(note: Note, library: Library | None = None) -> dict[str, object]:
    """A note as JSON; with the library also the canonical identifiers it is about.

    `author` is null for a note of your own; `about_identifiers` leaves out what is not held.
    """
    found: dict[str, object] = {
        "slug": note.slug,
        "path": path_of(note),
        "title": note.title,
        "about": list(note.about),
        "tags": list(note.tags),
        "aliases": list(note.aliases),
        "author": note.author or None,
        "created": note.created,
        "anchors": [anchor.to_data(each) for each in anchors_of(note)],
        "metadata": metadata(note),
        "body": note.body,
    }
    if library is not None:
        found["about_identifiers"] = identifiers(note, library)
    return found


def identifiers(note: Note, library: Library) -> list[str]:
    """The canonical identifier of each reference that a note is about: `doi:…`, `arxiv:…`."""
    found = []
    for key in note.about:
        held = library.catalogue.get(plain_key(key))
        named = [each for each in ids.identities(held) if held] if held else []
        found += [each for each in named if not each.startswith("title:")][:1]
    return found


def plain_key(item: str) -> str:
    """The key in an item of `about`, whatever signs stand around it: `[[key]]`, `@key`."""
    return item.strip().removeprefix("[[").removesuffix("]]").strip("[]").removeprefix("@")
