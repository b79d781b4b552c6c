"""Pressmark: a research literature library as plain Markdown in git.

The public API on one screen; every name is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from pressmark.check import check as check_library
    from pressmark.errors import PressmarkError
    from pressmark.find import (
        cites,
        evidence,
        grep,
        passages,
        related,
        relevance,
        skim,
        wanted,
    )
    from pressmark.find import find as find_papers
    from pressmark.fulltext import citing_sentences, load_text
    from pressmark.ids import parse as parse_identifier
    from pressmark.library import Added, Library, Outcome, Write
    from pressmark.record import (
        Author,
        Collection,
        FullText,
        Note,
        Paper,
        Reference,
        Search,
        Topic,
        Vocabulary,
    )
    from pressmark.search import file as file_search
    from pressmark.search import leads, search_papers
    from pressmark.search import resolve as resolve_identifier
    from pressmark.search import similar as similar_searches

__version__ = "0.1.0"

_RECORDS = (
    "Author", "Collection", "FullText", "Note", "Paper", "Reference", "Search", "Topic",
    "Vocabulary",
)  # fmt: skip
_HOMES = {
    **{name: f"record.{name}" for name in _RECORDS},
    **{name: f"library.{name}" for name in ("Added", "Library", "Outcome", "Write")},
    "PressmarkError": "errors.PressmarkError",
    # A function must not share the name of a module of ours: importing that hides it.
    "check_library": "check.check",
    "citing_sentences": "fulltext.citing_sentences",
    "find_papers": "find.find",
    "load_text": "fulltext.load_text",
    **{
        name: f"find.{name}"
        for name in (
            "cites",
            "evidence",
            "grep",
            "passages",
            "related",
            "relevance",
            "skim",
            "wanted",
        )
    },
    "parse_identifier": "ids.parse",
    "file_search": "search.file",
    "leads": "search.leads",
    "resolve_identifier": "search.resolve",
    "search_papers": "search.search_papers",
    "similar_searches": "search.similar",
}
"""Public name -> the module and the name it has there."""

__all__ = [
    "Added",
    "Author",
    "Collection",
    "FullText",
    "Library",
    "Note",
    "Outcome",
    "Paper",
    "PressmarkError",
    "Reference",
    "Search",
    "Topic",
    "Vocabulary",
    "Write",
    "__version__",
    "check_library",
    "cites",
    "citing_sentences",
    "evidence",
    "file_search",
    "find_papers",
    "grep",
    "leads",
    "load_text",
    "open_library",
    "parse_identifier",
    "passages",
    "related",
    "relevance",
    "resolve_identifier",
    "search_papers",
    "similar_searches",
    "skim",
    "wanted",
]


def open_library(path: Path | str | None = None, *, offline: bool | None = None) -> Library:
    """The library found by walking up from `path`, or from where the process stands.

    With `offline` no code path opens a connection. Raises NotFound where there is no library.
    """
    import os
    from pathlib import Path

    from pressmark.config import find_root, load
    from pressmark.library import Library

    start = Path(path) if path is not None else Path.cwd()
    env = {k: v for k, v in os.environ.items() if path is None or k != "PRESSMARK_LIBRARY"}
    return Library.open(start, load(find_root(start, env), env, offline=offline))


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'pressmark' has no attribute {name!r}")
    module, _, attribute = _HOMES[name].partition(".")
    return getattr(import_module(f"pressmark.{module}"), attribute)
