"""A name in, the note it means out: its path, its slug, the end of its slug, or its title."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pressmark.errors import Ambiguous, NotFound, PressmarkError, Unreadable
from pressmark.links.resolve import first_heading
from pressmark.record import Note
from pressmark.text import fold

if TYPE_CHECKING:
    from pressmark.library import Library


def path_of(note: Note) -> str:
    """Where a note's file is, from the root of the library."""
    return f"notes/{note.slug}.md"


def titled(note: Note) -> Note:
    """The note with a title: its field, else its first heading, else its name."""
    title = note.title or first_heading(note.body) or note.slug.rpartition("/")[2]
    return replace(note, title=title)


def get(library: Library, name: str) -> Note:
    """The note a name means: its path, its slug, the end of its slug, an alias, or its title.

    Raises NotFound, Ambiguous with the slugs, or Unreadable for a file that cannot be read.
    """
    notes = [titled(note) for note in library.notes()]
    found = _meant(notes, name)
    if len(found) == 1:
        return found[0]
    if found:
        slugs = tuple(note.slug for note in found)
        raise Ambiguous(
            f"{name} names {len(found)} notes: {', '.join(slugs)}.", slugs,
            next="give its path: notes/…",
        )  # fmt: skip
    raise _missing(library, name)


def exists(library: Library, name: str) -> bool:
    """Whether a name means one note, or several."""
    return bool(_meant([titled(note) for note in library.notes()], name))


def _meant(notes: list[Note], name: str) -> list[Note]:
    wanted = bare(name)
    own = [note for note in notes if fold(note.slug) == wanted]
    if own:
        return own
    named = [
        note for note in notes
        if wanted in (fold(note.title), *(fold(alias) for alias in note.aliases))
    ]  # fmt: skip
    return named or [note for note in notes if fold(note.slug).endswith(f"/{wanted}")]


def bare(name: str) -> str:
    """A name as it is compared: without `notes/` and `.md`, folded."""
    return fold(name.strip().removeprefix("./").removeprefix("notes/").removesuffix(".md"))


def _missing(library: Library, name: str) -> PressmarkError:
    wanted = bare(name)
    for wreck in library.catalogue.unreadable():
        if wreck.path.startswith("notes/") and wanted in (bare(wreck.path), _last(wreck.path)):
            return Unreadable(
                wreck.message, path=wreck.path, line=wreck.line, field=wreck.field,
                next=f"correct {wreck.path} in an editor",
            )  # fmt: skip
    return NotFound(f"There is no note {name}.", next="pressmark note list")


def _last(path: str) -> str:
    return bare(path).rpartition("/")[2]
