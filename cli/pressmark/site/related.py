"""References in; for each the few that speak of the same, by the rare words they share, out.

Each paper is known by its weightiest words (tf-idf over title and abstract); papers that share
them are its neighbours. The work grows with the number of papers, not with its square.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from pressmark.record import Reference
from pressmark.site.meaning import reordered
from pressmark.text import fold

if TYPE_CHECKING:
    from pressmark.index.embed import Vector

SHOWN = 6
WORDS = 12
"""Words that stand for a paper."""

CROWD = 60
"""A word that more papers are known by than this says little, and costs much."""

_WORD = re.compile(r"[^\W\d_]{4,}")


CANDIDATES = 40
"""Papers that share words, of which those nearest in meaning are chosen."""


def neighbours(
    references: Iterable[Reference], known: Mapping[str, Vector] | None = None
) -> dict[str, list[str]]:
    """The keys of the papers nearest to each, best first; ties by key.

    With vectors the nearest in meaning are taken of those that share words.
    """
    bags = {ref.key: _bag(ref) for ref in references}
    frequency = Counter(word for bag in bags.values() for word in bag)
    weight = {word: math.log(len(bags) / count) for word, count in frequency.items() if count > 1}
    rare = {key: _weightiest(bag, weight) for key, bag in bags.items()}
    by_word: defaultdict[str, list[str]] = defaultdict(list)
    for key, words in rare.items():
        for word in words:
            by_word[word].append(key)
    number = CANDIDATES if known else SHOWN
    near = {key: _nearest(key, words, by_word, weight, number) for key, words in rare.items()}
    if not known:
        return near
    return {key: reordered(key, others, known)[:SHOWN] for key, others in near.items()}


def _bag(ref: Reference) -> Counter[str]:
    title = _WORD.findall(fold(ref.title))
    return Counter([*_WORD.findall(fold(ref.abstract or "")), *title, *title, *title])


def _weightiest(bag: Mapping[str, int], weight: Mapping[str, float]) -> list[str]:
    scored = [
        (-(1 + math.log(n)) * weight[word], word) for word, n in bag.items() if word in weight
    ]
    return [word for _, word in sorted(scored)[:WORDS]]


def _nearest(
    key: str,
    words: Iterable[str],
    by_word: Mapping[str, list[str]],
    weight: Mapping[str, float],
    number: int,
) -> list[str]:
    scores: defaultdict[str, float] = defaultdict(float)
    for word in words:
        others = by_word[word]
        if len(others) <= CROWD:
            for other in others:
                scores[other] += weight[word]
    scores.pop(key, None)
    best = sorted(scores.items(), key=lambda item: (-item[1], item[0]))[:number]
    return [other for other, _ in best]
