"""Printed rows of pieces in; the cells of a table out, or nothing where that is not sure.

A wrong cell is worse than none: whatever does not fall into columns leaves the rows as printed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from pressmark.fulltext.pdf import titles
from pressmark.fulltext.pdf.titles import Join, Row, Rule, Unsure, over

MOST_HEADS, MOST_COLUMNS = 6, 40
WORDY = 25
"""Characters of a piece, on the average, from which rows without rules are columns of prose."""
LONGEST = 60
"""Characters of a cell, on the average of a column: two columns of prose are no table."""

Cells = list[tuple[str, int]]
_NUMBER = r"[-−–+]?\$?\d[\d.,]*%?"
_VALUE = re.compile(rf"{_NUMBER}[kKMB]?\s*(?:\(|$)")
_TWO_NUMBERS = re.compile(rf"{_NUMBER}\s+{_NUMBER}")


@dataclass(slots=True)
class Grid:
    """Rows of cells, text and how many columns it covers; the first `heads` name the columns."""

    rows: list[Cells] = field(default_factory=list)
    heads: int = 0
    notes: list[str] = field(default_factory=list)


def read(printed: Sequence[Row], rules: Sequence[Rule], join: Join) -> Grid | None:
    """The table of some printed rows and the level rules between them; `join` makes one text of
    two lines of a cell."""
    try:
        return _read(list(printed), rules, join)
    except Unsure:
        return None


def in_columns(printed: Sequence[Row]) -> bool:
    """Whether three rows or more fall into columns with wide gutters, as no prose does."""
    several = [row for row in printed if len(row) > 1]
    spans = _columns(several)
    texts = [one.text for row in several for one in row]
    if len(several) < 3 or len(spans) < 2 or sum(map(len, texts)) > WORDY * len(texts):
        return False
    gutters = [right[0] - left[1] for left, right in pairwise(spans)]
    return max(gutters) > 0.7 * _size(printed)


def _read(printed: list[Row], rules: Sequence[Rule], join: Join) -> Grid:
    notes = _notes(printed)
    printed = printed[: len(printed) - len(notes)]
    if len(printed) < 3:
        raise Unsure
    heads = _heads(printed, rules)
    spans = _columns([row for row in printed[heads:] if len(row) > 1])
    if not 2 <= len(spans) <= MOST_COLUMNS:
        raise Unsure
    body = [_body(row, spans) for row in printed[heads:]]
    ruled = _is_ruled(body, _under(printed[heads:], rules))
    body = _joined(body, printed[heads:], rules, join)
    _check(body, len(spans), 2 * LONGEST if ruled else LONGEST)
    head = titles.read(printed[:heads], spans, titles.short(printed, rules), join)
    found = Grid(heads=len(head), notes=_noted(notes, max(span[1] for span in spans)))
    for row in head:
        found.rows.append(_filled(row, len(spans)))
    for cells in body:
        found.rows.append([(cell, 1) for cell in cells])
    if not heads and _names(body):
        found.heads = 1
    if len(found.rows) < 3:
        raise Unsure
    return found


def _notes(printed: Sequence[Row]) -> list[Row]:
    """The rows at the end that are one piece each, wider than a cell: what a table's foot says."""
    last = max((at for at, row in enumerate(printed) if len(row) > 1), default=-1)
    left = min(row[0].x for row in printed)
    while last + 1 < len(printed) and printed[last + 1][0].x > left + 10:
        last += 1  # the rest of a cell that is not the first
    return list(printed[last + 1 :])


def _noted(notes: Sequence[Row], right: float) -> list[str]:
    """The notes of a table; a row that fills its line goes on in the next."""
    out: list[str] = []
    full = False
    for row in notes:
        text = " ".join(one.text for one in row)
        if full:
            out[-1] = f"{out[-1]} {text}"
        else:
            out.append(text)
        full = row[-1].end > right - 0.1 * (right - row[0].x)
    return out


def _heads(printed: Sequence[Row], rules: Sequence[Rule]) -> int:
    """How many rows name the columns: those over the first rule inside, else those that do not
    fall into the columns that the rows below them make."""
    left = min(row[0].x for row in printed)
    right = max(row[-1].end for row in printed)
    for at in range(1, min(MOST_HEADS, len(printed) - 2) + 1):
        above, below = printed[at - 1], printed[at]
        for x, y, end in rules:
            wide = end - x > 0.8 * (right - left)
            if wide and below[0].y + 0.3 * below[0].size < y < above[0].y:
                # Numbers, or the one title of a group, name no columns.
                alone = sum(len(row) for row in printed[:at]) == 1
                return 0 if alone or all(map(_is_numeric, printed[:at])) else at
    counts = [
        len(_columns([row for row in printed[at:] if len(row) > 1]))
        for at in range(min(MOST_HEADS, len(printed) - 2) + 1)
    ]
    most = counts.index(max(counts))
    # One piece right of the first column is the title over the heads of the others.
    titled = len(printed[0]) == 1 and printed[0][0].x > min(row[0].x for row in printed[1:]) + 10
    return max(most, 2) if titled and len(printed[1]) > 1 else most


def _is_numeric(row: Row) -> bool:
    """Whether a row says numbers behind its first cell, as rows under a head do."""
    return len(row) > 1 and all(_VALUE.match(one.text) for one in row[1:])


def _columns(found: Sequence[Row]) -> list[tuple[float, float]]:
    """Stretches of the line that some row prints in, between the gutters that none does."""
    spans: list[tuple[float, float]] = []
    for x, end in sorted((one.x, one.end) for row in found for one in row):
        if spans and x < spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((x, end))
    return spans


