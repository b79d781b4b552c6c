"""A reference's values in; those that a commit of some of our verbs wrote, and what went, out.

A value's maker is the commit that first had it, of those that have it without a gap up to now. A
rename is no gap; a state that is gone or cannot be read is one. Who made a value that nobody has
committed, or that an untold history hides, cannot be said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from pressmark import page
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

REMOVABLE = ("tags", "keywords", "isbn", "issn", "related", "conflicts")
"""The lists whose items stay away once somebody has taken them out."""

MANY = 50
"""From so many references on, the newest state of all files is read from git at once."""


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
        """A merge's result without the list items that were in the file and were taken out of it.

        A tag that a person removed, or an offer that they have settled, does not come back with
        every import and refresh.
        """
        new = {name: set(getattr(after, name)) - set(getattr(held, name)) for name in REMOVABLE}
        if not any(new.values()):
            return after
        path, versions = self._versions(held)
        if len(versions) < 2 and self._newest(path, versions) == held:
            return after
        gone: dict[str, set[str]] = {name: set() for name in REMOVABLE}
        for state in self._states(path, versions):
            if state is None:
                break
            for name in REMOVABLE:
                gone[name] |= new[name].intersection(getattr(state, name))
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
            if state is None or value(state, name) != value(held, name):
                break
            maker = version.verb
        return maker

    def _versions(self, held: Reference) -> tuple[str, list[Version]]:
        path = self.library.catalogue.path(held.key)
        return (path, self._all.get(path, [])) if path is not None else ("", [])

    @cached_property
    def _all(self) -> dict[str, list[Version]]:
        repository = self.library.repository
        return repository.versions("library") if repository else {}

    def _newest(self, path: str, versions: Sequence[Version]) -> Reference | None:
        if self.many:
            return self._all_newest.get(path)
        return next(self._at(versions[:1]), None)

    @cached_property
    def _all_newest(self) -> dict[str, Reference]:
        read = self._at([versions[0] for versions in self._all.values()])
        found = zip(self._all, read, strict=True)
        return {path: each for path, each in found if each is not None}

    def _states(self, path: str, versions: Sequence[Version]) -> list[Reference | None]:
        """The content of every state; a reference is asked about several of its fields in a row."""
        if self._read[0] != path:
            self._read = (path, list(self._at(versions)))
        return self._read[1]

    def _at(self, versions: Sequence[Version]) -> Iterator[Reference | None]:
        repository = self.library.repository
        if repository is None:
            return
        blobs = repository.at([(each.sha, each.path) for each in versions])
        for version, data in zip(versions, blobs, strict=True):
            try:
                yield page.read(Reference, data, version.path) if data is not None else None
            except PressmarkError:
                yield None


def value(held: Reference, name: str) -> object:
    """The value of a field, or of an `extra:name`."""
    if name.startswith("extra:"):
        return held.extra.get(name.removeprefix("extra:"))
    return getattr(held, name)
