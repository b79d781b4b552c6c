"""A question as a person types it in; its words, its quoted phrases and its beginnings out.

`"deep river"` must stand so in what is found, `transform*` is every word that begins so; anything
else, whatever marks are in it, is only words. That holds for what a person types to find something;
in a longer question or a text quotes mean many things, and are not read.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pressmark.text import fold

LONGEST = 100
"""Characters of a question that may hold phrases. Read in the long questions of CACM, eight of
which have quotes, they cost 0.076 nDCG@10 over all its 52."""

_PHRASE = re.compile(r"(?<![^\s(,;:])[\"“„]([^\"“”„]*[^\s\"“”„])[\"”“](?![^\s),.;:?!*])")
_BEGINNING = re.compile(r"(?<![\w*-])([^\W_][\w-]{1,63})\*(?![\w*])")
EXPANDED = 50
"""Words that one beginning stands for at most."""


class Wording(NamedTuple):
    """What was read: the text without marks, the phrases, the folded beginnings of words."""

    text: str
    phrases: tuple[str, ...] = ()
    beginnings: tuple[str, ...] = ()


def read(question: str) -> Wording:
    """The parts of a question."""
    if len(question) > LONGEST or not ('"' in question or "*" in question or "“" in question):
        return Wording(question)
    phrases = tuple(found[1].strip() for found in _PHRASE.finditer(question))
    text = _PHRASE.sub(r" \1 ", question)
    beginnings = tuple(dict.fromkeys(fold(found[1]) for found in _BEGINNING.finditer(text)))
    return Wording(_BEGINNING.sub(r"\1", text), phrases, beginnings)
