"""PDF bytes on stdin, one JSON line a highlight or comment on stdout: pypdf in its own process.

Run by path and never imported, with limits of memory and time. The words under a highlight are
taken by the places of their letters, which pypdf gives by run; within a run they are measured by
the widths of its font, so that an end may be a letter off.
"""

from __future__ import annotations

import io
import json
import logging
import signal
import sys
from collections.abc import Iterator
from typing import Any

MEMORY = 1 << 30
CPU_SECONDS = 150
PAGE_SECONDS = 15
MARKS = 2_000
KINDS = {
    "/Highlight": "highlight", "/Underline": "underline", "/Squiggly": "underline",
    "/StrikeOut": "strikeout", "/Text": "comment", "/FreeText": "comment",
}  # fmt: skip
USUAL = 0.5
"""A letter's width in its font's size, where the font does not say."""


class Stop(BaseException):
    """A page took too long; not an Exception, because pypdf swallows those."""


def main() -> None:
    """Read, print, end; the last line says that it is whole."""
    limit()
    data = sys.stdin.buffer.read()
    try:
        run(data)
    except MemoryError:
        emit({"state": "too_large", "reason": "it needs more than 1 GiB of memory"})


def emit(value: dict[str, Any]) -> None:
    sys.stdout.buffer.write(json.dumps(value).encode("ascii") + b"\n")
    sys.stdout.buffer.flush()


def limit() -> None:
    """Cap memory and processor time where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    for what, value in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, CPU_SECONDS)):
        try:
            resource.setrlimit(what, (value, value))
        except (ValueError, OSError):
            continue


def run(data: bytes) -> None:
    """Every page's marks, in the order they stand."""
    import pypdf

    try:
        reader = pypdf.PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            return emit({"state": "encrypted", "reason": "it asks for a password"})
        count = len(reader.pages)
    except MemoryError:
        raise
    except Exception as error:
        return emit({"state": "damaged", "reason": type(error).__name__})
    left = MARKS
    for number in range(count):
        for mark in timed(reader, number):
            emit({"page": number + 1, **mark})
            left -= 1
            if not left:
                return emit({"end": True, "more": True})
    emit({"end": True})


def timed(reader: Any, number: int) -> list[dict[str, Any]]:
    """The marks of one page, as many as were read before its time was up."""

    def ring(*_: object) -> None:
        raise Stop

    found: list[dict[str, Any]] = []
    clock = hasattr(signal, "setitimer")
    try:
        if clock:
            signal.signal(signal.SIGALRM, ring)
            signal.setitimer(signal.ITIMER_REAL, PAGE_SECONDS, 1.0)
        found.extend(marks(reader.pages[number]))
    except Stop:
        pass
    except MemoryError:
        raise
    except Exception as error:
        found.append({"failed": type(error).__name__})
    finally:
        if clock:
            signal.setitimer(signal.ITIMER_REAL, 0)
    return found


def marks(page: Any) -> Iterator[dict[str, Any]]:
    """The page's highlights with their words, and its comments."""
    noted = [each.get_object() for each in (page.get("/Annots") or []) if each is not None]
    noted = [each for each in noted if KINDS.get(str(each.get("/Subtype")))]
    if not noted:
        return
    runs = Runs(page) if any("/QuadPoints" in each for each in noted) else None
    placed = sorted(noted, key=lambda each: -top(each))
    for each in placed:
        words = " ".join(runs.under(quad) for quad in quads(each)) if runs else ""
        yield {
            "kind": KINDS[str(each.get("/Subtype"))],
            "words": " ".join(words.split())[:20_000],
            "comment": text(each.get("/Contents"))[:20_000],
            "author": text(each.get("/T"))[:200],
            "colour": colour(each.get("/C")),
        }


def text(value: Any) -> str:
    return str(value.get_object() if hasattr(value, "get_object") else value or "")


def top(note: Any) -> float:
    try:
        return float(note["/Rect"][3])
    except (KeyError, TypeError, ValueError, IndexError):
        return 0.0


