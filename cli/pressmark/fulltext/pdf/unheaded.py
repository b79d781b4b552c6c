"""The lines of a document in; where a list by author and year begins that no heading names, out.

Recognised only by all of its marks together: a hanging indent without a line of prose between,
names in front, years in nearly every entry, alphabetical order, eight entries at least, in the
second half and to the end. Prose that cites, or a list of another kind, lacks one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from pressmark.fulltext.pdf.lines import Line
from pressmark.text import fold

FEWEST = 8
SURE = 4
"""Entries at the start that must be told by a name and a year, without exception."""

NEAR = 60
"""Lines before it by which the edges of the column before are told."""

INDENT = (3, 60)
"""Points by which the further lines of an entry stand in."""

_NAME = re.compile(
    r"^(?:[a-z’']{1,4}\s){0,2}[^\W\d_a-z][\w’'.-]*(?:\s+[^\W\d_][\w’'.-]*){0,6}"
    r"(?:,|\.|\s+[A-Z]{1,3}\b|\s\(|\s(?:and|&)\s)"
)
_YEAR = re.compile(r"(?<!\d)(?:1[89]|20)\d\d[a-z]?(?!\d)")


def start(lines: Sequence[Line]) -> int | None:
    """The place of its first line; None where there is no such list."""
    half = len(lines) // 2
    opening = {at for at in range(half, len(lines)) if _opens(lines, at)}
    if len(opening) < FEWEST:
        return None
    for at in sorted(opening):
        lefts = _lefts(lines[at:])
        if _within(lines[at], lefts) or _goes_on(lines, at, opening, lefts):
            continue
        places = _run(lines, at, opening, lefts)
        if len(places) >= FEWEST and _sorted(lines, places):
            return at
    return None


def _lefts(lines: Sequence[Line]) -> list[int]:
    """The left edges of the columns that these lines are set in."""
    count = Counter(round(line.x) for line in lines)
    found: list[int] = []
    for place in sorted(count):
        near = sum(number for other, number in count.items() if abs(other - place) <= 1)
        if near * 20 >= len(lines) and (not found or place - found[-1] > INDENT[1]):
            found.append(place)
    return found


def _opens(lines: Sequence[Line], at: int) -> bool:
    """Whether an entry can begin here: a name, and a year within four lines."""
    if not _NAME.match(lines[at].text):
        return False
    return bool(_YEAR.search(" ".join(line.text for line in lines[at : at + 4])))


def _within(line: Line, lefts: Sequence[int]) -> bool:
    return any(INDENT[0] <= line.x - left <= INDENT[1] for left in lefts)


def _goes_on(lines: Sequence[Line], at: int, opening: set[int], lefts: Sequence[int]) -> bool:
    """Whether the line before belongs to an entry too: a list is not taken from its middle."""
    before = lines[max(0, at - NEAR) : at]
    return bool(before) and (at - 1 in opening or _within(before[-1], [*lefts, *_lefts(before)]))


def _run(lines: Sequence[Line], at: int, opening: set[int], lefts: Sequence[int]) -> list[int]:
    """Where the entries of a list that begins here do, if it goes on to the last line.

    One in ten may begin with no name that we know as one, but none of the first.
    """
    places, odd = [at], 0
    for here in range(at + 1, len(lines)):
        if _within(lines[here], lefts):
            continue
        if here not in opening:
            odd += 1
            if len(places) < SURE or odd * 10 > len(lines) - at:
                return []
        places.append(here)
    return places if odd * 10 <= len(places) else []


def _sorted(lines: Sequence[Line], places: Sequence[int]) -> bool:
    """Whether nine of ten follow the one before in the alphabet, and nine of ten are dated."""
    ends = [*places[1:], len(lines)]
    entries = [" ".join(line.text for line in lines[a:b])
               for a, b in zip(places, ends, strict=True)]  # fmt: skip
    dated = sum(bool(_YEAR.search(entry)) for entry in entries)
    firsts = [re.split(r",|\s(?:and|&)\s|\(|\.?\s*(?:1[89]|20)\d\d", one)[0] for one in entries]
    words = [re.findall(r"[^\W\d_]{2,}", fold(first)) or [""] for first in firsts]
    # `Bryl, T.` and `Bryl T` by the first word, `Tomasz Bryl` and `T. Bryl` by the last.
    ordered = max(_rising([each[at] for each in words]) for at in (0, -1))
    return ordered * 10 >= (len(places) - 1) * 9 and dated * 10 >= len(places) * 9


def _rising(names: Sequence[str]) -> int:
    return sum(one <= two for one, two in pairwise(names))
