"""One passage: what it is called, where it stands, and its text."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

VERSION = "3"
"""Raised when other passages come out of the same text: indexes are then rebuilt."""

REFERENCE, FULLTEXT, NOTE = "reference", "fulltext", "note"
"""The kinds of files that have passages."""


@dataclass(frozen=True, slots=True)
class Passage:
    """One passage: its id (`key#p12-1a2b3c4d`), its section and page, its place and its text."""

    id: str
    key: str
    section: str
    page: str
    path: str
    start: int
    end: int
    text: str
    body: int = 0
    """Where the body of its file begins, behind the front matter."""

    @property
    def offset(self) -> int:
        """Its place in the body of its file: what `show --offset` takes for a full text."""
        return self.start - self.body

    @property
    def hash(self) -> str:
        """The first 8 hex digits of its text's sha256, as in its id."""
        return self.id.rpartition("-")[2]


def digest(text: str) -> str:
    """The 8 hex digits by which a passage's text is known again."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:8]
