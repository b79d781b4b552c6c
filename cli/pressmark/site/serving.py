"""A library and what its writer works on in; which records the preview draws out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pressmark import disk

if TYPE_CHECKING:
    from pressmark.library import Library


def chosen(library: Library, only: str, recent: int) -> Callable[[str], bool]:
    """Whether a record at a path gets a page: below `only`, or among the last ones changed."""
    below = only.strip("/").removesuffix(".md")
    kept = set(_recent(library, recent)) if recent else frozenset()

    def wanted(path: str) -> bool:
        inside = bool(below) and path.startswith(below)
        return inside or path in kept

    return wanted


def _recent(library: Library, number: int) -> list[str]:
    """The files changed last, by the clock of the disk."""
    stats = [
        stat
        for folder in ("library", "topics", "notes")
        for stat in disk.walk(library.root, folder)
    ]
    newest = sorted(stats, key=lambda stat: (-stat.mtime_ns, stat.relative))
    return [stat.relative for stat in newest[:number]]
