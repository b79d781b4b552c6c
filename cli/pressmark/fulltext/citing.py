"""A full text in; its reference list, and every sentence that cites an entry of it, out.

A converter links each mark in the text to its entry (`[[3](#ref-3)]`); here the links are read
again, so that one reading serves every form a text was made from. Offsets are code points of the
file, as everywhere: `file[start:end]` is the sentence as it stands there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pressmark import ids
from pressmark.fulltext import markdown as md
from pressmark.fulltext.reading import page_at, pages, section_at, sections
from pressmark.record import Work
from pressmark.text import fold


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of a reference list: its number, its words, and what it prints of identifiers."""

    number: int
    text: str
    identities: tuple[str, ...] = ()  # "doi:…", "arxiv:…", "pmid:…", "pmcid:…"


@dataclass(frozen=True, slots=True)
class CitingSentence:
    """A sentence that cites entry `number`: its plain words, and where it stands in the file."""

    number: int
    text: str
    section: str
    page: int | None
    start: int
    end: int


_LINE = re.compile(r'^\d+\. <a id="ref-(\d+)"></a>(.*)$', re.M)
_KINDS = frozenset({"doi", "arxiv", "pmid", "pmcid"})


def entries(body: str) -> list[Entry]:
    """The reference list of a text, in its order."""
    return [read_entry(int(found[1]), md.plain(found[2])) for found in _LINE.finditer(body)]


def read_entry(number: int, text: str) -> Entry:
    """An entry from its plain words."""
    text = " ".join(text.split())
    found = (str(one) for one in ids.find_all(text))
    kept = dict.fromkeys(one for one in found if one.partition(":")[0] in _KINDS)
    return Entry(number, text, tuple(kept))


def entries_of(work: Work, listed: Sequence[Entry]) -> list[Entry]:
    """The entries that are a work: one prints its identifier, else the words of its title.

    A title counts when it has three words or more, and the entry names the first author's family
    name or the year beside it: `Results` stands in many entries.
    """
    own = set(ids.identities(work))
    return [one for one in listed if own & set(one.identities) or _names(work, one)]


def _names(work: Work, entry: Entry) -> bool:
    title = _letters(work.title)
    if len(work.title.split()) < 3 or len(title) < 15:
        return False
    words = _letters(entry.text)
    if title not in words:
        return False
    family = _letters(work.authors[0].partition(",")[0].strip("{}")) if work.authors else ""
    return bool(family and family in words) or bool(work.year and work.year in entry.text)


def _letters(value: str) -> str:
    return re.sub(r"[\W_]+", "", fold(value))


def citing_sentences(
    text: str, cited: Work | None = None, *, begin: int = 0
) -> list[CitingSentence]:
    """Every sentence that cites an entry, one for each entry it cites, in the text's order.

    With `cited` only those that cite this work. The text is a full text's body, or its whole file
    with `begin` where the body begins (`reading.load` gives both); offsets count in what is given.
    """
    wanted: set[int] | None = None
    if cited is not None:
        wanted = {one.number for one in entries_of(cited, entries(text))}
        if not wanted:
            return []
    return list(_found(text, begin, wanted))


_CITING = re.compile(r"^.*\]\(#ref-\d+\).*$", re.M)


def _found(text: str, begin: int, wanted: set[int] | None) -> Iterator[CitingSentence]:
    held, marked = sections(text, begin), pages(text, begin)
    for line in _CITING.finditer(text, begin):
        if _LINE.match(line[0]):
            continue
        for start, end in sentences(line[0]):
            numbers = cited_numbers(line[0][start:end])
            kept = [one for one in numbers if wanted is None or one in wanted]
            if not kept:
                continue
            at = line.start() + start
            shown = " ".join(md.plain(line[0][start:end]).split())
            place = section_at(held, at), page_at(marked, at)
            for number in kept:
                yield CitingSentence(number, shown, *place, at, line.start() + end)


_LINK = re.compile(r"\[(?:\\.|[^\[\]\\])*\]\(#ref-(\d+)\)")
_RANGE = re.compile(r"\W{0,3}[–—⁻-]\W{0,3}")
LONGEST_RANGE = 60


def cited_numbers(markdown: str) -> list[int]:
    """The entries that links in a piece of text name; `[3]–[6]` names the two between as well."""
    numbers: list[int] = []
    before: re.Match[str] | None = None
    for found in _LINK.finditer(markdown):
        number = int(found[1])
        if before is not None and _RANGE.fullmatch(markdown, before.end(), found.start()):
            first = int(before[1]) + 1
            if first <= number <= first + LONGEST_RANGE:
                numbers += range(first, number)
        numbers.append(number)
        before = found
    return list(dict.fromkeys(numbers))


_MASKED = re.compile(
    r"\$\$[^$]+\$\$|(?<!\\)\$(?!\s)[^$]+?(?<!\\)\$|\[(?:\\.|[^\[\]\\])*\]\([^()\s]*\)|\[\^[\w-]+\]"
)
_END = re.compile(
    r"(?:[.!?…]+[\"'”’»)\[\]*\x01,–—⁰¹²³⁴⁵⁶⁷⁸⁹-]*\s+(?=[\"'“‘«(\[*_\x01\\]*(?:[^\W\d_a-z]|\d|\x01|$))"
    r"|[。！？]+)"
)
_SHORT = re.compile(
    r"(?:\b(?:al|e\.g|i\.e|cf|vs|ca|approx|resp|figs?|eqs?|eqns?|nos?|pp?|chs?|chap|secs?|vols?"
    r"|eds?|dr|prof|st|mr|mrs|ms|refs?|tab|sp|spp|var|inc|dept|suppl|et)|(?<!\w)(?-i:[A-Z]))$",
    re.I,
)


def sentences(line: str) -> list[tuple[int, int]]:
    """Where each sentence of a line of Markdown stands; the citations behind it belong to it."""
    flat = _MASKED.sub(lambda found: "\x01" * len(found[0]), line)
    spans, start = [], 0
    for found in _END.finditer(flat):
        stop = found.start()
        if found[0][0] == "." and _SHORT.search(flat, max(start, stop - 12), stop):
            continue
        spans.append((start, found.end()))
        start = found.end()
    spans.append((start, len(line)))
    return [trimmed for span in spans if (trimmed := _trimmed(line, *span))[0] < trimmed[1]]


def _trimmed(line: str, start: int, end: int) -> tuple[int, int]:
    piece = line[start:end]
    lead = len(piece) - len(piece.lstrip())
    return start + lead, start + max(lead, len(piece.rstrip()))
