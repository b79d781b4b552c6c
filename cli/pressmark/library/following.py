"""A reference and what its own source says today in; the reference ready to follow it, out.

A second import of a file, or of a Zotero, brings corrections. A field whose value an import
wrote was touched by nobody, and follows; one that a person set stands, and the offer becomes a
conflict. Who wrote a value is in git; a library without that history follows nothing.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING

from pressmark.library.makers import IMPORTED, Makers
from pressmark.record import Paper, Reference, Work, without_section

if TYPE_CHECKING:
    from pressmark.library.library import Library

_NEVER = frozenset({"cites", "related", "keywords", "isbn", "issn", "notice", "notice_note"})
"""Lists that only grow, and what is never taken back."""


class Followed:
    """The references of a library as the imports left them."""

    def __init__(self, library: Library, expected: int) -> None:
        self.makers = Makers(library, expected)
        self.changed: dict[str, list[str]] = {}
        """For each key that followed its source, the fields that did."""

    def ready(self, held: Reference, paper: Paper) -> Reference:
        """The reference without the values that its source no longer gives and nobody touched."""
        lines = {line.split(" ")[0] for line in paper.sources}
        if lines.isdisjoint(line.split(" ")[0] for line in held.sources):
            return held
        stale = self._stale(held, paper)
        own = self.makers.made_by(IMPORTED, held, stale)
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
