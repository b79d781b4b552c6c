"""Words and notes in, those notes by how near they are in words and meaning out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pressmark.find.asking import ask, question
from pressmark.find.fusion import WEIGHTS, fuse
from pressmark.index import open_index
from pressmark.index.opening import look
from pressmark.index.ports import Progress, quiet
from pressmark.text import fold

if TYPE_CHECKING:
    from pressmark.library import Library
    from pressmark.record import Note

PREVIEW = 200
WORST = ("building", "not_built", "stale", "ready")
"""States of an index, the worst first."""


@dataclass(frozen=True, slots=True)
class NearNote:
    """A note, the beginning of its text, and its score (higher is nearer)."""

    slug: str
    preview: str
    score: float


@dataclass(frozen=True, slots=True)
class NearNotes:
    """The notes near to a question, and the worst state of the index over all that were asked."""

    notes: tuple[NearNote, ...]
    total: int
    index_status: str
    semantic: str


def near_notes(
    library: Library,
    words: str,
    notes: Sequence[Note],
    *,
    offset: int = 0,
    limit: int | None = 50,
    progress: Progress = quiet,
) -> NearNotes:
    """Rank the notes given; with no note given the state is `not_built`, as nothing is indexed."""
    if not notes:
        return NearNotes((), 0, "not_built", "off")
    states = [look(library)[1]]
    index = open_index(library, progress=progress)
    try:
        states = [index.state]
        owners = {note.slug: index.table.owner(note.slug, note=True) for note in notes}
        states += ["stale" for owner in owners.values() if owner is None]
        allowed = frozenset(owner for owner in owners.values() if owner is not None)
        asked = question(library, index, words)
        weights = {**WEIGHTS, "meaning": asked.weight, **library.config.weights}
        fused = fuse(ask(index, asked, allowed, weights).lists(), weights) if allowed else []
    finally:
        index.close()
    held = {note.slug: note for note in notes}
    end = None if limit is None else offset + limit
    found = tuple(
        NearNote(each.key, preview(held[each.key]), round(each.score, 6))
        for each in fused[offset:end]
        if each.key in held
    )
    status = min(states, key=lambda state: WORST.index(state) if state in WORST else 0)
    return NearNotes(found, len(fused), status, "on" if asked.vector is not None else "off")


def preview(note: Note, around: str = "") -> str:
    """The beginning of a note's text on one line, or the stretch around a word."""
    from pressmark.index.markup import words

    text = words(note.body)
    at = fold(text).find(fold(around)) if around else 0
    start = max(0, at - PREVIEW // 3) if at > 0 else 0
    cut = text[start : start + PREVIEW]
    return f"{'…' if start else ''}{cut}{'…' if len(text) > start + PREVIEW else ''}"
