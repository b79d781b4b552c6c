"""Markdown in; its prose blocks with their places, and the plain words a reader sees, out.

Tables, figures, captions, code, footnotes and the sections after the argument (acknowledgements,
funding, references …) are not prose: they are barriers that no passage crosses. A display formula
begins no passage, but may stand inside one; nor do the signs of one, or of a figure, that a printed
page gives as paragraphs of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from pressmark.index.markup import words
from pressmark.index.passage import FULLTEXT, NOTE


class Block(NamedTuple):
    """A stretch of prose in one section; an empty one (`start == end`) is a barrier."""

    section: str
    page: str
    start: int
    end: int


_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_PAGE = re.compile(r"\s*<!-- page (\S{1,12}) -->\s*$")
_COMMENT = re.compile(r"\s*<!--")
_MATH = re.compile(r"\s*\$\$(?:[^$]*(?:\$\$\s*)?)$")
"""A line that is a display formula, or opens or closes one; not a sentence with one inside."""

_RULE = re.compile(r" {0,3}([-*_=])(?:[ \t]*\1){2,}[ \t]*$")
_NOT_PROSE = re.compile(
    r"\s*(?:\|"  # a row of a table
    r"|!\[[^\]]*\]\([^)]*\)\s*$"  # a picture
    r"|!\[\[[^\]]*\]\]\s*$"  # an embedded file
    r"|\[\^[^\]\s]+\]:"  # a footnote's text
    r"|\[[^\]]+\]:\s*\S+"  # a link's target
    r"|</?(?:figure|figcaption|table|thead|tbody|tr|td|th|div|details|summary|img|svg|style|script)\b)",
    re.I,
)
_CAPTION = re.compile(
    r"(?i:\s*[*_]{0,3}(?:(?:extended data|supplementa(?:l|ry)|appendix|online)\s+)?"
    r"(?:fig(?:ure|\.)?|table|scheme|algorithm|listing|chart|plate|box|video|movie)\s*"
    r"[*_]{0,3}\s*(?:S?\d{1,3}(?:\.\d{1,3})?[a-z]?|[IVX]{1,5}\b)"
    # eLife's names of what belongs to a figure: `Figure 3—figure supplement 2.`
    r"(?:\s*[—–-]\s*(?:figure supplement|source (?:data|code)|video|animation)\s+\d{1,3})?)"
    r"\s*(?:(?:[*_]{0,3}\s*[.:|—–][*_]{0,3}|[*_]{1,3})(?:\s|$)"
    # Without a stop a name follows, where a sentence has its verb: `Figure 1 Overview of …`.
    r"|(?<=\s)[*_]{0,3}(?:[A-Z][a-z]{2,}|\([. ]*continued))"
)
_BACK_MATTER = re.compile(
    "|".join((
        r"acknowledge?ments?", r"funding", r"financial support", r"grants?",
        r"(?:authors?(?: s)? )?contributions?", r"credit author(?:ship)?.*",
        r"(?:conflicts?|declarations?) of (?:competing )?interests?", r"declarations?",
        r"competing (?:financial )?interests?", r"(?:financial )?disclosures?(?: statement)?",
        r"(?:data|code|software|materials?)(?: and \w+)? availability.*", r"availability of .*",
        r"ethic(?:s|al).*", r"consent (?:for|to) .*", r"supplement(?:ary|al) (?:material|info).*",
        r"supplement(?:ary|al)(?: data| files?)?", r"supporting information",
        r"additional information", r"open access", r"rights and permissions",
        r"publisher s note", r"references?(?: and notes)?", r"bibliography",
        r"(?:literature|works)(?: cited)?", r"(?:foot|end)?notes?", r"abbreviations",
        r"about the authors?", r"authors? (?:information|details|affiliations?)", r"orcid.*",
        r"article information", r"copyright.*",
    ))
)  # fmt: skip
_REFERENCES = re.compile(r"(?:references?|bibliography|works cited|literature cited|footnotes?)")
_TEMPLATE = re.compile(
    r"(?:©|\(c\) ?\d{4}|copyright\b|all rights reserved|this is an open[- ]access article"
    r"|this article is (?:protected|distributed|licen[cs]ed)|licen[cs]ee |published (?:online|by)\b"
    r"|received:? .{1,40}accepted|the authors? declares? (?:that )?(?:no|they have no)"
    r"|permission to make digital or hard copies|electronic supplementary material"
    r"|for (?:permissions|correspondence|reprints)|downloaded from|preprint\. under review"
    r"|(?:doi:?\s*)?(?:https?://\S+|10\.\d{4,9}/\S+)(?:\s*$|\s+cite this article)"
    r"|cite this article as)",
    re.I,
)
_TEMPLATE_LENGTH = 400
"""A longer paragraph that opens like a template says something of its own."""

_SEEN = 400
"""Characters of a paragraph by which it is told from the rows of a table."""
_FORMULA = re.compile(r"\$[^$]*\$")
_NO_LETTERS = re.compile(r"[\W\d_]+")
_NUMBER = re.compile(r"\S*\d\S*")


def blocks(text: str, kind: str, start: int = 0) -> Iterator[Block]:
    """The prose blocks of a file's text from `start` on, in order, barriers between them."""
    section, page, quiet = "", "", 0
    opened: tuple[int, int] | None = None  # the paragraph being read
    closing = ""  # what ends the code or formula being skipped
    place = start
    while place < len(text):
        stop = text.find("\n", place)
        stop = len(text) if stop < 0 else stop
        line, here, place = text[place:stop], place, stop + 1
        if closing:
            closing = "" if line.rstrip().endswith(closing) else closing
            continue
        heading = _HEADING.match(line)
        if not heading and _continues(line):
            opened = (opened[0] if opened else here + _indent(line), stop)
            continue
        if opened:
            yield from _prose(text, kind, quiet, Block(section, page, *opened))
            opened = None
        if heading:
            level, title = len(heading[1]), words(heading[2] or "")
            if quiet and level > quiet:
                continue
            quiet = level if _skipped(title, kind) else 0
            section = title
            yield Block(section, page, here, here)
        elif found := _PAGE.match(line):
            page = found[1]
        elif line.strip():
            closing = _closing(line)
            if not _COMMENT.match(line) and not _MATH.match(line):
                yield Block(section, page, here, here)
    if opened:
        yield from _prose(text, kind, quiet, Block(section, page, *opened))


