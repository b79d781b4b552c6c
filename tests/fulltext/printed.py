"""Lines with their places in; the bytes of a small PDF out, written by hand."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass

FONTS = ("Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Courier")
PLAIN, BOLD, ITALIC, MONO = range(4)


@dataclass(frozen=True)
class Text:
    """One run of text on a page; `before` are raw operators, such as a colour."""

    x: float
    y: float
    text: str
    size: float = 10
    font: int = PLAIN
    before: str = ""


def column(
    lines: Sequence[str], x: float = 72, y: float = 700, step: float = 12, **more: object
) -> list[Text]:
    """Lines under one another."""
    return [Text(x, y - at * step, line, **more) for at, line in enumerate(lines)]  # type: ignore[arg-type]


def pdf(pages: Sequence[Sequence[Text]], title: str = "") -> bytes:
    """A whole document in Latin-1, with its cross-reference table and end mark."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    fonts = " ".join(f"/F{at} {3 + at} 0 R" for at in range(len(FONTS)))
    objects += [
        f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"
        for name in FONTS
    ]
    objects.append(f"<< /Title ({title}) >>")
    kids = []
    streams: dict[int, bytes] = {}
    for page in pages:
        stream = zlib.compress("\n".join(_shown(text) for text in page).encode("cp1252"))
        objects.append(f"<< /Length {len(stream)} /Filter /FlateDecode >>")
        streams[len(objects)] = stream
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] "
            f"/Resources << /Font << {fonts} >> >> /Contents {len(objects)} 0 R >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    return _file(objects, streams)


def _shown(text: Text) -> str:
    escaped = text.text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return (
        f"q {text.before} BT /F{text.font} {text.size} Tf 1 0 0 1 {text.x} {text.y} Tm "
        f"({escaped}) Tj ET Q"
    )


def _file(objects: Sequence[str], streams: dict[int, bytes]) -> bytes:
    out = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\n".encode("cp1252")
        if number in streams:
            out += b"stream\n" + streams[number] + b"\nendstream\n"
        out += b"endobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    trailer = f"<< /Size {len(objects) + 1} /Root 1 0 R /Info {3 + len(FONTS)} 0 R >>"
    start = len(out)
    return out + (
        f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
        f"trailer\n{trailer}\nstartxref\n{start}\n%%EOF\n"
    ).encode("ascii")


def wrapped(text: str, width: int = 70) -> list[str]:
    """Lines as a typesetter breaks them."""
    lines, line = [], ""
    for word in text.split():
        if len(line) + len(word) >= width:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return [*lines, line]
