"""Lines of text in, a PDF with some of their words highlighted, and comments, out."""

from __future__ import annotations

import io

SIZE, LEFT, TOP, STEP = 12, 72, 720, 18
WIDTHS = {" ": 278, "i": 222, "l": 222, "j": 222, "f": 278, "t": 278, "r": 333, "m": 833, "w": 722}
"""Helvetica's, in thousandths; 556 for the letters that are not here."""


def width(text: str) -> float:
    """How wide some words are set."""
    return sum(WIDTHS.get(letter, 556) for letter in text) * SIZE / 1000


def marked_pdf(
    pages: list[list[str]], highlights: list[tuple[int, str, str]] = (),  # type: ignore[assignment]
    comments: list[tuple[int, str]] = (),  # type: ignore[assignment]
) -> bytes:  # fmt: skip
    """Each page's lines; highlights are a page from 1, words of one line, and a comment."""
    from pypdf import PdfReader, PdfWriter
    from pypdf.annotations import Highlight, Text
    from pypdf.generic import ArrayObject, FloatObject, NameObject, TextStringObject

    writer = PdfWriter(PdfReader(io.BytesIO(_plain(pages))))
    for page, words, comment in highlights:
        at = next(n for n, line in enumerate(pages[page - 1]) if words in line)
        line = pages[page - 1][at]
        x = LEFT + width(line[: line.index(words)])
        y, end = TOP - at * STEP, x + width(words)
        box = (x, y - 3, end, y + 10)
        quad = ArrayObject(
            FloatObject(each) for each in (x, y + 10, end, y + 10, x, y - 3, end, y - 3)
        )
        note = Highlight(rect=box, quad_points=quad)
        if comment:
            note[NameObject("/Contents")] = TextStringObject(comment)
        writer.add_annotation(page - 1, note)
    for page, comment in comments:
        writer.add_annotation(page - 1, Text(rect=(20, 20, 40, 40), text=comment))
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def _plain(pages: list[list[str]]) -> bytes:
    count = len(pages)
    widths = " ".join(str(WIDTHS.get(chr(code), 556)) for code in range(32, 127))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {count} /Kids [{' '.join(f'{4 + 2 * n} 0 R' for n in range(count))}] >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /FirstChar 32 /LastChar 126 "
        + f"/Widths [{widths}] >>".encode(),
    ]
    for number, lines in enumerate(pages):
        shown = "".join(
            f"BT /F1 {SIZE} Tf {LEFT} {TOP - STEP * at} Td ({line}) Tj ET\n"
            for at, line in enumerate(lines)
        ).encode()
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%sendstream" % (len(shown), shown))
    out, offsets = bytearray(b"%PDF-1.4\n"), []
    for number, each in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1, start,
    )  # fmt: skip
    return bytes(out)
