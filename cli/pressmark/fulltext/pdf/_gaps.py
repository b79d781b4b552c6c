"""The gaps between words that pypdf does not see, shown to it before it reads a page.

Loaded by path by `_child.py`, beside pypdf and the standard library only. Three kinds of file lose
their blanks: those that space all letters out and take it back inside words (Acrobat Distiller),
those whose fonts have a wide space and whose lines are set tight, and those whose fonts are
bitmaps, with widths in a scale of their own (ISO 32000-1, 9.2.4 and 9.6.5), or whose pages are
turned: pypdf measures only what runs to the right or upwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

WORD = 0.18
"""The narrowest gap between words, in the font's size: TeX shrinks its own to 0.22."""
SURE = 0.3
"""A gap that pypdf sees by itself."""
SPREAD = 0.15
"""The space between letters, in the font's size, from which each of them is looked at."""
MEAN = 0.6
"""A space, in the mean width of a font's letters; half of it parts words."""
SHOWN = 600
"""What stands for a gap, in thousandths of the font's size; what follows takes it back."""


class Gaps:
    """Follows the state that decides how far letters stand apart, and marks the gaps of words."""

    def __init__(self, page: Any) -> None:
        self.spacing, self.size, self.font = 0.0, 0.0, ""
        self.stack: list[tuple[float, float, str]] = []
        self.known: set[str] = set()  # the fonts of one byte a letter
        fonts = _resolved(_resolved(page.get("/Resources")).get("/Font"))
        for name, each in fonts.items():
            kind = _resolved(each).get("/Subtype")
            if kind in ("/Type1", "/MMType1", "/TrueType", "/Type3"):
                self.known.add(str(name))

    def before(self, operator: bytes, operands: Any) -> None:
        """One operator of the page; the array of a `TJ` is changed in place."""
        if operator == b"TJ":
            if operands and isinstance(operands[0], list) and len(operands[0]) > 1:
                self.mark(operands[0])
        elif operator == b"Tc":
            self.spacing = number(operands, 0)
        elif operator == b'"':
            self.spacing = number(operands, 1)
        elif operator == b"Tf":
            self.font, self.size = str(operands[0]) if operands else "", abs(number(operands, 1))
        elif operator == b"q":
            self.stack.append((self.spacing, self.size, self.font))
        elif operator == b"Q" and self.stack:
            self.spacing, self.size, self.font = self.stack.pop()

    def mark(self, shown: list[Any]) -> None:
        """Make the gaps of words plain in what a `TJ` shows."""
        apart = 1000 * self.spacing / self.size if self.size else 0.0
        if apart >= 1000 * SPREAD:
            self.mark_spread(shown, apart)
            return
        low, high = apart - 1000 * SURE, apart - 1000 * WORD
        if not any(isinstance(one, (int, float)) and low < one <= high for one in shown):
            return
        letters = sum(len(one) for one in shown if isinstance(one, (str, bytes)))
        gaps = sum(isinstance(one, (int, float)) and one <= high for one in shown)
        if 2 * gaps > letters:
            return  # a title whose letters are spaced out
        shown[:] = [
            part
            for one in shown
            for part in (
                (-SHOWN, one + SHOWN)
                if isinstance(one, (int, float)) and low < one <= high
                else (one,)
            )
        ]

    def mark_spread(self, shown: list[Any], apart: float) -> None:
        """The same where every letter is set apart: a gap is where that is not taken back."""
        parts = list(self.letters(shown))
        steps = [
            apart - (one if isinstance(one, (int, float)) else 0)
            for one in parts if not isinstance(one, (str, bytes))
        ]  # fmt: skip
        close = sum(step < 0.4 * apart for step in steps)
        if not steps or 2 * close < len(steps):
            return
        shown[:] = [
            part
            for one in parts
            for part in (
                (one,) if isinstance(one, (str, bytes))
                else (-SHOWN, one + SHOWN) if apart - one >= 0.6 * apart
                else (one,)
            )
        ]  # fmt: skip

    def letters(self, shown: list[Any]) -> Iterator[Any]:
        """What is shown, letter by letter where a letter is a byte, a number between each two."""
        single = self.font in self.known
        open_ = False
        for one in shown:
            if not isinstance(one, (str, bytes)):
                if isinstance(one, (int, float)):
                    yield one
                    open_ = False
                continue
            pieces = [one[at : at + 1] for at in range(len(one))] if single else [one]
            for piece in pieces:
                if open_:
                    yield 0
                yield piece
                open_ = True

    def is_bitmap(self, font: Any) -> bool:
        """Whether a font's size is that of a dot and not of its letters."""
        return bool(font) and bool(dots(font))


def number(operands: Any, at: int) -> float:
    """An operand as a number; 0 where there is none."""
    value = operands[at] if len(operands) > at else 0
    return float(value) if isinstance(value, (int, float)) else 0.0


def dots(font: Any) -> float:
    """By how much the widths of a bitmap font are larger than usual; 0 for any other font."""
    try:
        if font.get("/Subtype") == "/Type3":
            scale = 1000 * abs(float(_resolved(font.get("/FontMatrix"))[0]))
            return 0.0 if 0.5 < scale < 2 else scale
    except (AttributeError, KeyError, TypeError, ValueError, IndexError):
        pass
    return 0.0


def scaled(font_class: Any) -> None:
    """Let pypdf take the widths of bitmap fonts in the scale that their matrix gives."""
    made = font_class.from_font_resource

    def from_font_resource(resource: Any, *more: Any, **named: Any) -> Any:
        font = made(resource, *more, **named)
        if scale := dots(resource):
            _rescale(font, scale)
        return font

    font_class.from_font_resource = staticmethod(from_font_resource)


def _rescale(font: Any, scale: float) -> None:
    widths = {key: value * scale for key, value in font.character_widths.items()}
    known = [value for key, value in widths.items() if value > 0 and key != "default"]
    if not known:
        return
    font.character_widths.update(widths)
    font.space_width = MEAN * sum(known) / len(known)
    font.character_widths[font.space_char] = widths.get(font.space_char) or font.space_width


def upright(page: Any, box: list[float]) -> list[float]:
    """Turn a page's text as its reader turns the page; the box of the page so turned."""
    from pypdf.generic import ArrayObject, DecodedStreamObject, NameObject

    turn = int(page.rotation) % 360
    left, bottom, right, top = box
    moves = {
        90: (0, -1, 1, 0, -bottom, right), 180: (-1, 0, 0, -1, right, top),
        270: (0, 1, -1, 0, top, -left),
    }  # fmt: skip
    if turn not in moves or "/Contents" not in page:
        return box
    first = DecodedStreamObject()
    first.set_data(("{} {} {} {} {:f} {:f} cm\n".format(*moves[turn])).encode("ascii"))
    held = page["/Contents"].get_object()
    page[NameObject("/Contents")] = ArrayObject(
        [first, *(held if isinstance(held, list) else [held])]
    )
    page[NameObject("/Rotate")] = type(page.get("/Rotate", 0))(0)
    width, height = right - left, top - bottom
    return [0.0, 0.0, width, height] if turn == 180 else [0.0, 0.0, height, width]


def _resolved(value: Any) -> Any:
    found = value.get_object() if hasattr(value, "get_object") else value
    return {} if found is None else found
