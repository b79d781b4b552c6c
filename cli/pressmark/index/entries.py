"""A library in, what is to be indexed of it out: one entry a reference or note, with its rows.

The unit is the owner (a reference with its full text, or a note), known by the hash of its files:
a changed title is part of every passage's text, so then all of them are made anew.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from pressmark import disk, page
from pressmark.catalogue import Catalogue
from pressmark.errors import PressmarkError
from pressmark.index import cache, passages, rows
from pressmark.index.rows import Rows
from pressmark.page.frame import open_frame
from pressmark.record import Author, Note, Reference


class Source(NamedTuple):
    """A reference or note as it stands in the files: its name, their paths, their hash."""

    name: str
    note: bool
    paths: tuple[str, ...]
    digest: str


class Item(NamedTuple):
    """One row to be: what it is, its passage if it is one, and the text that is indexed."""

    role: str
    path: str
    passage: passages.Passage | None
    text: str


class Entry(NamedTuple):
    """An owner's rows to be, and what only its words know: keywords and authors' names."""

    source: Source
    items: tuple[Item, ...]
    keywords: str
    names: str


class Reader:
    """The library as it stands, read for indexing."""

    def __init__(self, root: Path, catalogue: Catalogue) -> None:
        self.root = root
        self._catalogue = catalogue

    @cached_property
    def fingerprint(self) -> str:
        """A hash of everything that is indexed; the same for the same files."""
        taken = hashlib.sha256()
        for path, sha256 in self._hashes.items():
            taken.update(f"{path}\0{sha256}\n".encode("utf-8", "surrogatepass"))
        return taken.hexdigest()

    @cached_property
    def sources(self) -> dict[tuple[bool, str], Source]:
        """Every owner by whether it is a note and by its name, in the order of their paths."""
        texts = self._catalogue.with_fulltext()
        found = [
            self._source(key, False, (path, texts[key]) if key in texts else (path,))
            for key, path in self._catalogue.paths().items()
        ]
        notes = self._catalogue.files("note")
        found += [self._source(file.name, True, (file.path,)) for file in notes]
        found.sort(key=lambda source: (source.note, source.paths[0]))
        return {(source.note, source.name): source for source in found}

    def read(self, source: Source) -> Entry | None:
        """The entry of an owner; None when its file went away or cannot be read."""
        return self._note(source) if source.note else self._reference(source)

    @cached_property
    def _hashes(self) -> dict[str, str]:
        kinds = ("reference", "fulltext", "note")
        return {file.path: file.sha256 for kind in kinds for file in self._catalogue.files(kind)}

    def _source(self, name: str, note: bool, paths: tuple[str, ...]) -> Source:
        lines = "\n".join(f"{path}\0{self._hashes.get(path, '')}" for path in paths)
        digest = hashlib.sha256(lines.encode("utf-8", "surrogatepass")).hexdigest()
        return Source(name, note, paths, digest)

    def _reference(self, source: Source) -> Entry | None:
        reference = self._catalogue.get(source.name)
        body = text_of(self.root, source.paths[0])
        if reference is None or body is None:
            return None
        items = [*_own(reference, source.paths[0], *body)]
        for path in source.paths[1:]:
            text = text_of(self.root, path)
            if text is not None:
                items += _fulltext(reference, path, *text)
        return Entry(source, tuple(items), " | ".join(reference.keywords), _names(reference))

    def _note(self, source: Source) -> Entry | None:
        path = source.paths[0]
        text = text_of(self.root, path)
        if text is None:
            return None
        try:
            note = page.read(Note, text[0].encode(), path)
        except PressmarkError:
            return None
        title = note.title or source.name
        items = [
            Item(rows.NOTE, path, each, passages.indexed(title, each.section, each.text))
            for each in passages.split(source.name, text[0], passages.NOTE, text[1], path)
        ]
        items = items or [Item(rows.NOTE, path, None, title)]
        return Entry(source, tuple(items), " | ".join(note.tags), "")


def difference(table: Rows, reader: Reader) -> tuple[list[Source], list[int]]:
    """The sources that a table does not hold as they are now, and the owners it holds in vain."""
    fresh = dict(reader.sources)
    gone = []
    for owner in table.owners():
        name = (owner.id >= rows.NOTES, owner.name)
        if name in fresh and fresh[name].digest == owner.digest:
            del fresh[name]
        else:
            gone.append(owner.id)
    return list(fresh.values()), gone


def _own(reference: Reference, path: str, text: str, start: int) -> Iterator[Item]:
    """The whole paper as one document, then the passages of its page."""
    abstract = reference.abstract or ""
    yield Item(rows.PAPER, path, None, passages.indexed(reference.title, "", abstract))
    for passage in passages.split(reference.key, text, passages.REFERENCE, start, path):
        role = rows.SUMMARY if passage.section.casefold() == "abstract" else rows.BODY
        indexed = passages.indexed(reference.title, passage.section, passage.text)
        yield Item(role, path, passage, indexed)


def _fulltext(reference: Reference, path: str, text: str, start: int) -> Iterator[Item]:
    for passage in passages.split(reference.key, text, passages.FULLTEXT, start, path):
        indexed = passages.indexed(reference.title, passage.section, passage.text)
        yield Item(rows.FULLTEXT, path, passage, indexed)


def _names(reference: Reference) -> str:
    people = (*reference.authors, *reference.editors)
    return " ".join(Author.parse(name).family for name in people)


def text_of(root: Path, path: str) -> tuple[str, int] | None:
    """A file's LF text without a byte order mark, and where its body begins."""
    try:
        frame = open_frame(disk.read_bytes(root, path).replace(b"\r\n", b"\n"), path)
    except (PressmarkError, OSError):
        return None
    return frame.text, frame.rest


def vector_name(item: Item) -> bytes:
    """The name of an item's vector in the cache: the hash of what is indexed."""
    return cache.key(item.text)
