"""Rules about quotations: what a note quotes still stands in the full text."""

from __future__ import annotations

from collections.abc import Iterator

from pressmark import page
from pressmark.catalogue.catalogue import File
from pressmark.check.finding import Finding
from pressmark.check.view import View, over
from pressmark.errors import PressmarkError
from pressmark.notes.keeping import Keeper
from pressmark.record import Note


def lost_quote(view: View) -> Iterator[Finding]:
    """LOST-QUOTE: an anchor whose words are not in the full text of its reference any more.

    Without a full text nothing can be said, and nothing is.
    """
    keeper = Keeper(view.library)
    yield from over("LOST-QUOTE", view.files("note"), lambda file: _lost(view, file, keeper))


def _lost(view: View, file: File, keeper: Keeper) -> Iterator[Finding]:
    data = view.read(file.path)
    if data is None or b"anchors" not in data[: 1 << 20]:
        return
    try:
        note = page.read(Note, data, file.path)
        line = page.parse(data, file.path).lines.get("anchors")
    except PressmarkError:
        return
    for kept in keeper.of(note):
        if kept.place is None:
            words = kept.anchor.exact
            shown = words if len(words) <= 60 else f"{words[:59]}…"
            yield Finding(
                code="LOST-QUOTE", severity="error", path=file.path,
                line=_line(data, words, line),
                message=f"The full text of {kept.key} does not hold {shown!r}.",
                next=f"pressmark note quote {kept.key} WORDS, then correct or remove the anchor",
            )  # fmt: skip


def _line(data: bytes, words: str, first: int | None) -> int | None:
    """The line of the anchor: the first at or below the field that holds its words."""
    if first is None:
        return None
    lines = data.decode("utf-8", "replace").split("\n")
    return next(
        (n for n, line in enumerate(lines[first - 1 :], first) if words[:40] in line), first
    )
