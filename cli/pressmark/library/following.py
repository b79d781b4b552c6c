"""A reference and what its own source says today in; the reference ready to follow it, out.

A second import of a file, or of a Zotero, brings corrections. A field that is still what the last
import wrote was touched by nobody, and follows; one that a person changed stands, and the offer
becomes a conflict. What the last import wrote is in git; a library without that history follows
nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from functools import cached_property
from typing import TYPE_CHECKING

from pressmark import page
from pressmark.errors import PressmarkError
from pressmark.record import Paper, Reference, Work

if TYPE_CHECKING:
    from pressmark.library.library import Library

VERBS = frozenset({"import", "add"})
"""The commands whose commits write what a source said."""

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
        if not stale or (before := self._before(held)) is None:
            return held
        own = [name for name in stale if _value(before, name) == _value(held, name)]
        if not own:
            return held
        self.changed.setdefault(held.key, []).extend(name.replace("_", "-") for name in own)
        return _without(held, own)

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

    def _before(self, held: Reference) -> Reference | None:
        path = self.library.catalogue.path(held.key)
        if path is None:
            return None
        if self.many:
            return self._all.get(path)
        rev = self._revisions.get(path)
        return next(self._read([(rev, path)]), (path, None))[1] if rev else None

    @cached_property
    def _revisions(self) -> dict[str, str]:
        repository = self.library.repository
        return repository.filed(VERBS, "library") if repository else {}

    @cached_property
    def _all(self) -> dict[str, Reference]:
        places = [(rev, path) for path, rev in self._revisions.items()]
        return {path: each for path, each in self._read(places) if each is not None}

    def _read(self, places: list[tuple[str, str]]) -> Iterator[tuple[str, Reference | None]]:
        repository = self.library.repository
        if repository is None:
            return
        for (_, path), data in zip(places, repository.at(places), strict=False):
            try:
                yield path, page.read(Reference, data, path) if data is not None else None
            except PressmarkError:
                yield path, None


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
        cleared["body"] = held.body.replace(held.abstract, "", 1)
    return replace(held, extra=extra, **cleared)  # type: ignore[arg-type]
