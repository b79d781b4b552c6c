"""The lines of a page in; those that are words inside a figure, over its caption, out."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from pressmark.fulltext.pdf import captions
from pressmark.fulltext.pdf.headings import NAMED, NUMBERED, is_loud
from pressmark.fulltext.pdf.lines import Line
from pressmark.fulltext.pdf.pieces import Float, laid_out, rows

FEWEST = 2
"""Scattered runs over a caption that make a figure; a single one may be a formula."""


WIDEST = 90
"""Characters of a line that shows where the words of a figure stand."""


def words_of(
    lines: Sequence[Line], at: int, end: int, taken: Container[int], body: float
) -> list[int]:
    """The places of the lines between the caption `at`..`end` and the text above it."""
    caption = lines[at]
    left, right = _column(lines, lines[at : end + 1], body)
    over = [
        n for n, line in enumerate(lines)
        if n not in range(at, end + 1) and line.top > caption.top + 1
        and line.left < right and line.right > left
    ]  # fmt: skip
    barred = [n for n in over if n in taken or _is_barrier(lines, n, body, right - left)]
    floor = min((lines[n].top for n in barred), default=float("inf"))
    found = [
        n for n in over
        if lines[n].top < floor and n not in taken and left - 20 <= lines[n].left
        and lines[n].right <= right + 20
    ]  # fmt: skip
    prose = sum(lines[n].near(body) and len(lines[n].text) > 40 for n in found)
    return found if len(found) >= FEWEST and prose < 3 else []


def shown(lines: Sequence[Line]) -> Float:
    """The words of a figure in rows: under one another as printed where that is narrow, else
    side by side."""
    printed = rows([piece for line in lines for piece in line.printed])
    printed = [row for row in printed if any(re.search(r"\w", one.text) for one in row)]
    out = [line for line in laid_out(printed) if line]
    if max(map(len, out), default=0) > WIDEST:
        out = ["  ".join(one.text for one in row) for row in printed]
    top, bottom = max(line.y for line in lines), min(line.y for line in lines)
    return Float(top, bottom, lines=tuple(out))


def _column(lines: Sequence[Line], caption: Sequence[Line], body: float) -> tuple[float, float]:
    """From where to where the column of a caption runs: a short one stands in its middle."""
    left, right = min(one.left for one in caption), max(one.right for one in caption)
    middle = (left + right) / 2
    text = [line for line in lines if line.near(body) and len(line.text) > 40]
    column = [line for line in text if line.left < middle < line.right]
    edges = (
        min((one.left for one in text), default=left),
        max((one.right for one in text), default=right),
    )
    if not column and abs(sum(edges) / 2 - middle) < 15:
        column = text  # it stands in the middle of a page of columns
    return min([left, *(one.left for one in column)]), max([right, *(one.right for one in column)])


def _is_barrier(lines: Sequence[Line], n: int, body: float, width: float) -> bool:
    """Whether a line is text of the paper, a heading or another caption."""
    line = lines[n]
    if captions.is_marked(line.text) or NAMED.match(line.text) or line.holds:
        return True
    if is_loud(line, body) and NUMBERED.match(line.text) and re.search(r"[^\W\d_]{4}", line.text):
        return True
    if _is_prose(line, body, width):
        return True
    before = lines[n - 1] if n else None
    close = before is not None and 0 < before.top - line.top < 1.6 * line.size
    tail = close and before is not None and abs(before.left - line.left) < 16 and line.near(body)
    return tail and before is not None and _is_prose(before, body, width)


def _is_prose(line: Line, body: float, width: float) -> bool:
    shown = sum(char.isalpha() or char.isspace() for char in line.text)
    wide = line.right - line.left > 0.55 * width
    return line.near(body) and len(line.text) > 30 and wide and shown > 0.7 * len(line.text)
