"""A library in, its index open for questions out: current, brought up to date, or said to be stale.

`find` and `status` both come through `look`, so what one says of the index the other says too.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from pressmark import disk
from pressmark.disk import folders
from pressmark.errors import Busy, Integrity, NotFound, PressmarkError, Unavailable
from pressmark.index import engines, manifest
from pressmark.index.manifest import Manifest
from pressmark.index.passage import Passage, digest
from pressmark.index.place import Place, scratch
from pressmark.index.ports import REBUILD, Progress, Vectors, Words, quiet
from pressmark.index.rows import TABLE, Row, Rows
from pressmark.index.sources import Sources, body_of, text_of
from pressmark.library import Library

READY, STALE, BUILDING, NOT_BUILT = "ready", "stale", "building", "not_built"

PATIENCE = 2.0
"""Seconds of work after which a current answers from the old index instead."""

_COST = {"reference": 0.002, "fulltext": 0.04, "note": 0.003}
"""Seconds that indexing the words of one file takes."""

TRIES = 4
"""How often an index is opened that others replace meanwhile, or that proves damaged."""

WAIT = 120.0
"""Seconds to wait for another process that builds the only index."""


TEXTS = 500
"""Files whose text an open index remembers."""


class Index:
    """One index, open: its words, its vectors, its table, and the files its rows come from."""

    def __init__(self, root: Path, folder: Path, held: Manifest, state: str) -> None:
        self.root = root
        self.folder = folder
        self.manifest = held
        self.state = state
        self._private: Path | None = None
        self.users = 0
        self.turn = threading.RLock()
        """Held around every use of the files by one of several threads."""
        self.table = Rows(folder / TABLE)
        self._dead = self.table.dead()
        self._texts: dict[str, str | None] = {}
        self.words: Words = engines.opened(held.engine, folder, held.segments, self._dead)

    @property
    def private(self) -> Path | None:
        """The folder that holds it where it is for this process alone; it goes with it."""
        return self._private

    @private.setter
    def private(self, folder: Path | None) -> None:
        self._private = folder
        if folder is not None:
            weakref.finalize(self, folders.discard, folder)

    @cached_property
    def papers(self) -> Vectors | None:
        """The vectors of whole references; None where none were made."""
        return self._vectors("papers")

    @cached_property
    def passages(self) -> Vectors | None:
        """The vectors of passages; None where none were made."""
        return self._vectors("passages")

    def passage(self, row: Row) -> Passage | None:
        """A row's passage as it stands in its file; None if it is no longer there."""
        text = self.text(row.path)
        if not row.passage or text is None:
            return None
        key, _, mark = row.passage.rpartition("#")
        taken = text[row.start : row.end]
        if digest(taken) != mark.rpartition("-")[2]:
            return None
        return Passage(
            row.passage, key, row.section, row.page, row.path, row.start, row.end, taken,
            body_of(text),
        )  # fmt: skip

    def text(self, path: str) -> str | None:
        """A file's LF text, read once."""
        if path not in self._texts:
            if len(self._texts) >= TEXTS:
                self._texts.clear()
            self._texts[path] = text_of(self.root, path)
        return self._texts[path]

    def close(self) -> None:
        """Let go of the files."""
        self.table.close()
        self.words.close()
        if self.private is not None:
            folders.discard(self.private)

    def _vectors(self, name: str) -> Vectors | None:
        stored = self.manifest.vectors.get(name)
        if not stored or not stored.count:
            return None
        from pressmark.index.vectors import UsearchVectors

        return UsearchVectors(self.folder, stored, self._dead)


@dataclass(frozen=True, slots=True)
class Held:
    """An index on disk that this user wrote and this program reads."""

    place: Place
    folder: Path
    manifest: Manifest


def sources(library: Library, until: int | None = None) -> Sources:
    """What of a library is indexed now."""
    return Sources(library.root, library.catalogue, until)


def look(library: Library, current: Sources | None = None) -> tuple[Held | None, str]:
    """The index on disk and its state, without making one."""
    current = current or sources(library)
    held = _held(library, current.until)
    if held is not None and held.manifest.fingerprint == current.fingerprint:
        return held, READY
    if _building(library, current.until):
        return held, BUILDING
    return held, STALE if held is not None else NOT_BUILT


def open_index(library: Library, *, until: int | None = None, progress: Progress = quiet) -> Index:
    """The index of a library, its words brought up to date where that takes no more than 2 s."""
    current = sources(library, until)
    for _ in range(TRIES):
        held = _held(library, until)
        try:
            return _opened(library, current, held, progress)
        except FileNotFoundError:  # another process has replaced it
            continue
        except Integrity:
            # Also what another process replaced between our making it and opening it.
            if held is not None:
                held.place.trust.withdraw(held.folder)
    raise Integrity("The index is replaced or damaged as soon as it is made.", next=REBUILD)


def _opened(library: Library, current: Sources, held: Held | None, progress: Progress) -> Index:
    if held is not None and held.manifest.fingerprint == current.fingerprint:
        return Index(library.root, held.folder, held.manifest, READY)
    if held is not None and _old_one_will_do(held, current):
        return Index(library.root, held.folder, held.manifest, STALE)
    try:
        return write(library, current, held, wait=0 if held else WAIT, progress=progress)
    except Busy:
        if held is None:
            raise
        return Index(library.root, held.folder, held.manifest, BUILDING)


