"""Rows in, the answer with as many of them as fit into a number of characters out.

The size is measured on what the client receives: the whole result as JSON, text and structure.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TypeVar

from pressmark.mcp.tool import Told

T = TypeVar("T")

CUTS = (600, 360, 220, 120)
"""Lengths that passages are cut to before rows are left out."""


def size(told: Told) -> int:
    """Characters of an answer on the wire, give or take the envelope of the protocol."""
    structure = told.answer.model_dump_json()
    return len(structure) + len(json.dumps(told.text, ensure_ascii=False)) + ENVELOPE


ENVELOPE = 240
"""What the protocol itself puts around an answer: its id, the kinds, the names of the fields."""


def fit(rows: Sequence[T], budget: int, build: Callable[[Sequence[T], int], Told]) -> Told:
    """The first answer that fits: all rows with shorter and shorter passages, then fewer rows.

    `build` makes an answer of rows and the length that passages are cut to. One row is always
    given, so that a reader can go on.
    """
    for cut in CUTS:
        told = build(rows, cut)
        if size(told) <= budget:
            return told
    low, high = 1, max(len(rows) - 1, 1)
    while low < high:
        middle = (low + high + 1) // 2
        if size(build(rows[:middle], CUTS[-1])) <= budget:
            low = middle
        else:
            high = middle - 1
    return build(rows[:low], CUTS[-1])


def fit_text(text: str, budget: int, build: Callable[[str], Told]) -> Told:
    """The answer with as much of a text's beginning as fits; the rest is there to ask for."""
    told = build(text)
    while size(told) > budget and text:
        over = size(told) - budget
        text = text[: max(len(text) - over - 16, len(text) // 2, 0)]
        told = build(text)
    return told
