"""A table's name and what it is made of in; the table out, made once for as long as that is so."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from pressmark.library.library import Library

T = TypeVar("T")


def lasting(library: Library, name: str, made_of: object, make: Callable[[], T]) -> T:
    """What a library that lives longer than one call need not be asked again."""
    held = library.kept.get(name)
    if not (isinstance(held, tuple) and held[0] == made_of):
        held = library.kept[name] = (made_of, make())
    table: T = held[1]
    return table
