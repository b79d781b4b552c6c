"""Text in; whether it is made of words at all: the two gates before a text is kept."""

from __future__ import annotations

import re
from collections import Counter

_SCRIPTS = (
    ("latin", 0x0041, 0x024F), ("latin", 0x1E00, 0x1EFF), ("greek", 0x0370, 0x03FF),
    ("cyrillic", 0x0400, 0x052F), ("armenian", 0x0530, 0x058F), ("hebrew", 0x0590, 0x05FF),
    ("arabic", 0x0600, 0x08FF), ("arabic", 0xFB50, 0xFDFF), ("arabic", 0xFE70, 0xFEFC),
    ("devanagari", 0x0900, 0x097F), ("bengali", 0x0980, 0x09FF), ("gurmukhi", 0x0A00, 0x0A7F),
    ("gujarati", 0x0A80, 0x0AFF), ("oriya", 0x0B00, 0x0B7F), ("tamil", 0x0B80, 0x0BFF),
    ("telugu", 0x0C00, 0x0C7F), ("kannada", 0x0C80, 0x0CFF), ("malayalam", 0x0D00, 0x0D7F),
    ("sinhala", 0x0D80, 0x0DFF), ("thai", 0x0E00, 0x0E7F), ("georgian", 0x10A0, 0x10FF),
    ("han", 0x1100, 0x11FF), ("han", 0x3040, 0x30FF), ("han", 0x3130, 0x318F),
    ("han", 0x3400, 0x9FFF), ("han", 0xAC00, 0xD7AF), ("han", 0xF900, 0xFAFF),
    ("han", 0x20000, 0x3FFFF), ("latin", 0xFF21, 0xFF5A), ("math", 0x1D400, 0x1D7FF),
    ("math", 0x2100, 0x214F),
)  # fmt: skip
"""Blocks of one writing; Chinese, Japanese and Korean mix theirs, so they count as one."""

_FUNCTION_WORDS = frozenset({
    "the", "of", "and", "to", "in", "is", "for", "that", "with", "as", "are", "on", "by",
    "this", "be", "we", "from", "an", "or", "at", "it", "which", "can", "der", "die", "das",
    "und", "den", "von", "zu", "mit", "ist", "des", "im", "für", "auf", "ein", "eine", "nicht",
    "dem", "sich", "als", "auch", "le", "la", "les", "et", "de", "un", "une", "est", "en",
    "que", "dans", "pour", "par", "sur", "pas", "qui", "du", "au", "ce", "el", "los", "las",
    "y", "una", "es", "por", "con", "para", "se", "del", "al", "lo", "como", "il", "di", "che",
    "e", "per", "non", "sono", "o", "os", "da", "do", "em", "um", "uma", "não", "na", "no",
    "com", "dos", "het", "een", "van", "dat", "te", "op", "met", "zijn", "och", "att", "som",
    "på", "är", "av", "till", "med", "det", "i", "w", "z", "nie", "się", "że", "jest", "od",
    "по", "и", "в", "не", "на", "с", "что", "je", "ve", "že", "a", "bir", "bu", "için", "ile",
})  # fmt: skip


MOST_SCRIPTS = 5
"""Writings that hold a hundredth of the letters each; a wrong encoding scatters over more."""


def is_garbled(text: str) -> bool:
    """Whether a text layer decodes to characters that make no words."""
    letters = [char for char in text if char.isalpha()]
    strange = sum(_is_strange(char) for char in text)
    shown = sum(not char.isspace() for char in text)
    if not shown or strange > 0.1 * shown:
        return True
    counts = Counter(_script(char) for char in letters)
    if sum(count * 100 >= len(letters) for count in counts.values()) > MOST_SCRIPTS:
        return True
    return _no_words(text) if counts["latin"] > 0.8 * len(letters) else False


def _is_strange(char: str) -> bool:
    code = ord(char)
    private = 0xE000 <= code <= 0xF8FF or code >= 0xF0000
    return private or code == 0xFFFD or (code < 32 and char not in "\t\n")


def _script(char: str) -> str:
    code = ord(char)
    if code < 0x250:
        return "latin"
    return next((name for name, first, last in _SCRIPTS if first <= code <= last), "other")


def _no_words(text: str) -> bool:
    """Latin text without the small words that every language repeats is a wrong encoding."""
    tokens = re.findall(r"[^\W\d_]+", text.casefold())
    if len(tokens) < 200:
        return False
    small = sum(token in _FUNCTION_WORDS for token in tokens)
    return small < 0.03 * len(tokens)


MIN_CHARACTERS = 2_000
MIN_WORDS = 0.55


def too_poor(text: str) -> str:
    """Why a text is not worth keeping; empty when it is: enough characters, mostly words."""
    if len(text) < MIN_CHARACTERS:
        return f"it holds {len(text)} characters, fewer than {MIN_CHARACTERS:,}"
    tokens = re.sub(r"\$[^$]*\$", " ", text).split()
    words = sum(bool(re.search(r"[^\W\d_]{2}|[\u3040-\u9fff\uac00-\ud7af]", one)) for one in tokens)
    if not tokens or words < MIN_WORDS * len(tokens):
        share = 100 * words // max(len(tokens), 1)
        return f"only {share} % of it are words"
    return ""
