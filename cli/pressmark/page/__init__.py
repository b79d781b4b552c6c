"""A record and the bytes of its Markdown file: read, write, and change only what changed.

The round-trip law: `read(write(r)) == r`; a record that did not change keeps its bytes; a changed
field or list item is spliced in at its own lines and everything else keeps its bytes. What cannot
be read, or cannot be changed without touching more, is reported and never rewritten.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pressmark.page.schema import R

if TYPE_CHECKING:
    from pressmark.record import Extra

__all__ = ["Page", "canonical", "is_canonical", "parse", "read", "update", "write"]


@dataclass(frozen=True, slots=True)
class Page:
    """A file's front matter as strings, the line of each field, and its body."""

    fields: dict[str, Extra]
    lines: dict[str, int]
    body: str
    newline: str
    bom: bool = False
    fronted: bool = True  # a note may have no front matter


def parse(data: bytes, path: str = "") -> Page:
    """What stands in a file, whatever kind it is; Unreadable names file, line and field."""
    from pressmark.page import load

    frame, root = load.open_page(data, path)
    lines = {key.value: key.line + load.FIRST_LINE for key in root.keys}
    return Page(root.mapping, lines, frame.body, frame.newline, frame.bom, frame.fronted)


def read(cls: type[R], data: bytes, path: str) -> R:
    """The record that a file means; Unreadable when it cannot be one."""
    from pressmark.page import load

    return load.read(cls, data, path)


def write(record: R) -> bytes:
    """A new file in the canonical layout."""
    from pressmark.page import load

    return load.write(record)


def update(data: bytes, record: R, path: str) -> bytes:
    """The file with what differs from `record` spliced in; the same bytes when nothing does."""
    from pressmark.page import splice

    return splice.update(data, record, path)


def is_canonical(data: bytes, cls: type[R], path: str) -> bool:
    """Whether a file has the layout that merges best."""
    from pressmark.page import layout

    return layout.is_canonical(data, cls, path)


def canonical(data: bytes, cls: type[R], path: str) -> bytes:
    """The file in the canonical layout, with its comments and its unknown fields."""
    from pressmark.page import layout

    return layout.canonical(data, cls, path)
