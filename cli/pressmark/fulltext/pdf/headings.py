"""Lines with their type in; which of them are headings, and of what level, out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from pressmark.fulltext.pdf.lines import Line

NAMED = re.compile(
    r"^(?:abstract|summary|keywords|(?:\d{1,2}\.?\s+|[IVX]{1,4}\.\s+)?(?:introduction|background|"
    r"related works?|methods?|materials? and methods|patients and methods|results?|discussion|"
    r"results and discussion|conclusions?|conclusions? and future work|concluding remarks|"
    r"future work|limitations|acknowledge?ments?(?: and [a-z]+)?|ethics(?: statement| approval)?|"
    r"funding(?: sources?| statement)?|appendix(?: [A-Z\d])?|appendices|references|bibliography|"
    r"literature cited|supporting information|supplementary (?:material|information)|"
    r"author(?:s?[’']?s?)? (?:contributions?|details|information)|abbreviations|declarations|"
    r"(?:competing|conflicts? of|conflicting|declaration of|financial) interests?|"
    r"disclosures?|consent for publication|data availability(?: statement)?|"
    r"availability of (?:data|data and materials?|supporting data)))\W*$",
    re.I,
)
"""Headings that stand for themselves, whatever their type."""

NUMBERED = re.compile(
    r"^(?:(?P<number>\d{1,2}(?:\.\d{1,2}){0,4})[.)]?|(?P<roman>[IVX]{1,5})\.|"
    r"(?P<letter>[A-Z](?:\.\d{1,2}){0,3})[.)]?)\s+(?P<title>\S.*)$"
)
_LETTERED = re.compile(r"^[A-Z](?:(?:\.\d{1,2})+|[.)])")
"""`A.`, not a sentence's first word: an italic quotation may begin with `I` or `A`."""
_APPENDIX = re.compile(r"^Appendix\b", re.I)
LONGEST = 140


def is_heading(line: Line, before: Line | None, body: float, *, plain: bool = False) -> bool:
    """Whether a line is set as a heading, or says that it is one.

    With `plain`, a number and a short title are enough: for documents in one face only.
    """
    text = line.text
    if not 2 < len(text) <= LONGEST or sum(char.isalpha() for char in text) < 3:
        return False
    if text[-1] in ",;" or text[0].islower() or re.search(r"[^\W\d_]-$", text):
        return False
    if NAMED.match(text) and (line.bold or line.size > body + 0.3 or len(text.split()) <= 4):
        return True
    numbered = NUMBERED.match(text)
    loud = is_loud(line, body)
    lettered = line.italic and bool(_LETTERED.match(text)) and len(text) < 80
    if (loud or lettered) and not line.lead:
        return _reads_as_title(text, numbered)
    return plain and bool(numbered) and _plain_number(line, before, numbered)


def is_loud(line: Line, body: float) -> bool:
    """Whether a line is set as headings are."""
    return line.size > body + 0.3 or (line.bold and line.size > body - 0.6)


def needs_plain(lines: Sequence[Line], body: float) -> bool:
    """Whether a document's numbered sections are set like its text: it has no louder ones."""
    loud = [line for line in lines if is_loud(line, body) and is_heading(line, None, body)]
    numbered = sum(number_depth(line.text) == 1 for line in loud)
    named = sum(bool(NAMED.match(line.text)) for line in loud)
    return numbered < 3 and named < 4


def _reads_as_title(text: str, numbered: re.Match[str] | None) -> bool:
    words = text.split()
    letters = sum(char.isalpha() or char.isspace() for char in text)
    if letters < 0.6 * len(text) or text.count(",") > 3 or len(words) > 18:
        return False
    if re.match(r"(?:Fig(?:ure)?|Table|Algorithm|Listing|Scheme)\.?\s+[\dIVXA-Z]", text):
        return False
    if re.match(r"\d+:|[•◦▪–—·■●∗*†‡]|(?:Input|Output|Require|Ensure)\b", text):
        return False
    if "@" in text or re.search(r"https?:|www\.|\[\d+\]|[=∑∫≤≥]", text):
        return False
    if numbered:
        return True
    worded = re.search(r"[^\W\d_]{4}", text) and (text[0].isalnum() or text[0] in "“\"'(§¿¡")
    return bool(worded) and (not re.search(r"[^.]\.$", text) or len(words) <= 6)


def _plain_number(line: Line, before: Line | None, found: re.Match[str] | None) -> bool:
    """A numbered title in the body's own type: short, a capital, and space above it."""
    if found is None or not (found["number"] or found["roman"]):
        return False
    title = found["title"]
    symbol = found["roman"] and re.match(r"[^\W\d_]{1,2}-[^\W\d_]|[^\W\d_][A-Z]", title)
    if len(title) > 60 or title[-1] in ".:?!" or "=" in title:
        return False
    if not title[0].isupper() and not symbol:  # `V. k-means`
        return False
    letters = sum(char.isalpha() or char.isspace() for char in title)
    if letters < 0.85 * len(title) or len(title.split()) > 9:
        return False
    ended = before is None or before.text[-1:] in ".!?:)]”" or before.page != line.page
    return ended and bool(re.search(r"[^\W\d_]{4}", title))


class Levels:
    """The level of each heading: by its number, else by the type that numbered ones have."""

    def __init__(self, headings: Sequence[Line]) -> None:
        self.by_style: dict[tuple[float, bool], int] = {}
        counted: dict[tuple[float, bool], Counter[int]] = {}
        for line in headings:
            depth = number_depth(line.text) or int(bool(NAMED.match(line.text)))
            if depth:
                counted.setdefault(_style(line), Counter())[depth + 1] += 1
        for style, counts in counted.items():
            self.by_style[style] = counts.most_common(1)[0][0]
        sizes = sorted({round(line.size) for line in headings}, reverse=True)
        self.by_size = {size: min(2 + place, 4) for place, size in enumerate(sizes)}

    def of(self, line: Line) -> int:
        """2 for a section, 3 for what is in it, …"""
        depth = number_depth(line.text)
        if depth:
            return min(depth + 1, 6)
        if NAMED.match(line.text) or _APPENDIX.match(line.text):
            return 2
        if self.by_style:
            return self.by_style.get(_style(line), 3)
        return self.by_size.get(round(line.size), 3)


def _style(line: Line) -> tuple[float, bool]:
    return round(line.size), line.bold


def number_depth(text: str) -> int:
    """How deep the number at the start of a heading goes; 0 without a number."""
    found = NUMBERED.match(text)
    if not found:
        return 0
    if found["number"]:
        return found["number"].count(".") + 1
    if found["roman"]:
        return 1
    return found["letter"].count(".") + 1 if "." in found["letter"] else 0
