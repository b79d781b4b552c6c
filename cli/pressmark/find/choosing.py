"""A found row and the words that were asked in, the passage that shows why it was found out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pressmark.index import Index, Passage
from pressmark.index.markup import words
from pressmark.index.rows import PAPER, SUMMARY, Row


class Lead(NamedTuple):
    """A row that one channel found for an owner, and how much that counts."""

    row: int
    weight: float


class Evidence:
    """Picks passages; asks the table for all rows it will need at once."""

    def __init__(self, index: Index, bag: Mapping[str, int], leads: Mapping[str, list[Lead]]):
        self._index = index
        self._weights = {term: times * index.words.weight(term) for term, times in bag.items()}
        self._leads = leads
        self._rows = index.table.get({lead.row for each in leads.values() for lead in each})

    def passage(self, name: str) -> Passage | None:
        """The best passage of an owner; None where it has no text."""
        votes: dict[int, tuple[float, Row]] = {}
        for lead in self._leads.get(name, ()):
            row = self.telling(self._rows.get(lead.row))
            if row is not None:
                before = votes.get(row.id, (0.0, row))[0]
                votes[row.id] = (before + lead.weight, row)
        ranked = sorted(votes.values(), key=lambda vote: (-vote[0], vote[1].id))
        found = (self._index.passage(row) for _, row in ranked)
        return next((passage for passage in found if passage is not None), None)

    def first(self, owner: int) -> Passage | None:
        """The opening of an owner that no channel has a passage of: the graph found it."""
        for row in self._index.table.of(owner):
            passage = self._index.passage(row)
            if passage is not None:
                return passage
        return None

    def telling(self, row: Row | None) -> Row | None:
        """A passage's row as it is; of a paper as a whole, the passage of its abstract that has
        most of the words."""
        if row is None or row.role != PAPER:
            return row
        summary = self._index.table.of(row.owner, SUMMARY)
        if len(summary) < 2:
            return summary[0] if summary else None
        return max(summary, key=lambda each: (self._told(each), -each.id), default=None)

    def _told(self, row: Row) -> float:
        text = (self._index.text(row.path) or "")[row.start : row.end]
        found = self._index.words.analyser.common(words(text), self._weights)
        return sum(self._weights[term] for term in sorted(found))
