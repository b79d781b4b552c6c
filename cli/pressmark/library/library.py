"""A folder in, the library out: the one object that every command, agent and page works with."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from pressmark import disk, ids
from pressmark.catalogue import Catalogue, Query, Term, filters, layout
from pressmark.config import Config, find_root, load
from pressmark.errors import Ambiguous, BadInput, NotFound, PressmarkError, Unreadable
from pressmark.library.outcome import Added, Outcome, Write
from pressmark.record import Collection as ReadingList
from pressmark.record import FullText, Note, Paper, Record, Reference, Search, Topic, Vocabulary

if TYPE_CHECKING:
    from pressmark.history import Entry, Repository
    from pressmark.library.adding import Records, Tell

DEFAULT = Write()

NOTHING: Mapping[str, str | None] = {}
NO_ITEMS: Mapping[str, Sequence[str]] = {}

Cited = Callable[[str], Collection[str]]

SHORTEST_PREFIX = 3
"""A key may be shortened as a commit's hash may, down to this many characters."""


class Library:
    """A research literature library: its records, its settings and its history.

    The catalogue is brought up to date when it is first asked and after each write; a process
    that lives longer calls `refresh` before each answer.
    """

    def __init__(self, root: Path, config: Config) -> None:
        self.root = root
        self.config = config
        self._fresh = False
        self._still = False
        self.kept: dict[str, object] = {}
        """What other modules keep open between two calls, each under its own name."""
        self.keeping = threading.RLock()

    @classmethod
    def open(cls, start: Path | None = None, config: Config | None = None) -> Library:
        """The library around a folder (the working folder if none is given)."""
        if config is None:
            config = load(find_root(start or Path.cwd(), os.environ), os.environ)
        if config.root is None:
            raise NotFound(f"No library at {start or Path.cwd()} or above.", next="pressmark init")
        return cls(config.root, config)

    @property
    def catalogue(self) -> Catalogue:
        """The parsed records, fresh as of the first use and of each use after a write."""
        if not self._fresh:
            self._catalogue.refresh()
            self._fresh = True
        return self._catalogue

    @cached_property
    def _catalogue(self) -> Catalogue:
        return Catalogue(self.root)

    @cached_property
    def repository(self) -> Repository | None:
        """The git repository around the library; None where there is none."""
        from pressmark.history import Repository

        return Repository.find(self.root)

    def refresh(self) -> None:
        """From now on, answer from what an editor, a pull or another process left."""
        self._fresh = self._fresh and self._still

    @contextmanager
    def still(self) -> Iterator[None]:
        """Look at the files now, and not again within: for who holds the lock and only plans."""
        self.refresh()
        _ = self.catalogue
        self._still = True
        try:
            yield
        finally:
            self._still = False

    def get(self, text: str) -> Reference:
        """The one reference a key, an alias, an identifier in any spelling or a URL names."""
        return self._one(self.key(text))

    def key(self, text: str) -> str:
        """The key of the reference a text names; a unique beginning of a key will do."""
        found = self.catalogue.resolve(text)
        if not found and len(text.strip()) >= SHORTEST_PREFIX:
            found = self.catalogue.starting_with(text.strip())
        if len(found) == 1:
            return found[0]
        raise self._ambiguous(text, found) if found else self.missing(text)

    def select(
        self,
        words: Sequence[str] = (),
        *,
        stage: str = "any",
        cited: Cited | None = None,
        required: bool = False,
    ) -> list[Reference]:
        """The references that words name or filter, sorted by key.

        Keys, identifiers and URLs name references; every other word must hold of them.
        `stage="kept"` leaves candidates out unless a word speaks of the stage. With `required`,
        nothing found is NotFound.
        """
        if required and not all(word.strip() for word in words):
            raise BadInput(
                "An empty word names no reference.", next="see what the shell made of the call"
            )
        query, named, rest = self._query(words, stage)
        found = self.catalogue.select(query, cited=cited)
        if required and not found:
            unknown = [word for word in rest if not filters.is_filter(word)]
            if len(words) == 1 or (named and unknown):
                raise self.missing(unknown[0] if unknown else words[0])
            raise NotFound(f"No reference answers to {' '.join(words)}.")
        return found

    def select_keys(
        self, words: Sequence[str] = (), *, stage: str = "any", cited: Cited | None = None
    ) -> list[str]:
        """The keys of what `select` gives, without reading one record."""
        return self.catalogue.select_keys(self._query(words, stage)[0], cited=cited)

    def _query(self, words: Sequence[str], stage: str) -> tuple[Query, list[str], list[str]]:
        """What words ask for, the keys that some of them name, and the words that name none."""
        named, rest = self._named(words)
        query = filters.parse(rest)
        self._check_collections(query)
        if stage != "any" and not query.names("stage") and not named:
            query = Query((*query.terms, Term("stage", (stage,))))
        if named:
            query = Query((*query.terms, Term(filters.KEYS, tuple(named))))
        return query, named, rest

    def all(self) -> Iterator[Reference]:
        """Every reference, sorted by key."""
        return self.catalogue.all()

    def path(self, key: str) -> str:
        """Where a reference's file is, relative to the root."""
        path = self.catalogue.path(key)
        if path is None:
            raise self.missing(key)
        return path

    def keys_of(self, words: Sequence[str], *, cited: Cited | None = None) -> list[str]:
        """Keys of what words name or filter; NotFound when that is nothing."""
        return [each.key for each in self.select(words, cited=cited, required=True)]

    def fulltext(self, key: str) -> FullText | None:
        """The full text beside a reference."""
        from pressmark import page

        path = layout.beside(self.path(key))
        if not disk.exists(self.root, path):
            return None
        return page.read(FullText, self.read_page(path), path)

    def artefact(self, key: str, what: str) -> str | None:
        """Where the file beside a reference is: its `text`, or its `pdf`, `xml` or `html`."""
        path = self.path(key)
        beside = layout.beside(path) if what == "text" else f"{path.removesuffix('.md')}.{what}"
        return str(self.root / beside) if disk.exists(self.root, beside) else None

    def read_page(self, relative: str) -> bytes:
        """The bytes of a file of the library."""
        return disk.read_bytes(self.root, relative)

    def topics(self) -> list[Topic]:
        """The standing queries."""
        return [each for each in self.catalogue.records("topic") if isinstance(each, Topic)]

    def searches(self) -> list[Search]:
        """The searches on record."""
        return [each for each in self.catalogue.records("search") if isinstance(each, Search)]

    def collections(self) -> list[ReadingList]:
        """The reading lists."""
        found = self.catalogue.records("collection")
        return [each for each in found if isinstance(each, ReadingList)]

    def vocabularies(self) -> list[Vocabulary]:
        """The library's own vocabularies."""
        found = self.catalogue.records("vocabulary")
        return [each for each in found if isinstance(each, Vocabulary)]

    def notes(self) -> list[Note]:
        """The user's notes."""
        return [each for each in self.catalogue.records("note") if isinstance(each, Note)]

    def add(
        self,
        papers: Sequence[Paper],
        *,
        stage: str | None = None,
        topic: str | None = None,
        collection: str | None = None,
        tags: Sequence[str] = (),
        subject: str | None = None,
        records: Records = (),
        tell: Tell | None = None,
        reserved: Collection[str] = (),
        write: Write = DEFAULT,
    ) -> Added:
        """File papers: new ones as references, the others merged into what is held.

        `stage="candidate"` files what nobody has chosen yet; without it a candidate is kept.
        `tags` are put on each of them, also where somebody once took one off.
        `records` are written in the same commit, as a function when they speak of what was filed;
        `reserved` are keys that no new one may take;
        `tell` hears of the progress.
        """
        from pressmark.library import adding

        return adding.add(
            self, papers, stage=stage, topic=topic, collection=collection, tags=tags, named=subject,
            records=records, reserved=reserved, tell=tell, write=write,
        )  # fmt: skip

    def put(self, records: Sequence[Record], subject: str, write: Write = DEFAULT) -> Outcome:
        """Write records at their places; what stands there is spliced, the rest is new."""
        from pressmark.library import adding

        return adding.put(self, records, subject, write)

    def edit(
        self,
        keys: Sequence[str],
        *,
        set: Mapping[str, str | None] = NOTHING,
        add: Mapping[str, Sequence[str]] = NO_ITEMS,
        remove: Mapping[str, Sequence[str]] = NO_ITEMS,
        write: Write = DEFAULT,
    ) -> Outcome:
        """Set fields (None clears one), and add items to lists or remove some."""
        from pressmark.library import editing

        return editing.edit(self, keys, set, add, remove, write)

    def keep(self, keys: Sequence[str], *, write: Write = DEFAULT) -> Outcome:
        """Keep candidates: the stage field goes."""
        from pressmark.library import editing

        return editing.keep(self, keys, write)

    def drop(self, keys: Sequence[str], *, reason: str = "", write: Write = DEFAULT) -> Outcome:
        """Drop candidates; the topic or search that found them never offers them again."""
        from pressmark.library import editing

        return editing.drop(self, keys, reason, write)

    def remove(self, keys: Sequence[str], *, write: Write = DEFAULT) -> Outcome:
        """Delete references with their full texts; the documents beside them stay."""
        from pressmark.library import editing

        return editing.remove(self, keys, write)

    def rename(
        self,
        old: str,
        new: str,
        *,
        prose: Mapping[str, bytes] | Callable[[], Mapping[str, bytes]] | None = None,
        write: Write = DEFAULT,
    ) -> Outcome:
        """Give a reference another key; `prose` is the new bytes of the files that cite it.

        As a function it is asked under the lock, when nobody else writes.
        """
        from pressmark.library import editing

        return editing.rename(self, old, new, prose, write)

    def merge(self, a: str, b: str, *, write: Write = DEFAULT) -> Outcome:
        """Fold reference B into A."""
        from pressmark.library import editing

        return editing.merge(self, a, b, write)

    def undo(self, revision: str | None = None, *, write: Write = DEFAULT) -> Outcome:
        """Take a commit back with a new one: the one named, else Pressmark's last."""
        from pressmark.library import writing

        return writing.undo(self, revision, write)

    def log(self, key: str | None = None, limit: int = 50) -> list[Entry]:
        """The commits of a reference, or of the library, newest first."""
        from pressmark.library import writing

        return writing.repository(self).log(self.path(key) if key else None, limit)

    def nearest(self, text: str, limit: int = 3) -> list[str]:
        """Keys that look like a text."""
        held = self.catalogue.keys()
        keys = {key.casefold(): key for key in held}
        return [keys[each] for each in _closest(text.strip().casefold(), keys, limit)]

    def missing(self, text: str) -> PressmarkError:
        """The error for a text that does not name one reference: several, none, or a wreck."""
        if not text.strip():
            return NotFound("An empty word names no reference.", next="pressmark list")
        found = self.catalogue.resolve(text)
        if len(found) > 1:
            return self._ambiguous(text, found)
        folded = text.strip().casefold()
        for wreck in self.catalogue.unreadable():
            if wreck.path.rpartition("/")[2].removesuffix(".md").casefold() == folded:
                return Unreadable(
                    wreck.message, path=wreck.path, line=wreck.line, field=wreck.field,
                    next=f"correct {wreck.path} in an editor",
                )  # fmt: skip
        close = self.nearest(text)
        return NotFound(
            f"There is no reference {text!r}.",
            next=f"did you mean {' or '.join(close)}?" if close else _elsewhere(text),
        )

    def _ambiguous(self, text: str, found: list[str]) -> Ambiguous:
        files = self.catalogue.namesakes().get(layout.folded(text.strip()))
        if files:
            return Ambiguous(
                f"{text} is the name of {len(files)} files: {', '.join(files)}.",
                tuple(files),
                next="git mv one of them to another name",
            )
        return Ambiguous(
            f"{text} names {len(found)} references: {', '.join(found)}.",
            tuple(found),
            next="give one of their keys in full",
        )

    def _one(self, key: str) -> Reference:
        found = self.catalogue.get(key)
        if found is None:
            raise self.missing(key)
        return found

    def _named(self, words: Sequence[str]) -> tuple[list[str], list[str]]:
        """Keys of the references some words name, and the words that name none."""
        keys: list[str] = []
        rest: list[str] = []
        for word in words:
            found = [] if filters.is_filter(word) else self.catalogue.resolve(word)
            keys += found
            if not found:
                self._refuse_identifier(word)
                rest.append(word)
        return keys, rest

    def _refuse_identifier(self, word: str) -> None:
        """Raise for `doi:…` or an address that is not held: it would be taken for a filter."""
        if ":" in word and not filters.is_filter(word):
            from pressmark import ids

            if ids.parse(word) is not None:
                raise self.missing(word)

    def _check_collections(self, query: Query) -> None:
        asked = {v for term in query.terms if term.field == "collection" for v in term.values}
        held = {each.slug.casefold() for each in self.collections()} if asked else set()
        for slug in sorted(asked - held):
            close = _closest(slug, held, 1)
            raise NotFound(
                f"There is no collection {slug!r}.",
                next=f"did you mean {close[0]}?" if close else "pressmark collection list",
            )


def _closest(word: str, known: Iterable[str], limit: int) -> list[str]:
    from rapidfuzz import fuzz, process  # only for who mistyped

    found = process.extract(word, list(known), scorer=fuzz.ratio, limit=limit, score_cutoff=70)
    return [name for name, _, _ in found]


def _elsewhere(text: str) -> str:
    """Where to look for what is not held: an identifier is added, words are listed."""
    if identifier := ids.parse(text):
        return f"pressmark add {identifier}"
    return f'pressmark list "{text}"'
