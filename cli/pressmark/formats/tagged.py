"""The lines of a tagged format (RIS, MEDLINE, Web of Science, EndNote's refer) in; records out.

A record is a list of `(tag, value)` in the order of its lines, with the line it begins at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

RIS = re.compile(r"^\s*([A-Z][A-Z0-9])(?:  - ?| {1,2}-(?: |$)| ?-  ?)(.*)$")
MEDLINE = re.compile(r"^([A-Z]{2,5}) *- ?(.*)$")
WOS = re.compile(r"^([A-Z][A-Z0-9])(?: (.*))?$")
REFER = re.compile(r"^%([A-Z0-9@!#$^&(*+?~<>\[\]=|:.])(?:\s+(.*))?$", re.I)

_LINE_END = re.compile(r"\r\n|\r|\n")
"""As editors count lines: a form feed or U+2028 ends none."""


@dataclass(slots=True)
class Record:
    """The lines of one record."""

    line: int
    pairs: list[tuple[str, str]] = field(default_factory=list)

    def all(self, *tags: str) -> list[str]:
        """Every value of these tags, tag by tag."""
        return [value for tag in tags for name, value in self.pairs if name == tag and value]

    def first(self, *tags: str) -> str:
        """The first value of the first of these tags that has one."""
        return next(iter(self.all(*tags)), "")


def records(
    text: str,
    shape: re.Pattern[str],
    *,
    starts: frozenset[str],
    ends: frozenset[str] = frozenset(),
    blank: bool = False,
    lists: frozenset[str] = frozenset(),
) -> Iterator[Record]:
    """The records of a text.

    A tag of `starts` begins one and a tag of `ends` closes it, a blank line too with `blank`. A
    line without a tag goes on with the value before it; in `lists` it is a value of its own.
    """
    record: Record | None = None
    more: list[str] = []  # the lines of the value at hand, joined once: it may have very many
    for number, line in enumerate(_LINE_END.split(text), 1):
        found = shape.match(line)
        if more and (found or not line.strip()):
            _complete(record, more)
            more = []
        if found:
            tag, value = found[1], (found[2] or "").strip()
            if tag in starts and record is not None and record.pairs:
                yield record
                record = None
            if tag in ends:
                if record is not None and record.pairs:
                    yield record
                record = None
                continue
            record = record or Record(number)
            record.pairs.append((tag, value))
        elif not line.strip():
            if blank and record is not None and record.pairs:
                yield record
                record = None
        elif record is not None and record.pairs:
            tag = record.pairs[-1][0]
            if tag in lists:
                record.pairs.append((tag, line.strip()))
            else:
                more.append(line.strip())
    _complete(record, more)
    if record is not None and record.pairs:
        yield record


def _complete(record: Record | None, more: list[str]) -> None:
    """Put the lines that go on with a record's last value behind it."""
    if record is not None and record.pairs and more:
        tag, value = record.pairs[-1]
        record.pairs[-1] = (tag, " ".join((value, *more)).strip())
