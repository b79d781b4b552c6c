"""Cells that span columns and rows in; a full rectangle of them out, for a pipe table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pressmark.fulltext import markdown as md

ROOM = 20_000
"""The most cells of one table: a grid of spans can be declared far larger than its text."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: inline Markdown, and how many columns and rows it covers."""

    value: str
    across: int = 1
    down: int = 1

    @classmethod
    def read(cls, value: str, across: object, down: object) -> Cell:
        """From what a document states; nonsense means 1."""
        return cls(value, _count(across), _count(down))


def _count(stated: object) -> int:
    digits = str(stated or "1").strip()
    return min(max(int(digits), 1), 200) if digits.isdigit() and digits.isascii() else 1


def table(rows: Sequence[Sequence[Cell]], heads: int) -> str:
    """A pipe table; `heads` rows name the columns, with 0 those that read as if they did.

    Markdown knows no table without a head. Where no row can be one it is left empty: words of a
    row of values would be set in bold on every page, as if they named what stands below.
    """
    rows = [row for row in rows if any(cell.value.strip() for cell in row)]
    heads = min(heads or _heads(rows), len(rows))
    filled = fill(rows, heads)
    if not heads and filled:
        filled.insert(0, [])
    return md.table(filled, header=max(heads, 1))


def _heads(rows: Sequence[Sequence[Cell]]) -> int:
    """How many of the first rows name columns: the first by its words, those it spans with it."""
    first = rows[0] if len(rows) > 1 else ()
    named = [cell for cell in first if cell.value.strip()]
    if len(first) < 2 or not named or not all(_is_word(cell.value) for cell in named):
        return 0
    if len(named) < len(first) and not (len(named) > 1 and _counts(rows[1:])):
        return 0
    return min(max(cell.down for cell in first), len(rows) - 1, 3)


def _is_word(value: str) -> bool:
    return bool(re.search(r"[^\W\d_]", value))


def _counts(rows: Sequence[Sequence[Cell]]) -> bool:
    """Whether most cells behind the first of their row are numbers."""
    values = [cell.value for row in rows for cell in row[1:] if cell.value.strip()]
    numbers = [one for one in values if re.search(r"\d", one) and not _WORDY.search(one)]
    return len(numbers) * 2 > len(values)


_WORDY = re.compile(r"[^\W\d_]{4,}")


def fill(rows: Sequence[Sequence[Cell]], heads: int) -> list[list[str]]:
    """Spans repeat their value downwards, and across in the head; else they leave blanks."""
    grid: list[list[str]] = []
    carried: dict[int, tuple[int, str]] = {}  # column -> rows still covered, value
    room = ROOM
    for number, row in enumerate(rows):
        values: list[str] = []
        for cell in row:
            _carry(values, carried)
            for step in range(min(cell.across, max(room, 1))):
                shown = cell.value if not step or number < heads else ""
                if cell.down > 1:
                    carried[len(values)] = (cell.down - 1, shown)
                values.append(shown)
                room -= 1
        _carry(values, carried)
        grid.append(values)
    return grid


def _carry(values: list[str], carried: dict[int, tuple[int, str]]) -> None:
    """Columns that a cell above still covers."""
    while len(values) in carried:
        left, value = carried.pop(len(values))
        if left > 1:
            carried[len(values)] = (left - 1, value)
        values.append(value)
