"""Twenty hostile PDFs, built here: bytes that ask for memory, for time, or for trust."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence

FONT = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
WORDS = (
    b"BT /F1 10 Tf 72 700 Td (A page of words that anybody can read and that says a thing.) Tj ET"
)


def raw(objects: Mapping[int, bytes | str], trailer: str = "/Root 1 0 R") -> bytes:
    """A file from its numbered objects, with a table that is right."""
    out, offsets = b"%PDF-1.7\n", {}
    for number, body in sorted(objects.items()):
        offsets[number] = len(out)
        data = body if isinstance(body, bytes) else body.encode("latin-1")
        out += f"{number} 0 obj\n".encode() + data + b"\nendobj\n"
    start, size = len(out), max(objects) + 1
    rows = [f"{offsets[n]:010} 00000 n \n" if n in offsets else "0000000000 65535 f \n"
            for n in range(size)]  # fmt: skip
    return out + (
        f"xref\n0 {size}\n{''.join(rows)}trailer\n<< /Size {size} {trailer} >>\n"
        f"startxref\n{start}\n%%EOF\n"
    ).encode("latin-1")


def stream(data: bytes, entries: str = "", *, length: int | None = None) -> bytes:
    """A stream object; its length may lie."""
    size = len(data) if length is None else length
    return f"<< /Length {size} {entries} >>\nstream\n".encode() + data + b"\nendstream"


def page(content: str = "4 0 R", more: str = "", parent: str = "2 0 R") -> str:
    return (
        f"<< /Type /Page /Parent {parent} /MediaBox [0 0 612 792] /Contents {content} "
        f"/Resources << /Font << /F1 5 0 R >> {more} >> >>"
    )


def one(content: bytes, more: str = "", others: Mapping[int, bytes | str] | None = None) -> bytes:
    """A file of one page with this content stream."""
    return raw({
        1: "<< /Type /Catalog /Pages 2 0 R >>", 2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        3: page(more=more), 4: content, 5: FONT, **(others or {}),
    })  # fmt: skip


def pages(contents: Sequence[bytes]) -> bytes:
    """A file of some pages."""
    objects: dict[int, bytes | str] = {1: "<< /Type /Catalog /Pages 2 0 R >>", 5: FONT}
    kids = []
    for at, content in enumerate(contents):
        objects[10 + 2 * at] = page(f"{11 + 2 * at} 0 R")
        objects[11 + 2 * at] = content
        kids.append(f"{10 + 2 * at} 0 R")
    objects[2] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    return raw(objects)


def deflate_bomb() -> bytes:
    """A megabyte that unpacks to a gigabyte of blanks."""
    packer = zlib.compressobj(9)
    piece = b" " * (1 << 20)
    data = b"".join(packer.compress(piece) for _ in range(1 << 10)) + packer.flush()
    return one(stream(data, "/Filter /FlateDecode"))


def nested_deflate() -> bytes:
    """Packed three times over."""
    data = zlib.compress(zlib.compress(zlib.compress(b"(x) Tj " * (20 << 20), 9), 9), 9)
    return one(stream(data, "/Filter [/FlateDecode /FlateDecode /FlateDecode]"))


def form_that_draws_itself() -> bytes:
    form = stream(b"/X Do " + WORDS, "/Type /XObject /Subtype /Form /BBox [0 0 9 9] "
                  "/Resources << /XObject << /X 6 0 R >> /Font << /F1 5 0 R >> >>")  # fmt: skip
    return one(stream(WORDS + b" /X Do"), "/XObject << /X 6 0 R >>", {6: form})


def forms_that_double() -> bytes:
    """Twenty-five forms, each drawing the next twice: 33 million pieces of text."""
    others: dict[int, bytes | str] = {}
    for at in range(25):
        link = f"/XObject << /X {7 + at} 0 R >>" if at < 24 else ""
        others[6 + at] = stream(
            b"/X Do /X Do" if at < 24 else WORDS,
            f"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << {link} "
            "/Font << /F1 5 0 R >> >>",
        )
    return one(stream(b"/X Do"), "/XObject << /X 6 0 R >>", others)


def pages_in_a_ring() -> bytes:
    return raw({1: "<< /Type /Catalog /Pages 2 0 R >>",
                2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                3: "<< /Type /Pages /Kids [2 0 R] /Count 1 /Parent 2 0 R >>"})  # fmt: skip


def a_million_pages_stated() -> bytes:
    return raw({1: "<< /Type /Catalog /Pages 2 0 R >>",
                2: "<< /Type /Pages /Kids [3 0 R] /Count 1000000 >>", 3: page(),
                4: stream(WORDS), 5: FONT})  # fmt: skip


def object_that_is_itself() -> bytes:
    return raw({1: "<< /Type /Catalog /Pages 2 0 R >>", 2: "2 0 R"})


def table_of_references_in_a_ring() -> bytes:
    """The table of references names itself as the one before it."""
    plain = one(stream(WORDS))
    start = int(plain.rpartition(b"startxref\n")[2].split()[0])
    return plain.replace(b"/Root 1 0 R", f"/Prev {start} /Root 1 0 R".encode())


def lying_length() -> bytes:
    return one(stream(WORDS, length=2**31 - 1))


def negative_length() -> bytes:
    return one(stream(WORDS, length=-5))


def huge_numbers() -> bytes:
    return one(stream(b"BT /F1 1e308 Tf " + b"9" * 5000 + b" 0 Td (A) Tj ET " + WORDS))


def deep_arrays() -> bytes:
    return one(stream(b"[" * 100_000 + b"]" * 100_000 + b" TJ " + WORDS))


def deep_dictionaries() -> bytes:
    return raw({1: "<< /Type /Catalog /Pages 2 0 R >>", 2: "<< /A " * 20_000 + ">> " * 20_000})


def image_of_a_hundred_gigabytes() -> bytes:
    image = stream(b"\x00" * 64, "/Type /XObject /Subtype /Image /Width 300000 /Height 300000 "
                   "/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /JBIG2Decode")  # fmt: skip
    return one(stream(b"/I Do " + WORDS), "/XObject << /I 6 0 R >>", {6: image})


def inline_image_without_end() -> bytes:
    return one(stream(WORDS + b" BI /W 9 /H 9 /BPC 8 /CS /G ID " + b"\x00" * 200_000))


def save_without_restore() -> bytes:
    return one(stream(b"q " * 500_000 + WORDS))


def a_million_fonts_set() -> bytes:
    return one(stream(b"BT " + b"/F1 9 Tf (a) Tj " * 400_000 + b"ET"))


def mapping_of_every_character() -> bytes:
    """A map from codes to characters that repeats its whole range a thousand times."""
    ranges = b"1 beginbfrange\n<0000> <ffff> <0000>\nendbfrange\n" * 1000
    cmap = b"1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n" + ranges
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 7 0 R >>"
    return one(stream(WORDS), "/Font << /F1 6 0 R >>", {6: font, 7: stream(cmap)})


def object_stream_that_holds_itself() -> bytes:
    held = b"6 0 << /Type /ObjStm >>"
    return raw({1: "<< /Type /Catalog /Pages 6 0 R >>",
                6: stream(held, "/Type /ObjStm /N 1 /First 4")}, "/Root 6 0 R")  # fmt: skip


def predictor_of_a_gigabyte() -> bytes:
    return one(stream(zlib.compress(WORDS * 200), "/Filter /FlateDecode /DecodeParms "
                      "<< /Predictor 15 /Columns 1000000000 /Colors 4 >>"))  # fmt: skip


def asks_for_a_file() -> bytes:
    """Actions that a viewer might obey: a launch, a script, a file to send a form to."""
    return raw({
        1: "<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /Launch /F (/bin/sh) >> "
           "/Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (app.alert\\(1\\)) >>] >> >> >>",
        2: "<< /Type /Pages /Kids [3 0 R] /Count 1 >>", 3: page(),
        4: "<< /Length 0 /F (/etc/passwd) /FFilter /ASCIIHexDecode >>\nstream\n\nendstream", 5: FONT,
    })  # fmt: skip


ALL = (
    deflate_bomb, nested_deflate, form_that_draws_itself, forms_that_double, pages_in_a_ring,
    a_million_pages_stated, object_that_is_itself, table_of_references_in_a_ring, lying_length,
    negative_length, huge_numbers, deep_arrays, deep_dictionaries, image_of_a_hundred_gigabytes,
    inline_image_without_end, save_without_restore, a_million_fonts_set,
    mapping_of_every_character, object_stream_that_holds_itself, predictor_of_a_gigabyte,
    asks_for_a_file,
)  # fmt: skip
