"""A record in, the path of its file out: where it is, or where a new one goes."""

from __future__ import annotations

from pressmark import ids
from pressmark.catalogue import Catalogue, layout
from pressmark.errors import BadInput
from pressmark.record import (
    Collection,
    FullText,
    Note,
    Record,
    Reference,
    Search,
    Topic,
    Vocabulary,
)

FOLDERS: dict[type[Record], str] = {
    Topic: "topics",
    Search: "topics/searches",
    Collection: "topics/collections",
    Vocabulary: "topics/vocabularies",
    Note: "notes",
}


def place(catalogue: Catalogue, record: Record) -> str:
    """The path of a record's file; one that a user moved stays where it is."""
    if isinstance(record, Reference):
        return catalogue.path(record.key) or new(record)
    if isinstance(record, FullText):
        beside = catalogue.path(record.reference)
        return layout.beside(beside) if beside else new(record)
    kind = next(name for name, cls in layout.CLASSES.items() if isinstance(record, cls))
    found = catalogue.record(kind, record.slug)
    return found[0] if found else new(record)


def new(record: Record) -> str:
    """Where a new record goes."""
    if isinstance(record, Reference | FullText):
        key = record.key if isinstance(record, Reference) else record.reference
        if not ids.valid_key(key):
            raise BadInput(
                f"{key!r} cannot be a key.",
                next="a key is letters, digits, - and _, and begins with a letter or a digit",
            )
        path = f"library/{ids.folder(key)}/{key}.md"
        return path if isinstance(record, Reference) else layout.beside(path)
    if not record.slug:
        raise BadInput(f"A {type(record).__name__.lower()} needs a name.")
    return f"{FOLDERS[type(record)]}/{record.slug}.md"


def renamed(path: str, old: str, new: str) -> str:
    """Where a reference's file goes with another key; one that a user moved stays in its folder."""
    folder = path.rpartition("/")[0]
    if folder == f"library/{ids.folder(old)}":
        folder = f"library/{ids.folder(new)}"
    return f"{folder}/{new}.md"
