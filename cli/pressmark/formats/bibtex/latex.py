"""Unicode text in; LaTeX in pure ASCII, for every engine and both .bib processors, out.

An accented i is `{\\'i}`, never `{\\'\\i}`, which biber turns into a letter that pdfLaTeX lacks.
Biber makes one character of every accent that it can read, and pdfLaTeX stops at the characters
that no font of its has. Those are written so that biber leaves them alone: with braces of their
own, `{\\~{{\\^e}}}`, or by a command that it does not know, `{\\dotbelow{i}}`.
"""

from __future__ import annotations

import re
import unicodedata
from enum import Enum
from functools import lru_cache

from pressmark.formats.bibtex.symbols import COMMANDS, LATIN, PROVIDED, SYMBOLS
from pressmark.text import from_tex


class Letters(Enum):
    """Which letters stand as they are."""

    ASCII = "ascii"
    LATIN = "latin"
    """And the accented ones that pdfLaTeX sets without a package."""
    ALL = "all"
    """Every letter of every script: for LuaLaTeX, XeLaTeX and pandoc."""


_ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u",
    "\u0307": ".", "\u0308": '"', "\u030a": "r", "\u030b": "H", "\u030c": "v", "\u0323": "d",
    "\u0326": "c", "\u0327": "c", "\u0328": "k", "\u0331": "b",
}  # fmt: skip
"""Combining marks that LaTeX sets over or under any letter; others are left out."""
_BELOW = frozenset("\u0323\u0326\u0327\u0328\u0331")
_UNREAD = {
    "u": "breveabove", "r": "ringabove", "H": "hungarumlautabove", "v": "caronabove",
    "d": "dotbelow", "c": "cedillabelow", "k": "ogonekbelow", "b": "macronbelow",
}  # fmt: skip
"""Names under which biber does not read an accent; `provided` defines them."""

_CLUSTER = re.compile(r"(?s:.)[\u0300-\u036f]*")
_GREEK = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]+")
_GREEK_WORD = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff\u0300-\u0345]{3,}")
_QUOTE = re.compile(r'(?<!\\)"')
_MATHS = re.compile(r"(\$(?!\s)(?:[^$\\]|\\.)+(?<![\s\\])\$(?!\d))")
_COMMAND = re.compile(r"\\([A-Za-z]+|.)")
_BROKEN = re.compile(
    r"[#%&~]|\\\\|[_^]\s*(?:$|[_^}])|(?P<script>[_^])\s*(?:[^\s{}\\]|\{[^{}]*\}|\\[A-Za-z]+)\s*(?P=script)"
)
"""Mathematics that TeX would stop at: a sign of another mode, an index twice or of nothing."""


def text(value: str, letters: Letters = Letters.ASCII) -> str:
    """Running text; mathematics between dollars stays when it is sound and harmless."""
    return "".join(maths or plain(words, letters) for words, maths in parts(value))


def parts(value: str) -> list[tuple[str, str]]:
    """The text cut at its mathematics: (Unicode words, "") or ("", braced LaTeX)."""
    pieces = _MATHS.split(_paired_quotes(unicodedata.normalize("NFC", value)))
    return [
        ("", f"{{{piece}}}") if at % 2 and _is_sound(piece) else (_decoded(piece), "")
        for at, piece in enumerate(pieces)
        if piece
    ]


def name(value: str, letters: Letters = Letters.ASCII) -> str:
    """Part of a name, where a Greek letter is a letter and nothing is mathematics."""
    value = _decoded(value)
    if letters is not Letters.ALL:
        value = _GREEK.sub(lambda word: _latin(word[0]), value)
    return plain(value, letters)


def _decoded(value: str) -> str:
    """Without the TeX that some providers leave in names and titles."""
    return from_tex(value) if re.search(r"\\[A-Za-z'`^\"~=.]", value) else value


