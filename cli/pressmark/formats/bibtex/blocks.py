"""The text of a .bib file in; its blocks out, one after another, each with the line it begins at.

bibtexparser 2 splits the text into blocks and fields. It is given some hundred kilobytes at a
time, cut where a line begins a block, so that memory and time grow with the file and a brace that
is never closed costs only its own entry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

CHUNK = 200_000
"""Characters that the splitter gets at once, at least."""

MOST = 250_000
"""Entries of one file: each is a file of the library and takes some 6 kB of memory on its way."""

_START = re.compile(r"^[ \t]*@[ \t]*[A-Za-z]\w*[ \t]*[{(]", re.M)
_COMMENTED = re.compile(r"^[ \t]*%", re.M)


@dataclass(slots=True)
class Entry:
    """An entry as it stands: field names in lower case, values with their delimiters."""

    kind: str
    key: str
    line: int
    fields: dict[str, str]
    repeated: list[tuple[str, str]] = field(default_factory=list)
    """Further values of fields that the entry has already."""
    mended: bool = False
    """Whether its closing brace was missing."""


@dataclass(slots=True)
class String:
    """`@string{name = value}`."""

    name: str
    value: str


@dataclass(slots=True)
class Failed:
    """What cannot be read as a block, and why."""

    line: int
    head: str
    reason: str


Block = Entry | String | Failed


def too_many(text: str) -> bool:
    """Whether more blocks than `MOST` begin in a text; told before any is read."""
    return any(number > MOST for number, _ in enumerate(_START.finditer(text), 1))


def blocks(text: str) -> Iterator[Block]:
    """Entries, strings and failures, in their order; comments and preambles are left out."""
    line = 0
    for start, end in _chunks(text):
        yield from _split(text[start:end], line)
        line += text.count("\n", start, end)


def _chunks(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        found = _START.search(text, start + CHUNK)
        end = found.start() if found else len(text)
        yield start, end
        start = end


def _split(text: str, line: int) -> Iterator[Block]:
    from bibtexparser import model
    from bibtexparser.splitter import Splitter

    lines: list[str] | None = None
    for found in Splitter(text).split().blocks:
        block: model.Block = found
        if isinstance(found, model.DuplicateBlockKeyBlock) and found.ignore_error_block:
            block = found.ignore_error_block
        place = line + (block.start_line or 0) + 1
        if isinstance(block, (model.Entry, model.DuplicateFieldKeyBlock)):
            held = block if isinstance(block, model.Entry) else block.ignore_error_block
            assert isinstance(held, model.Entry)
            if lines is None and "%" in text:
                lines = text.split("\n")
            if lines and _COMMENTED.match(lines[min(held.start_line or 0, len(lines) - 1)]):
                continue
            yield _entry(held, place)
        elif isinstance(block, model.String):
            yield String(block.key.lower(), block.value)
        elif isinstance(block, model.ParsingFailedBlock):
            yield _mended(block.raw or "", place) or _failed(block, place)


def _entry(entry: object, line: int) -> Entry:
    fields: dict[str, str] = {}
    repeated: list[tuple[str, str]] = []
    for each in entry.fields:  # type: ignore[attr-defined]
        name = each.key.strip().lower()
        if name in fields:
            repeated.append((name, each.value))
        else:
            fields[name] = each.value
    kind = entry.entry_type.strip().lower()  # type: ignore[attr-defined]
    return Entry(kind, entry.key.strip(), line, fields, repeated)  # type: ignore[attr-defined]


def _mended(raw: str, line: int) -> Entry | None:
    """The entry that a lone missing brace at its end hides."""
    from bibtexparser import model
    from bibtexparser.splitter import Splitter

    if len(raw) > CHUNK:
        return None
    found = Splitter(f"{raw.rstrip().rstrip(',')}\n}}").split().blocks
    if len(found) != 1 or not isinstance(found[0], model.Entry) or not found[0].fields:
        return None
    entry = _entry(found[0], line)
    entry.mended = True
    return entry


def _failed(block: object, line: int) -> Failed:
    raw = str(getattr(block, "raw", ""))
    reason = str(getattr(block, "error", "")).strip() or "it cannot be read"
    head = " ".join(raw[:200].split())[:60]
    return Failed(line, head, re.sub(r"\s+", " ", reason)[:200].rstrip("."))
