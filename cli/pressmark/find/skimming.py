"""A reference in; its key passages out: abstract, start of introduction, method, conclusion.

The parts come in that order, each cut to its share, then the rest of method and conclusion, so
that the first page shows something of everything and the pages after it the remainder.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pressmark.catalogue import layout
from pressmark.errors import BadInput
from pressmark.fulltext import reading
from pressmark.library import Library
from pressmark.record import Reference
from pressmark.record import section as own_section

CHARS = 14_000
"""Characters of one page of a skim."""

FEWEST, MOST = 1_000, 40_000

_SHARES = {"introduction": 3_500, "method": 4_500, "conclusion": 3_500}
"""What the first page shows of each part, in characters; the abstract is shown whole."""

_NAMES = {
    "introduction": r"introduction|background|motivation",
    "method": r"(?:\w+ )?(?:methods?|methodology|approach|model|materials and methods|methods and "
    r"materials|model architecture|proposed \w+|experimental (?:setup|design|procedures?)"
    r"|study design|patients and methods|algorithm|architecture|framework|design|theory)",
    "conclusion": r"conclusions?(?: \w+){0,4}|concluding remarks|summary(?: and \w+){0,2}"
    r"|discussion(?: and conclusions?)?|discussion and \w+|general discussion",
}
_PARTS = {name: re.compile(f"(?:{pattern})", re.I) for name, pattern in _NAMES.items()}
_NUMBER = re.compile(r"^(?:\d+(?:\.\d+)*\.?|[IVXLC]+\.|[A-Z]\.)\s+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A stretch of one file: `offset` counts in the text's body, as `show --offset` does."""

    role: str  # "abstract", "introduction", "method", "conclusion" or "opening"
    section: str
    page: int | None
    path: str
    offset: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Skim:
    """One page of the key passages of a paper."""

    key: str
    reference: Reference
    parts: tuple[Part, ...]
    offset: int
    next_offset: int | None
    total: int
    """Characters of all key passages together, which `offset` counts in."""
    missing: tuple[str, ...]
    """The roles of which no text is held."""
    next: str | None = None


def skim(library: Library, name: str, *, offset: int = 0, chars: int = CHARS) -> Skim:
    """The key passages of the reference that `name` means, from an offset on.

    Raises NotFound for a name nobody has, and BadInput for an offset outside the passages.
    """
    reference = library.get(name)
    parts = list(_parts(library, reference))
    total = sum(len(part.text) for part in parts)
    if not 0 <= offset <= total:
        raise BadInput(
            f"Offset {offset} is outside the key passages, which have {total} characters.",
            next="begin at 0, or at the next_offset of the page before",
        )
    shown = tuple(_page(parts, offset, min(max(chars, FEWEST), MOST)))
    end = offset + sum(len(part.text) for part in shown)
    roles = {part.role for part in parts}
    text = library.artefact(reference.key, "text")
    return Skim(
        key=reference.key, reference=reference, parts=shown, offset=offset,
        next_offset=end if end < total else None, total=total,
        missing=tuple(role for role in ("abstract", *_SHARES) if role not in roles),
        next=None if text else f"pressmark fetch {reference.key}",
    )  # fmt: skip


def _parts(library: Library, reference: Reference) -> Iterator[Part]:
    text = library.fulltext(reference.key)
    body = text.body if text else ""
    path = layout.beside(library.path(reference.key))
    # The first heading is the paper's title, under which everything stands.
    sections = [each for each in reading.sections(body) if each.level > 1]
    if reference.abstract:
        yield Part(
            role="abstract", section="Abstract", page=None, path=library.path(reference.key),
            offset=reference.body.find(reference.abstract[:40]), text=reference.abstract,
        )  # fmt: skip
    elif summary := own_section(reference.body, "Summary"):
        yield Part(
            role="abstract", section="Summary", page=None, path=library.path(reference.key),
            offset=reference.body.find(summary[:40]), text=summary,
        )  # fmt: skip
    elif found := _section(sections, re.compile("abstract|summary", re.I)):
        yield _part(body, path, "abstract", found, found.start, found.end)
    chosen: dict[str, reading.Section] = {}
    for role, pattern in _PARTS.items():
        found = _section(sections, pattern, last=role == "conclusion")
        if found is not None and found not in chosen.values():
            chosen[role] = found
    rest = []
    for role, found in chosen.items():
        stop = _cut(body, found.start, found.end, _SHARES[role])
        yield _part(body, path, role, found, found.start, stop)
        if role != "introduction" and stop < found.end:
            rest.append(_part(body, path, role, found, stop, found.end))
    if body and not chosen:
        yield _opening(body, path, sections)
    yield from rest


def _section(
    sections: list[reading.Section], pattern: re.Pattern[str], *, last: bool = False
) -> reading.Section | None:
    """The first section of a kind, or the last one: the conclusion of a paper stands at its end."""
    found = [each for each in sections if pattern.fullmatch(_bare(each.title))]
    return (found[-1] if last else found[0]) if found else None


def _bare(title: str) -> str:
    return _NUMBER.sub("", title.strip()).strip(" .:")


def _opening(body: str, path: str, sections: list[reading.Section]) -> Part:
    """The beginning of a text whose sections have names of their own."""
    first = next(iter(sections), None)
    start = first.start if first else 0
    title = first.title if first else ""
    stop = _cut(body, start, len(body), CHARS)
    section = reading.Section(1, title, start, stop)
    return _part(body, path, "opening", section, start, stop)


def _part(body: str, path: str, role: str, section: reading.Section, start: int, end: int) -> Part:
    page = reading.window(body, start, FEWEST).page
    return Part(
        role=role, section=section.title, page=page, path=path, offset=start,
        text=body[start:end],
    )  # fmt: skip


def _cut(body: str, start: int, end: int, share: int) -> int:
    """Where a part of about `share` characters ends: with a paragraph, else with a sentence."""
    if end - start <= share:
        return end
    for mark in ("\n\n", ". ", " "):
        place = body.rfind(mark, start + share // 2, start + share)
        if place >= 0:
            return place + len(mark)
    return start + share


def _page(parts: list[Part], offset: int, chars: int) -> Iterator[Part]:
    """What stands between two offsets of all parts together."""
    at, end = 0, offset + chars
    for part in parts:
        low, high = max(offset - at, 0), min(end - at, len(part.text))
        if low < high:
            if high < len(part.text) and high - low > FEWEST // 2:
                high = _cut(part.text, low, len(part.text), high - low)
            yield Part(
                role=part.role, section=part.section, page=part.page, path=part.path,
                offset=part.offset + low, text=part.text[low:high],
            )  # fmt: skip
            if high < len(part.text):
                return
        at += len(part.text)
