"""A reference and what its own source says today in; the reference ready to follow it, out.

A second import of a file, or of a Zotero, brings corrections. A field whose value an import
wrote was touched by nobody, and follows; one that a person set stands, and the offer becomes a
conflict. Who wrote a value is in git: the commit that first had it, of those that have it without
a gap up to now. A library without that history follows nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from functools import cached_property
from typing import TYPE_CHECKING

from pressmark import page
from pressmark.errors import PressmarkError
from pressmark.record import Paper, Reference, Work, without_section

if TYPE_CHECKING:
    from pressmark.library.library import Library

VERBS = frozenset({"import", "add"})
"""The commands whose commits write what a source said."""

FILED = VERBS | {"search", "topic", "refresh", "update"}
"""The commands whose commits write what a source said, a file's or a provider's."""

MANY = 50
"""From so many papers on, all files are read from git at once."""

_NEVER = frozenset({"cites", "related", "keywords", "isbn", "issn", "notice", "notice_note"})
"""Lists that only grow, and what is never taken back."""


class Followed:
    """The references of a library as the imports left them."""

    def __init__(self, library: Library, expected: int) -> None:
        self.library = library
        self.many = expected > MANY
        self.changed: dict[str, list[str]] = {}
        """For each key that followed its source, the fields that did."""

    def ready(self, held: Reference, paper: Paper) -> Reference:
        """The reference without the values that its source no longer gives and nobody touched."""
        lines = {line.split(" ")[0] for line in paper.sources}
        if lines.isdisjoint(line.split(" ")[0] for line in held.sources):
            return held
        stale = self._stale(held, paper)
        own = self._imported(held, stale) if stale else []
        if not own:
            return held
        self.changed.setdefault(held.key, []).extend(name.replace("_", "-") for name in own)
        return _without(held, own)

    def person(self, held: Reference, name: str) -> bool:
        """Whether the history says that no source gave a field its value."""
        path = self.library.catalogue.path(held.key)
        writers = self._writers.get(path, []) if path else []
        if path is None or not writers:
            return False
        states = zip(writers, self._states(path, writers), strict=True)
        return _maker(name, _value(held, name), states) not in FILED

    def _stale(self, held: Reference, paper: Paper) -> list[str]:
        """Fields for which the source has another value now."""
        found = [
            each.name
            for each in fields(Work)
            if each.name not in _NEVER
            and getattr(paper, each.name)
            and getattr(held, each.name)
            and getattr(paper, each.name) != getattr(held, each.name)
        ]
        found += [f"extra:{n}" for n, v in paper.extra.items() if held.extra.get(n, v) != v]
        if paper.abstract and held.abstract and paper.abstract.strip() != held.abstract:
            found.append("abstract")
        return found

    def _imported(self, held: Reference, names: list[str]) -> list[str]:
        """Those of some fields whose present value an import wrote."""
        path = self.library.catalogue.path(held.key)
        writers = self._writers.get(path, []) if path else []
        if path is None or not writers:
            return []
        newest = self._newest(path, writers[0][0])
        if newest is None:
            return []
        names = [name for name in names if _value(newest, name) == _value(held, name)]
        if not names or all(verb in VERBS for _, verb in writers):
            return names
        states = list(zip(writers, self._states(path, writers), strict=True))
        return [name for name in names if _maker(name, _value(held, name), states) in VERBS]

    def _newest(self, path: str, commit: str) -> Reference | None:
        if self.many:
            return self._all.get(path)
        return next(self._read([(commit, path)]), None)

    def _states(self, path: str, writers: list[tuple[str, str]]) -> Iterator[Reference | None]:
        return self._read([(commit, path) for commit, _ in writers])

    @cached_property
    def _writers(self) -> dict[str, list[tuple[str, str]]]:
        repository = self.library.repository
        return repository.written("library") if repository else {}

    @cached_property
    def _all(self) -> dict[str, Reference]:
        places = [(writers[0][0], path) for path, writers in self._writers.items()]
        read = zip(places, self._read(places), strict=True)
        return {path: each for (_, path), each in read if each is not None}

    def _read(self, places: list[tuple[str, str]]) -> Iterator[Reference | None]:
        repository = self.library.repository
        if repository is None:
            return
        for (_, path), data in zip(places, repository.at(places), strict=True):
            try:
                yield page.read(Reference, data, path) if data is not None else None
            except PressmarkError:
                yield None


def _maker(
    name: str, value: object, states: Iterable[tuple[tuple[str, str], Reference | None]]
) -> str:
    """The verb of the commit that first had a value, of those that have it up to now."""
    maker = ""
    for (_, verb), state in states:
        if state is None or _value(state, name) != value:
            break
        maker = verb
    return maker


def _value(held: Reference, name: str) -> object:
    if name.startswith("extra:"):
        return held.extra.get(name.removeprefix("extra:"))
    return getattr(held, name)


def _without(held: Reference, names: list[str]) -> Reference:
    """The reference with these fields empty, so that a merge fills them."""
    extra = {n: v for n, v in held.extra.items() if f"extra:{n}" not in names}
    cleared: dict[str, object] = {
        each.name: () if isinstance(getattr(held, each.name), tuple) else None
        for each in fields(Work)
        if each.name in names
    }
    if "title" in cleared:
        cleared["title"] = ""
    if "abstract" in names and held.abstract:
        cleared["body"] = without_section(held.body, "Abstract")
    return replace(held, extra=extra, **cleared)  # type: ignore[arg-type]
