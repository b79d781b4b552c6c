"""A reference in; what it cites, or what cites it, with the sentences that do, out.

Also what the library cites most and does not hold. Nothing is ranked: the order of a reference
list is the author's own, and what cites a paper comes by key.
"""

from __future__ import annotations

from collections.abc import Sequence

from pressmark import ids
from pressmark.errors import BadInput
from pressmark.find.citing import CitingText, citing_text
from pressmark.find.hits import Neighbour, Neighbours, Wanted, WantedList
from pressmark.find.narrowing import after, window
from pressmark.find.selecting import selected
from pressmark.library import Library
from pressmark.record import Reference

REFS, CITED_BY = "refs", "cited-by"
DIRECTIONS = (REFS, CITED_BY)

CITING = 20
"""Keys of citing references that one wanted work is shown with."""


def cites(
    library: Library, name: str, direction: str = REFS, *, k: int = 20, offset: int = 0
) -> Neighbours:
    """One page of what the reference `name` cites (`refs`), or of what cites it (`cited-by`).

    Raises NotFound for a name that nobody has, BadInput for another direction.
    """
    if direction not in DIRECTIONS:
        raise BadInput(
            f"{direction!r} is no direction of a citation.", next=f"use {' or '.join(DIRECTIONS)}"
        )
    shown, reference = window(k, offset), library.get(name)
    ask = _referenced if direction == REFS else _citing
    items, total, held = ask(library, reference, shown)
    return Neighbours(
        key=reference.key, direction=direction, items=items, total=total, held=held,
        next_offset=after(shown, total),
    )  # fmt: skip


def wanted(
    library: Library, filters: Sequence[str] = (), *, k: int = 20, offset: int = 0
) -> WantedList:
    """What held references cite most and the library does not hold, by how many cite it.

    Filters say whose citations count.
    """
    shown = window(k, offset)
    keys = set(selected(library, filters)) if filters else None
    counted = library.catalogue.cited_unheld(keys)
    texts: dict[str, CitingText | None] = {}
    items = tuple(
        Wanted(
            identity=identity,
            count=len(citing),
            citing=tuple(citing[:CITING]),
            entry=_described(library, identity, citing, texts),
        )
        for identity, citing in counted[shown]
    )
    return WantedList(items=items, total=len(counted), next_offset=after(shown, len(counted)))


def _referenced(
    library: Library, reference: Reference, shown: slice
) -> tuple[tuple[Neighbour, ...], int, int]:
    text = citing_text(library, reference.key)
    cited = reference.cites
    if not cited and text is not None:  # only the text itself says what it cites
        cited = tuple(next(iter(each.identities), f"#{each.number}") for each in text.entries)
    holders = {identity: library.catalogue.holders([identity]) for identity in cited}
    items = tuple(
        _neighbour(library, identity, next(iter(holders[identity]), None), text)
        for identity in cited[shown]
    )
    return items, len(cited), sum(bool(holders[identity]) for identity in cited)


def _neighbour(
    library: Library, identity: str, key: str | None, text: CitingText | None
) -> Neighbour:
    other = library.catalogue.get(key) if key else None
    entry = None
    if text is not None and identity.startswith("#"):
        entry = text.numbered(int(identity[1:]))
    elif text is not None:
        entry = text.entry((identity,), other)
    return Neighbour(
        identity=identity if not identity.startswith("#") else "", key=key, reference=other,
        entry=entry.text if entry else "",
        sentences=text.sentences(entry) if text and entry else (),
    )  # fmt: skip


def _citing(
    library: Library, reference: Reference, shown: slice
) -> tuple[tuple[Neighbour, ...], int, int]:
    keys = library.catalogue.cited_by(reference.key)
    items = []
    for key in keys[shown]:
        other, text = library.catalogue.get(key), citing_text(library, key)
        entry = text.entry((), reference) if text else None
        items.append(Neighbour(
            identity=ids.identity(other) if other else f"key:{key}", key=key, reference=other,
            entry=entry.text if entry else "",
            sentences=text.sentences(entry) if text and entry else (),
        ))  # fmt: skip
    return tuple(items), len(keys), len(keys)


def _described(
    library: Library, identity: str, citing: Sequence[str], texts: dict[str, CitingText | None]
) -> str:
    """How the first held text that says so describes a work; few are read."""
    for key in citing[:3]:
        if key not in texts:
            texts[key] = citing_text(library, key)
        text = texts[key]
        entry = text.entry((identity,)) if text else None
        if entry is not None:
            return entry.text
    return ""
