"""Texts and targets in; how near each text is to its nearest target, from 0 to 1, out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pressmark.errors import PressmarkError
from pressmark.find.asking import kept_embedder
from pressmark.library import Library

MEANING, WORDS = "meaning", "words"


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevance:
    """One text: its score (1 is the same), the number of its nearest target, and how it was had."""

    score: float
    target: int
    by: str
    """`meaning`: the cosine of two vectors; `words`: the overlap of concepts."""


def relevance(library: Library, targets: Sequence[str], texts: Sequence[str]) -> list[Relevance]:
    """Each text against the nearest target, in the order of the texts; [] without targets.

    With a model the score is the cosine of the two vectors, never below 0. Without one it is the
    overlap of their distinct terms by Ochiai's coefficient, |A ∩ B| / √(|A| · |B|).
    """
    if not targets or not texts:
        return []
    try:
        return _by_meaning(library, targets, texts) or _by_words(targets, texts)
    except PressmarkError:
        return _by_words(targets, texts)


def _by_meaning(
    library: Library, targets: Sequence[str], texts: Sequence[str]
) -> list[Relevance] | None:
    model = kept_embedder(library)
    if model is None:
        return None
    wanted = [model.query(text) for text in targets]
    found = []
    for text in texts:
        vector = model.query(text)
        scores = [float(vector @ each) for each in wanted] if text.strip() else [0.0] * len(wanted)
        found.append(_nearest(scores, MEANING))
    return found


def _by_words(targets: Sequence[str], texts: Sequence[str]) -> list[Relevance]:
    from pressmark.index.stems import analyser

    terms = analyser()
    wanted = [frozenset(terms.terms(text)) for text in targets]
    found = []
    for text in texts:
        own = frozenset(terms.terms(text))
        found.append(_nearest([_overlap(own, each) for each in wanted], WORDS))
    return found


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    shared = len(one & other)
    return shared / math.sqrt(len(one) * len(other)) if shared else 0.0


def _nearest(scores: Sequence[float], by: str) -> Relevance:
    best = max(range(len(scores)), key=lambda at: (scores[at], -at))
    return Relevance(score=round(min(max(scores[best], 0.0), 1.0), 6), target=best, by=by)
