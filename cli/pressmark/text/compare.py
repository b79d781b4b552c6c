"""Text in; the forms by which it is compared, filtered and turned into keys out."""

from __future__ import annotations

import re
import unicodedata

_MARKS = re.compile(
    r"[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
    r"\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]+"
)
"""Accents and points. Not the marks that spell: vowel signs of India, voiced kana."""

_LETTERS = str.maketrans({
    "ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ı": "i", "ȷ": "j", "æ": "ae", "œ": "oe",
    "þ": "th", "ð": "d", "ŋ": "n", "ŧ": "t", "ə": "e", "ɓ": "b", "ɗ": "d", "ƙ": "k",
    "‘": "'", "’": "'", "ʼ": "'", "ʻ": "'", "′": "'", "“": '"', "”": '"',
    "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-",
})  # fmt: skip
"""Letters with a stroke or a tail have no decomposition in Unicode, so NFKD leaves them."""

_APOSTROPHES = re.compile(r"['’‘ʼʻʹ`´]")
_WORD = re.compile(r"[a-z0-9]+")


def fold(value: str) -> str:
    """The form in which accents, case and typography do not matter: `Šimić` is `simic`."""
    if value.isascii():
        return value.lower()
    value = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", value).casefold())
    value = _MARKS.sub("", value).translate(_LETTERS)
    return unicodedata.normalize("NFC", value)


def ascii_words(value: str) -> list[str]:
    """The words of any script in `[a-z0-9]+`; an apostrophe does not part a word."""
    if not value.isascii():
        from anyascii import anyascii

        value = anyascii(unicodedata.normalize("NFC", value))
    return _WORD.findall(_APOSTROPHES.sub("", value).lower())
