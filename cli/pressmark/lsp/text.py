"""A document's text in; its places as editors count them (lines and UTF-16 units) out, and back."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from lsprotocol import types as lsp

_LINE = re.compile(r"\r\n|\n|\r")
"""What ends a line in the protocol; Python's `splitlines` knows more and would miscount."""


class Text:
    """One version of a document; positions are in the units that the editor asked for."""

    def __init__(self, source: str, encoding: str = "utf-16") -> None:
        self.source, self.encoding = source, encoding

    @cached_property
    def starts(self) -> list[int]:
        """Where each line begins."""
        return [0, *(found.end() for found in _LINE.finditer(self.source))]

    def offset(self, position: lsp.Position) -> int:
        """The code point at a position; beyond a line's end, that end."""
        if position.line >= len(self.starts):
            return len(self.source)
        start = self.starts[position.line]
        end = self._end(position.line)
        return min(start + self._points(self.source[start:end], position.character), end)

    def position(self, offset: int) -> lsp.Position:
        """The position of a code point."""
        line = bisect_right(self.starts, offset) - 1
        before = self.source[self.starts[line] : offset]
        return lsp.Position(line, self._units(before))

    def range(self, start: int, end: int) -> lsp.Range:
        """The range between two code points."""
        return lsp.Range(self.position(start), self.position(end))

    def line_before(self, offset: int) -> str:
        """The text of the line up to a place."""
        return self.source[self.starts[bisect_right(self.starts, offset) - 1] : offset]

    def at(self, line: int, column: int) -> int:
        """The offset of a place that `check` names, lines and columns from 1."""
        if line > len(self.starts):
            return len(self.source)
        return min(self.starts[line - 1] + column - 1, self._end(line - 1))

    def _end(self, line: int) -> int:
        """Where the text of a line ends, before what ends the line."""
        last = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.source)
        while last > self.starts[line] and self.source[last - 1] in "\r\n":
            last -= 1
        return last

    def end_of(self, line: int) -> int:
        """Where the text of a line (from 1) ends."""
        return self._end(min(line, len(self.starts)) - 1)

    def _units(self, text: str) -> int:
        if self.encoding == "utf-32" or text.isascii():
            return len(text)
        if self.encoding == "utf-8":
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text) + sum(char > "\uffff" for char in text)

    def _points(self, text: str, units: int) -> int:
        """How many code points so many units are; inside a character counts as before it."""
        if self.encoding == "utf-32" or text.isascii():
            return units
        taken = 0
        for count, char in enumerate(text):
            width = 1 if char <= "\uffff" else 2
            if self.encoding == "utf-8":
                width = len(char.encode("utf-8", "surrogatepass"))
            if taken + width > units:
                return count
            taken += width
        return len(text)


def changed(text: Text, change: lsp.TextDocumentContentChangeEvent) -> str:
    """The source after an editor's change."""
    if isinstance(change, lsp.TextDocumentContentChangeWholeDocument):
        return change.text
    start, end = text.offset(change.range.start), text.offset(change.range.end)
    return text.source[:start] + change.text + text.source[end:]
