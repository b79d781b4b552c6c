"""The bytes of a bibliography file in; its text, its encoding and a sentence of doubt out.

UTF-8 that holds is UTF-8 whatever a header says; a header is believed where the bytes fit it and
are not UTF-8; else the bytes themselves must tell.
"""

from __future__ import annotations

import codecs
import re

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
)  # fmt: skip
_DECLARED = re.compile(
    rb"(?im)(?:^[ \t]*%+[ \t]*encoding[ \t]*:|-\*-.*?\bcoding[ \t]*:"
    rb"|<\?xml[^>]*?encoding[ \t]*=[ \t]*[\"'])"
    rb"[ \t]*([\w.-]+)"
)
"""JabRef's first line, Emacs' file variables, an XML declaration."""
_HIGH = re.compile(rb"[\x80-\xff]+")
_NAMES = {"cp1252": "windows-1252", "iso8859-15": "ISO 8859-15", "gb18030": "GB 18030",
          "utf-16-le": "UTF-16", "utf-16-be": "UTF-16"}  # fmt: skip
_LATIN_9 = re.compile(rb"[A-Za-z][\xa6\xa8\xb4\xb8\xbc\xbd\xbe]|[\xa6\xa8\xb4\xb8\xbc\xbe][A-Za-z]")
"""Letters of ISO 8859-15 that are signs in ISO 8859-1, where a word has them."""


_NO_CHARSETS = frozenset({
    "undefined", "idna", "punycode", "unicode-escape", "unicode_escape", "raw-unicode-escape",
    "raw_unicode_escape",
})  # fmt: skip
"""Python's codecs that are no character set of files."""


def decode(data: bytes) -> tuple[str, str, str]:
    """Text, encoding, and what a person should know about it (or nothing)."""
    for mark, name in _BOMS:
        if data.startswith(mark):
            return data.decode(name, "replace"), name.removesuffix("-sig"), ""
    if wide := _wide(data):
        return data.decode(wide, "replace"), wide, ""
    try:
        return data.decode("utf-8"), "utf-8", ""
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
    declared = _declared(data)
    if declared and declared != "utf-8" and (text := _strict(data, declared)) is not None:
        return text, declared, ""
    encoding = _by_bytes(data)
    said = "says that it is UTF-8, which line" if declared == "utf-8" else "is not UTF-8: line"
    doubt = f"The file {said} {line} contradicts; it was read as {_NAMES.get(encoding, encoding)}."
    if declared != "utf-8":
        doubt = (
            f"The file is not UTF-8 (line {line}); it was read as {_NAMES.get(encoding, encoding)}."
        )
    return data.decode(encoding, "replace"), encoding, doubt


def _wide(data: bytes) -> str:
    """UTF-16 without its mark: every other byte of a text in Latin letters is nought."""
    head = data[:2000]
    if len(head) < 4 or b"\0" not in head:
        return ""
    even, odd = head[::2].count(0), head[1::2].count(0)
    half = len(head) // 2
    if odd > half * 0.7 and even < half * 0.1:
        return "utf-16-le"
    return "utf-16-be" if even > half * 0.7 and odd < half * 0.1 else ""


def _declared(data: bytes) -> str:
    found = _DECLARED.search(data, 0, 4096) or _DECLARED.search(data[-3000:])
    if not found:
        return ""
    name = found[1].decode("ascii", "replace").lower()
    name = {"utf8": "utf-8", "latin-9": "iso8859-15", "latin9": "iso8859-15"}.get(name, name)
    try:
        name = codecs.lookup(name).name
        # The header itself was read as ASCII: in UTF-16 or EBCDIC it would say nothing.
        readable = found[1].decode(name) == found[1].decode("ascii")
    except (LookupError, ValueError):
        return ""
    return name if readable and name not in _NO_CHARSETS else ""


def _strict(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except (ValueError, LookupError):
        return None


def _by_bytes(data: bytes) -> str:
    """The likeliest encoding of bytes that are not UTF-8."""
    runs = _HIGH.findall(data, 0, 1 << 20)
    if all(len(run) % 2 == 0 for run in runs) and _strict(b"".join(runs), "gb2312") is not None:
        return "gb18030"
    long = sum(len(run) for run in runs if len(run) > 2)
    if long * 2 > sum(map(len, runs)):
        from charset_normalizer import from_bytes

        best = from_bytes(data[: 1 << 18]).best()
        if best is not None and _strict(data, best.encoding) is not None:
            return best.encoding
    if not re.search(rb"[\x80-\x9f]", data) and _LATIN_9.search(data):
        return "iso8859-15"
    return "cp1252"
