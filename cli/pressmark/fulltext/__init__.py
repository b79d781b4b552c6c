"""An open copy of a work in; its text as Markdown beside the reference, checked and filed, out."""

from __future__ import annotations

from pressmark.fulltext.attach import attach
from pressmark.fulltext.citing import CitingSentence, citing_sentences, entries, entries_of
from pressmark.fulltext.extracted import Extracted
from pressmark.fulltext.fetch import Fetched, Report, Tried, fetch
from pressmark.fulltext.licenses import is_open
from pressmark.fulltext.locate import locate
from pressmark.fulltext.newest import fetch_newest
from pressmark.fulltext.reading import Document, Window
from pressmark.fulltext.reading import load as load_text

__all__ = [
    "CitingSentence",
    "Document",
    "Extracted",
    "Fetched",
    "Report",
    "Tried",
    "Window",
    "attach",
    "citing_sentences",
    "entries",
    "entries_of",
    "fetch",
    "fetch_newest",
    "is_open",
    "load_text",
    "locate",
]
