"""A cite key in; the reference it means out, from whichever source of the user's knows it.

Sources are readers with a name, a lookup and an iterator, and nothing tells one from another but
what they answer. Rendering a citation is no part of a source; that is `formats.csl`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pressmark import disk, formats, ids
from pressmark.errors import PressmarkError
from pressmark.exchange import zotero, zoteroapi
from pressmark.formats import zotero as items
from pressmark.record import Paper, Reference, reference

if TYPE_CHECKING:
    from pressmark.config import Config
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

    def all(self) -> Iterator[Reference]:
        """Every reference, one after another; NotImplementedError where they cannot be counted."""


@dataclass(frozen=True, slots=True)
class Found:
    """A reference and the source that answered."""

    reference: Reference
    source: str


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

    def all(self) -> Iterator[Reference]:
        return self.library.all()


class FileReader:
    """A bibliography file in any format that is read; it is never written."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = "bibtex" if path.suffix.lower() == ".bib" else path.name

    def lookup(self, key: str) -> Reference | None:
        return next((each for each in self.all() if key in (each.cite_as, each.key)), None)

    def all(self) -> Iterator[Reference]:
        try:
            read = formats.read(disk.read_given(self.path, LARGEST), self.path.name)
        except PressmarkError:
            return
        yield from _keyed(read.papers)


class ZoteroReader:
    """A Zotero: its database, else the program that runs here, else nothing; never an error.

    The database's tables are verified against databases made by hand in the tests.
    """

    name = "zotero"

    def __init__(self, place: Path, asking: Client | NullClient | None = None) -> None:
        self.place = place
        self.asking = asking

    def lookup(self, key: str) -> Reference | None:
        return next((each for each in self.all() if key in (each.cite_as, each.key)), None)

    def all(self) -> Iterator[Reference]:
        taken: set[str] = set()
        for item in self._items():
            paper, _ = items.paper(item)
            if paper is not None:
                yield _as_reference(paper, taken, str(item.get("key", "")))

    def _items(self) -> Iterator[dict[str, object]]:
        """The items as a stream: a library is never held as a whole to answer for one key."""
        try:
            with zotero.opened(self.place) as held:
                yield from held.items()
                return
        except PressmarkError:
            pass
        if self.asking is not None:
            with suppress(PressmarkError):
                yield from zoteroapi.items(self.asking)


class WebReader:
    """The providers, by DOI, arXiv id or another identifier; only where the user said so.

    The switch is `network.resolve`, looked at once. An answer is kept for ever with its first
    date; the providers cannot be listed.
    """

    name = "web"

    def __init__(self, asking: Client | NullClient, config: Config, today: str) -> None:
        self.asking = asking
        self.config = config
        self.today = today
        self.enabled = config.resolve and not config.offline

    def lookup(self, key: str) -> Reference | None:
        identifier = ids.parse(key) if self.enabled else None
        if identifier is None:
            return None
        from pressmark.sources import look_up

        try:
            answers = look_up([identifier], self.asking, self.config, self.today)
        except PressmarkError:
            return None
        paper = next((each.paper for each in answers if each.paper), None)
        return _as_reference(paper, set(), key) if paper else None

    def all(self) -> Iterator[Reference]:
        raise NotImplementedError("The web cannot be listed.")


def _keyed(papers: Iterable[Paper]) -> Iterator[Reference]:
    taken: set[str] = set()
    for paper in papers:
        yield _as_reference(paper, taken, "")


def _as_reference(paper: Paper, taken: set[str], own: str) -> Reference:
    """The reference under a key of our kind, cited by the key it came with."""
    from dataclasses import replace

    key, cite_as = ids.choose_key(paper, taken)
    taken.add(key.casefold())
    made = reference(paper, key)
    return replace(made, cite_as=cite_as or (own if not paper.key_hint and own else None))
