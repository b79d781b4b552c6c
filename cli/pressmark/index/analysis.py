"""Text in, the terms by which it is indexed and sought out: stemmed, folded, CJK as pairs.

Measured on the collections of `bench/`: Porter2 stems, a full English stop list, and compounds
with a digit or a short part (`IL-6`, `T-cell`) also as one word rank better than whoosh's own
analyser (nDCG@10 on SciFact 0.698 for 0.677).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection
from functools import cache

from pressmark.text import fold

VERSION = "1"
"""Raised when other terms come out of the same text: indexes are then rebuilt."""

_STOP_WORDS = """
a about above after again against all am an and any are as at be because been before being below
between both but by can could did do does doing down during each few for from further had has have
having he her here hers him his how i if in into is it its itself just me more most my no nor not
now of off on once only or other our out over own same she should so some such than that the their
them then there these they this those through to too under until up very was we were what when
where which while who whom why will with would you your
"""
_STOP = frozenset(_STOP_WORDS.split())
_CJK = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3038-\u303b\u3041-\u3096\u309d-\u309f"
    "\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff"
    "\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u1049\u1780-\u17d3"
)
"""Scripts written without blanks between words: Chinese, Japanese, Korean, Thai, Lao, Burmese,
Khmer. Pairs of neighbours stand for their words."""

_LETTER = rf"(?![{_CJK}])(?:[^\W_]|[\u0900-\u0963\u0966-\u0dff\u0f71-\u0fbc])"
"""A letter or digit, or a vowel sign of India, which spells and yet is no letter to Python."""


@cache
def _any_word() -> re.Pattern[str]:
    """Words of every script; compiled when a text needs it, for that takes 10 ms."""
    return re.compile(rf"[{_CJK}]+|(?:{_LETTER})+(?:-(?:{_LETTER})+)*")


_ASCII_WORD = re.compile(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")
_PART = re.compile(r"[^\W_]+")
_PART_OR_COMPOUND = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta",
    "η": "eta", "θ": "theta", "κ": "kappa", "λ": "lambda", "μ": "mu", "π": "pi", "ρ": "rho",
    "σ": "sigma", "τ": "tau", "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega",
}  # fmt: skip
"""A lone Greek letter is written out as often as not: TGF-β, TGF-beta."""

_LONGEST = 64
"""A longer run of letters is no word of a language: a gene sequence, a hash."""


class Analyser:
    """Turns text into terms; remembers the words it has met, for a language has few of them."""

    def __init__(self, stem: Callable[[str], str]) -> None:
        self._stem = stem
        self._known: dict[str, tuple[str, ...]] = {}

    def terms(self, text: str) -> list[str]:
        """The terms of a text, in order, as often as they stand there."""
        if text.isascii():
            found = _ASCII_WORD.findall(text.lower())
        else:
            found = _any_word().findall(fold(text))
        known = self._known
        out: list[str] = []
        for word in found:
            terms = known.get(word)
            if terms is None:
                terms = known[word] = self._analysed(word)
            out.extend(terms)
        return out

    def bag(self, text: str) -> Counter[str]:
        """How often each term of a text stands there."""
        return Counter(self.terms(text))

    def common(self, text: str, terms: Collection[str]) -> set[str]:
        """Which of some terms stand in a text; only words that may be one are looked at."""
        heads = {term[:2] for term in terms}
        words = _PART_OR_COMPOUND.findall(fold(text))
        likely = [word for word in words if word[:2] in heads or "-" in word or not word.isascii()]
        return set(terms).intersection(self.terms(" ".join(likely)))

    def names(self, text: str) -> list[str]:
        """The folded words of names, neither stemmed nor stopped."""
        return [part for part in _PART.findall(fold(text)) if 1 < len(part) <= _LONGEST]

    def _analysed(self, word: str) -> tuple[str, ...]:
        if not word.isascii() and re.match(f"[{_CJK}]", word):
            pairs = tuple(word[at : at + 2] for at in range(len(word) - 1))
            return pairs or (word,)
        parts = word.split("-")
        terms = [term for part in parts if (term := self._term(part))]
        if len(parts) > 1 and any(len(part) < 3 or _has_digit(part) for part in parts):
            whole = self._term("".join(_GREEK.get(part, part) for part in parts))
            if whole and whole not in terms:
                terms.append(whole)
        return tuple(terms)

    def _term(self, part: str) -> str:
        part = _GREEK.get(part, part)
        if len(part) < 2 or part in _STOP:
            return ""
        if len(part) > _LONGEST:
            return part[:_LONGEST]
        return self._stem(part) if part.isalpha() else part


def _has_digit(part: str) -> bool:
    return any(character.isdigit() for character in part)
