"""A library and filters in, its notes that meet them out, newest first or best first."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from pressmark import ids, links
from pressmark.errors import BadInput
from pressmark.notes.data import plain_key
from pressmark.notes.naming import path_of, titled
from pressmark.record import Note
from pressmark.text import fold

if TYPE_CHECKING:
    from pressmark.library import Library

_Keep: TypeAlias = Callable[[Note], bool]

AUTHORS = ("any", "mine", "named")
PROVIDERS = ("doi", "arxiv", "pmid", "pmcid", "openalex", "s2", "isbn", "title")
_DATE = re.compile(r"\d{4}(?:-\d\d(?:-\d\d)?)?")
_TERM = re.compile(r"[^\W_]+")
_K1, _B = 1.2, 0.75


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteQuery:
    """Which notes are wanted; everything that is unset lets every note pass.

    `about` is any reference the library holds (key, identifier, URL); `provider` is the kind of
    an identifier (`doi`, `arxiv`, …) and `identifier` one of it. Dates are YYYY, YYYY-MM or
    YYYY-MM-DD and include their ends. `keyword` looks in the text alone.
    """

    about: str | None = None
    citing: str | None = None
    provider: str | None = None
    identifier: str | None = None
    format: str | None = None
    date_from: str | None = None
    date_to: str | None = None
    keyword: str | None = None
    author: str = "any"
    author_name: str | None = None
    tags_all: tuple[str, ...] = ()
    tags_any: tuple[str, ...] = ()
    tags_exclude: tuple[str, ...] = ()
    offset: int = 0
    limit: int | None = 50


@dataclass(frozen=True, slots=True)
class Found:
    """A window of the notes that meet a query; scores are 0 without a keyword."""

    notes: tuple[Note, ...]
    scores: tuple[float, ...]
    total: int
    offset: int

    @property
    def next_offset(self) -> int | None:
        """Where the next window begins, or None at the end."""
        end = self.offset + len(self.notes)
        return end if end < self.total else None


def find(library: Library, query: NoteQuery) -> Found:
    """The notes that meet a query; by relevance with a keyword, else the newest first.

    Raises BadInput for filters that contradict each other, NotFound for a reference not held.
    """
    _check(query)
    notes = [titled(note) for note in library.notes()]
    for keep in _filters(library, query):
        notes = [note for note in notes if keep(note)]
    if query.keyword:
        ranked = _by_relevance(notes, query.keyword)
    else:
        ordered = sorted(notes, key=lambda note: note.slug)
        ordered.sort(key=lambda note: note.created or "", reverse=True)
        ranked = [(note, 0.0) for note in ordered]
    end = None if query.limit is None else query.offset + query.limit
    window = ranked[query.offset : end]
    return Found(
        tuple(note for note, _ in window), tuple(round(score, 4) for _, score in window),
        len(ranked), query.offset,
    )  # fmt: skip


def _check(query: NoteQuery) -> None:
    if query.author not in AUTHORS:
        raise BadInput(f"The author is one of {', '.join(AUTHORS)}, not {query.author!r}.")
    if query.author_name and query.author != "named":
        raise BadInput("An author's name goes only with the author `named`.")
    if query.author == "named" and not (query.author_name or "").strip():
        raise BadInput("The author `named` needs a name.", next="give --author-name")
    if query.identifier and not query.provider:
        raise BadInput("An identifier needs its provider.", next="give --provider doi, or --about")
    if query.provider and query.provider not in PROVIDERS:
        raise BadInput(f"The provider is one of {', '.join(PROVIDERS)}, not {query.provider!r}.")
    for date in (query.date_from, query.date_to):
        if date and not _DATE.fullmatch(date):
            raise BadInput(f"A date is YYYY, YYYY-MM or YYYY-MM-DD, not {date!r}.")
    if query.offset < 0 or (query.limit is not None and query.limit < 1):
        raise BadInput("An offset is 0 or more, a limit 1 or more.")


def _filters(library: Library, query: NoteQuery) -> Iterable[_Keep]:
    if query.tags_all or query.tags_any or query.tags_exclude:
        yield _Tags(query)
    if query.author == "mine":
        yield lambda note: not note.author
    elif query.author == "named":
        name = fold((query.author_name or "").strip())
        yield lambda note: fold(note.author or "") == name
    if query.date_from or query.date_to:
        yield lambda note: _within(note.created or "", query.date_from, query.date_to)
    if query.about:
        yield _Among({library.get(query.about).key})
    if query.citing:
        key = library.get(query.citing).key
        paths = {mention.path for mention in links.mentioning(library, key, kinds=["note"])}
        yield lambda note: path_of(note) in paths or _Among({key})(note)
    if query.provider:
        yield _Among(_keys_with(library, query.provider, query.identifier))
    if query.format:
        yield _Among(_keys_in(library, query.format))


class _Tags:
    """All, any and none of some tags; a tag holds its sub-tags: `method` finds `method/graph`."""

    def __init__(self, query: NoteQuery) -> None:
        self.all, self.any, self.none = (
            [fold(tag.removeprefix("#")) for tag in tags]
            for tags in (query.tags_all, query.tags_any, query.tags_exclude)
        )

    def __call__(self, note: Note) -> bool:
        held = tags_of(note)

        def has(wanted: str) -> bool:
            return any(tag == wanted or tag.startswith(f"{wanted}/") for tag in held)

        return (
            all(map(has, self.all))
            and (not self.any or any(map(has, self.any)))
            and not any(map(has, self.none))
        )


class _Among:
    """Whether a note is about one of some references."""

    def __init__(self, keys: Collection[str]) -> None:
        self.keys = {key.casefold() for key in keys}

    def __call__(self, note: Note) -> bool:
        return any(plain_key(item).casefold() in self.keys for item in note.about)


def tags_of(note: Note) -> set[str]:
    """The folded tags of a note: its field's, and the `#tags` of its text."""
    written = (link.target for link in links.parse(note.body) if link.kind == "tag")
    return {fold(tag.removeprefix("#")) for tag in (*note.tags, *written)}