def _continues(line: str) -> bool:
    """Whether a line is prose, alone or as a further line of its paragraph."""
    return not (
        not line.strip()
        or _NOT_PROSE.match(line)
        or _FENCE.match(line)
        or _COMMENT.match(line)
        or _MATH.match(line)
        or _RULE.match(line)
    )


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _closing(line: str) -> str:
    """What ends the block a line opens, when it does not end on the same line."""
    if fence := _FENCE.match(line):
        return fence[1][:3]
    stripped = line.strip()
    if _MATH.match(line):
        return "" if stripped.count("$$") > 1 else "$$"
    return "-->" if stripped.startswith("<!--") and "-->" not in stripped else ""


def _skipped(title: str, kind: str) -> bool:
    if kind == NOTE:
        return False
    plain = re.sub(r"[\W\d_]+", " ", title.casefold()).strip()
    pattern = _BACK_MATTER if kind == FULLTEXT else _REFERENCES
    return bool(pattern.fullmatch(plain))


def _prose(text: str, kind: str, quiet: int, block: Block) -> Iterator[Block]:
    """The block itself where it is prose of the argument, else a barrier."""
    if quiet:
        return
    shown = text[block.start : min(block.end, block.start + _SEEN)]
    if kind == FULLTEXT and (what := _figures(shown)):
        if what == "table":
            yield block._replace(end=block.start)
        return
    opening = shown[:80]
    if (kind != NOTE and _CAPTION.match(opening)) or (
        kind == FULLTEXT
        and block.end - block.start < _TEMPLATE_LENGTH
        and _TEMPLATE.match(words(opening))
    ):
        yield block._replace(end=block.start)
    else:
        yield block


def _figures(opening: str) -> str:
    """`table` where a paragraph is the rows of one, `signs` where it hardly has a letter."""
    said = _FORMULA.sub(" ", opening)
    parts = said.split()
    if len(parts) >= 12 and 2 * len(_NUMBER.findall(said)) >= len(parts):
        return "table"
    letters = len(_NO_LETTERS.sub("", said))
    return "signs" if parts and letters * 10 < 3 * len("".join(parts)) else ""
