"""PDF bytes on stdin, one JSON line a page on stdout, as `_child.py` prints them: by PDFium.

Run by path and never imported: it needs only pypdfium2 and the standard library. The first line
of stdin names the pages that are wanted.
"""

from __future__ import annotations

import ctypes
import json
import math
import re
import sys
from typing import Any

TEXT_LIMIT = 20_000_000
CHARACTERS = 200_000
"""The most characters of one page; a full page of a newspaper has a tenth."""


def main() -> None:
    """Open, read the pages that are asked for, print."""
    import pypdfium2
    import pypdfium2.raw as raw

    head, _, data = sys.stdin.buffer.read().partition(b"\n")
    asked = json.loads(head)
    document = pypdfium2.PdfDocument(data, password=asked.get("password") or None)
    count = len(document)
    version = str(pypdfium2.PYPDFIUM_INFO)
    emit({"pages": count, "version": re.sub(r"^([\d.]+).*", r"\1", version)})
    budget = TEXT_LIMIT
    for number in asked["pages"] or range(1, count + 1):
        if not 0 < number <= count or budget < 0:
            continue
        lines, fonts = read(document[number - 1], raw)
        budget -= sum(len(span[0]) for line in lines for span in line)
        emit({"page": number, "lines": lines, "fonts": fonts})


def emit(value: dict[str, Any]) -> None:
    """One line of the answer."""
    sys.stdout.buffer.write(json.dumps(value).encode("ascii") + b"\n")
    sys.stdout.buffer.flush()


def read(page: Any, raw: Any) -> tuple[list[list[list[Any]]], list[str]]:
    """The lines of a page: spans of one font, size, direction and visibility."""
    text = page.get_textpage()
    left, bottom, right, top = page.get_cropbox()
    painted = any(
        raw.FPDFPageObj_GetType(raw.FPDFPage_GetObject(page, at)) != raw.FPDF_PAGEOBJ_TEXT
        for at in range(min(raw.FPDFPage_CountObjects(page), 5000))
    )
    fonts: dict[str, int] = {}
    lines: list[list[list[Any]]] = [[]]
    for at in range(min(text.count_chars(), CHARACTERS)):
        char = chr(raw.FPDFText_GetUnicode(text, at))
        generated = raw.FPDFText_IsGenerated(text, at) == 1
        if generated and char in "\r\n":
            if lines[-1]:
                lines.append([])
            continue
        if raw.FPDFText_IsHyphen(text, at) == 1:
            char = "-"
        if generated and lines[-1]:
            lines[-1][-1][0] += char
            continue
        x, y, size, angle = place(text, at, raw)
        font = fonts.setdefault(font_name(text, at, raw), len(fonts))
        outside = not (left - 5 <= x <= right + 5 and bottom - 5 <= y <= top + 5)
        hidden = unseen(text, at, raw, painted) or ("tiny" if 0 < size < 2.5 else "")
        look = [size, font, angle, hidden or ("outside" if outside else "")]
        span = lines[-1][-1] if lines[-1] else None
        step = 1 if angle % 180 else 2  # across the direction of the line
        across = (x, y)[step - 1]
        if span and span[3:] == look and abs(span[step] - across) <= 0.15 * max(size, 1):
            span[0] += char
        else:
            lines[-1].append([char, round(x, 1), round(y, 1), *look])
    kept = [line for line in lines if any(span[0].strip() for span in line)]
    return kept, list(fonts)


def place(text: Any, at: int, raw: Any) -> tuple[float, float, float, int]:
    """Where a character stands, its real size and its direction in quarters."""
    x, y = ctypes.c_double(), ctypes.c_double()
    raw.FPDFText_GetCharOrigin(text, at, x, y)
    matrix = raw.FS_MATRIX()
    placed = bool(raw.FPDFText_GetMatrix(text, at, matrix))
    size = float(raw.FPDFText_GetFontSize(text, at))
    scale = math.hypot(matrix.c, matrix.d) if placed else 1.0
    angle = round(math.degrees(math.atan2(matrix.b, matrix.a)) / 90) % 4 * 90 if placed else 0
    return x.value, y.value, round(size * scale, 1), angle


def font_name(text: Any, at: int, raw: Any) -> str:
    """The name of the font that a character is set in."""
    buffer = ctypes.create_string_buffer(128)
    flags = ctypes.c_int()
    length = raw.FPDFText_GetFontInfo(text, at, buffer, 128, flags)
    return "/" + buffer.raw[: max(min(length, 128) - 1, 0)].decode("utf-8", "replace")


def unseen(text: Any, at: int, raw: Any, painted: bool) -> str:
    """Why a reader would not see a character; empty when it is seen."""
    shown = raw.FPDFText_GetTextObject(text, at)
    if shown and raw.FPDFTextObj_GetTextRenderMode(shown) == raw.FPDF_TEXTRENDERMODE_INVISIBLE:
        return "mode"
    if painted:
        return ""
    parts = [ctypes.c_uint() for _ in range(4)]
    if not raw.FPDFText_GetFillColor(text, at, *parts):
        return ""
    return "white" if min(part.value for part in parts[:3]) > 247 else ""


if __name__ == "__main__":
    main()
