"""Where each run of text and each level rule of a page stands, noted while pypdf reads it.

Loaded by path by `_child.py`, beside pypdf and the standard library only. Pypdf tells a visitor of
text only at a change of font or at a line's end: the columns of a table are one run to it. Its own
account of how far each show operator moved the pen is noted here (ISO 32000-1, 9.4.4).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

GAP, BLANKS = 0.34, 1.25
"""Where a line is cut into runs: in the size of its type, and in the blanks of its font."""
RUNS = 20_000
"""The most runs since the last span; a full page of a newspaper has a tenth."""
RULES, SHORTEST, THICKEST = 2_000, 12.0, 2.0
"""The most rules of a page, the least length of one and its most height, in points."""

Matrix = Any


class Places:
    """Runs `[offset, start, end, height]` since the last span, start and end along the line; and
    rules `[start, height, end]`."""

    def __init__(self, placed: Callable[[Matrix], Matrix]) -> None:
        self.placed = placed  # a matrix of this content stream, on the page
        self.runs: list[list[float]] = []
        self.rules: list[list[float]] = []
        self.pen = (0.0, 0.0, 0.0, 0.0, 1.0)  # width so far, ink's end, start, height, unit
        self.point: tuple[float, float] | None = None

    def take(self) -> list[list[float]]:
        """The runs since the last time."""
        runs, self.runs = self.runs, []
        return runs

    def show(self, extractor: Any, at: int, before: float) -> None:
        """One show operator: text from `at` on, the pen at `before`; a wide gap begins a run."""
        words = extractor.text[at:]
        if not words.strip() or len(self.runs) > RUNS:
            return
        after = extractor._actual_str_size["str_widths"]
        blank = extractor.font.space_width * extractor.font_size
        lead = len(words) - len(words.lstrip())
        start = before + blank * lead
        inked = after - blank * (len(words) - len(words.rstrip()))
        size = 1000 * abs(extractor.font_size)
        gap = max(GAP * size, BLANKS * blank)
        width, ink, left, y, unit = self.pen
        if self.runs and before >= width > 0 and -0.5 * size < start - ink < gap:
            self.runs[-1][2] = round(left + unit * inked, 1)  # no operator moved the pen
        else:
            left, y, unit = self.origin(extractor.tm_matrix, extractor.cm_matrix)
            x, end = left + unit * start, left + unit * inked
            last = self.runs[-1] if self.runs else None
            near = last and -0.5 * size * unit < x - last[2] < gap * unit
            if last and near and abs(y - last[3]) < 0.1 * size * unit:
                last[2] = round(max(end, last[2]), 1)
            else:
                self.runs.append([at + lead, round(x, 1), round(end, 1), round(y, 1)])
        self.pen = (after, inked, left, y, unit)

    def origin(self, tm: Matrix, cm: Matrix) -> tuple[float, float, float]:
        """Where a line of text begins, along itself and across, and its unit (a thousandth)."""
        a, b, c, d, e, f = self.placed(cm)
        x, y = tm[4] * a + tm[5] * c + e, tm[4] * b + tm[5] * d + f
        a, b = tm[0] * a + tm[1] * c, tm[0] * b + tm[1] * d
        turned = round(math.degrees(math.atan2(b, a)) / 90) % 4
        along, across = ((x, y), (y, -x), (-x, -y), (-y, x))[turned]
        return along, across, math.hypot(a, b) / 1000

    def drawn(self, operator: bytes, operands: Any, cm: Matrix) -> None:
        """A point (`m`), a stroke to one (`l`) or a rectangle (`re`): a long flat one is a rule."""
        try:
            x, y, *more = (float(one) for one in operands)
        except (TypeError, ValueError):
            return
        if operator == b"re":
            if len(more) == 2 and abs(more[1] * cm[3]) < min(THICKEST, 0.1 * abs(more[0] * cm[0])):
                self.rule(x, y, x + more[0], cm)
            return
        start, self.point = self.point, (x, y)
        if operator == b"l" and start and abs(start[1] - y) < 0.1:
            self.rule(start[0], y, x, cm)

    def rule(self, x: float, y: float, end: float, cm: Matrix) -> None:
        """Note a rule on the page."""
        a, b, c, d, e, f = self.placed(cm)
        left, right = sorted((a * x + c * y + e, a * end + c * y + e))
        if right - left >= SHORTEST and len(self.rules) < RULES:
            level = b * x + d * y + f
            self.rules.append([round(left, 1), round(level, 1), round(right, 1)])


def watch(places: Places) -> None:
    """Have each show operator noted.

    It looks into a private part of pypdf 7. Where a version has it otherwise nothing is noted, and
    the tables come out as text.
    """
    from pypdf import _page

    known: Any = getattr(_page, "TextExtraction", None)
    known = getattr(known, "unwatched", known)
    if not hasattr(known, "_handle_tj_operation"):
        return

    class Watched(known):  # type: ignore[misc]
        unwatched = known

        def _handle_tj_operation(self, operands: Any) -> Any:
            try:
                before, at = self._actual_str_size["str_widths"], len(self.text)
            except (AttributeError, KeyError, TypeError):
                return super()._handle_tj_operation(operands)
            done = super()._handle_tj_operation(operands)
            if operands and isinstance(operands[0], bytes):
                places.show(self, at, before)
            return done

    _page.TextExtraction = Watched  # type: ignore[attr-defined]
