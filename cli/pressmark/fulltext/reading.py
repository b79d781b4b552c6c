"""A full text in; its sections, its pages, and windows of it with exact offsets out.

Offsets are code points of the file's LF text, its front matter counted, as those of passages are:
`text[start:end]` is what a window shows, and the `next_offset` of one is where the next begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from pressmark.errors import Ambiguous, BadInput, FormatMissing, NotFound
from pressmark.fulltext import markdown as md
from pressmark.text import fold

if TYPE_CHECKING:
    from pressmark.library import Library

FEWEST, WINDOW, MOST = 1_000, 8_000, 40_000
"""The smallest window that may be asked for, the usual one, and the largest."""

_HEADING = re.compile(r"^(#{1,6})[ \t]+(.+?)[ \t]*$", re.M)
_FENCE = re.compile(r"^(`{3,})[^\n]*\n.*?^\1`*[ \t]*$", re.M | re.S)
_PAGE = re.compile(r"^<!-- page (\d+) -->$", re.M)
_NUMBER = re.compile(r"^(?:\d+(?:\.\d+)*[.)]?|[ivxlc]+[.)]|[a-z][.)])\s+")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and all that stands under it: `text[start:end]`."""

    level: int
    title: str  # as a reader sees it
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a full text: its words, where they stand, and where to read on."""

    text: str
    offset: int
    end: int  # `file[offset:end]` is the text
    next_offset: int | None  # None at the end of what was asked for
    total: int  # the length of the whole file
    has_more: bool
    section: str = ""  # the section in which the window begins
    page: int | None = None  # the page on which it begins, where pages are marked
    page_range: tuple[int, ...] = ()  # its first and its last page
    total_pages: int | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """The file of a full text: its LF text, and where its body begins."""

    path: str
    text: str
    start: int = 0
    source: str | None = None

    @property
    def body(self) -> str:
        """The text without the front matter."""
        return self.text[self.start :]

    def sections(self) -> list[Section]:
        """Every heading in order."""
        return sections(self.text, self.start)

    def pages(self) -> list[tuple[int, int, int]]:
        """`(number, start, end)` of every page that is marked."""
        return pages(self.text, self.start)

    def window(
        self,
        *,
        section: str | None = None,
        page: int | None = None,
        offset: int | None = None,
        chars: int = WINDOW,
    ) -> Window:
        """The window that is asked for: of a section, of a page, or from an offset on."""
        return _window(self.text, self.start, section, page, offset, chars)


def load(library: Library, key: str) -> Document:
    """The full text of a reference; FormatMissing where it has none. Nothing is fetched."""
    from pressmark import page as files
    from pressmark.catalogue import layout
    from pressmark.record import FullText

    path = library.artefact(key, "text")
    if path is None:
        raise FormatMissing(
            f"{key} has no full text in the library.", next=f"pressmark fetch {key}"
        )
    relative = layout.beside(library.path(key))
    data = library.read_page(relative)
    body = files.parse(data, relative).body
    text = data.decode().removeprefix("\ufeff").replace("\r\n", "\n")
    source = files.read(FullText, data, relative).source
    return Document(relative, text, len(text) - len(body), source)


def sections(text: str, begin: int = 0) -> list[Section]:
    """Every heading in order; a section ends where one of its level or above begins."""
    fences = [found.span() for found in _FENCE.finditer(text, begin)]
    found = [
        (len(one[1]), md.plain(one[2]).strip(), one.start())
        for one in _HEADING.finditer(text, begin)
        if not any(start <= one.start() < end for start, end in fences)
    ]
    out = []
    for place, (level, title, start) in enumerate(found):
        after = (other for depth, _, other in found[place + 1 :] if depth <= level)
        out.append(Section(level, title, start, next(after, len(text))))
    return out


def pages(text: str, begin: int = 0) -> list[tuple[int, int, int]]:
    """`(number, start, end)` of every page that is marked, the mark left out."""
    marks = list(_PAGE.finditer(text, begin))
    ends = [*(mark.start() for mark in marks[1:]), len(text)][: len(marks)]
    return [
        (int(mark[1]), mark.end() + 1, max(end, mark.end() + 1))
        for mark, end in zip(marks, ends, strict=True)
    ]


def window(
    text: str, offset: int = 0, chars: int = WINDOW, *, end: int | None = None, begin: int = 0
) -> Window:
    """What stands from an offset on; it ends with a paragraph where one ends near the limit."""
    stop = len(text) if end is None else min(end, len(text))
    if not 0 <= offset <= len(text):
        raise BadInput(
            f"Offset {offset} is outside the text, which has {len(text)} characters.",
            next="begin at 0, or at the next_offset of the window before",
        )
    if chars < 1:
        raise BadInput("A window has at least one character.", next=f"--chars {WINDOW}")
    offset = max(offset, begin)
    size = min(max(chars, FEWEST), MOST)
    last = min(offset + size, stop)
    if last < stop:
        breaks = [text.rfind(mark, offset + size * 3 // 4, last) for mark in ("\n\n", "\n", " ")]
        last = next((place + 1 for place in breaks if place >= 0), last)
    marked = pages(text, begin)
    first, final = page_at(marked, offset), page_at(marked, max(last - 1, offset))
    return Window(
        text=text[offset:last], offset=offset, end=last,
        next_offset=last if last < stop else None, total=len(text), has_more=last < stop,
        section=section_at(sections(text, begin), offset), page=first,
        page_range=(first or 1, final) if final else (),
        total_pages=marked[-1][0] if marked else None,
    )  # fmt: skip


def section(
    text: str, title: str, chars: int = MOST, offset: int | None = None, *, begin: int = 0
) -> Window:
    """The section of this name: case, accents and its number do not matter."""
    found = find(text, title, begin)
    start = _inside(offset, found.start, found.end, f"the section {found.title!r}")
    return window(text, start, chars, end=found.end, begin=begin)


def page(
    text: str, number: int, chars: int = MOST, offset: int | None = None, *, begin: int = 0
) -> Window:
    """What begins on a page; a paragraph belongs to the page on which it begins."""
    marked = pages(text, begin)
    span = next(((start, end) for one, start, end in marked if one == number), None)
    if span is None:
        if not marked:
            raise BadInput("This text has no pages: it was not made from a PDF.", next="--section")
        raise NotFound(f"There is no page {number}; the text has pages 1 to {marked[-1][0]}.")
    start = _inside(offset, *span, f"page {number}")
    return window(text, min(start, span[1]), chars, end=span[1], begin=begin)


def _inside(offset: int | None, start: int, end: int, name: str) -> int:
    """Where to begin in a part: at its start, or at an offset in it."""
    if offset is None:
        return start
    if not start <= offset <= end:
        raise BadInput(
            f"Offset {offset} is outside {name}, which is {start} to {end}.",
            next="leave it out, or give the next_offset of the window before",
        )
    return offset


def find(text: str, title: str, begin: int = 0) -> Section:
    """The one section that a title names: whole, else as a beginning, else as a part."""
    wanted = _bare(title)
    held = sections(text, begin)
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
    text: str,
    *,
    section: str | None = None,
    page: int | None = None,
    offset: int | None = None,
    chars: int = WINDOW,
    begin: int = 0,
) -> dict[str, object]:
    """The window that a command or an agent asks for, as plain data."""
    return asdict(_window(text, begin, section, page, offset, chars))


def _window(
    text: str, begin: int, title: str | None, number: int | None, offset: int | None, chars: int
) -> Window:
    if title is not None and number is not None:
        raise BadInput("Ask for a section or for a page, not for both.")
    if title is not None:
        return section(text, title, chars, offset, begin=begin)
    if number is not None:
        return page(text, number, chars, offset, begin=begin)
    return window(text, offset or 0, chars, begin=begin)


def _bare(title: str) -> str:
    return _NUMBER.sub("", " ".join(fold(title).split())).strip(" .:")


def section_at(held: Sequence[Section], offset: int) -> str:
    """The title of the section in which an offset is."""
    title = ""
    for one in held:
        if one.start > offset:
            break
        title = one.title
    return title


def page_at(marked: Sequence[tuple[int, int, int]], offset: int) -> int | None:
    """The page on which an offset is; None before the first mark."""
    number = None
    for one, start, _ in marked:
        if start > offset:
            break
        number = one
    return number


def outline(text: str, begin: int = 0) -> Iterator[str]:
    """The headings, indented by level, for choosing a section."""
    for one in sections(text, begin):
        yield f"{'  ' * (one.level - 1)}{one.title}"