def colour(value: Any) -> str:
    """`#rrggbb`, or nothing where none is given."""
    try:
        parts = [float(each) for each in (value or [])]
    except (TypeError, ValueError):
        return ""
    parts = parts * 3 if len(parts) == 1 else parts
    if len(parts) != 3:
        return ""
    return "#" + "".join(f"{max(0, min(255, round(255 * part))):02x}" for part in parts)


def quads(note: Any) -> Iterator[tuple[float, float, float, float]]:
    """The boxes of a mark, one a line of text: left, bottom, right, top."""
    try:
        points = [float(each) for each in (note.get("/QuadPoints") or [])]
    except (TypeError, ValueError):
        return
    for at in range(0, len(points) - 7, 8):
        xs, ys = points[at : at + 8 : 2], points[at + 1 : at + 8 : 2]
        yield min(xs), min(ys), max(xs), max(ys)


class Runs:
    """The page's runs of text, with the place of each letter."""

    def __init__(self, page: Any) -> None:
        self.letters: list[tuple[str, float, float, float]] = []  # letter, x, width, baseline
        self.order = 0
        page.extract_text(visitor_text=self.take)

    def take(self, words: str, cm: Any, tm: Any, font: Any, size: float) -> None:
        """One run as pypdf reports it."""
        words = words.replace("\n", "")
        if not words:
            return
        a, b, _, _, x, y = product(tm, cm)
        real = abs(size or 1.0) * (abs(a) or abs(b) or 1.0)
        widths = measured(words, font)
        for letter, width in zip(words, widths, strict=True):
            self.letters.append((letter, x, width * real, y))
            x += width * real

    def under(self, quad: tuple[float, float, float, float]) -> str:
        """The words whose letters lie in a box, the outer ones whole."""
        left, bottom, right, up = quad
        low, high = bottom - 0.1 * (up - bottom), up - 0.15 * (up - bottom)
        picked = [
            at for at, (letter, x, width, y) in enumerate(self.letters)
            if low <= y <= high and x < right and x + width > left
            and left <= x + width / 2 <= right and letter.strip()
        ]  # fmt: skip
        if not picked:
            return ""
        first, last = picked[0], picked[-1]
        while first and self._same_word(first - 1, first):
            first -= 1
        while last + 1 < len(self.letters) and self._same_word(last, last + 1):
            last += 1
        within = [at for at in range(first, last + 1) if low <= self.letters[at][3] <= high]
        return "".join(self.letters[at][0] for at in within)

    def _same_word(self, one: int, two: int) -> bool:
        a, b = self.letters[one], self.letters[two]
        return a[0].isalnum() and b[0].isalnum() and a[3] == b[3] and b[1] - a[1] < 3 * (a[2] + 1)


def measured(words: str, font: Any) -> list[float]:
    """The width of each letter, in the font's size; the usual one where the font is silent."""
    try:
        first = int(font["/FirstChar"])
        table = [float(each) / 1000 for each in font["/Widths"]]
    except (KeyError, TypeError, ValueError):
        return [USUAL] * len(words)
    known = [each for each in table if each > 0]
    usual = sum(known) / len(known) if known else USUAL
    found = []
    for letter in words:
        at = ord(letter) - first
        found.append(table[at] if 0 <= at < len(table) and table[at] > 0 else usual)
    return found


def product(m: Any, n: Any) -> tuple[float, ...]:
    """Matrix product of two PDF transformations."""
    return (
        m[0] * n[0] + m[1] * n[2], m[0] * n[1] + m[1] * n[3],
        m[2] * n[0] + m[3] * n[2], m[2] * n[1] + m[3] * n[3],
        m[4] * n[0] + m[5] * n[2] + n[4], m[4] * n[1] + m[5] * n[3] + n[5],
    )  # fmt: skip


if __name__ == "__main__":
    sys.setrecursionlimit(5_000)
    logging.disable()
    main()
