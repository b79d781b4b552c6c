"""A held reference in; its text's reference list, and the sentences that cite an entry, out."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from pressmark.catalogue import layout
from pressmark.find.hits import CitingSentence
from pressmark.fulltext import citing
from pressmark.fulltext.citing import Entry
from pressmark.library import Library
from pressmark.record import Reference

SENTENCES = 5
"""Citing sentences given of one text for one work; a review may have dozens."""


class CitingText:
    """One full text: what it cites, and where; offsets count in its body."""

    def __init__(self, key: str, path: str, body: str) -> None:
        self.key, self.path, self.body = key, path, body

    @cached_property
    def entries(self) -> list[Entry]:
        """The reference list, in order."""
        return citing.entries(self.body)

    def numbered(self, number: int) -> Entry | None:
        """The entry with this number."""
        return next((each for each in self.entries if each.number == number), None)

    def entry(self, identities: Iterable[str], work: Reference | None = None) -> Entry | None:
        """The entry of a work: by an identity that stands in it, else, where held, by its title."""
        wanted = set(identities)
        found = next((each for each in self.entries if wanted & set(each.identities)), None)
        if found is None and work is not None:
            found = next(iter(citing.entries_of(work, self.entries)), None)
        return found

    def sentences(self, entry: Entry, limit: int = SENTENCES) -> tuple[CitingSentence, ...]:
        """The sentences that cite an entry, in order, each once."""
        found: dict[str, CitingSentence] = {}
        for each in self._sentences.get(entry.number, ()):
            if each.text not in found and len(found) < limit:
                found[each.text] = CitingSentence(
                    key=self.key, path=self.path, section=each.section, page=each.page,
                    offset=each.start, text=each.text,
                )  # fmt: skip
        return tuple(found.values())

    @cached_property
    def _sentences(self) -> dict[int, list[citing.CitingSentence]]:
        found: dict[int, list[citing.CitingSentence]] = {}
        for each in citing.citing_sentences(self.body):
            found.setdefault(each.number, []).append(each)
        return found


def citing_text(library: Library, key: str) -> CitingText | None:
    """The full text of a held reference; None where it has none."""
    text = library.fulltext(key)
    return CitingText(key, layout.beside(library.path(key)), text.body) if text else None
