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
    """A pipe table; `heads` rows name the columns, with 0 the first row does if it can."""
    filled = fill(rows, heads)
    if not heads and filled:
        if _names_columns(filled[0]):
            heads = 1
        else:
            filled.insert(0, [])
    return md.table(filled, header=max(heads, 1))


def _names_columns(row: Sequence[str]) -> bool:
    return len(row) > 1 and all(re.search(r"[^\W\d_]", value) for value in row)


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
