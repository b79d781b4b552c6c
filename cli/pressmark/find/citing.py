"""The Markdown of a full text in; its reference list, and the sentences that cite, out."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from pressmark import ids
from pressmark.catalogue import layout
from pressmark.catalogue.filters import words_of
from pressmark.find.hits import CitingSentence
from pressmark.fulltext import reading
from pressmark.index.markup import words
from pressmark.library import Library
from pressmark.links import sentence
from pressmark.record import Reference

SENTENCES = 5
"""Citing sentences given of one text for one work; a review may have dozens."""

_ENTRY = re.compile(r'^(?:\d{1,9}\. )?<a id="(ref-[\w.-]+)"></a>(.*)$', re.M)
_MARKER = re.compile(r"(?<!\\)\[((?:\\.|[^\[\]\\])*)\]\(#(ref-[\w.-]+)\)")
_SHORTEST = 20
"""Letters of a title that is looked for in an entry; a shorter one stands in many by chance."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a reference list: its anchor, what a reader sees, the identities in it."""

    anchor: str
    text: str
    identities: frozenset[str]


class CitingText:
    """One full text: what it cites, and where."""

    def __init__(self, key: str, path: str, body: str) -> None:
        self.key, self.path, self.body = key, path, body
        sections = reading.sections(body)
        self._sections = [each.start for each in sections], [each.title for each in sections]
        pages = reading.pages(body)
        self._pages = [start for _, start, _ in pages], [str(number) for number, _, _ in pages]

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """The reference list, in order."""
        return tuple(
            Entry(found[1], words(found[2]), frozenset(map(str, ids.find_all(found[2]))))
            for found in _ENTRY.finditer(self.body)
        )

    def entry(self, identities: Iterable[str], title: str = "") -> Entry | None:
        """The entry of a work: by an identity that stands in it, else by its whole title."""
        wanted, named = set(identities), words_of(title)
        found = next((each for each in self.entries if wanted & each.identities), None)
        if found is None and len(named) >= _SHORTEST:
            found = next((e for e in self.entries if f" {named} " in f" {words_of(e.text)} "), None)
        return found

    def sentences(self, anchor: str, limit: int = SENTENCES) -> tuple[CitingSentence, ...]:
        """The sentences that cite an entry, in order, each once."""
        found: dict[str, CitingSentence] = {}
        for start, end in self._markers.get(anchor, ()):
            text = words(sentence(self.body, start, end))
            if text and text not in found:
                found[text] = self._placed(text, start)
                if len(found) == limit:
                    break
        return tuple(found.values())

    @cached_property
    def _markers(self) -> dict[str, list[tuple[int, int]]]:
        places: dict[str, list[tuple[int, int]]] = {}
        for found in _MARKER.finditer(self.body):
            places.setdefault(found[2], []).append(found.span())
        return places

    def _placed(self, text: str, offset: int) -> CitingSentence:
        return CitingSentence(
            key=self.key, path=self.path, section=_at(self._sections, offset),
            page=_at(self._pages, offset), offset=offset, text=text,
        )  # fmt: skip


def citing_text(library: Library, key: str) -> CitingText | None:
    """The full text of a held reference; None where it has none."""
    text = library.fulltext(key)
    return CitingText(key, layout.beside(library.path(key)), text.body) if text else None


def identities(reference: Reference) -> tuple[str, ...]:
    """Everything by which a reference list may name a reference, but its title."""
    return tuple(each for each in ids.identities(reference) if not each.startswith("title:"))


def _at(marks: tuple[list[int], list[str]], offset: int) -> str:
    place = bisect_right(marks[0], offset)
    return marks[1][place - 1] if place else ""
