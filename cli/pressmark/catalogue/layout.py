"""A relative path in, the kind of record it holds and the name it gives it out."""

from __future__ import annotations

import unicodedata
from typing import Final

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

FOLDERS: Final = ("library", "topics", "notes")
"""The folders that hold records; each is walked to notice what changed."""

CLASSES: Final[dict[str, type[Record]]] = {
    "reference": Reference,
    "fulltext": FullText,
    "topic": Topic,
    "search": Search,
    "collection": Collection,
    "vocabulary": Vocabulary,
    "note": Note,
}

_SUFFIX = ".md"
_FULLTEXT = ".fulltext.md"
_TOPICS = {"searches": "search", "collections": "collection", "vocabularies": "vocabulary"}


def kind(path: str) -> str | None:
    """What the file at a relative path holds; None for a README or a file of another folder."""
    parts = path.split("/")
    name = parts[-1]
    if len(parts) < 2 or not name.endswith(_SUFFIX) or name.lower() == "readme.md":
        return None
    if parts[0] == "library":
        return "fulltext" if name.endswith(_FULLTEXT) else "reference"
    if parts[0] == "topics":
        return _TOPICS.get(parts[1], "topic") if len(parts) > 2 else "topic"
    if parts[0] != "notes" or (parts[1] == "templates" and len(parts) > 2):
        return None  # a template is no note
    return "note"


def stem(path: str) -> str:
    """The folded path that a reference and its full text share: `library/2017/key`."""
    ending = _FULLTEXT if path.endswith(_FULLTEXT) else _SUFFIX
    return folded(path.removesuffix(ending))


def folded(name: str) -> str:
    """A key, alias or path as it is compared: macOS spells `é` with two characters."""
    if name.isascii():
        return name.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def name(path: str) -> str:
    """The key or slug a path stands for: the file stem, or a note's path under notes/."""
    if path.startswith("notes/"):
        return path.removeprefix("notes/").removesuffix(_SUFFIX)
    return path.rpartition("/")[2].removesuffix(_SUFFIX).removesuffix(".fulltext")


def beside(reference_path: str) -> str:
    """The path of the full text that belongs to the reference at this path."""
    return reference_path.removesuffix(_SUFFIX) + _FULLTEXT
