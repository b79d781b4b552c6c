"""Full texts in; the short paragraphs that many of them share, which say nothing of any, out.

`Our main contributions are:` stands in hundreds of papers. Only whole paragraphs of a line count,
compared without case and markup; which of them recur is a matter of the library as it stands, so
an index that is brought up to date knows the same ones as an index built anew.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable

from pressmark.index.markup import words
from pressmark.text import fold

MANY = 10
"""Papers that a paragraph must stand in to be a template."""

SHORTEST, LONGEST = 15, 200
"""Characters of a paragraph that may be one."""

_NO_PROSE = "#|<!$`>"


def short(text: str) -> set[bytes]:
    """The names of a text's short paragraphs."""
    return {name(line) for line in text.split("\n") if _may_be(line)}


def name(paragraph: str) -> bytes:
    """Eight bytes that stand for the words of a paragraph."""
    plain = fold(words(paragraph)).strip(" .:;")
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).digest()[:8]


def recurring(texts: Iterable[set[bytes]]) -> frozenset[bytes]:
    """What stands in many of some texts."""
    counted: Counter[bytes] = Counter()
    for each in texts:
        counted.update(each)
    return frozenset(name for name, number in counted.items() if number >= MANY)


def is_one(paragraph: str, known: frozenset[bytes]) -> bool:
    """Whether a paragraph is a known template."""
    return bool(known) and _may_be(paragraph) and name(paragraph) in known


def _may_be(line: str) -> bool:
    return SHORTEST <= len(line) <= LONGEST and line[0] not in _NO_PROSE
