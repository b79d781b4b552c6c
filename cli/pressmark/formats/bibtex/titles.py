"""A title in; the title for a .bib file out, with braces where a capital means something.

Styles set titles in lower case. What must survive that stands in braces: acronyms, capitals
inside a word, and proper names where the title itself is written in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from pressmark.formats.bibtex import latex
from pressmark.formats.bibtex.latex import Letters

_WORD = re.compile(r"([^\W_][^\W_\u0300-\u036f]*(?:[\u0300-\u036f]+[^\W_]*)*)")
_STARTS = re.compile(r"(?:^|[:?!.]\s+)\W*$")
"""Where a style leaves a capital alone, being the start of the title or of its subtitle."""


def title(
    value: str,
    language: str | None = None,
    letters: Letters = Letters.ASCII,
    protected: Collection[str] = (),
) -> str:
    """The title in LaTeX, its meaningful capitals protected, and the words a person protected."""
    parts = latex.parts(value)
    words = _WORD.findall(" ".join(words for words, _ in parts))
    shout = _is_shouted(words)
    sentence = (language or "").lower().startswith("de") or _is_sentence(words)
    out = ""
    before = ""
    for text, maths in parts:
        for piece in _WORD.split(text):
            keep = piece in protected or (
                not shout and _carries_case(piece, sentence, bool(_STARTS.search(before)))
            )
            written = latex.plain(piece, letters)
            out += f"{{{written}}}" if keep else written
            before = (before + piece)[-40:]
        out += maths
        before += "x" if maths else ""
    return out


def unprotected(value: str, words: Collection[str], language: str | None = None) -> list[str]:
    """Which of these words the title would lose the capitals of, in a style's lower case."""
    written = title(value, language)
    return [word for word in words if f"{{{latex.plain(word)}}}" not in written]


def _carries_case(word: str, sentence: bool, first: bool) -> bool:
    if not any(letter.isupper() for letter in word):
        return False
    if any(letter.isupper() for letter in word[1:]):
        return True
    if first:
        return False
    if sentence:
        return True
    return (len(word) == 1 and word != "A") or any(letter.isdigit() for letter in word)


def _is_shouted(words: list[str]) -> bool:
    """Whether the title is in capitals throughout, so that none of them says anything."""
    letters = "".join(words)
    return letters.upper() == letters and sum(len(word) > 3 for word in words) > 2


def _is_sentence(words: list[str]) -> bool:
    """Whether a capital within the title is the exception: `The effect of aspirin in Paris`."""
    telling = [word for word in words[1:] if len(word) > 3 and word.isalpha()]
    capital = sum(word[0].isupper() for word in telling)
    return capital * 2 <= len(telling)
