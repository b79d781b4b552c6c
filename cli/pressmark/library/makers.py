"""A reference's values in; those that a commit of some of our verbs wrote, and what went, out.

A value's maker is the commit that first had it, of those that have it without a gap up to now. A
rename is no gap, nor is what an undo took back; a state that is gone or cannot be read is one. Who
made a value that nobody has committed, or that an untold history hides, cannot be said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from pressmark import page
from pressmark.catalogue import layout
from pressmark.errors import PressmarkError
from pressmark.history import Version
from pressmark.record import Reference

if TYPE_CHECKING:
    from pressmark.library.library import Library

IMPORTED = frozenset({"import", "add"})
"""The verbs whose commits write what a file or another library said."""

ASKED = frozenset({"add", "search", "topic", "refresh", "update"})
"""The verbs whose commits write what a provider said."""

SOURCES = IMPORTED | ASKED
"""The verbs whose commits write what any source said."""

UNDO = "undo"

TOOLS = SOURCES | {UNDO}
"""The verbs whose commits no person's wish to be rid of a list's item is read from."""

REMOVABLE = ("tags", "keywords", "isbn", "issn", "related", "conflicts")
"""The lists whose items stay away once somebody has taken them out."""

MANY = 50
"""From so many references on, the states of all files are read from git at once."""

MOST = 40_000
"""Up to so many states (60 MB of an ordinary library); of more, one reference after another."""


class Makers:
    """Who wrote the values of a library's references, by the history of their files."""

    def __init__(self, library: Library, expected: int) -> None:
        self.library = library
        self.many = expected > MANY
        self._read: tuple[str, list[Reference | None]] = ("", [])

    def made_by(self, verbs: Collection[str], held: Reference, names: Sequence[str]) -> list[str]:
        """Those of some fields whose present value was written by a commit of one of the verbs."""
        path, versions = self._versions(held)
        newest = self._newest(path, versions) if names and versions else None
        if newest is None:
            return []
        names = [name for name in names if value(newest, name) == value(held, name)]
        if not names or all(each.verb in verbs for each in versions):
            return list(names)
        return [name for name in names if self._maker(held, name) in verbs]

    def person(self, held: Reference, name: str) -> bool:
        """Whether the history is there and says that no source gave a field its value."""
        return bool(self._versions(held)[1]) and not self.made_by(SOURCES, held, [name])

    def without_removed(self, held: Reference, after: Reference) -> Reference:
        """A merge's result without the list items that somebody took out of the file.

        A tag that a person removed, or an offer that they have settled, does not come back with
        every import and refresh. What a source settled, or an undo took back, nobody removed.
        """
        new = {name: set(getattr(after, name)) - set(getattr(held, name)) for name in REMOVABLE}
        if not any(new.values()):
            return after
        path, versions = self._versions(held)
        if len(versions) < 2 and self._newest(path, versions) == held:
            return after
        gone: dict[str, set[str]] = {name: set() for name in REMOVABLE}
        later, by = held, ""  # what no commit has is a person's
        for version, state in zip(versions, self._states(path, versions), strict=True):
            if state is None:
                if by == UNDO:
                    continue
                break
            for name in REMOVABLE if by not in TOOLS else ():
                left = set(getattr(state, name)).difference(getattr(later, name))
                gone[name] |= new[name] & left
            later, by = state, version.verb
        kept = {
            name: tuple(item for item in getattr(after, name) if item not in gone[name])
            for name in REMOVABLE
            if gone[name]
        }
        return replace(after, **kept)  # type: ignore[arg-type]

    def _maker(self, held: Reference, name: str) -> str:
        path, versions = self._versions(held)
        maker = ""
        for version, state in zip(versions, self._states(path, versions), strict=True):
            if state is not None and value(state, name) == value(held, name):
                maker = version.verb
            elif maker != UNDO:  # which only gave back what was there before the undone commit
                break
        return maker

    def _versions(self, held: Reference) -> tuple[str, list[Version]]:
        path = self.library.catalogue.path(held.key)
        return (path, self._all.get(path, [])) if path is not None else ("", [])

    @cached_property
    def _all(self) -> dict[str, list[Version]]:
        """The states of every reference; the texts and documents beside them are large."""
        repository = self.library.repository
        found = repository.versions() if repository else {}
        return {path: states for path, states in found.items() if layout.kind(path) == "reference"}

    def _newest(self, path: str, versions: Sequence[Version]) -> Reference | None:
        if self.many:
            return self._all_newest.get(path)
        return next(self._read_of(versions[:1]), None)

    @cached_property
    def _all_newest(self) -> dict[str, Reference]:
        read = self._read_of([versions[0] for versions in self._all.values()])
        found = zip(self._all, read, strict=True)
        return {path: each for path, each in found if each is not None}

    def _states(self, path: str, versions: Sequence[Version]) -> list[Reference | None]:
        """The content of every state; a reference is asked about several of its fields in a row."""
        if self._read[0] != path:
            self._read = (path, list(self._read_of(versions)))
        return self._read[1]

    def _read_of(self, versions: Sequence[Version]) -> Iterator[Reference | None]:
        blobs = self._all_objects if self.many else None
        if blobs is None:
            blobs = self._objects(versions)
        for version in versions:
            data = blobs.get(version.oid or "")
            try:
                yield page.read(Reference, data, version.path) if data is not None else None
            except PressmarkError:
                yield None

    @cached_property
    def _all_objects(self) -> dict[str, bytes] | None:
        """Every state of every reference, from one run of git; None where they are too many."""
        every = [version for versions in self._all.values() for version in versions]
        return self._objects(every) if len(every) <= MOST else None

    def _objects(self, versions: Sequence[Version]) -> dict[str, bytes]:
        repository = self.library.repository
        oids = [each.oid for each in versions if each.oid]
        return repository.objects(oids) if repository else {}


def value(held: Reference, name: str) -> object:
    """The value of a field, or of an `extra:name`."""
    if name.startswith("extra:"):
        return held.extra.get(name.removeprefix("extra:"))
    return getattr(held, name)
