"""A term in, the lines out in which it stands exactly so: no stems, no ranking, no index."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pressmark import disk
from pressmark.catalogue import layout
from pressmark.errors import BadInput, PressmarkError
from pressmark.find.hits import Line
from pressmark.find.selecting import selected
from pressmark.library import Library

KINDS = ("reference", "fulltext", "note")
MOST = 1000
LONGEST = 400
"""Characters of a line that are shown, around the term."""


def grep(
    library: Library,
    term: str,
    filters: Sequence[str] = (),
    *,
    case: bool = False,
    kinds: Sequence[str] = KINDS,
    limit: int = MOST,
) -> list[Line]:
    """The lines of references, full texts and notes that hold a term, by path and place."""
    if not term.strip() or "\n" in term:
        raise BadInput("grep needs a term that stands on one line.")
    pattern = re.compile(re.escape(term), 0 if case else re.IGNORECASE)
    wanted = set(selected(library, filters)) if filters else None
    found: list[Line] = []
    for file in library.catalogue.files():
        if file.kind not in kinds or (wanted is not None and file.name not in wanted):
            continue
        for line in _lines(library, file.path, pattern):
            found.append(line)
            if len(found) == limit:
                return found
    return found


def _lines(library: Library, path: str, pattern: re.Pattern[str]) -> Iterator[Line]:
    try:
        text = disk.read_bytes(library.root, path).decode("utf-8", "replace")
    except (PressmarkError, OSError):
        return
    if not pattern.search(text):
        return
    kind = layout.kind(path) or ""
    for number, line in enumerate(text.splitlines(), 1):
        match = pattern.search(line)
        if match:
            yield Line(
                path=path, key=layout.name(path), kind=kind, line=number,
                column=match.start() + 1, text=_window(line, match),
            )  # fmt: skip


def _window(line: str, match: re.Match[str]) -> str:
    """The line, or of a long one what stands around the term."""
    if len(line) <= LONGEST:
        return line
    start = max(0, min(match.start() - LONGEST // 2, len(line) - LONGEST))
    shown = line[start : start + LONGEST]
    return f"{'…' if start else ''}{shown}{'…' if start + LONGEST < len(line) else ''}"
