"""How often terms stand in documents in, BM25's weights out: the scoring that all engines share.

Statistics count what is alive and nothing else, so an index that was brought up to date ranks as
one built anew, and one engine as the other, to the last bit.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping

from pressmark.index.analysis import Analyser

TEXT, NAMES = "t", "n"
"""The two fields: what a document says, and who wrote it."""

K1, B = 1.5, 0.75
"""BM25's two constants; 1.5 is better than 1.2 on four of five collections."""

MOST_TERMS = 256
"""A longer query is cut to the terms that tell most."""


class Bm25(ABC):
    """The part of an engine of words that knows numbers only."""

    analyser: Analyser

    def count(self) -> int:
        """How many documents are alive."""
        return self._count

    def weight(self, term: str) -> float:
        """Lucene's form of the inverse document frequency, which is never below 0."""
        return self._idf(self._holding(TEXT, term))

    @abstractmethod
    def _holding(self, field: str, term: str) -> int:
        """How many documents that are alive a term stands in."""

    def _measure(self, count: int, total: int) -> None:
        """Take the number of documents and the number of all their terms."""
        self._count = count
        self._slope = K1 * B * count / total if total else 0.0

    def _norm(self, length: int) -> float:
        """What a document of so many terms adds to the denominator."""
        return K1 * (1 - B) + self._slope * length

    def _telling(self, bag: Mapping[str, int]) -> dict[str, int]:
        """The terms of a bag that any document has, or the most telling of too many."""
        asked = sorted(bag, key=lambda term: -bag[term])[: 4 * MOST_TERMS]
        known = {term: bag[term] for term in asked if self._known(term)}
        if len(known) <= MOST_TERMS:
            return known
        ranked = sorted(known, key=lambda term: (-known[term] * self.weight(term), term))
        return {term: known[term] for term in ranked[:MOST_TERMS]}

    def _known(self, term: str) -> bool:
        return bool(self._holding(TEXT, term) or self._holding(NAMES, term))

    def _factors(self, asked: Mapping[str, int]) -> Iterator[tuple[str, float]]:
        """Each term with what its part of a score is multiplied by."""
        for term, times in asked.items():
            yield term, times * self.weight(term) * (K1 + 1)

    def _named(self, asked: Mapping[str, int]) -> Iterator[tuple[str, float]]:
        """Terms that are authors' names, weighted by how far the library uses them as names."""
        for term in asked:
            named, written = self._holding(NAMES, term), self._holding(TEXT, term)
            if named:
                yield term, self._idf(named + written) * named / (named + written)

    def _idf(self, number: int) -> float:
        return math.log1p(max(self._count - number + 0.5, 0.0) / (number + 0.5)) if number else 0.0