def _within(created: str, first: str | None, last: str | None) -> bool:
    """Whether a date lies between two, each as exact as it is given."""
    if not created:
        return False
    return (not first or created[: len(first)] >= first) and (
        not last or created[: len(last)] <= last
    )


def _keys_with(library: Library, provider: str, identifier: str | None) -> set[str]:
    """Keys of the references with an identifier of a kind, or with one identifier."""
    if identifier:
        parsed = ids.parse(f"{provider}:{identifier}") or ids.parse(identifier)
        if parsed is None or parsed.kind != provider:
            raise BadInput(f"{identifier!r} is no {provider}.")
        return set(library.catalogue.holders([str(parsed)]))
    held = library.catalogue.holders_of_all()
    return {key for name, keys in held.items() if name.startswith(f"{provider}:") for key in keys}


def _keys_in(library: Library, form: str) -> set[str]:
    """Keys of the references whose full text was read from a kind of document."""
    found = set()
    for key in library.catalogue.with_fulltext():
        text = library.fulltext(key)
        if text is not None and text.format == form:
            found.add(key)
    return found


def _by_relevance(notes: Sequence[Note], keyword: str) -> list[tuple[Note, float]]:
    """The notes that hold every word, by BM25 (Robertson and Zaragoza 2009, k1 1.2, b 0.75)."""
    wanted = _terms(keyword)
    if not wanted:
        raise BadInput(f"{keyword!r} holds no word to look for.")
    counts = [Counter(_terms(note.body)) for note in notes]
    lengths = [sum(count.values()) for count in counts]
    mean = sum(lengths) / len(lengths) if lengths else 1.0
    hits = []
    having = {term: [_matching(count, term) for count in counts] for term in set(wanted)}
    frequency = {term: sum(map(bool, found)) for term, found in having.items()}
    for at, note in enumerate(notes):
        if not all(having[term][at] for term in wanted):
            continue
        score = 0.0
        for term in wanted:
            times = having[term][at]
            rare = math.log(1 + (len(notes) - frequency[term] + 0.5) / (frequency[term] + 0.5))
            norm = _K1 * (1 - _B + _B * lengths[at] / (mean or 1.0))
            score += rare * times * (_K1 + 1) / (times + norm)
        hits.append((note, score))
    return sorted(hits, key=lambda hit: (-hit[1], hit[0].slug))


def _matching(count: Counter[str], term: str) -> int:
    """How often a word, or one that begins with it, stands in a text."""
    return count[term] or sum(n for word, n in count.items() if word.startswith(term))


def _terms(text: str) -> list[str]:
    return _TERM.findall(fold(text))