@lru_cache(maxsize=8192)
def plain(value: str, letters: Letters = Letters.ASCII) -> str:
    """Text without mathematics."""
    if value.isalnum() and value.isascii():
        return value
    value = unicodedata.normalize("NFC", value)
    if letters is not Letters.ALL:
        value = _GREEK_WORD.sub(lambda word: _latin(word[0]), value)
    return _CLUSTER.sub(lambda cluster: _character(cluster[0], letters), value)


def verbatim(value: str) -> str:
    """An address or DOI: as it is, but for what would break the file, percent-encoded."""
    return re.sub(
        r"[^!-~]|[{}\\]",
        lambda sign: "".join(f"%{byte:02X}" for byte in sign[0].encode("utf-8", "replace")),
        value,
    )


def provided(document: str) -> list[str]:
    """The definitions that the mathematics and the accents of a finished file need."""
    accents = {
        word: f"\\providecommand{{\\{word}}}[1]{{\\{own}{{#1}}}}" for own, word in _UNREAD.items()
    }
    return [
        line
        for word, line in (PROVIDED | accents).items()
        if f"\\{word}" in document and re.search(rf"\\{word}(?![A-Za-z])", document)
    ]


def _character(cluster: str, letters: Letters) -> str:
    """One letter with its marks."""
    if letters is not Letters.ASCII and _stands(cluster, letters):
        return cluster
    known = SYMBOLS.get(cluster)
    if known is not None:
        return known
    if cluster.isascii():
        return cluster
    base, *marks = list(unicodedata.normalize("NFD", cluster))
    letter = SYMBOLS.get(base) or (base if base.isascii() else "")
    if not letter or not marks:
        return plain(_latin(cluster), letters)
    whole = base
    for mark in sorted(marks, key=_BELOW.__contains__):  # what is below takes the whole as its base
        if accent := _ACCENTS.get(mark):
            whole = unicodedata.normalize("NFC", whole + mark)
            letter = _accented(accent, letter, whole in LATIN)
    return letter


def _stands(cluster: str, letters: Letters) -> bool:
    if letters is Letters.LATIN:
        return cluster in LATIN
    return unicodedata.category(cluster[0])[0] in "LN" and not cluster.isascii()


def _accented(accent: str, letter: str, known: bool) -> str:
    """The accent on a letter; what pdfLaTeX lacks as one letter is kept from biber."""
    if known and len(letter) == 1 and not accent.isalpha():
        return f"{{\\{accent}{letter}}}"
    inner = letter if letter.startswith("{") else f"{{{letter}}}"
    if known:
        return f"{{\\{accent}{inner}}}"
    return f"{{\\{_UNREAD[accent]}{inner}}}" if accent.isalpha() else f"{{\\{accent}{{{inner}}}}}"


def _latin(value: str) -> str:
    """Any script in ASCII letters."""
    from anyascii import anyascii

    return str(anyascii(value))


def _paired_quotes(value: str) -> str:
    """Straight quotes as opening and closing ones: `"` is a command in some languages' LaTeX."""
    opening = len(_QUOTE.findall(value)) % 2
    for _ in range(value.count('"')):
        opening = 1 - opening
        value = _QUOTE.sub("“" if opening else "”", value, count=1)
    return value


def _is_sound(maths: str) -> bool:
    """Whether LaTeX without packages, or with what we provide, sets this without a stop."""
    body = maths[1:-1]
    if not body.isascii() or _BROKEN.search(body) or not _balanced(body):
        return False
    words = [word for word in _COMMAND.findall(body) if word.isalpha()]
    return words.count("left") == words.count("right") and all(
        word in COMMANDS or word in PROVIDED for word in words
    )


def _balanced(body: str) -> bool:
    depth = 0
    for sign in body:  # BibTeX counts an escaped brace like any other
        depth += {"{": 1, "}": -1}.get(sign, 0)
        if depth < 0:
            return False
    return depth == 0
