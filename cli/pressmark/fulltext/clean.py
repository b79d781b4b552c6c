"""Lines as a PDF prints them in; running text out: characters, hyphens, running heads.

Nothing here knows fonts or places. What decides about a hyphen is the document itself, and where
it is silent the word list of its language (`lexicon`).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence

from pressmark.fulltext import lexicon

LIGATURES = {
    "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl",
    "\ufb05": "st", "\ufb06": "st",
}  # fmt: skip
_SOFT = "\u00ad\ufffe"
"""A hyphen that shows only at a line's end; PDFium writes it as U+FFFE."""

_HIDDEN = re.compile(
    "[\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u061c\u180e\u034f\ufff9-\ufffb"
    "\u115f\u1160\u3164\uffa0\U000e0000-\U000e01ef]"
)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f]")
"""What a font without a proper encoding gives; damage, but nothing hidden."""

_TRANSLATE = str.maketrans(
    {**LIGATURES, "\u00a0": " ", "\u2007": " ", "\u202f": " ", "\u2010": "-", "\u2011": "-"}
)
_SPACING_ACCENTS = {
    "´": "\u0301", "`": "\u0300", "¨": "\u0308", "ˆ": "\u0302", "˜": "\u0303", "ˇ": "\u030c",
    "˘": "\u0306", "˙": "\u0307", "¸": "\u0327", "˝": "\u030b", "¯": "\u0304",
}  # fmt: skip
_ACCENT = re.compile(r"([^\W\d_]?) ?([´¨ˆ˜ˇ˘˙˝¯]) ?([A-Za-zı])")


def hidden(text: str) -> int:
    """How many characters of a text nobody sees: marks of direction, widths of nothing, tags."""
    return len(_HIDDEN.findall(text))


def line(text: str) -> tuple[str, int]:
    """One printed line with its characters made plain, and how many were dropped as unseen."""
    text, dropped = _HIDDEN.subn("", _CONTROL.sub("", text))
    stripped = text.rstrip()
    if stripped and stripped[-1] in _SOFT:
        stripped = stripped[:-1] + "-"
    stripped = re.sub(f"[{_SOFT}]", "", stripped).translate(_TRANSLATE)
    return re.sub(r"[ \t\u2000-\u200a\u3000]+", " ", _accents(stripped)).strip(), dropped


def _accents(text: str) -> str:
    """Old TeX fonts draw `ö` as a mark and a letter; put the letter back together."""
    if not any(mark in text for mark in _SPACING_ACCENTS):
        return text

    def joined(found: re.Match[str]) -> str:
        before, mark, letter = found.groups()
        made = unicodedata.normalize("NFC", letter.replace("ı", "i") + _SPACING_ACCENTS[mark])
        return before + made if len(made) == 1 else found[0]

    return _ACCENT.sub(joined, text)


_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_LEFT = re.compile(r"((?:[^\W_]+-)*[^\W\d_][^\W_]*)-$")
_RIGHT = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")


_BEFORE = frozenset({"de", "dis", "re", "un", "in", "im", "en", "em", "com", "con", "per", "mis"})
_BEHIND = frozenset({
    "less", "wise", "like", "ness", "ment", "ments", "able", "ing", "ings", "ed", "er", "ers",
    "al", "ally", "ly", "est", "tion", "tions", "ism", "ist", "ists", "ful",
})  # fmt: skip
"""What is written close: `pair-wise` at a line's end is `pairwise`."""


LONGEST = 120
"""Characters at a line's end in which its last word is looked for."""


class Words:
    """The words that a document uses, whole and in compounds, and those of its language."""

    def __init__(self, lines: Iterable[str], language: str = "") -> None:
        self.language = language
        self.counts: Counter[str] = Counter()
        broken = False
        for text in lines:
            # Neither the piece before a line's last hyphen nor the piece after it is a word.
            found = [one[0].casefold() for one in _WORD.finditer(re.sub(r"[\w-]+-$", "", text))]
            self.counts.update(found[1:] if broken else found)
            broken = bool(_LEFT.search(text))

    def join(self, left: str, right: str) -> str:
        """Two lines as one: without the hyphen, with it, or with a blank between them."""
        if not left or not right:
            return left or right
        found = _LEFT.search(left, max(0, len(left) - LONGEST))
        start = _RIGHT.match(right)
        if not found or left.endswith("--"):
            glued = left[-1] in "-–—/" and len(left) > 1 and not left[-2].isspace()
            return left + right if glued else f"{left} {right}"
        if not start:
            return left + right
        return (left[:-1] if self.is_one(found[1], start[0]) else left) + right

    def is_one(self, left: str, right: str) -> bool:
        """Whether `left-right` is one word that the line end broke."""
        whole, compound = (left + right).casefold(), f"{left}-{right}".casefold()
        if self.counts[whole] or self.counts[compound]:
            return self.counts[whole] >= self.counts[compound]
        piece, rest = left.rpartition("-")[2], right.partition("-")[0]
        if piece != left and self.counts[piece.casefold()]:
            return False  # `state-of-the-art`: the word before the hyphen is whole
        if rest[0].isupper() and not piece.isupper():
            return False
        if len(piece) == 1:
            return piece.islower() and piece not in "aeioux"
        if self.counts[(piece + rest).casefold()] or self.known(piece + rest):
            return True
        return not self.are_two(piece.casefold(), rest.casefold())

    def are_two(self, piece: str, rest: str) -> bool:
        """Whether two halves of which nobody knows the whole are words of their own."""
        if piece in _BEFORE or rest in _BEHIND:
            return False
        if self.counts[piece] and self.counts[rest] and len(rest) > 1:
            return True
        return min(len(piece), len(rest)) > 3 and self.knows(piece) and self.knows(rest)

    def known(self, word: str) -> bool:
        """Whether the list of the document's language has a word."""
        return word.casefold() in lexicon.words(self.language)

    def knows(self, word: str) -> bool:
        """Whether the document or its language uses a word."""
        return bool(self.counts[word.casefold()]) or self.known(word)


