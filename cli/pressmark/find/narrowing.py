"""What an agent or a command narrows a question by, in; the words of the filter language out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from pressmark.errors import BadInput, NotFound
from pressmark.library import Library

MOST = 200
"""The most results that one call gives; `offset` asks for those after them."""


def narrowed(
    filters: Sequence[str] = (),
    *,
    venues: Sequence[str] = (),
    year_min: int | None = None,
    year_max: int | None = None,
    collection: str | None = None,
) -> tuple[str, ...]:
    """Filters with some more in the same language; several venues are alternatives."""
    found = list(filters)
    if venues:
        found.append("venue:" + ",".join(f'"{venue}"' for venue in map(_bare, venues)))
    if year_min is not None or year_max is not None:
        low, high = ("" if year is None else f"{year:04}" for year in (year_min, year_max))
        found.append(f"year:{low}..{high}")
    if collection:
        found.append(f"collection:{collection}")
    return tuple(found)


def window(k: int, offset: int) -> slice:
    """The part of a ranking that is shown; BadInput for one that cannot be."""
    if not 1 <= k <= MOST:
        raise BadInput(f"A call gives 1 to {MOST} results, not {k}.", next="go on with an offset")
    if offset < 0:
        raise BadInput(f"The offset {offset} is before the first result.", next="begin at 0")
    return slice(offset, offset + k)


def after(shown: slice, total: int) -> int | None:
    """Where the next part of a ranking begins; None after its end."""
    return shown.stop if shown.stop < total else None


def held(library: Library, names: Iterable[str]) -> tuple[set[str], tuple[str, ...]]:
    """Keys of the references that some names mean, and the names that mean none."""
    keys: set[str] = set()
    unknown = []
    for name in names:
        try:
            keys.add(library.key(name))
        except NotFound:
            unknown.append(name)
    return keys, tuple(unknown)


def keys_of(library: Library, names: Collection[str]) -> set[str]:
    """Keys of the references that some names mean; NotFound for one that means none."""
    return {library.key(name) for name in names}


def _bare(venue: str) -> str:
    return venue.replace('"', " ").replace("\\", " ").strip()
