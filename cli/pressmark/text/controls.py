"""Any string in; a string without controls, bidi overrides or hidden characters out."""

from __future__ import annotations

import re
import unicodedata

_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[@-Z\\-_])")
"""A terminal's escape sequences, whole: colour, cursor, window title, hyperlink (ECMA-48)."""

_SURROGATE = re.compile(r"[\ud800-\udfff]")

_BREAK = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")

_HIDDEN = re.compile(
    "["
    r"\x00-\x08\x0e-\x1f\x7f-\x9f"  # C0 and C1 but for blanks
    r"\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    r"\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"  # fillers: letters by category, drawn as nothing
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff"
    r"\ufdd0-\ufdef\ufffe\uffff"  # no characters at all, and YAML refuses them
    + "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(1, 17))
    + "]"
)
"""What a reader cannot see but a program obeys: the carriers of spoofing and hidden prompts."""

_JOINED = (
    r"\u0600-\u08ff\u0900-\u0dff\u1000-\u109f\u1780-\u18af\ufb50-\ufdcf\ufdf0-\ufdff\ufe70-\ufefc"
)
_JOINER = re.compile(f"(?<![{_JOINED}])[\u200c\u200d]|[\u200c\u200d](?![{_JOINED}])")
"""ZWNJ and ZWJ spell words in Arabic, Indic, Khmer and Mongolian scripts; elsewhere they hide."""

_VARIANT = re.compile(
    r"(?:^|(?<=[\s\x21\x22\x24-\x29\x2b-\x2f\x3a-\x7f\ufe00-\ufe0f\U000e0100-\U000e01ef]))[\ufe00-\ufe0f]"
    r"|(?<![\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003fffd])[\U000e0100-\U000e01ef]"
)
"""A variation selector is kept where it picks a shape (emoji, ideographs), not as a payload."""

_PICKY = re.compile("[\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""What the two above are about: most texts have none, and the two are slow."""


def clean(value: str, *, newlines: bool = False) -> str:
    """Untrusted text as safe plain text in NFC: one line, or its lines with `newlines`."""
    if value.isascii() and value.isprintable():
        return value.rstrip() if newlines else " ".join(value.split())
    value = _visible(value)
    if not newlines:
        return unicodedata.normalize("NFC", " ".join(value.split()))
    return unicodedata.normalize("NFC", value).strip("\n").rstrip()


def plain(value: str) -> str:
    """Text for a terminal: no controls but the newline, nothing hidden, nothing reordered."""
    return value if value.isascii() and value.isprintable() else _visible(value)


def _visible(value: str) -> str:
    if _SURROGATE.search(value):
        value = value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    value = _ESCAPE.sub("", value) if "\x1b" in value else value
    value = _BREAK.sub("\n", value).expandtabs(4)
    value = _HIDDEN.sub("", value)
    if value.isascii() or not _PICKY.search(value):
        return value
    return _VARIANT.sub("", _JOINER.sub("", value))
