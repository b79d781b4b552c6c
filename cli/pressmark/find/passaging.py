"""Questions in; the best passages of references, full texts and notes out, each with its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence

from pressmark.catalogue import layout
from pressmark.errors import BadInput
from pressmark.find.asking import Question, ask_passages, holding, typed
from pressmark.find.finding import summed, with_index
from pressmark.find.fusion import WEIGHTS, Fused, fuse
from pressmark.find.hits import Findings, PassageHit
from pressmark.find.narrowing import after, keys_of, narrowed, window
from pressmark.find.selecting import selected
from pressmark.index import READY, Index, Passage
from pressmark.index.ports import Progress, quiet
from pressmark.index.rows import Row
from pressmark.library import Library
from pressmark.record import FullText

ANYBODY = range(1 << 32)

QUESTIONS = 20
"""Questions asked at once."""


def passages(
    library: Library,
    queries: str | Sequence[str],
    filters: Sequence[str] = (),
    *,
    within: Sequence[str] = (),
    collection: str | None = None,
    per_reference: int = 0,
    k: int = 20,
    offset: int = 0,
    progress: Progress = quiet,
) -> Findings:
    """The best passages for one question or for several together.

    Of words and of meaning the best 500 each are fused. `within` names references, `collection` a
    reading list; without these and without filters notes are asked, too. At most `per_reference`
    passages of one reference or note are given; 0 is no limit. `k` is 1 to 200.
    """
    texts = (queries,) if isinstance(queries, str) else tuple(queries)
    if not 1 <= len(texts) <= QUESTIONS:
        raise BadInput(f"Ask 1 to {QUESTIONS} questions at once, not {len(texts)}.")
    shown = window(k, offset)
    filters = narrowed(filters, collection=collection)

    def answer(index: Index) -> Findings:
        asked = [typed(library, index, text) for text in texts]
        with index.turn:
            allowed = _allowed(library, index, filters, within)
            lists, rows = _asked(index, asked, allowed)
            weights = {**WEIGHTS, "meaning": asked[0].weight, **library.config.weights}
            fused = fuse(lists, {name: weights.get(name.split(" ")[0], 0.0) for name in lists})
            chosen = _capped(fused, rows, per_reference)
            hits = tuple(
                _hit(library, each, passage) for each in chosen[shown]
                if (passage := index.passage(rows[each.key])) is not None
            )  # fmt: skip
            counted: Counter[str] = Counter()
            for name, found in lists.items():
                counted[name.split(" ")[0]] += len(found)
            told = Question(asked[0].bag, asked[0].vector)
            told.bag = sum((each.bag for each in asked), Counter())
            told.warnings = [text for each in asked for text in each.warnings]
            return summed(
                library, index, told, counted, passages=hits, total=len(chosen),
                next_offset=after(shown, len(chosen)),
            )  # fmt: skip

    return with_index(library, answer, progress)


def _allowed(
    library: Library, index: Index, filters: Sequence[str], within: Sequence[str]
) -> Container[int] | None:
    """Owners whose passages count; None: all, notes included."""
    if not filters and not within:
        return None
    keys = set(selected(library, filters)) if filters or index.state != READY else None
    if within:
        named = keys_of(library, within)
        keys = named if keys is None else keys & named
    owners = index.table.owners(notes=False)
    return frozenset(owner.id for owner in owners if owner.name in (keys or ()))


def _asked(
    index: Index, asked: Sequence[Question], allowed: Container[int] | None
) -> tuple[dict[str, list[str]], dict[str, Row]]:
    """The lists of every question, `words 1`, `meaning 1`, …, and the row of each passage."""
    lists: dict[str, list[str]] = {}
    rows: dict[str, Row] = {}
    for number, each in enumerate(asked, 1):
        mask = allowed
        if each.phrases:
            mask = holding(index, each, ANYBODY if allowed is None else allowed)
        found, held = ask_passages(index, each, mask)
        rows |= held
        suffix = f" {number}" if len(asked) > 1 else ""
        lists |= {f"{name}{suffix}": ids for name, ids in found.items()}
    return lists, rows


def _capped(fused: list[Fused], rows: Mapping[str, Row], most: int) -> list[Fused]:
    """A ranking with at most so many passages of one owner."""
    if not most:
        return fused
    taken: Counter[int] = Counter()
    kept = []
    for each in fused:
        owner = rows[each.key].owner
        taken[owner] += 1
        if taken[owner] <= most:
            kept.append(each)
    return kept


def _hit(library: Library, each: Fused, passage: Passage) -> PassageHit:
    note = layout.kind(passage.path) == "note"
    reference = None if note else library.catalogue.get(passage.key)
    text = _text(library, passage) if layout.kind(passage.path) == "fulltext" else None
    return PassageHit(
        key=passage.key, score=each.score, ranks=each.ranks, passage=passage, reference=reference,
        route=text.source if text else None, format=text.format if text else None,
    )  # fmt: skip


def _text(library: Library, passage: Passage) -> FullText | None:
    return library.fulltext(passage.key)
