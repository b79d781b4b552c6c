"""Notes: a title in, a new note out; and the notes of a library by tag, by reference, by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pressmark import ids, links
from pressmark.errors import Ambiguous, BadInput, NotFound
from pressmark.library import Outcome, Write
from pressmark.record import Note
from pressmark.text import clean, fold

if TYPE_CHECKING:
    from pressmark.library import Library


def begin(
    library: Library,
    title: str,
    *,
    about: Sequence[str] = (),
    tags: Sequence[str] = (),
    today: str,
    write: Write | None = None,
) -> Outcome:
    """File a new note with its title; from then on no command writes into its text."""
    title = clean(title)
    if not title:
        raise BadInput("A note needs a title.")
    keys = tuple(library.get(each).key for each in about)
    taken = {note.slug for note in library.notes()}
    cites = "".join(f"\n[@{key}]\n" for key in keys)
    note = Note(
        slug=ids.slug(title, taken),
        title=title,
        about=keys,
        tags=tuple(sorted(set(tags))),
        created=today,
        body=f"\n# {title}\n{cites}",
    )
    return library.put([note], f"note: {title}", write or Write())


def listed(library: Library, *, tag: str | None = None, about: str | None = None) -> list[Note]:
    """The notes, titled, by slug; those with a tag, or about or citing a reference."""
    found = [titled(note) for note in library.notes()]
    if tag:
        found = [note for note in found if fold(tag) in {fold(each) for each in note.tags}]
    if about:
        key = library.get(about).key
        citing = {m.path for m in links.mentioning(library, key, kinds=["note"])}
        found = [n for n in found if key in n.about or f"notes/{n.slug}.md" in citing]
    return sorted(found, key=lambda note: note.slug)


def get(library: Library, name: str) -> Note:
    """The note a name means: its path, its slug, the end of its slug, or its title."""
    wanted = fold(name.removeprefix("notes/").removesuffix(".md"))
    notes = [titled(note) for note in library.notes()]
    exact = [note for note in notes if wanted in (fold(note.slug), fold(note.title))]
    found = exact or [note for note in notes if fold(note.slug).endswith(f"/{wanted}")]
    if len(found) == 1:
        return found[0]
    if found:
        slugs = tuple(note.slug for note in found)
        raise Ambiguous(f"{name} names {len(found)} notes: {', '.join(slugs)}.", slugs)
    raise NotFound(f"There is no note {name}.", next="pressmark note list")


def titled(note: Note) -> Note:
    """The note with a title: its field, else its first heading, else its name."""
    first = next((title for level, title, _ in links.headings(note.body) if level == 1), "")
    return replace(note, title=note.title or first or note.slug.rpartition("/")[2])
