"""A Markdown text comes in; the spans that hold prose go out, code and raw HTML left out.

A light reading of CommonMark's block structure
(https://spec.commonmark.org/0.31.2/#appendix-a-parsing-strategy) with pandoc's footnotes and
definition lists and MkDocs' admonitions, whose indented text is prose and not code.
Offsets are code points of the text as given, so CRLF stays in place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

DEEPEST = 60
"""Containers open at one time; deeper nesting is read as text, which keeps the time linear."""

_FRONT = re.compile(r"\ufeff?---[ \t]*\r?\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)")
_FENCE = re.compile(r"(`{3,})[^`\n]*$|(~{3,})")
_HEADING = re.compile(r"(#{1,6})(?:[ \t]+|\r?$)")
_SETEXT = re.compile(r"(=+|-+)[ \t\r]*$")
_BREAK = re.compile(r"(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})\r?$")
_ITEM = re.compile(r"(?:[-+*]|\d{1,9}[.)]|[:~]|\(\d{1,9}\)|#\.)(?=[ \t]|\r?$)")
_WIDE = re.compile(r"\[\^[^\]\s]+\]:|(?:!!!|\?\?\?\+?|===)(?=[ \t]+\S)")
_BLANKS = re.compile(" *")
_SOLID = re.compile(r"\S")
_RAW = re.compile(r"<(pre|script|style|textarea)(?=[\s>]|$)", re.I)


@dataclass(frozen=True, slots=True)
class Span:
    """One leaf block of prose: `level` is 1 to 6 for a heading and 0 for anything else."""

    start: int
    end: int
    level: int = 0


def front_matter_end(text: str) -> int:
    """Where the body begins."""
    found = _FRONT.match(text)
    return found.end() if found else 0


def spans(text: str) -> list[Span]:
    """Every leaf block that holds prose, in order."""
    reader = _Reader(text)
    place = front_matter_end(text)
    while place < len(text):
        stop = text.find("\n", place)
        stop = len(text) if stop < 0 else stop
        reader.line(place, stop)
        place = stop + 1
    reader.close()
    return reader.out


class _Line:
    """A cursor over one line that counts columns, so that a tab can be taken in part."""

    __slots__ = ("column", "edge", "end", "mark", "place", "text")

    def __init__(self, text: str, place: int, end: int) -> None:
        self.text, self.end, self.column = text, end, 0
        self._go(place)

    def _go(self, place: int) -> None:
        """Stand at `place`, and know where the white space ahead ends: `mark`, in column `edge`.

        It is read once, however many containers take a part of it: a deep list is mostly blanks.
        """
        self.place = place
        mark = _blanks(self.text, place, self.end)
        column = self.column + mark - place
        while mark < self.end and (sign := self.text[mark]) in " \t":
            column += 4 - column % 4 if sign == "\t" else 1
            mark += 1
        self.mark, self.edge = mark, column

    def indent(self) -> int:
        """The columns of white space ahead."""
        return self.edge - self.column

    def take(self, columns: int) -> None:
        """Step over so many columns of white space."""
        goal = self.column + columns
        if goal >= self.edge:
            self.place, self.column = self.mark, self.edge
            return
        blanks = _blanks(self.text, self.place, min(self.mark, self.place + columns))
        self.column += blanks - self.place
        self.place = blanks
        while self.column < goal and self.place < self.mark:
            width = 4 - self.column % 4 if self.text[self.place] == "\t" else 1
            if self.column + width > goal:
                self.column = goal
                return
            self.column += width
            self.place += 1

    def skip(self, place: int) -> None:
        """Go to `place`, which is not white space behind the cursor."""
        self.column += place - self.place
        self._go(place)

    def blank(self) -> bool:
        return _SOLID.search(self.text, self.mark, self.end) is None


class _Reader:
    """Goes through the lines and keeps what is open: containers, a paragraph, a fence, raw HTML."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.out: list[Span] = []
        self.containers: list[int] = []  # 0 for a quote, else the columns an item's text is in
        self.start = -1  # where the open paragraph begins, -1 when none is open
        self.end = -1
        self.fence = ""  # the fence that closes the open code block
        self.until = ""  # the text that closes the open raw HTML
        self.hollow = -1  # the item that the last line opened without text: a blank line ends it

    def line(self, place: int, end: int) -> None:
        """Read one line, without its newline."""
        if self.until and not self.containers:
            self._raw(place, end)
            return
        line = _Line(self.text, place, end)
        matched = self._matched(line)
        self.hollow = -1
        if matched < len(self.containers):
            if self.start >= 0 and self._lazy(line):
                self.end = end
                return
            self._leave(matched)
        if self.fence:
            self._code(line)
        elif self.until:
            self._raw(line.place, end)
        else:
            self._open(line)

    def close(self) -> None:
        """End the open paragraph."""
        if self.start >= 0:
            self.out.append(Span(self.start, self.end))
            self.start = -1

    def _matched(self, line: _Line) -> int:
        """How many of the open containers this line continues; the cursor moves past them."""
        for number, width in enumerate(self.containers):
            indent = line.indent()
            if width == 0:
                if indent > 3 or not self._quote(line):
                    return number
            elif indent >= width and not (number == self.hollow and line.blank()):
                line.take(width)
            elif not line.blank() or number == self.hollow:
                return number
        return len(self.containers)

    def _quote(self, line: _Line) -> bool:
        mark = line.mark
        if mark >= line.end or self.text[mark] != ">":
            return False
        line.take(line.indent())
        line.skip(mark + 1)
        if line.indent():
            line.take(1)
        return True

    def _lazy(self, line: _Line) -> bool:
        """Whether a line that leaves a container only continues its paragraph."""
        indent = line.indent()
        if line.blank():
            return False
        return indent > 3 or not self._begins(line.mark, line.end)

    def _begins(self, place: int, end: int) -> bool:
        """Whether a block that ends a paragraph begins here."""
        head = self.text[place : min(end, place + 400)]
        return bool(
            head[0] == ">" or _FENCE.match(head) or _HEADING.match(head) or _BREAK.match(head)
            or _ITEM.match(head) or _WIDE.match(head) or _RAW.match(head)
        )  # fmt: skip

    def _leave(self, kept: int) -> None:
        self.close()
        del self.containers[kept:]
        self.fence = self.until = ""

    def _open(self, line: _Line) -> None:
        """Open whatever begins on this line; what is left is prose."""
        while not line.blank() and len(self.containers) < DEEPEST:
            indent = line.indent()
            if indent > 3:
                self._paragraph(line, starts=False)
                return
            if not self._container(line, indent):
                break
        if line.blank():
            self.close()
        else:
            self._leaf(line)

    def _container(self, line: _Line, indent: int) -> bool:
        """Open a quote, a list item, a footnote or an admonition; whether one was there."""
        text, place = self.text, line.mark
        if text[place] == ">":
            self.close()
            self._quote(line)
            self.containers.append(0)
            return True
        if text[place] not in _CONTAINER_MARKS:
            return False
        if wide := _WIDE.match(text, place, line.end):
            self.close()
            line.take(indent)
            line.skip(wide.end())
            self.containers.append(4)
            return True
        item = _ITEM.match(text, place, line.end)
        if not item or _BREAK.match(text[place : line.end]) or self._only_text(item, line):
            return False
        self.close()
        line.take(indent)
        line.skip(item.end())
        inside = line.indent()
        self.hollow = len(self.containers) if line.blank() else -1
        inside = inside if 1 <= inside <= 4 and not line.blank() else 1
        self.containers.append(indent + len(item.group()) + inside)
        line.take(inside)
        return True

    def _only_text(self, item: re.Match[str], line: _Line) -> bool:
        """Inside a paragraph an empty item, or a number but 1, does not begin a list."""
        if self.start < 0:
            return False
        if not self.text[item.end() : line.end].strip():
            return True
        number = item.group()
        if number in (":", "~"):
            return False
        return number[0] in "#(0123456789" and number.strip("().") != "1"

    def _leaf(self, line: _Line) -> None:
        """Open a fence, raw HTML, a heading or a paragraph."""
        text, place, end = self.text, line.mark, line.end
        first = text[place]
        if first in "`~" and (fence := _FENCE.match(text[place:end])):
            self.close()
            self.fence = fence.group(1) or fence.group(2)
        elif first == "<" and self._html(place, end):
            return
        elif first == "#" and (heading := _HEADING.match(text[place:end])):
            self.close()
            self.out.append(Span(place + heading.end(), end, len(heading.group(1))))
        elif self.start >= 0 and first in "=-" and _SETEXT.match(text[place:end]):
            self.out.append(Span(self.start, self.end, 1 if first == "=" else 2))
            self.start = -1
        elif _BREAK.match(text[place:end]):
            self.close()
        else:
            self._paragraph(line, starts=True)

    def _html(self, place: int, end: int) -> bool:
        """Open a comment, or raw HTML whose content is not prose; whether one was there."""
        if self.text.startswith("<!--", place):
            self.close()
            self.until = "-->"
            self._raw(place + 4, end)
            return True
        if not (raw := _RAW.match(self.text, place, end)):
            return False
        self.close()
        self.until = f"</{raw.group(1).lower()}>"
        self._raw(raw.end(), end)
        return True

    def _raw(self, place: int, end: int) -> None:
        """Look for the end of raw HTML; what follows it on the line is prose."""
        found = self.text[place:end].lower().find(self.until)
        if found < 0:
            return
        rest = place + found + len(self.until)
        self.until = ""
        if self.text[rest:end].strip():
            self.start, self.end = rest, end

    def _code(self, line: _Line) -> None:
        """Look for the end of a fenced block."""
        rest = self.text[line.place : line.end].strip()
        if line.indent() < 4 and rest.startswith(self.fence) and not rest.strip(self.fence[0]):
            self.fence = ""

    def _paragraph(self, line: _Line, *, starts: bool) -> None:
        """Add the line to the open paragraph, or begin one; indented text alone is code."""
        if self.start < 0:
            if not starts:
                return
            self.start = line.place
        self.end = line.end


_CONTAINER_MARKS = frozenset("-+*0123456789:~(#[!?=")


def _blanks(text: str, place: int, end: int) -> int:
    """Where a run of blanks ends."""
    found = _BLANKS.match(text, place, end)
    return found.end() if found else place