_GLUED = re.compile(r"[^\W\d_]{16,}")


def parted(text: str, words: Words) -> str:
    """A line with its blanks back where a PDF sets words so close that they read as one.

    Only a run of sixteen letters or more is looked at, and only three words or more that the
    document or its language uses replace it: two would also part `overparameterised`.
    """
    return _GLUED.sub(lambda found: _parts(found[0], words), text)


def _parts(run: str, words: Words) -> str:
    folded = run.casefold()
    if words.counts[folded] > 1 or len(folded) != len(run) or len(run) > 120 or words.known(run):
        return run
    best: list[tuple[int, int] | None] = [(0, 0)] + [None] * len(run)  # words so far, last start
    for end in range(1, len(run) + 1):
        for start in range(max(0, end - 24), end):
            before = best[start]
            piece = folded[start:end]
            known = words.counts[piece] > (len(piece) < 5) and (len(piece) > 1 or piece == "a")
            known = known or (len(piece) > 3 and words.known(piece))
            if before and known and (best[end] is None or before[0] + 1 < best[end][0]):  # type: ignore[index]
                best[end] = (before[0] + 1, start)
    last = best[-1]
    if last is None or last[0] < 3:
        return run
    pieces, end = [], len(run)
    while end:
        start = best[end][1]  # type: ignore[index]
        pieces.append(run[start:end])
        end = start
    return " ".join(reversed(pieces))


_TORN = re.compile(r"(?<![\w-])([^\W\d_]{1,9}) ([^\W\d_]{2,14})(?![\w-])")


def torn(lines: Iterable[str], words: Words) -> bool:
    """Whether a document's words are torn so often that it is a fault of its font."""
    tokens = pairs = 0
    for line in lines:
        tokens += line.count(" ") + 1
        pairs += sum(_is_torn(one, words) for one in _TORN.finditer(line))
    return pairs > 20 and pairs > 0.01 * tokens


def mended(line: str, words: Words) -> str:
    """A line with its torn words whole: `b ound`, `mo dels`."""
    done = ""
    while done != line:  # `sp ectat or` takes two rounds
        done, line = line, _TORN.sub(
            lambda found: found[1] + found[2] if _is_torn(found, words) else found[0], line
        )  # fmt: skip
    return line


def _is_torn(found: re.Match[str], words: Words) -> bool:
    left, right = found[1].casefold(), found[2].casefold()
    if not words.known(left + right) or (left in ("a", "i") and words.known(right)):
        return False
    return not (words.known(left) and words.known(right))


def joined(lines: Sequence[str], words: Words) -> str:
    """The lines of one paragraph as one line."""
    text = ""
    for one in lines:
        text = words.join(text, one)
    return text


_NUMBER = re.compile(r"\W*(?:page\s*)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:of|/)\s*\d{1,4})?\W*", re.I)


def running(pages: Sequence[Sequence[str]], ends: Sequence[Iterable[int]] = ()) -> list[set[int]]:
    """For every page, which of its lines are running heads, feet or page numbers.

    The first and the last three lines of a page are looked at with their digits masked; what
    three pages in ten (and at least two) have in common is not text. Content streams put heads
    and feet at either end, whatever their place on the paper; those that do not have them among
    `ends`, the places of the lines that stand highest and lowest on each page.
    """
    seen: Counter[str] = Counter()
    edges = [_edges(lines) for lines in pages]
    looked = [sorted({*edge, *end}) for edge, end in zip(edges, ends or edges, strict=True)]
    for lines, places in zip(pages, looked, strict=True):
        seen.update({_masked(lines[place]) for place in places})
    needed = max(2, round(0.3 * len(pages)))
    dropped: list[set[int]] = []
    for lines, edge, places in zip(pages, edges, looked, strict=True):
        here = set()
        for place in places:
            mask = _masked(lines[place])
            repeated = seen[mask] >= needed and len(mask) > 1 and len(pages) > 1
            worded = place in edge or len(re.findall(r"[^\W\d_]", mask)) > 2
            if (repeated and worded) or (place in edge and _NUMBER.fullmatch(lines[place])):
                here.add(place)
        dropped.append(here if 2 * len(here) <= len(lines) else set())
    return dropped


def _edges(lines: Sequence[str]) -> list[int]:
    count = len(lines)
    return sorted({*range(min(3, count)), *range(max(count - 3, 0), count)})


def _masked(text: str) -> str:
    return re.sub(r"\d+", "#", text).casefold().strip()
