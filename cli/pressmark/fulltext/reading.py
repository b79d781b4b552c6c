"""The body of a full text in; its sections, its pages, and windows of it with exact offsets out.

Offsets are code points of the body, so `body[start:end]` is what a window shows, and the
`next_offset` of one window is where the next begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from pressmark.errors import Ambiguous, BadInput, NotFound
from pressmark.fulltext import markdown as md
from pressmark.text import fold

FEWEST, MOST = 1_000, 40_000
"""The smallest and the largest window that may be asked for."""

_HEADING = re.compile(r"^(#{1,6})[ \t]+(.+?)[ \t]*$", re.M)
_FENCE = re.compile(r"^(`{3,})[^\n]*\n.*?^\1`*[ \t]*$", re.M | re.S)
_PAGE = re.compile(r"^<!-- page (\d+) -->$", re.M)
_NUMBER = re.compile(r"^(?:\d+(?:\.\d+)*[.)]?|[ivxlc]+[.)]|[a-z][.)])\s+")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and all that stands under it: `body[start:end]`."""

    level: int
    title: str  # as a reader sees it
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Window:
    """A part of the body: its text, where it stands, and where to read on."""

    text: str
    offset: int
    next_offset: int | None  # None at the end of what was asked for
    total: int  # the length of the whole body
    section: str = ""  # the section in which the window begins
    page: int | None = None  # the page on which it begins, where pages are marked


def sections(body: str) -> list[Section]:
    """Every heading in order; a section ends where one of its level or above begins."""
    fences = [found.span() for found in _FENCE.finditer(body)]
    found = [
        (len(one[1]), md.plain(one[2]).strip(), one.start())
        for one in _HEADING.finditer(body)
        if not any(start <= one.start() < end for start, end in fences)
    ]
    out = []
    for place, (level, title, start) in enumerate(found):
        after = (other for depth, _, other in found[place + 1 :] if depth <= level)
        out.append(Section(level, title, start, next(after, len(body))))
    return out


def pages(body: str) -> list[tuple[int, int, int]]:
    """`(number, start, end)` of every page that is marked, the mark left out."""
    marks = list(_PAGE.finditer(body))
    ends = [*(mark.start() for mark in marks[1:]), len(body)][: len(marks)]
    return [
        (int(mark[1]), mark.end() + 1, max(end, mark.end() + 1))
        for mark, end in zip(marks, ends, strict=True)
    ]


def window(body: str, offset: int = 0, chars: int = 8_000, *, end: int | None = None) -> Window:
    """What stands from an offset on; it ends with a paragraph where one ends near the limit."""
    stop = len(body) if end is None else min(end, len(body))
    if not 0 <= offset <= len(body):
        raise BadInput(
            f"Offset {offset} is outside the text, which has {len(body)} characters.",
            next="begin at 0, or at the next_offset of the window before",
        )
    size = min(max(chars, FEWEST), MOST)
    last = min(offset + size, stop)
    if last < stop:
        breaks = [body.rfind(mark, offset + size * 3 // 4, last) for mark in ("\n\n", "\n", " ")]
        last = next((place + 1 for place in breaks if place >= 0), last)
    return Window(
        text=body[offset:last],
        offset=offset,
        next_offset=last if last < stop else None,
        total=len(body),
        section=_section_at(body, offset),
        page=_page_at(body, offset),
    )


def section(body: str, title: str, chars: int = MOST, offset: int = 0) -> Window:
    """The section of this name: case, accents and its number do not matter."""
    found = find(body, title)
    start = offset if found.start <= offset < found.end else found.start
    return window(body, start, chars, end=found.end)


def page(body: str, number: int, chars: int = MOST, offset: int = 0) -> Window:
    """What begins on a page; a paragraph belongs to the page on which it begins."""
    marked = pages(body)
    span = next(((start, end) for one, start, end in marked if one == number), None)
    if span is None:
        if not marked:
            raise NotFound("This text has no pages: it was not made from a PDF.", next="--section")
        raise NotFound(f"There is no page {number}; the text has pages 1 to {marked[-1][0]}.")
    start = offset if span[0] <= offset < span[1] else span[0]
    return window(body, min(start, span[1]), chars, end=span[1])


def find(body: str, title: str) -> Section:
    """The one section that a title names: whole, else as a beginning, else as a part."""
    wanted = _bare(title)
    held = sections(body)
    for fits in (str.__eq__, str.startswith, str.__contains__) if wanted else ():
        hits = [one for one in held if fits(_bare(one.title), wanted)]
        if len(hits) > 1 and len({_bare(one.title) for one in hits}) > 1:
            names = tuple(one.title for one in hits)
            raise Ambiguous(f"{title!r} names {len(hits)} sections: {'; '.join(names)}.", names)
        if hits:
            return hits[0]
    raise NotFound(
        f"There is no section {title!r}.",
        next="one of: " + "; ".join(one.title for one in held[1:13]) if len(held) > 1 else None,
    )


def select(
    body: str,
    *,
    section: str | None = None,
    page: int | None = None,
    offset: int = 0,
    chars: int = 8_000,
) -> dict[str, object]:
    """The window that a command or an agent asks for, as plain data."""
    if section is not None and page is not None:
        raise BadInput("Ask for a section or for a page, not for both.")
    if section is not None:
        found = _by_section(body, section, chars, offset)
    elif page is not None:
        found = _by_page(body, page, chars, offset)
    else:
        found = window(body, offset, chars)
    return asdict(found)


_by_section, _by_page = section, page


def _bare(title: str) -> str:
    return _NUMBER.sub("", " ".join(fold(title).split())).strip(" .:")


def _section_at(body: str, offset: int) -> str:
    title = ""
    for one in sections(body):
        if one.start > offset:
            break
        title = one.title
    return title


def _page_at(body: str, offset: int) -> int | None:
    number = None
    for one, start, _ in pages(body):
        if start > offset:
            break
        number = one
    return number


def outline(body: str) -> Iterator[str]:
    """The headings, indented by level, for choosing a section."""
    for one in sections(body):
        yield f"{'  ' * (one.level - 1)}{one.title}"
