"""A library and what its writer works on in; which records the preview draws out."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pressmark.library import Library


def chosen(library: Library, only: str, recent: int) -> Callable[[str], bool]:
    """Whether a record at a path gets a page: below `only`, or among the last ones changed."""
    below = only.strip("/").removesuffix(".md")
    kept = frozenset(library.catalogue.newest(recent) if recent else ())

    def wanted(path: str) -> bool:
        inside = bool(below) and path.startswith(below)
        return inside or path in kept

    return wanted