def _body(row: Row, spans: Sequence[tuple[float, float]]) -> list[str]:
    """A row's text by column; one piece that stands alone may run over several."""
    cells = [""] * len(spans)
    for one in row:
        at = over(one, spans)
        if not at or (len(at) > 1 and (len(row) > 1 or at[0] > 0)):
            raise Unsure
        cells[at[0]] = f"{cells[at[0]]} {one.text}".strip()
    return cells


def _filled(row: Sequence[tuple[int, int, str]], columns: int) -> Cells:
    cells: Cells = []
    at = 0
    for first, count, text in row:
        cells += [("", 1)] * (first - at)
        cells.append((text, count))
        at = first + count
    return cells + [("", 1)] * (columns - at)


def _joined(
    body: list[list[str]], printed: Sequence[Row], rules: Sequence[Rule], join: Join
) -> list[list[str]]:
    """Rows whose cells go on in a second line made one; not sure where that cannot be told."""
    steps = [above[0].y - row[0].y for above, row in pairwise(printed)]
    under = _under(printed, rules)
    if _is_ruled(body, under):
        out = [list(body[0])]
        for at, cells in enumerate(body[1:]):
            if under[at]:
                out.append(list(cells))
            else:
                _add(out[-1], cells, join)
        return out
    out = []
    grouped: list[bool] = []
    for at, cells in enumerate(body):
        blank = not cells[0]
        tight = bool(at) and steps[at - 1] < min(0.8 * max(steps), 1.35 * _size(printed))
        if tight and blank and 2 * sum(bool(cell) for cell in cells) <= len(cells):
            _add(out[-1], cells, join)
        elif at and _is_rest(cells, out[-1]):
            raise Unsure
        else:
            out.append(list(cells))
            grouped.append(bool(at) and under[at - 1])
    return _labelled(out, grouped)


def _labelled(out: list[list[str]], grouped: Sequence[bool]) -> list[list[str]]:
    """A label that stands in the middle of the rows of its group, between rules, on each of them;
    without rules nobody can tell whose it is."""
    starts = [at for at, begins in enumerate(grouped) if begins or not at]
    for start, end in zip(starts, [*starts[1:], len(out)], strict=True):
        named = [row[0] for row in out[start:end] if row[0]]
        if not out[start][0] and any(named):
            if len(named) > 1 or len(starts) == 1:
                raise Unsure
            for row in out[start:end]:
                row[0] = named[0]
    return out


def _under(printed: Sequence[Row], rules: Sequence[Rule]) -> list[bool]:
    """Whether a rule stands under each row but the last."""
    left, right = min(row[0].x for row in printed), max(row[-1].end for row in printed)
    under = []
    for above, row in pairwise(printed):
        low, high = row[0].y + 0.3 * row[0].size, above[0].y
        length = sum(end - x for x, y, end in rules if low < y < high)
        under.append(length > 0.6 * (right - left))
    return under


def _is_ruled(body: Sequence[Sequence[str]], under: Sequence[bool]) -> bool:
    """Whether rules part the rows: then lines without one between them are of one row. Rules
    that part groups of rows have rows between them that fill most of their columns."""
    if len(under) < 3 or 5 * sum(under) < 2 * len(under):
        return False
    rest = [row for row, ruled in zip(body[1:], under, strict=True) if not ruled]
    return all(2 * sum(bool(cell) for cell in row) <= len(row) for row in rest)


def _size(printed: Sequence[Row]) -> float:
    return median(one.size for row in printed for one in row)


def _add(above: list[str], cells: Sequence[str], join: Join) -> None:
    for at, cell in enumerate(cells):
        above[at] = join(above[at], cell) if above[at] and cell else above[at] or cell


def _is_rest(cells: Sequence[str], above: Sequence[str]) -> bool:
    """Whether a row looks like the second line of the one above: few cells, not the first of a
    group, or words that go on."""
    filled = [cell for cell in cells if cell]
    if not cells[0] and len(filled) < max(2, (len(cells) + 1) // 2):
        return True
    lower = [
        cell for cell, over in zip(cells, above, strict=True)
        if cell and over and (cell[0].islower() or cell[0] in ")]&" or over[-1] in "-,&(")
    ]  # fmt: skip
    if len(filled) < len(cells) and lower:
        return True
    return len(filled) == 1 and not re.match(r"[A-Z0-9(*•†+−-]", filled[0])


def _check(body: Sequence[Sequence[str]], columns: int, longest: int) -> None:
    """Not sure where columns were not told apart, or where they hold prose."""
    filled = sum(bool(cell) for row in body for cell in row)
    if len(body) < 2 or filled < 0.55 * columns * len(body):
        raise Unsure
    for at in range(columns):
        cells = [row[at] for row in body if row[at]]
        double = sum(bool(_TWO_NUMBERS.fullmatch(cell)) for cell in cells)
        if not cells or 3 * double > len(cells):
            raise Unsure
        if sum(len(cell) for cell in cells) > longest * len(cells):
            raise Unsure


def _names(body: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns: all words, over columns of numbers."""
    named = [cell for cell in body[0][1:] if cell]
    worded = bool(named) and all(
        re.search(r"[^\W\d_]", cell) and not _VALUE.match(cell) for cell in named
    )
    numbers = sum(
        bool(re.match(r"[-−–+]?\d", row[at])) for row in body[1:] for at in range(1, len(row))
    )
    return worded and 2 * numbers > (len(body) - 1) * (len(body[0]) - 1)
