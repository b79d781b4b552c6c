"""Words and a full text in; where the words stand in it, however the text was extracted, out.

Both are brought to plain letters first: typography, ligatures, hyphens at line ends, markup and
white space never matter. What is not there letter by letter is looked for where its words are
densest and aligned there, so that the time grows with the length of the text and no faster.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pressmark.notes.anchor import CONTEXT, Anchor
from pressmark.text import fold

ENOUGH = 70.0
"""The similarity, of 100, from which words count as found again.

115 sentences of 23 papers are found at 70 and more in another program's extraction; 367 sentences
of other papers reach 61 at most (docs/decisions/0027-quotations.md).
"""

FEW, ENOUGH_OF_FEW = 40, 90.0
"""So few letters resemble something everywhere, and must be nearly the same."""

SURE = 97.0
"""From here the difference is one of letters that were read differently."""

_PAGE = re.compile(r"<!-- page (\S{1,12}) -->")
_SKIPPED = re.compile(
    r"<!--.*?-->"  # marks of ours
    r"|\]\([^()\s]*\)"  # a link's target
    r"|\[\^[^\]\s]{1,40}\]",  # a footnote's mark
    re.S,
)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$", re.M)
_WORD = re.compile(r"[^\W_]+")
_WINDOWS = 4
_SHORT = 3
_PART = 20
"""Letters up to which only whole words count, all the same: `art` does not stand in `particle`."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a quotation stands: code points of the text, similarity of 0 to 100, and its names."""

    start: int
    end: int
    score: float
    exact: str
    prefix: str
    suffix: str
    page: str
    section: str
    paragraph: str

    def anchor(self, reference: str = "", comment: str = "") -> Anchor:
        """The anchor that finds this place again."""
        return Anchor(
            reference=reference, exact=self.exact, prefix=self.prefix, suffix=self.suffix,
            page=self.page, section=self.section, paragraph=self.paragraph, comment=comment,
        )  # fmt: skip


