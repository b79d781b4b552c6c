"""The lines of a document in; its reference list cut out, one entry each, with its labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pressmark.fulltext.clean import Words, joined
from pressmark.fulltext.pdf import unheaded
from pressmark.fulltext.pdf.headings import is_heading
from pressmark.fulltext.pdf.lines import Line

HEADING = re.compile(
    r"^\W*(?:\d{1,2}\.?\s+|[IVX]{1,5}\.\s+)?(?:references(?: and notes| cited)?|bibliography|"
    r"literature(?: cited)?|works cited|cited literature|literaturverzeichnis|literatur|"
    r"bibliographie|références|bibliografía|referencias|参考文献)[^\w)]*$",
    re.I,
)
_AFTER = re.compile(
    r"^\W*(?:appendix|appendices|supplement\w*|supporting information|acknowledge?ments?|"
    r"author contributions|figure captions?|biograph(?:y|ies))\b(?!.*\d{4}).{0,80}$",
    re.I,
)
_OWN = re.compile(r"^(?:doi:\s*10\.\S+\s+)?cite this article as\b", re.I)
"""How a paper is to be cited itself, in a box behind its list."""
_DOI = re.compile(r"(?:doi:\s*|https?://(?:dx\.)?doi\.org/)10\.\S+", re.I)
_FULL_NAME = re.compile(r"^(?:[^\W\d_][\w’'.()-]*\s*){1,5}$")
_LIVES = re.compile(
    r"^\s*(?:\([^()]{1,60}\)\s*)?(?:is an?\b|is the\b|received\b|was born\b|holds\b|obtained\b|"
    r"earned\b|graduated\b|joined\b)"
)
_BRACKET = re.compile(r"^\[(\d{1,3})\]\s*")
_ROUND = re.compile(r"^\((\d{1,3})\)\s+")
_DOTTED = re.compile(r"^(\d{1,3})\.?\s+(?=\S)")
_LABELS = (_BRACKET, _ROUND, _DOTTED)
FEWEST = 8
"""Entries of a list that no heading announces."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Which lines the list takes, its heading among them, and its entries."""

    lines: frozenset[int]
    entries: tuple[str, ...]
    labels: tuple[int, ...] = ()  # the number that each carries and that the text cites it by


def cut(lines: Sequence[Line], words: Words, body: float) -> Cut | None:
    """Find the list: the last own-line heading past the first third, else a run of labels."""
    headings = [
        at for at, line in enumerate(lines)
        if HEADING.match(line.text) and not line.text[:1].islower() and at * 3 >= len(lines)
    ]  # fmt: skip
    for at in reversed(headings):
        taken = _taken(lines, at + 1, body)
        found = _entries([lines[one] for one in taken], words)
        if len(found[0]) >= 2:
            return Cut(frozenset([at, *taken]), *found)
    return _unheaded(lines, words, body)


def _unheaded(lines: Sequence[Line], words: Words, body: float) -> Cut | None:
    """A list without a heading: eight numbers or more from 1 on, near the end, mostly with years.

    A short list, one that stands early, one without years and one that does not begin at 1 is a
    list of the text's own.
    """
    start = _run(lines)
    if start is None:
        return _named(lines, words)
    taken = _taken(lines, start, body)
    entries, labels = _entries([lines[one] for one in taken], words)
    dated = sum(bool(re.search(r"\b(?:1[89]|20)\d\d\b", entry)) for entry in entries)
    reaches = taken[-1] * 10 >= len(lines) * 9 if taken else False
    if len(labels) < FEWEST or not reaches or 2 * dated < len(entries):
        return None
    return Cut(frozenset(taken), entries, labels)


def _named(lines: Sequence[Line], words: Words) -> Cut | None:
    """A list by author and year, without numbers either, to the document's end."""
    start = unheaded.start(lines)
    if start is None:
        return None
    entries, labels = _entries(lines[start:], words)
    return Cut(frozenset(range(start, len(lines))), entries, labels)


def _taken(lines: Sequence[Line], start: int, body: float) -> list[int]:
    """The lines of the list; one that a box or a figure interrupts goes on at its next number."""
    end = _end(lines, start, body)
    taken = list(range(start, end))
    for pattern in _LABELS:
        numbers = [int(one[1]) for at in taken if (one := pattern.match(lines[at].text))]
        while len(numbers) >= 2 and (more := _next(lines, end, numbers[-1] + 1, pattern)):
            end = _end(lines, more, body)
            taken += range(more, end)
            numbers += [int(one[1]) for at in range(more, end)
                        if (one := pattern.match(lines[at].text))]  # fmt: skip
    return taken


