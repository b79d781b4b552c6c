"""A library in; what editors ask of it held ready in memory, and renewed behind their backs, out.

A `Shelf` never changes: while a new one is made in a thread, the old one answers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nsmallest
from typing import TYPE_CHECKING

from pressmark.catalogue import layout
from pressmark.catalogue.catalogue import Card
from pressmark.check.view import View
from pressmark.links import Resolver, parse
from pressmark.links.resolve import first_heading
from pressmark.record import Author, Note
from pressmark.text import fold, plain

if TYPE_CHECKING:
    from pressmark.library import Library

_TAGGED = re.compile(r"#[\w/-]")
LONGEST = 140


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that can be named: a reference, a note, a topic."""

    kind: str
    name: str  # the key, or the slug
    path: str
    label: str
    title: str
    detail: str
    notice: str
    words: str  # all of it folded, each word after a blank
    first: str  # what counts most, folded: the key, or a note's name
    people: str  # what counts next: the authors, or a note's title


class Shelf:
    """What a library holds, as far as an editor asks while somebody types."""

    def __init__(
        self,
        choices: Sequence[Choice],
        tags: Mapping[str, int],
        resolver: Resolver,
        left_out: frozenset[str] = frozenset(),
    ) -> None:
        self.left_out = left_out
        self.choices = choices
        self.tags = tags
        self.resolver = resolver
        self.references = {each.name: each for each in choices if each.kind == "reference"}
        self.by_path = {each.path: each for each in choices}
        self._folded_tags = [(fold(tag), tag, count) for tag, count in tags.items()]
        self.nearest = lru_cache(maxsize=500)(resolver.nearest)
        resolver.nearest = self.nearest  # type: ignore[method-assign]

    def look(self, typed: str, kinds: Sequence[str] = (), limit: int = 100) -> list[Choice]:
        """The choices that hold every word typed, the likeliest first.

        Accents and case do not matter; a word may be the beginning of any word of title, name,
        authors, venue, tags or key, or stand inside the key.
        """
        wanted = fold(typed).split()
        if not wanted:
            found = (each for each in self.choices if not kinds or each.kind in kinds)
            return [each for each, _ in zip(found, range(limit), strict=False)]
        choices = [each for each in self.choices if not kinds or each.kind in kinds]
        if len(wanted) == 1:
            return _ranked(choices, wanted[0], limit)
        for word in sorted(wanted, key=len, reverse=True):
            choices = [each for each in choices if word in each.words]
        joined = " ".join(wanted)
        return nsmallest(limit, choices, key=lambda each: _rank(each, wanted, joined))

    def tags_like(self, typed: str, limit: int = 100) -> list[tuple[str, int]]:
        """Tags that begin with what is typed, then those that hold it; the most used first."""
        wanted = fold(typed)
        hits = [
            (not folded.startswith(wanted), -count, tag)
            for folded, tag, count in self._folded_tags
            if wanted in folded
        ]
        return [(tag, -count) for _, count, tag in sorted(hits)[:limit]]


def _ranked(choices: Sequence[Choice], word: str, limit: int) -> list[Choice]:
    """The choices for one word, rank after rank, so that no more is looked at than is shown."""
    begun = f" {word}"
    ranks: tuple[Callable[[Choice], bool], ...] = (
        lambda each: each.first.startswith(word),
        lambda each: each.people.startswith(word),
        lambda each: begun in each.people,
        lambda each: begun in each.words,
        lambda each: word in each.words,
    )
    found: dict[str, Choice] = {}
    for holds in ranks:
        for each in choices:
            if holds(each):
                found.setdefault(each.path, each)
                if len(found) == limit:
                    return list(found.values())
    return list(found.values())


def _rank(each: Choice, wanted: Sequence[str], joined: str) -> tuple[int, int, str]:
    """The likelihood of a choice: its key, its authors, its title, anything else."""
    if each.first.startswith(joined):
        return 0, len(each.first), each.name
    worst = 0
    for word in wanted:
        begun = f" {word}" in each.words
        place = 1 if each.people.startswith(word) else 2 if f" {word}" in each.people else 3
        worst = max(worst, place if begun else 5)
    return worst, 0, each.name


def build(library: Library, known: dict[str, tuple[str, ...]] | None = None) -> Shelf:
    """Read a library's catalogue into a shelf; `known` keeps the tags of texts between calls."""
    catalogue = library.catalogue
    cards = catalogue.cards()
    choices = [_reference(card) for card in cards]
    tags: Counter[str] = Counter()
    spelled: dict[str, str] = {}
    for card in cards:
        _count(card.tags, tags, spelled)
    texts = {} if known is None else known
    for kind in ("note", "topic", "collection", "vocabulary"):
        files = {layout.name(file.path): file for file in catalogue.files(kind)}
        for record in catalogue.records(kind):
            slug = getattr(record, "slug", "")
            if file := files.get(slug):
                title = getattr(record, "title", "") or (
                    first_heading(record.body) if isinstance(record, Note) else ""
                )
                choices.append(_other(kind, slug, file.path, title, record))
                if isinstance(record, Note):
                    if file.sha256 not in texts:
                        texts[file.sha256] = _tags(record)
                    _count(texts[file.sha256], tags, spelled)
    resolver = Resolver(library)
    _warm(resolver)
    found = {spelled[tag]: count for tag, count in tags.items()}
    return Shelf(choices, found, resolver, View(library).left_out)


def _warm(resolver: Resolver) -> None:
    """Have the tables made now that a first question would wait for."""
    resolver.cite("")
    resolver.wiki("no note has this name", "")


def _reference(card: Card) -> Choice:
    year = card.published[:4] or "n.d."
    families = [Author.parse(name).family for name in card.authors[:3]]
    people = f"{families[0]} et al." if len(card.authors) > 2 else " & ".join(families)
    mark = f"[{card.notice.replace('-', ' ').upper()}] " if card.notice else ""
    title = " ".join(plain(card.title).split())
    label = plain(f"{mark}{people or '—'} {year} {title}")
    folded = fold(" ".join(families))
    cited = card.cite_as or card.key
    return Choice(
        "reference", card.key, card.path, _cut(label), title, cited, card.notice,
        f"{card.words} {fold(cited)} {year}", fold(cited), folded,
    )  # fmt: skip


def _other(kind: str, slug: str, path: str, title: str, record: object) -> Choice:
    title = " ".join(plain(title or slug.rpartition("/")[2]).split())
    aliases = " ".join(getattr(record, "aliases", ()))
    words = fold(f" {title} {slug.replace('/', ' ').replace('-', ' ')} {slug} {aliases}")
    stem = fold(slug.rpartition("/")[2])
    return Choice(
        kind, slug, path, _cut(title), title, f"{kind} {slug}", "", words, stem, fold(title)
    )


def _cut(label: str) -> str:
    return label if len(label) <= LONGEST else f"{label[: LONGEST - 1]}…"


def _count(found: Sequence[str], tags: Counter[str], spelled: dict[str, str]) -> None:
    for tag in found:
        folded = fold(tag)
        tags[folded] += 1
        spelled.setdefault(folded, tag)


def _tags(note: Note) -> tuple[str, ...]:
    """The tags of a note's field and of its text, each once."""
    own = [tag.removeprefix("#") for tag in note.tags]
    if _TAGGED.search(note.body):
        own += [link.target for link in parse(note.body) if link.kind == "tag"]
    return tuple(dict.fromkeys(own))
