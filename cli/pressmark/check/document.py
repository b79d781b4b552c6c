"""One document's text as it is being written in; what breaks the rules in it out, nothing saved."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pressmark import page
from pressmark.catalogue import layout
from pressmark.catalogue.catalogue import File
from pressmark.check import citing, quotes
from pressmark.check.finding import Finding
from pressmark.check.view import View
from pressmark.errors import Unreadable
from pressmark.links import Resolver, prose
from pressmark.links.backlinks import mentions
from pressmark.record import Record

if TYPE_CHECKING:
    from pressmark.library import Library

RULES = (citing.uncited, citing.dangling, citing.retracted, quotes.lost_quote)


class Draft(View):
    """The library as the rules see it, with one file as its editor holds it."""

    def __init__(self, library: Library, path: str, text: prose.Prose, resolver: Resolver) -> None:
        super().__init__(library, [path])
        self.path, self.text = path, text
        self.resolver = resolver
        self.record: Record | None = None
        self.fault: Unreadable | None = None
        kind = layout.kind(path)
        if kind is not None:
            try:
                self.record = page.read(layout.CLASSES[kind], prose.encoded(text.text), path)
            except Unreadable as fault:
                self.fault = fault
        self.mentions = list(mentions(text, resolver)) if kind != "fulltext" else []
        self.wrecked = frozenset()
        self.catalogue = _Own(library.catalogue, self)  # type: ignore[assignment]

    def files(self, *kinds: str) -> Iterator[File]:
        kind = layout.kind(self.path)
        if kind in kinds and self.record is not None:
            yield File(self.path, kind, layout.name(self.path), "")

    def read(self, path: str) -> bytes | None:
        return prose.encoded(self.text.text) if path == self.path else super().read(path)


class _Own:
    """The catalogue, whose records of a kind are the document's own alone."""

    def __init__(self, catalogue: Any, draft: Draft) -> None:
        self._catalogue, self._draft = catalogue, draft

    def records(self, kind: str) -> list[Record]:
        held = self._draft.record
        return [held] if held is not None and layout.kind(self._draft.path) == kind else []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._catalogue, name)


def check_text(
    library: Library,
    path: str,
    text: str,
    resolver: Resolver,
    read_as: str = "",
    left_out: frozenset[str] = frozenset(),
) -> list[Finding]:
    """What `check` would say of a file if it held this text, sorted by place.

    `read_as` is a name whose ending says the language, where the file's own does not;
    `left_out` are the stems that a sparse checkout leaves in git alone.
    """
    kind = layout.kind(path) or "prose"
    draft = Draft(library, path, prose.Prose(read_as or path, kind, text), resolver)
    draft.left_out = left_out
    found = [_unreadable(draft.fault)] if draft.fault else []
    for rule in RULES:
        found += rule(draft)
    return sorted({*found}, key=lambda each: each.place)


def _unreadable(fault: Unreadable) -> Finding:
    return Finding(
        code="UNREADABLE", severity="error", path=fault.path, line=fault.line,
        message=fault.message, next=fault.next,
    )  # fmt: skip