def _next(lines: Sequence[Line], start: int, number: int, pattern: re.Pattern[str]) -> int | None:
    """Where the label `number` stands, with the one after it to follow."""
    places: dict[int, int] = {}
    for at in range(start, len(lines)):
        found = pattern.match(lines[at].text)
        if found:
            places.setdefault(int(found[1]), at)
    first, second = places.get(number), places.get(number + 1)
    return first if first is not None and second is not None and first < second else None


def _end(lines: Sequence[Line], start: int, body: float) -> int:
    """The first line after the list: an own-line heading, never a word inside an entry."""
    list_size = lines[start].size if start < len(lines) else body
    for at in range(start + 1, len(lines)):
        line = lines[at]
        if _AFTER.match(line.text) and (line.bold or len(line.text.split()) <= 4):
            return at
        if _is_life(line):
            return at
        if _OWN.match(line.text):
            return at - 1 if _DOI.fullmatch(lines[at - 1].text) and at > start + 1 else at
        loud = line.size > max(list_size, body) + 0.8 or (line.bold and not lines[start].bold)
        if loud and not line.lead and is_heading(line, lines[at - 1], max(list_size, body)):
            return at
    return len(lines)


def _is_life(line: Line) -> bool:
    """Whether an author's short biography begins here: a name in bold, and what they are."""
    rest = line.text[len(line.lead) :]
    return bool(line.lead) and bool(_FULL_NAME.match(line.lead) and _LIVES.match(rest))


def _run(lines: Sequence[Line]) -> int | None:
    """The start of the longest rising run of labels `[1] [2] …` in the second half."""
    starts = [
        at for at, line in enumerate(lines) if re.match(r"^\[1\]|^1\.\s", line.text)
        and at * 2 >= len(lines)
    ]  # fmt: skip
    best: tuple[int, int] = (0, 0)
    for start in starts:
        pattern = _BRACKET if lines[start].text.startswith("[") else _DOTTED
        length = len(_rising(lines[start:], pattern))
        best = max(best, (length, start))
    return best[1] if best[0] >= FEWEST else None


def _rising(lines: Sequence[Line], pattern: re.Pattern[str]) -> list[int]:
    """The places of labels 1, 2, 3, …; a gap of a few numbers is a label that was not read."""
    places: list[int] = []
    wanted = 1
    for at, line in enumerate(lines):
        found = pattern.match(line.text)
        number = int(found[1]) if found else 0
        if wanted <= number <= wanted + (2 if places else 0):
            places.append(at)
            wanted = number + 1
    return places


def _entries(lines: Sequence[Line], words: Words) -> tuple[tuple[str, ...], tuple[int, ...]]:
    for pattern in _LABELS:
        places = _rising(lines, pattern)
        if len(places) >= 3 and places[0] <= 3 and len(places) * 12 > len(lines):
            texts = [pattern.sub("", text, count=1) for text in _slices(lines, places, words)]
            found = [(int(one[1]), text) for at, text in zip(places, texts, strict=True)
                     if (one := pattern.match(lines[at].text)) and len(text) > 3]  # fmt: skip
            return tuple(text for _, text in found), tuple(number for number, _ in found)
    return tuple(one for one in _slices(lines, _hanging(lines), words) if len(one) > 3), ()


def _slices(lines: Sequence[Line], places: Sequence[int], words: Words) -> list[str]:
    ends = [*places[1:], len(lines)] if places else []  # a heading with nothing below it
    parts = zip(places, ends, strict=True)
    return [joined([line.text for line in lines[a:b]], words) for a, b in parts]


def _hanging(lines: Sequence[Line]) -> list[int]:
    """Entries without labels: a hanging indent shows them, else a full stop and a name."""
    lefts = _lefts(lines)
    by_place = [at for at, line in enumerate(lines) if _is_left(line, lefts)]
    if len(lines) > 4 and 2 <= len(by_place) <= 0.75 * len(lines):
        return by_place if by_place[0] == 0 else [0, *by_place]
    places = [0] if lines else []
    for at in range(1, len(lines)):
        before = lines[at - 1].text
        if re.search(r"[.)\]]$|\d$", before) and _NAME.match(lines[at].text):
            places.append(at)
    return places


_NAME = re.compile(r"^[^\W\d_][\w’'.-]*(?:\s+[^\W\d_][\w’'.-]*){0,4}(?:,|\s+[A-Z]{1,3}\b|\.|\s\()")


def _lefts(lines: Sequence[Line]) -> list[float]:
    """The left edges of the columns of the list."""
    places = sorted({round(line.x) for line in lines})
    lefts: list[float] = []
    for place in places:
        count = sum(abs(line.x - place) <= 1.5 for line in lines)
        if count >= 2 and (not lefts or place - lefts[-1] > 60):
            lefts.append(place)
    return lefts


def _is_left(line: Line, lefts: Sequence[float]) -> bool:
    return any(abs(line.x - left) <= 2.5 for left in lefts)
