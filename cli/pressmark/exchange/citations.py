"""A cite key in; the reference it means out, from whichever source of the user's knows it.

Sources are readers with a name, a lookup and an iterator, and nothing tells one from another but
what they answer. Rendering a citation is no part of a source; that is `formats.csl`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pressmark import disk, formats, ids
from pressmark.errors import PressmarkError
from pressmark.exchange import zotero, zoteroapi
from pressmark.formats import zotero as items
from pressmark.links.resolve import same
from pressmark.record import Paper, Reference, reference

if TYPE_CHECKING:
    from pressmark.config import Config
    from pressmark.formats.reading import Problem
    from pressmark.http import Client, NullClient
    from pressmark.library import Library

LARGEST = 200 * 2**20


class CitationPort(Protocol):
    """A source of references by the keys that prose cites."""

    @property
    def name(self) -> str:
        """What the source is called in an answer."""

    def lookup(self, key: str) -> Reference | None:
        """The reference with a key, or None; a source that is not there has none."""

    def all(self, among: Collection[str] | None = None) -> Iterator[Reference]:
        """Every reference, one after another, in one pass.

        `among` are keys: a source may leave out what none of them can name. NotImplementedError
        where the references cannot be counted and no keys are given.
        """


@dataclass(frozen=True, slots=True)
class Found:
    """A reference and the source that answered."""

    reference: Reference
    source: str


@dataclass(slots=True)
class Answers:
    """What several sources know of many keys."""

    found: dict[str, tuple[Found, ...]] = field(default_factory=dict)
    """For each known key every source that has it, the first of the sources first."""
    doubts: dict[str, str] = field(default_factory=dict)
    """Keys that a source has in other letters only, and more than once: the names it has."""


class Resolver:
    """Asks the sources in their order; the first that knows a key answers."""

    def __init__(self, readers: Sequence[CitationPort]) -> None:
        self.readers = tuple(readers)

    def lookup(self, key: str) -> Found | None:
        """The reference a key means, and who said so."""
        for reader in self.readers:
            found = reader.lookup(key)
            if found is not None:
                return Found(found, reader.name)
        return None

    def find(self, keys: Collection[str]) -> Answers:
        """What each source has for many keys, every source gone through once.

        A key means the entry of that very name, else the only one that differs from it in letter
        case, else the one with the identifier that the key is.
        """
        answers = Answers()
        for reader in self.readers:
            for key, held in _matched(reader.all(keys), keys, answers.doubts).items():
                before = answers.found.get(key, ())
                answers.found[key] = (*before, Found(held, reader.name))
        for key in answers.found:
            answers.doubts.pop(key, None)
        return answers

    def all(self) -> Iterator[Found]:
        """Every reference of every source that can list its own."""
        for reader in self.readers:
            with suppress(NotImplementedError):
                yield from (Found(each, reader.name) for each in reader.all())


class LibraryReader:
    """The library itself: keys, aliases, `cite-as`, identifiers."""

    name = "library"

    def __init__(self, library: Library) -> None:
        self.library = library

    def lookup(self, key: str) -> Reference | None:
        found = self.library.catalogue.resolve(key)
        return self.library.get(found[0]) if len(found) == 1 else None

    def all(self, among: Collection[str] | None = None) -> Iterator[Reference]:
        if among is None:
            return self.library.all()
        return (held for held in map(self.lookup, among) if held is not None)


class FileReader:
    """A bibliography file in any format that is read; it is never written.

    `problems` has, once it was read, what is wrong with the file or with an entry that was asked
    for.
    """

    def __init__(self, path: Path, name: str = "") -> None:
        self.path = path
        self.name = name or ("bibtex" if path.suffix.lower() == ".bib" else path.name)
        self.problems: list[str] = []

    def lookup(self, key: str) -> Reference | None:
        return next((each for each in self.all([key]) if key in _names(each)), None)

    def all(self, among: Collection[str] | None = None) -> Iterator[Reference]:
        wanted = None if among is None else Wanted(among)
        try:
            data = disk.read_given(self.path, LARGEST)
            read = formats.read(data, self.path.name, only=wanted.entry if wanted else None)
        except PressmarkError as problem:
            self.problems.append(f"{self.name}: {problem}")
            return
        self.problems += [
            f"{self.name}: {each}"
            for each in read.problems
            if wanted is None or wanted.concerns(each)
        ]
        yield from _keyed(read.papers)


class ZoteroReader:
    """A Zotero: its database, else the program that runs here, else nothing; never an error.

    The database's tables are verified against databases made by hand in the tests. `problems`
    says why nothing could be read.
    """

    name = "zotero"

    def __init__(self, place: Path, asking: Client | NullClient | None = None) -> None:
        self.place = place
        self.asking = asking
        self.problems: list[str] = []

    def lookup(self, key: str) -> Reference | None:
        return next((each for each in self.all([key]) if key in _names(each)), None)

    def all(self, among: Collection[str] | None = None) -> Iterator[Reference]:
        wanted = None if among is None else Wanted(among)
        taken: set[str] = set()
        for item in self._items():
            if wanted is not None and not wanted.item(item):
                continue
            paper, _ = items.paper(item)
            if paper is not None:
                notice = "retracted" if item.get("retracted") else paper.notice
                extra = {name: it for name, it in paper.extra.items() if name != "retracted"}
                paper = replace(paper, notice=notice, extra=extra)
                yield _as_reference(paper, taken, str(item.get("key", "")))

    def _items(self) -> Iterator[dict[str, object]]:
        """The items as a stream: a library is never held as a whole to answer for one key."""
        try:
            with zotero.opened(self.place) as held:
                yield from held.items()
                return
        except PressmarkError as problem:
            why = str(problem)
        if self.asking is None:
            self.problems.append(why)
            return
        try:
            for item in zoteroapi.items(self.asking):
                if item.get("itemType") not in ("note", "attachment", "annotation"):
                    yield item
        except PressmarkError as problem:
            self.problems.append(f"{why} And no Zotero answers on this machine: {problem}")


class WebReader:
    """The providers, by DOI, arXiv id or another identifier; only where the user said so.

    The switch is `network.resolve`, looked at once. An answer is kept for ever with its first
    date; the providers cannot be listed. `failures` says of each key why it has no answer.
    """

    name = "web"

    def __init__(self, asking: Client | NullClient, config: Config, today: str) -> None:
        self.asking = asking
        self.config = config
        self.today = today
        self.enabled = config.resolve and not config.offline
        self.failures: dict[str, PressmarkError] = {}

    def lookup(self, key: str) -> Reference | None:
        return next(self.all([key]), None)

    def all(self, among: Collection[str] | None = None) -> Iterator[Reference]:
        if among is None:
            raise NotImplementedError("The web cannot be listed.")
        return self._asked(among)

    def _asked(self, keys: Collection[str]) -> Iterator[Reference]:
        """All keys in one question, where a provider takes many at once."""
        parsed = {key: ids.parse(key) for key in keys} if self.enabled else {}
        meant = {key: each for key, each in parsed.items() if each is not None}
        if not meant:
            return
        from pressmark.sources import look_up

        wanted = list(dict.fromkeys(meant.values()))
        try:
            answers = look_up(wanted, self.asking, self.config, self.today)
        except PressmarkError as problem:
            self.failures |= dict.fromkeys(meant, problem)
            return
        for identifier, answer in zip(wanted, answers, strict=True):
            names = [key for key, each in meant.items() if each == identifier]
            if answer.paper:
                made = _as_reference(answer.paper, set(), names[0])
                yield replace(made, aliases=(*made.aliases, *names[1:]))
            elif answer.error:
                self.failures |= dict.fromkeys(names, answer.error)


class Wanted:
    """Keys as a reader asks whether something can be what one of them names."""

    def __init__(self, keys: Collection[str]) -> None:
        self.names = frozenset(map(same, keys))
        parsed = (ids.parse(key) for key in keys)
        self.identifiers = tuple({same(each.value) for each in parsed if each})

    def entry(self, names: Iterable[str], fields: Mapping[str, str]) -> bool:
        """Whether an entry of a .bib file can be wanted, from its raw text."""
        if not self.names.isdisjoint(map(same, names)):
            return True
        return bool(self.identifiers) and self._identified(map(fields.get, _IDENTIFYING))

    def item(self, item: Mapping[str, object]) -> bool:
        """Whether an item of Zotero's can be wanted: its keys may stand in `extra` too."""
        names = (item.get(name) for name in ("key", "citationKey", "citekey"))
        if not self.names.isdisjoint(same(str(name)) for name in names if name):
            return True
        extra = same(str(item.get("extra") or ""))
        if extra and any(name in extra for name in self.names):
            return True
        values = (item.get(name) for name in ("DOI", "url", "archiveID", "extra"))
        return bool(self.identifiers) and self._identified(values)

    def concerns(self, problem: Problem) -> bool:
        """Whether a problem is one of the whole file, or of an entry that is wanted."""
        if problem.entry or not problem.lost:
            return not problem.entry or same(problem.entry) in self.names
        words = same(problem.message)  # it has the beginning of what could not be read
        names = (re.escape(name) for name in self.names if name in words)
        return any(re.search(rf"(?<![\w-]){name}(?![\w-])", words) for name in names)

    def _identified(self, values: Iterable[object]) -> bool:
        text = same(" ".join(str(value) for value in values if value)).replace("\\", "")
        return any(each in text for each in self.identifiers)


