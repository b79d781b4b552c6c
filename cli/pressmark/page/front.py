"""A front matter's text and tree in, the lines that each field owns out.

A field owns its lines from its name to the last thing written in its value, with the indented
comments that follow. A comment that touches the next field's name belongs to that field.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from pressmark.page.nodes import Node

_BLANK = re.compile(r"[ \t]*\r?\n")
_COMMENT = re.compile(r"#[^\n]*\n")
_INDENTED_COMMENT = re.compile(r"[ \t]+#[^\n]*\n")
_COLON = re.compile(r"[ \t]*:")
_DASH = re.compile(r"( *)-[ \t]+")


class Odd(Exception):
    """A form that is reported and never rewritten; `line` counts from 0."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.line = line


@dataclass(frozen=True, slots=True)
class Entry:
    """One top-level field and its places in the text."""

    name: str
    node: Node
    start: int  # the beginning of its first line
    colon: int  # just behind its colon
    reach: int  # the end of the last thing written in its value
    stop: int  # behind the newline of its last own line


@dataclass(frozen=True, slots=True)
class Front:
    """A front matter in block style, ready to be changed at single places."""

    text: str
    newline: str
    entries: tuple[Entry, ...]

    @classmethod
    def open(cls, text: str, newline: str, root: Node) -> Front:
        """Find every field's lines; Odd when the form allows no change at single places."""
        if root.flow and root.keys:
            raise Odd("the front matter is one flow mapping (`{…}`)", root.line)
        pairs = zip(root.keys, root.children, strict=True)
        return cls(text, newline, tuple(_entry(text, key, node) for key, node in pairs))

    def find(self, name: str) -> Entry | None:
        """The field of that name."""
        return next((each for each in self.entries if each.name == name), None)

    def replaced(self, start: int, stop: int, text: str) -> str:
        """The whole text with one stretch replaced, in the file's newline style."""
        new = text.replace("\n", self.newline) if self.newline != "\n" else text
        return self.text[:start] + new + self.text[stop:]

    @property
    def spaced(self) -> bool:
        """Whether this file puts a blank line between fields; a lone field does."""
        pairs = pairwise(self.entries)
        gaps = [self.text[upper.stop : lower.start].split("\n") for upper, lower in pairs]
        blank = sum(any(not line.strip() for line in gap[:-1]) for gap in gaps)
        return not gaps or 2 * blank > len(gaps)

    @property
    def indent(self) -> str:
        """What this file puts before the dashes of a list."""
        for each in self.entries:
            if each.node.kind == "list" and not each.node.flow:
                return (dash(self.text, each.node.children[0]) or "- ").split("-")[0]
        return ""

    def blank_at(self, place: int) -> bool:
        """Whether a blank line begins here."""
        return bool(_BLANK.match(self.text, place))

    def blank_before(self, place: int) -> bool:
        """Whether the line above is blank."""
        return place > 0 and not self.text[self._line_above(place) : place].strip()

    def after(self, entry: Entry) -> int:
        """Where a new field goes behind `entry`: past comments that touch nothing but it."""
        place = entry.stop
        while found := _COMMENT.match(self.text, place):
            place = found.end()
        return place if place == len(self.text) or self.blank_at(place) else entry.stop

    def before(self, entry: Entry) -> int:
        """Where a new field goes before `entry`: above the comments that touch it."""
        place = entry.start
        while place > 0 and _COMMENT.match(self.text, self._line_above(place)):
            place = self._line_above(place)
        return place

    def _line_above(self, place: int) -> int:
        return self.text.rfind("\n", 0, place - 1) + 1


def line_start(text: str, place: int) -> int:
    """The beginning of the line that holds a place."""
    return text.rfind("\n", 0, place) + 1


def line_end(text: str, place: int) -> int:
    """Behind the newline of the line that holds a place."""
    return text.index("\n", place) + 1


def dash(text: str, item: Node) -> str | None:
    """What stands before a list item on its line, if that is just its dash."""
    lead = text[line_start(text, item.start) : item.start]
    return lead if _DASH.fullmatch(lead) else None


def _entry(text: str, key: Node, node: Node) -> Entry:
    start = key.start
    if start and text[start - 1] != "\n":
        raise Odd("a field does not begin at the beginning of its line (or has a `?`)", key.line)
    colon = _COLON.match(text, key.end)
    if not colon:
        raise Odd("a field's name and its colon are apart", key.line)
    reach = node.reach(text)
    stop = line_end(text, reach)
    while found := _INDENTED_COMMENT.match(text, stop):
        stop = found.end()
    return Entry(key.value, node, start, colon.end(), reach, stop)
