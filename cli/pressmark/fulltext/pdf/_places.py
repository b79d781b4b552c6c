"""Where each run of text and each level rule of a page stands, noted while pypdf reads it.

Loaded by path by `_child.py`, beside pypdf and the standard library only. Pypdf tells a visitor of
text only at a change of font or at a line's end: the columns of a table are one run to it. Its own
account of how far each show operator moved the pen is noted here (ISO 32000-1, 9.4.4).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from typing import Any

GAP, BLANKS = 0.34, 1.25
"""Where a line is cut into runs: in the size of its type, and in the blanks of its font."""
RUNS = 20_000
"""The most runs since the last span; a full page of a newspaper has a tenth."""
RULES, SHORTEST, THICKEST = 2_000, 12.0, 2.0
"""The most rules of a page, the least length of one and its most height, in points."""

Matrix = Any
Shown = tuple[Any, ...]
"""Offset and text, the pen before and after, the width of a blank and the size, the matrix, where
the text's own matrix points and where it begins."""


class Places:
    """What each show operator shows and how far it moved the pen, and the rules of the page
    `[start, height, end]`. Runs are worked out of it only where somebody needs them."""

    def __init__(self, placed: Callable[[Matrix], Matrix]) -> None:
        self.placed = placed  # a matrix of this content stream, on the page
        self.shown: list[Shown] = []  # since the last span
        self.rules: list[list[float]] = []
        self.point: Any = None

    def take(self) -> list[Shown]:
        """What was shown since the last time, for `runs`."""
        shown, self.shown = self.shown, []
        return shown

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


class Pen:
    """Runs `[offset, start, end, height, size]` of one span, start and end along the line."""

    def __init__(self) -> None:
        self.runs: list[list[float]] = []
        self.open = False  # whether what is shown next may go on in the last run
        self.width = self.ink = 0.0  # the pen, and the end of the last letter, in thousandths
        self.left, self.unit = 0.0, 1.0  # where the pen's zero is, and a thousandth, in points
        self.back = self.gap = 0.0  # how far the pen may go in one run, to either side

    def close(self) -> None:
        """End the last run where its last letter ended."""
        if self.open:
            run = self.runs[-1]
            run[2] = round(max(run[2], self.left + self.unit * self.ink), 1)
            self.open = False

    def show(self, one: Shown) -> None:
        """One show operator; a wide gap begins a run."""
        at, words, before, after, space, size = one[:6]
        blank = space * size
        # No operator has moved the pen: this is most of what a page shows.
        if (
            self.open and before >= self.width and self.back < before - self.ink < self.gap
            and words[0] != " " and words[-1] != " "
        ):  # fmt: skip
            self.width = self.ink = after
            return
        if words.isspace() or len(self.runs) > RUNS:
            return
        lead = len(words) - len(words.lstrip())
        start = before + blank * lead
        if not (self.open and before >= self.width and self.back < start - self.ink < self.gap):
            self.begin(one, at + lead, start)
        self.width, self.ink = after, after - blank * (len(words) - len(words.rstrip()))

    def begin(self, one: Shown, at: int, start: float) -> None:
        """Begin a run, unless the text only goes on where the last one ended."""
        self.close()
        blank, size = one[4] * one[5], 1000 * abs(one[5])
        self.back, self.gap = -0.5 * size, max(GAP * size, BLANKS * blank)
        self.left, y, self.unit = origin(one)
        x = self.left + self.unit * start
        last = self.runs[-1] if self.runs else None
        near = last and self.back * self.unit < x - last[2] < self.gap * self.unit
        if not (last and near and abs(y - last[3]) < 0.1 * size * self.unit):
            real = round(size * self.unit, 1)
            self.runs.append([at, round(x, 1), round(x, 1), round(y, 1), real])
        self.open = True


def runs(shown: list[Shown]) -> list[list[float]]:
    """The runs of what one span shows."""
    pen = Pen()
    for one in shown:
        pen.show(one)
    pen.close()
    return pen.runs


def origin(one: Shown) -> tuple[float, float, float]:
    """Where a line of text begins, along itself and across, and its unit (a thousandth)."""
    (a, b, c, d, e, f), right, up, x, y = one[6:]
    x, y = x * a + y * c + e, x * b + y * d + f
    a, b = right * a + up * c, right * b + up * d
    turned = round(math.degrees(math.atan2(b, a)) / 90) % 4
    along, across = ((x, y), (y, -x), (-x, -y), (-y, x))[turned]
    return along, across, math.hypot(a, b) / 1000


_CAPTION = re.compile(r"^\s*(?:f\s?i\s?g|t\s?a\s?b|a\s?l\s?g|l\s?i\s?s\s?t)", re.I | re.M)
_MONO = re.compile(
    r"tt|courier|mono|consol|menlo|typewriter|pcr|letter ?gothic|andale|lucida|code", re.I
)


def is_needed(text: str, fonts: Iterable[str], rules: list[list[float]]) -> bool:
    """Whether a page may have a table, a figure or a listing: who has none needs no places."""
    long = sum(end - x > 80 for x, _, end in rules)
    return bool(long > 1 or _CAPTION.search(text) or any(map(_MONO.search, fonts)))


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
    place = places.placed

    class Watched(known):  # type: ignore[misc]
        unwatched = known

        def _handle_tj_operation(self, operands: Any) -> Any:
            if not operands or not isinstance(operands[0], bytes):
                return shown(self, operands)
            before, at = self._actual_str_size["str_widths"], len(self.text)
            done = shown(self, operands)
            if words := self.text[at:]:
                font, tm = self.font, self.tm_matrix
                places.shown.append((
                    at, words, before, self._actual_str_size["str_widths"], font.space_width,
                    self.font_size, place(self.cm_matrix), tm[0], tm[1], tm[4], tm[5],
                ))  # fmt: skip
            return done

    _page.TextExtraction = Watched  # type: ignore[attr-defined]
