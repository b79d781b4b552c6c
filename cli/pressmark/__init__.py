"""Pressmark: a research literature library as plain Markdown in git.

The public API on one screen; every name is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from pressmark.check import check
    from pressmark.errors import PressmarkError
    from pressmark.find import find, grep, related
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

__version__ = "0.1.0"

_HOMES = {
    "Added": "library", "Author": "record", "Collection": "record", "FullText": "record",
    "Library": "library", "Note": "record", "Outcome": "library", "Paper": "record",
    "PressmarkError": "errors", "Reference": "record", "Search": "record", "Topic": "record",
    "Vocabulary": "record", "Write": "library", "check": "check", "find": "find", "grep": "find",
    "parse_identifier": "ids", "related": "find",
}  # fmt: skip
"""Public name -> the module it lives in."""

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
    "check",
    "find",
    "grep",
    "open_library",
    "parse_identifier",
    "related",
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
    home = import_module(f"pressmark.{_HOMES[name]}")
    return getattr(home, "parse" if name == "parse_identifier" else name)
