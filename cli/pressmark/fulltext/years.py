"""A reference list and running text in; where the text cites by author and year, and which entry.

`(Devlin et al., 2019; see Radford and Wu 2018a,b)` and `Devlin et al. (2019)`: a mark counts only
when one entry alone answers to its names and its year, so that a date in the text is never a
citation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pressmark.text import fold

_PARTICLE = r"(?:(?:van|von|der|den|de|di|da|dos|du|la|le|el|al|bin|ter|ten)\s+)*"
_NAME = rf"(?:{_PARTICLE}[^\W\d_a-z][\w’'´`-]*[^\W\d_])"
_AND = r"(?:,?\s+(?:and|&|und|et|y)\s+|\s*&\s*)"
_NAMES = (
    rf"(?P<first>{_NAME})(?P<more>(?:,\s+{_NAME})*)"
    rf"(?:{_AND}(?P<last>{_NAME})|(?P<etal>,?\s+(?:et\s+al|and\s+(?:others|colleagues))\b\.?))?"
)
_YEAR = r"(?:1[89]|20)\d\d[a-z]?"
_MARK = re.compile(
    rf"(?<![\w’'-]){_NAMES}(?:[’']s?)?,?\s*[(\[]?\s*"
    rf"(?P<years>{_YEAR}(?:\s*[,;&]\s*(?:{_YEAR}|[a-z])(?![\w-]))*)(?![\w-])"
)
_EACH = re.compile(rf"{_YEAR}|(?<=[,;&\s])[a-z]\b")
HEAD = 240
"""Characters of an entry in which its authors are looked for."""


@dataclass(frozen=True, slots=True)
class _Entry:
    number: int
    years: frozenset[str]
    first: frozenset[str]  # the words of its first author's name
    names: frozenset[str]  # the words that its authors may be among
    many: bool  # whether it has more than two authors


@dataclass
class AuthorYears:
    """The entries of a reference list, ready to be found by author and year."""

    entries: Sequence[str]
    _by_year: dict[str, list[_Entry]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        for number, text in enumerate(self.entries, 1):
            entry = _read(number, text)
            for year in entry.years:
                self._by_year.setdefault(year, []).append(entry)

    def find(self, text: str) -> Iterator[tuple[int, int, int]]:
        """`(start, end, entry)` of every year in the text that cites an entry."""
        if not self._by_year:
            return
        for mark in _MARK.finditer(text):
            year = ""
            for each in _EACH.finditer(text, mark.start("years"), mark.end("years")):
                # `2018a,b`: a letter alone goes with the year before it.
                year = each[0] if each[0][0].isdigit() else year[:4] + each[0]
                number = self._one(mark, year)
                if number:
                    yield each.start(), each.end(), number

    def _one(self, mark: re.Match[str], year: str) -> int:
        """The entry that the names and the year mean; 0 when none or several do."""
        last = _words(mark["last"] or "")
        # `In Methods, Moss and Bryl (2019)`: a capital before a name is no author.
        heads = [mark["first"], *re.split(r",\s+", mark["more"] or "")]
        for head in dict.fromkeys(one for one in heads if one):
            first = _words(head)
            found = [one for one in self._dated(year) if first <= one.first and last <= one.names]
            if len(found) > 1:
                found = _narrowed(found, single=not last and not mark["etal"])
            if len(found) == 1:
                return found[0].number
        return 0

    def _dated(self, year: str) -> list[_Entry]:
        exact = self._by_year.get(year, [])
        return exact or (self._by_year.get(year[:4], []) if len(year) == 5 else [])


def _narrowed(found: list[_Entry], *, single: bool) -> list[_Entry]:
    """Of entries with one first author and year, those with as many authors as the mark says."""
    if single:
        alone = [one for one in found if len(one.names) <= 4 and not one.many]
        return alone or found
    return [one for one in found if one.many] or found


def _read(number: int, text: str) -> _Entry:
    years = re.findall(rf"(?<![\w.:/-]){_YEAR}(?![\w-])", text)
    # The year is the first in most styles, the last in the others; a title may hold a third.
    kept = frozenset(year for year in years)
    stop = re.search(r"[(\s]\(?(?:1[89]|20)\d\d[a-z]?\)?[.,:]", text[:HEAD])
    head = text[: stop.start()] if stop else text[:HEAD]
    authors = re.split(r"[,;]|\s(?:and|&|und|et|y)\s|\(|[“\"]", head)
    first = _words(authors[0] if authors else "")
    quoted = re.split(r"[“\"]", head)[0]
    commas = len(re.findall(r",\s|\s(?:and|&)\s", quoted))
    return _Entry(number, kept, first, _words(head), "et al" in head or commas > 2)


def _words(value: str) -> frozenset[str]:
    owner = re.sub(r"[’'´`]s\b", "", value)
    return frozenset(re.findall(r"[^\W\d_]+", fold(owner)))
