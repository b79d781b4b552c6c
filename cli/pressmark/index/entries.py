"""An owner in, the rows that are indexed of it out, each with its text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pressmark import page
from pressmark.errors import PressmarkError
from pressmark.index import cache, passages, rows, templates
from pressmark.index.passage import FULLTEXT, NOTE, REFERENCE, Passage
from pressmark.index.sources import Source, Sources, body_of, text_of
from pressmark.record import Author, Note, Reference, section


class Item(NamedTuple):
    """One row to be: what it is, its passage if it is one, and the text that is indexed."""

    role: str
    path: str
    passage: Passage | None
    text: str


class Entry(NamedTuple):
    """An owner's rows to be, and what only its words know: keywords and authors' names."""

    source: Source
    items: tuple[Item, ...]
    keywords: str
    names: str


def read(library: Sources, source: Source, known: frozenset[bytes] = frozenset()) -> Entry | None:
    """The entry of an owner; None when its file went away or cannot be read.

    `known` are the paragraphs that recur over the library's texts.
    """
    return _note(library, source) if source.note else _reference(library, source, known)


def short(library: Sources, source: Source) -> set[bytes]:
    """The names of the short paragraphs of an owner's full text."""
    texts = (text_of(library.root, path) for path in source.paths[1:] if not source.note)
    return set[bytes]().union(*(templates.short(text) for text in texts if text))


def _reference(library: Sources, source: Source, known: frozenset[bytes]) -> Entry | None:
    reference = library.catalogue.get(source.name)
    text = text_of(library.root, source.paths[0])
    if reference is None or text is None:
        return None
    items = [*_own(reference, source.paths[0], text)]
    for path in source.paths[1:]:
        text = text_of(library.root, path)
        if text is not None:
            items += _fulltext(reference, path, text, known)
    return Entry(source, tuple(items), " | ".join(reference.keywords), _names(reference))


def _note(library: Sources, source: Source) -> Entry | None:
    path = source.paths[0]
    text = text_of(library.root, path)
    if text is None:
        return None
    try:
        note = page.read(Note, text.encode(), path)
    except PressmarkError:
        return None
    title = note.title or source.name
    items = [
        Item(rows.NOTE, path, each, passages.indexed(title, each.section, each.text))
        for each in passages.split(source.name, text, NOTE, body_of(text), path)
    ]
    items = items or [Item(rows.NOTE, path, None, title)]
    return Entry(source, tuple(items), " | ".join(note.tags), "")


def _own(reference: Reference, path: str, text: str) -> Iterator[Item]:
    """The whole paper as one document, then the passages of its page."""
    heading = "Abstract" if reference.abstract else "Summary"
    summary = section(reference.body, heading) or ""
    yield Item(rows.PAPER, path, None, passages.indexed(reference.title, "", summary))
    for passage in passages.split(reference.key, text, REFERENCE, body_of(text), path):
        own = passage.section.casefold() == heading.casefold()
        role = rows.SUMMARY if own else rows.BODY
        indexed = passages.indexed(reference.title, passage.section, passage.text)
        yield Item(role, path, passage, indexed)


def _fulltext(
    reference: Reference, path: str, text: str, known: frozenset[bytes]
) -> Iterator[Item]:
    for passage in passages.split(reference.key, text, FULLTEXT, body_of(text), path, known):
        indexed = passages.indexed(reference.title, passage.section, passage.text)
        yield Item(rows.FULLTEXT, path, passage, indexed)


def _names(reference: Reference) -> str:
    people = (*reference.authors, *reference.editors)
    return " ".join(Author.parse(name).family for name in people)


def vector_name(item: Item) -> bytes:
    """The name of an item's vector in the cache: the hash of what is indexed."""
    return cache.key(item.text)
