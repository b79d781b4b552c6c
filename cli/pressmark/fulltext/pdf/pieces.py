"""The runs of a printed line in; pieces of text with their places, as a table needs them, out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import Any

from pressmark.fulltext import clean

GAP = 0.42
"""Between two pieces of a line, in the size of their type; a blank takes a quarter to a third."""

MONO = re.compile(
    r"cmtt|courier|mono(?!type)|consol|menlo|typewriter|lmtt|t1?xtt|nimbusmon|pcr[rb]"
    r"|letter ?gothic|andale|lucidacon|sourcecode|firacode|sftt|ectt|[a-z]tt\d*\b",
    re.I,
)
"""Names of faces whose letters are all of one width."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a line without a wide gap: text, start and end along the line, height."""

    text: str
    x: float
    end: float
    y: float
    size: float

    @property
    def middle(self) -> float:
        return (self.x + self.end) / 2


@dataclass(frozen=True, slots=True)
class Float:
    """What stands beside the text: rows of a table, else lines as they are printed.

    A cell is its text and how many columns it covers; `top` and `bottom` are places on the page.
    With `whole`, the line that it hangs on is a part of it and no caption.
    """

    top: float
    bottom: float
    rows: tuple[tuple[tuple[str, int], ...], ...] = ()
    heads: int = 0
    lines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    whole: bool = False


def apart(lines: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Spans cut where their line has wide gaps; each ends with the start, end and height it has."""
    return [[part for span in line for part in _apart(span)] for line in lines]


def _apart(span: Sequence[Any]) -> list[list[Any]]:
    head = list(span[1:7])
    runs = span[7] if len(span) > 7 else []
    if not runs:
        return [[span[0], *head]]
    starts = [0, *(int(run[0]) for run in runs[1:]), len(span[0])]
    out = []
    for run, start, end in zip(runs, starts, starts[1:], strict=False):
        if start < end:
            here = [run[1], run[3]] if not head[4] else head[:2]
            here = here if start else head[:2]
            text, size = span[0][start:end], _own(run, head)
            out.append([text, *here, size, *head[3:], *run[1:4]])
    return out or [[span[0], *head]]


def _own(run: Sequence[float], head: Sequence[Any]) -> float:
    """The size of a run: the span's, unless it is smaller and raised, as marks of notes are."""
    raised = len(run) > 4 and run[4] < 0.85 * head[2] and run[3] > head[1] + 0.15 * head[2]
    return float(run[4] if raised and not head[4] else head[2])


def together(spans: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Neighbours of one face as one span again."""
    out: list[list[Any]] = []
    for span in spans:
        if out and out[-1][3:7] == list(span[3:7]):
            out[-1][0] += span[0]
        else:
            out.append(list(span))
    return out


def pieces(spans: Sequence[Sequence[Any]], texts: Sequence[str]) -> tuple[Piece, ...]:
    """The pieces of a line from its spans and the text each became."""
    out: list[Piece] = []
    for span, text in zip(spans, texts, strict=True):
        if len(span) < 10 or not text.strip():
            continue
        x, end, y = span[7:10]
        last = out[-1] if out else None
        size = span[3]
        if last and _meets(last, x, y, max(size, last.size)):
            gap = " " if text[:1].isspace() or last.text[-1:].isspace() else ""
            size, y = (last.size, last.y) if last.size >= size else (size, y)
            glued = f"{last.text.rstrip()}{gap}{text.lstrip()}"
            out[-1] = Piece(glued, min(last.x, x), max(last.end, end), y, size)
        else:
            out.append(Piece(text, x, end, y, size))
    shown = [(clean.line(one.text)[0].strip(), one) for one in out]
    return tuple(Piece(text, one.x, one.end, one.y, one.size) for text, one in shown if text)


def _meets(last: Piece, x: float, y: float, size: float) -> bool:
    near = -0.6 * size < x - last.end < GAP * size
    return near and abs(y - last.y) < 0.6 * size


def rows(found: Sequence[Piece]) -> list[list[Piece]]:
    """Pieces as printed rows, from the top; raised and lowered ones are in the row they touch."""
    if not found:
        return []
    size = median(one.size for one in found)
    out: list[list[Piece]] = []
    for one in sorted(found, key=lambda piece: (-piece.y, piece.x)):
        if out and out[-1][0].y - one.y < 0.5 * size:
            out[-1].append(one)
        else:
            out.append([one])
    return [sorted(row, key=lambda piece: piece.x) for row in out]


def laid_out(printed: Sequence[Sequence[Piece]], least: int = 2) -> tuple[str, ...]:
    """Rows as lines whose columns stand under one another, and whose indents are kept; two pieces
    are `least` blanks apart or more."""
    every = [one for row in printed for one in row]
    if not every:
        return ()
    unit = median((one.end - one.x) / len(one.text) for one in every)
    unit = max(unit, 0.25 * median(one.size for one in every))
    left = min(one.x for one in every)
    steps = [above[0].y - row[0].y for above, row in pairwise(printed)]
    usual = median(steps) if steps else 0.0
    out: list[str] = []
    for at, row in enumerate(printed):
        if at and len(steps) > 2 and steps[at - 1] > 1.7 * usual:
            out.append("")
        line = ""
        for one in row:
            place = min(round((one.x - left) / unit), 200)
            line = line.ljust(max(place, len(line) + (least if line else 0))) + one.text
        out.append(line.rstrip())
    return tuple(out)
