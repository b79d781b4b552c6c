"""A library with an index in; the vector of each reference out, where it holds one.

The index is only read, and only when it is there: a site is built without it as well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from pressmark.errors import PressmarkError
from pressmark.index import Index
from pressmark.index.opening import look
from pressmark.index.rows import PAPER

if TYPE_CHECKING:
    from pressmark.index.embed import Vector
    from pressmark.library import Library


def vectors(library: Library) -> dict[str, Vector]:
    """The unit vectors of the references, by key; none without an index that has them."""
    try:
        held, state = look(library)
        if held is None or "papers" not in held.manifest.vectors:
            return {}
        index = Index(library.root, held.folder, held.manifest, state)
    except (PressmarkError, OSError):
        return {}
    try:
        papers = index.papers
        if papers is None:
            return {}
        names = {owner.id: owner.name for owner in index.table.owners(notes=False)}
        found = ((names.get(row.owner), papers.near(row.id)) for row in index.table.each(PAPER))
        return {name: vector for name, vector in found if name and vector is not None}
    finally:
        index.close()


def mark(library: Library) -> str:
    """What stands for the vectors of an index: the same name, the same vectors."""
    try:
        held, _ = look(library)
    except (PressmarkError, OSError):
        return ""
    return "" if held is None else f"{held.folder.name} {held.manifest.fingerprint}"


def reordered(key: str, candidates: Sequence[str], known: Mapping[str, Vector]) -> list[str]:
    """Some papers by how near their meaning is to one's; ties by key, the unknown last."""
    own = known.get(key)
    if own is None:
        return list(candidates)
    scores = {c: float(own @ known[c]) for c in candidates if c in known}
    nearest = sorted(scores, key=lambda c: (-round(scores[c], 6), c))
    return nearest + [c for c in candidates if c not in scores]
