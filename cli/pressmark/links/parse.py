"""A Markdown text comes in; every link it holds goes out, with offsets, line and column."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import chain
from urllib.parse import unquote

from pressmark.links import blocks
from pressmark.links.inline import Found, Scanner, definitions
from pressmark.links.link import Link, has_scheme

_WORTH = re.compile(r"@|\[|#|\^")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def parse(text: str) -> list[Link]:
    """Every citation, wikilink, embed, link, image, tag and block id of a text, in order.

    A reference definition that no link uses is given as a link of its own.
    """
    if not _WORTH.search(text):
        return []
    spans = blocks.spans(text)
    defined = _definitions(text, spans)
    known: dict[str, tuple[int, int]] = {}
    for each in chain.from_iterable(defined.values()):
        known.setdefault(each.label, each.target)
    found: list[Found] = []
    for span in spans:
        start = _prose(text, span, defined.get(span.start))
        if start < span.end and _WORTH.search(text, start, span.end):
            found += Scanner(text, start, span.end, known).scan()
    return _links(text, _unused(found, defined.values()))


def headings(text: str) -> list[tuple[int, str, int]]:
    """Every heading: level, title as written, line."""
    lines = _Lines(text)
    return [
        (span.level, _heading(text[span.start : span.end]), lines.number(span.start))
        for span in blocks.spans(text)
        if span.level
    ]


def _heading(text: str) -> str:
    title = re.sub(r"(?:^|[ \t])#+[ \t]*$", "", text.strip())
    return " ".join(re.sub(r"\{[^{}]*\}$", "", title).split())


def _definitions(text: str, spans: Iterable[blocks.Span]) -> dict[int, list[Found]]:
    """The definitions that each block begins with, by the start of the block."""
    if "]:" not in text:
        return {}
    each = {span.start: list(definitions(text, span.start, span.end)) for span in spans}
    return {start: found for start, found in each.items() if found}


def _prose(text: str, span: blocks.Span, defined: list[Found] | None) -> int:
    """Where the prose of a block begins, behind its definitions."""
    if not defined:
        return span.start
    after = text.find("\n", defined[-1].end, span.end)
    return span.end if after < 0 else after + 1


def _unused(found: list[Found], defined: Iterable[list[Found]]) -> list[Found]:
    """All links, with those definitions that none of them goes through."""
    used = {each.target for each in found}
    more = [each for each in chain.from_iterable(defined) if each.target not in used]
    return sorted([*found, *more], key=lambda each: (each.start, -each.end)) if more else found


class _Lines:
    """Line and column of an offset."""

    def __init__(self, text: str) -> None:
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def number(self, offset: int) -> int:
        return bisect_right(self.starts, offset)

    def column(self, offset: int) -> int:
        return offset - self.starts[self.number(offset) - 1] + 1


def _links(text: str, found: Iterable[Found]) -> list[Link]:
    lines = _Lines(text)
    return [_link(text, each, lines) for each in found]


def _link(text: str, found: Found, lines: _Lines) -> Link:
    start, end = found.target
    target, heading = text[start:end], found.heading
    if found.kind in ("link", "image"):
        target, end, heading = _path(target, start, end)
    return Link(
        kind=found.kind, target=target, start=found.start, end=found.end,
        line=lines.number(found.start), column=lines.column(found.start),
        target_start=start, target_end=end, prefix=found.prefix, locator=found.locator,
        suppress=found.suppress, group=found.group, label=found.label, heading=heading,
    )  # fmt: skip


def _path(written: str, start: int, end: int) -> tuple[str, int, str]:
    """A destination as path and fragment, unescaped; a URL stays whole."""
    if has_scheme(written):
        return _ESCAPED.sub(r"\1", written), end, ""
    path, _, fragment = written.partition("#")
    path = path.partition("?")[0]
    return unquote(_ESCAPED.sub(r"\1", path)), start + len(path), unquote(fragment)