_IDENTIFYING = ("doi", "eprint", "url", "pmid", "pmcid", "note", "isbn", "ee")


def _matched(
    references: Iterable[Reference], keys: Collection[str], doubts: dict[str, str]
) -> dict[str, Reference]:
    """The reference of each key that one of them is; a doubt where letter case leaves two."""
    folded = {same(key) for key in keys}
    parsed = {key: ids.parse(key) for key in keys}
    identities = {key: str(each) for key, each in parsed.items() if each}
    exact: dict[str, Reference] = {}
    alike: dict[str, dict[str, Reference]] = {}
    known: dict[str, Reference] = {}
    for held in references:
        for name in _names(held):
            if same(name) in folded:
                exact.setdefault(name, held)
                alike.setdefault(same(name), {}).setdefault(name, held)
        for identity in ids.identities(held) if identities else ():
            known.setdefault(identity, held)
    found: dict[str, Reference] = {}
    for key in keys:
        others = alike.get(same(key), {})
        held_as = exact.get(key) or known.get(identities.get(key, ""))
        if held_as is None and len({id(each) for each in others.values()}) == 1:
            held_as = next(iter(others.values()))
        if held_as is not None:
            found[key] = held_as
        elif others:
            doubts.setdefault(key, " or ".join(sorted(others)))
    return found


def _names(held: Reference) -> tuple[str, ...]:
    """What the source itself calls a reference."""
    return held.cite_as or held.key, *held.aliases


def _keyed(papers: Iterable[Paper]) -> Iterator[Reference]:
    taken: set[str] = set()
    for paper in papers:
        yield _as_reference(paper, taken, "")


def _as_reference(paper: Paper, taken: set[str], own: str) -> Reference:
    """The reference under a key of our kind, cited by the key it came with."""
    key, cite_as = ids.choose_key(paper, taken)
    taken.add(key.casefold())
    made = replace(reference(paper, key), aliases=paper.other_keys)
    return replace(made, cite_as=cite_as or (own if not paper.key_hint and own else None))