class Text:
    """A full text that quotations are looked for in; made once for many of them."""

    def __init__(self, body: str) -> None:
        self.body = body
        self.plain, self._from = _letters(body)

    def find(self, anchor: Anchor, least: float | None = None) -> Place | None:
        """The best place for an anchor's words, its context deciding between equals."""
        wanted = _letters(anchor.exact)[0]
        if not wanted:
            return None
        if least is None:
            least = ENOUGH if len(wanted) > FEW else ENOUGH_OF_FEW
        before, after = (_letters(each)[0] for each in (anchor.prefix, anchor.suffix))
        found = list(self._whole(wanted))
        if not found and len(wanted) > _PART:
            found = self._near(wanted, least)
        if not found:
            return None

        def rank(place: tuple[int, int, float]) -> tuple[float, float, bool, int]:
            start, end, score = place
            near = self._context(start, end, before, after)
            same = bool(anchor.page) and self.page(self._from[start]) == anchor.page
            return score, near, same, -start

        return self._place(max(found, key=rank))

    def places(self, words: str, least: float | None = None) -> list[Place]:
        """Every place where the words stand as they are, else the one most like them."""
        wanted = _letters(words)[0]
        found = list(self._whole(wanted)) if wanted else []
        if found:
            return [self._place(each) for each in found]
        near = self.find(Anchor(exact=words), least)
        return [near] if near else []

    def page(self, offset: int) -> str:
        """The page that a place is on, empty where the text has no page marks before it."""
        place = bisect_right(self._pages[0], offset)
        return self._pages[1][place - 1] if place else ""

    def section(self, offset: int) -> tuple[str, str]:
        """The heading that a place is under, and the number of its paragraph below it."""
        place = bisect_right(self._headings[0], offset)
        start = self._headings[2][place - 1] if place else 0
        title = self._headings[1][place - 1] if place else ""
        before = re.sub(r"<!--.*?-->", "", self.body[start:offset], flags=re.S)
        blocks = [each for each in re.split(r"\n\s*\n", before)[:-1] if each.strip()]
        return title, str(len(blocks) + 1)

    def _whole(self, wanted: str) -> Iterator[tuple[int, int, float]]:
        """Where the letters stand one by one, from the beginning of a word to the end of one."""
        place = self.plain.find(wanted)
        while place >= 0:
            end = place + len(wanted)
            if len(wanted) > _PART or self._bounded(place, end):
                yield place, end, 100.0
            place = self.plain.find(wanted, place + 1)

    def _bounded(self, start: int, end: int) -> bool:
        """Whether letters are whole words of the text and no part of longer ones."""
        first, last = self._from[start], self._from[end - 1]
        before, after = self.body[max(0, first - 1) : first], self.body[last + 1 : last + 2]
        return not before.isalnum() and not after.isalnum()

    def _near(self, wanted: str, least: float) -> list[tuple[int, int, float]]:
        """Where something like the letters stands."""
        from rapidfuzz import fuzz

        found = []
        for low, high in self._windows(wanted):
            window = self.plain[low:high]
            hit = fuzz.partial_ratio_alignment(wanted, window, score_cutoff=least)
            if hit and hit.dest_end > hit.dest_start:
                found.append((low + hit.dest_start, low + hit.dest_end, round(hit.score, 1)))
        return found

    def _windows(self, wanted: str) -> Iterator[tuple[int, int]]:
        """The stretches in which most of the words' own pieces stand."""
        size = min(6, max(_SHORT, len(wanted) // 4))
        width = len(wanted) + 40
        votes: Counter[int] = Counter()
        for at in range(0, max(1, len(wanted) - size + 1), 2):
            for place in self._grams(size).get(wanted[at : at + size], ())[:200]:
                votes[(place - at) // width] += 1
        best = [bucket for bucket, _ in votes.most_common(_WINDOWS)]
        for bucket in best:
            low = max(0, bucket * width - width // 2)
            yield low, min(len(self.plain), (bucket + 2) * width + width // 2)

    def _grams(self, size: int) -> dict[str, list[int]]:
        held = self._indexes.get(size)
        if held is None:
            held = {}
            plain = self.plain
            for at in range(len(plain) - size + 1):
                held.setdefault(plain[at : at + size], []).append(at)
            self._indexes[size] = held
        return held

    @cached_property
    def _indexes(self) -> dict[int, dict[str, list[int]]]:
        return {}

    def _context(self, start: int, end: int, before: str, after: str) -> float:
        """How well the words around a place are those that stood around it, 0 to 200."""
        if not before and not after:
            return 0.0
        from rapidfuzz import fuzz

        near = self.plain[max(0, start - len(before)) : start]
        return fuzz.ratio(before, near) + fuzz.ratio(after, self.plain[end : end + len(after)])

    def _place(self, hit: tuple[int, int, float]) -> Place:
        start, end = self._from[hit[0]], self._from[hit[1] - 1] + 1
        start, end = self._to_words(start, end)
        section, paragraph = self.section(start)
        return Place(
            start, end, hit[2], _shown(self.body[start:end]),
            _shown(self.body[max(0, start - 2 * CONTEXT) : start])[-CONTEXT:].lstrip(),
            _shown(self.body[end : end + 2 * CONTEXT])[:CONTEXT].rstrip(),
            self.page(start), section, paragraph,
        )  # fmt: skip

    def _to_words(self, start: int, end: int) -> tuple[int, int]:
        """A place that neither begins nor ends inside a word, with its closing punctuation."""
        body = self.body
        while start > 0 and body[start - 1].isalnum() and body[start].isalnum():
            start -= 1
        while end < len(body) and body[end].isalnum() and body[end - 1].isalnum():
            end += 1
        while end < len(body) and body[end] in ".!?…)%":
            end += 1
        return start, end

    @cached_property
    def _pages(self) -> tuple[list[int], list[str]]:
        found = list(_PAGE.finditer(self.body))
        return [each.end() for each in found], [each[1] for each in found]

    @cached_property
    def _headings(self) -> tuple[list[int], list[str], list[int]]:
        found = list(_HEADING.finditer(self.body))
        titles = [_shown(each[1]) for each in found]
        return [each.start() for each in found], titles, [each.end() for each in found]


def _letters(text: str) -> tuple[str, Sequence[int]]:
    """The letters and digits of a text, folded, and where in it each one stands."""
    out: list[str] = []
    places: list[int] = []
    at = 0
    for gap in (*_SKIPPED.finditer(text), None):
        stop = gap.start() if gap else len(text)
        for found in _WORD.finditer(text, at, stop):
            word = found.group()
            if word.isascii():
                out.append(word.lower())
                places.extend(range(found.start(), found.end()))
                continue
            for offset, char in enumerate(word, found.start()):
                plain = "".join(filter(str.isalnum, fold(unicodedata.normalize("NFKC", char))))
                out.append(plain)
                places.extend([offset] * len(plain))
        at = gap.end() if gap else stop
    return "".join(out), places


def _shown(text: str) -> str:
    """A stretch of the text as it is quoted: the words a reader sees, on one line."""
    from pressmark.index.markup import words

    parted = re.sub(r"(?<=[^\W\d_])[-\u2010]\s*\n\s*(?=[^\W\d_])", "", text)
    return words(parted)


def fastened(anchor: Anchor, text: Text) -> Anchor | None:
    """An anchor with the place its words have in a text; None where they are not there."""
    place = text.find(anchor)
    if place is None:
        return None
    found = place.anchor(anchor.reference, anchor.comment)
    return replace(found, page=found.page or anchor.page, extra=anchor.extra)
