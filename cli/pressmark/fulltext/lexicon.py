"""A text's language in, the words of that language out: for hyphens at line ends and lost blanks.

The lists are those of the package pyspellchecker (MIT), word counts from film subtitles: general
language, so a document's own words are asked first. A language without a list has no words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

SURE = 100
"""Times a word must have been counted: rarer ones are often scraps, such as `ing` and `sp`."""

_SMALL = {
    "en": "the of and to in is that with for are this which from by",
    "de": "der die das und den von mit ist des für eine nicht auf dem sich auch",
    "fr": "le la les et des du une est dans pour par que sur qui avec aux",
    "es": "el la los las de y que en del una por con para como se es",
    "it": "il di che della delle per con una sono non dei gli nel alla",
    "pt": "o a os as de que do da em para com uma dos das não por",
    "nl": "de het een van en dat met zijn op voor niet aan bij ook te",
    "ru": "и в на что не с по для как это из от при",
}
_FEWEST = 0.05
"""The least share of a text's words that are a language's small ones."""


def language(texts: Iterable[str]) -> str:
    """The language that most small words speak for; empty when none does."""
    tokens = [word for text in texts for word in re.findall(r"[^\W\d_]+", text.casefold())]
    counts = dict.fromkeys(_SMALL, 0)
    lists = {name: frozenset(words.split()) for name, words in _SMALL.items()}
    for token in tokens:
        for name, words in lists.items():
            counts[name] += token in words
    best = max(counts, key=lambda name: counts[name])
    return best if tokens and counts[best] >= _FEWEST * len(tokens) else ""


@cache
def words(name: str) -> frozenset[str]:
    """The words of a language, in small letters; none for a language without a list."""
    if name not in _SMALL:
        return frozenset()
    from spellchecker import SpellChecker

    counted = SpellChecker(language=name, distance=1).word_frequency
    return frozenset(word for word, count in counted.items() if count >= SURE and len(word) > 1)
