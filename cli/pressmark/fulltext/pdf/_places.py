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
        self.open = False  # whether what is shown next may go on in the last run
        self.width = self.ink = 0.0  # the pen, and the end of the last letter, in thousandths
        self.left, self.unit = 0.0, 1.0  # where the pen's zero is, and a thousandth, in points
        self.back = self.gap = 0.0  # how far the pen may go in one run, to either side
        self.point: Any = None

    def take(self) -> list[list[float]]:
        """The runs since the last time."""
        self.close()
        runs, self.runs = self.runs, []
        return runs

    def close(self) -> None:
        """End the last run where its last letter ended."""
        if self.open:
            run = self.runs[-1]
            run[2] = round(max(run[2], self.left + self.unit * self.ink), 1)
            self.open = False

    def show(self, extractor: Any, at: int, before: float) -> None:
        """One show operator: text from `at` on, the pen at `before`; a wide gap begins a run."""
        text = extractor.text
        if len(text) == at:
            return
        after = extractor._actual_str_size["str_widths"]
        # No operator has moved the pen: this is most of what a page shows.
        if (
            self.open and before >= self.width and self.back < before - self.ink < self.gap
            and text[at] != " "
        ):  # fmt: skip
            self.width = self.ink = after
            if text[-1] == " ":
                self.ink -= (len(text) - len(text.rstrip())) * self.blank(extractor)
            return
        words = text[at:]
        if words.isspace() or len(self.runs) > RUNS:
            return
        lead, blank = len(words) - len(words.lstrip()), self.blank(extractor)
        start = before + blank * lead
        inked = after - blank * (len(words) - len(words.rstrip()))
        if not (self.open and before >= self.width and self.back < start - self.ink < self.gap):
            self.begin(extractor, at + lead, start)
        self.width, self.ink = after, inked

    def blank(self, extractor: Any) -> float:
        """The width of a blank."""
        return float(extractor.font.space_width * extractor.font_size)

    def begin(self, extractor: Any, at: int, start: float) -> None:
        """Begin a run, unless the text only goes on where the last one ended."""
        self.close()
        size = 1000 * abs(extractor.font_size)
        self.back, self.gap = -0.5 * size, max(GAP * size, BLANKS * self.blank(extractor))
        self.left, y, self.unit = self.origin(extractor.tm_matrix, extractor.cm_matrix)
        x = self.left + self.unit * start
        last = self.runs[-1] if self.runs else None
        near = last and self.back * self.unit < x - last[2] < self.gap * self.unit
        if not (last and near and abs(y - last[3]) < 0.1 * size * self.unit):
            self.runs.append([at, round(x, 1), round(x, 1), round(y, 1)])
        self.open = True

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
        start, self.point = self.point, operands
        if operator == b"m":
            return
        try:
            if operator == b"re":
                x, y, width, height = operands
                if abs(height * cm[3]) < THICKEST and abs(height) < 0.1 * abs(width):
                    self.rule(float(x), float(y), float(x + width), cm)
            elif start and abs(start[1] - operands[1]) < 0.1:
                self.rule(float(start[0]), float(start[1]), float(operands[0]), cm)
        except (TypeError, ValueError, IndexError):
            return

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
    shown: Any = getattr(known, "_handle_tj_operation", None)
    wanted = ("_actual_str_size", "text", "tm_matrix", "cm_matrix", "font", "font_size")
    if shown is None or not all(hasattr(known(), name) for name in wanted):
        return
    show = places.show

    class Watched(known):  # type: ignore[misc]
        unwatched = known

        def _handle_tj_operation(self, operands: Any) -> Any:
            if not operands or not isinstance(operands[0], bytes):
                return shown(self, operands)
            before, at = self._actual_str_size["str_widths"], len(self.text)
            done = shown(self, operands)
            show(self, at, before)
            return done

    _page.TextExtraction = Watched  # type: ignore[attr-defined]