def write(
    library: Library, current: Sources, held: Held | None, *, wait: float, progress: Progress
) -> Index:
    """Bring the words up to date at the first place that can be written, and open them."""

    from pressmark.index import builder

    def update(fresh: Path, there: Held | None) -> Manifest:
        earlier = there or held
        if earlier is None:
            return builder.from_nothing(fresh, current, progress)
        return builder.from_earlier(fresh, earlier.folder, earlier.manifest, current, progress)

    def enough(there: Held) -> bool:
        return there.manifest.fingerprint == current.fingerprint

    return made(library, update, enough, wait=wait, until=current.until)


def made(
    library: Library,
    work: Callable[[Path, Held | None], Manifest],
    enough: Callable[[Held], bool],
    *,
    wait: float,
    until: int | None = None,
) -> Index:
    """What `work` makes of the index at hand, put into use; or the index at hand if it is enough.

    `work` gets an empty folder and the index that stands at the same place.
    """
    failed: BaseException | None = None
    for place, private in _places(library, until):
        try:
            folder, done = _made(library, place, work, enough, wait)
            index = Index(library.root, folder, done, READY)
        except BaseException as error:
            if private is not None:
                folders.discard(private)
            if not _elsewhere(error):
                raise
            failed = error
            continue
        index.private = private
        return index
    raise Unavailable(f"The index cannot be written anywhere: {failed}") from failed


def _made(
    library: Library,
    place: Place,
    work: Callable[[Path, Held | None], Manifest],
    enough: Callable[[Held], bool],
    wait: float,
) -> tuple[Path, Manifest]:
    try:
        with place.building(wait) as fresh:
            there = _at(place)
            if there is not None and enough(there):
                return there.folder, there.manifest
            return _publish(library, place, fresh, work(fresh, there))
    except NotFound as error:
        raise FileNotFoundError("the earlier index went away") from error


def _elsewhere(error: BaseException) -> bool:
    """Whether another place may do, because this one cannot be written."""
    if isinstance(error, Busy | Integrity | FileNotFoundError):
        return False
    return isinstance(error, PressmarkError | OSError | sqlite3.Error)


def is_current(library: Library, index: Index) -> bool:
    """Whether an open index still is the one that a new question would open."""
    if index.manifest.fingerprint != sources(library).fingerprint:
        return False
    if index.private is not None:
        return True
    held = _held(library)
    return held is not None and held.folder == index.folder


def distrust(library: Library, index: Index) -> None:
    """Trust an index no longer that turned out to be damaged."""
    for place in _lasting(library):
        place.trust.withdraw(index.folder)


def _publish(library: Library, place: Place, fresh: Path, done: Manifest) -> tuple[Path, Manifest]:
    serial = place.serial()
    done = replace(
        done, id=f"{done.fingerprint[:12]}-{serial}", serial=serial, commit=_commit(library)
    )
    done.write(fresh)
    return place.publish(fresh, done.id), done


def _lasting(library: Library, until: int | None = None) -> tuple[Place, Place]:
    """Where an index may stay: in the library, or in the user's cache.

    One that ends with a year stands beside the whole one, and only `eval` opens it.
    """
    config, root = library.config, library.root
    end = "" if until is None else f"-until-{until:04}"
    name = hashlib.sha256(str(root.absolute()).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    return (
        Place(root / ".pressmark" / f"index{end}", config.state_dir, inside=root),
        Place(config.cache_dir / "indexes" / f"{name}{end}", config.state_dir),
    )


def _places(library: Library, until: int | None) -> Iterator[tuple[Place, Path | None]]:
    """Where an index may be made, the last for this process alone and to be discarded by it."""
    for place in _lasting(library, until):
        if not place.foreign():
            yield place, None
    yield scratch()


def _held(library: Library, until: int | None = None) -> Held | None:
    return next(filter(None, map(_at, _lasting(library, until))), None)


def _at(place: Place) -> Held | None:
    folder = place.current()
    if folder is None:
        return None
    try:
        held = manifest.read(folder)
    except Integrity:
        return None
    return Held(place, folder, held) if held.current else None


def _old_one_will_do(held: Held, current: Sources) -> bool:
    """Whether bringing an index up to date takes too long, and it knows half of the library."""
    fresh = current.difference(held.folder).fresh
    seconds = sum(
        _COST["note"] if source.note
        else _COST["reference"] + _COST["fulltext"] * (len(source.paths) - 1)
        for source in fresh
    )  # fmt: skip
    return seconds > PATIENCE and 2 * len(fresh) <= len(current.owners)


def _building(library: Library, until: int | None) -> bool:
    for place in _lasting(library, until):
        lock = place.folder / "lock"
        if lock.is_file():
            try:
                with disk.Lock(lock, 0):
                    continue
            except Busy:
                return True
            except PressmarkError:
                continue
    return False


def _commit(library: Library) -> str | None:
    """The commit whose files are mirrored, as far as the working tree is clean."""
    try:
        return library.repository.head() if library.repository else None
    except PressmarkError:
        return None


__all__ = [
    "BUILDING", "NOT_BUILT", "READY", "STALE", "Held", "Index", "distrust", "is_current", "look",
    "made", "open_index", "write",
]  # fmt: skip
