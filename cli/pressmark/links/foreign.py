"""A text that is no Markdown comes in; its citations go out as links, by the file's suffix."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator

from pressmark.links.link import Link

SUFFIXES = (".tex", ".ltx", ".typ", ".org", ".rst")
"""What `latex`, `typst`, `org` and `rst` read."""

Cite = tuple[int, int, int, int]
"""Where a citation's key begins and ends, and the whole command or group around it."""


def scanner(path: str) -> Callable[[str], list[Link]] | None:
    """What reads the citations of a file of this name; None for Markdown and anything else."""
    ending = path.rpartition(".")[2].casefold()
    if ending in ("tex", "ltx"):
        from pressmark.links.latex import parse
    elif ending == "typ":
        from pressmark.links.typst import parse
    elif ending == "org":
        from pressmark.links.org import parse
    elif ending == "rst":
        from pressmark.links.rst import parse
    else:
        return None
    return parse


def links(text: str, cites: Iterable[Cite]) -> list[Link]:
    """The links of these places, in the order of their keys."""
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    made = []
    for start, end, first, last in sorted(set(cites)):
        line = bisect_right(starts, start)
        column = start - starts[line - 1] + 1
        made.append(
            Link(
                kind="cite",
                target=text[start:end],
                start=start,
                end=end,
                line=line,
                column=column,
                target_start=start,
                target_end=end,
                group=(first, last),
            )
        )
    return made


def blanked(text: str, spans: re.Pattern[str]) -> str:
    """The text with what a pattern matches blanked out, so that every offset stays."""
    return spans.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def keys(text: str, start: int, end: int, between: str = ",") -> Iterator[tuple[int, int]]:
    """The keys of a list, each with its place, without the blanks around them."""
    at = start
    for part in text[start:end].split(between):
        bare = part.strip()
        if bare:
            place = at + part.index(bare)
            yield place, place + len(bare)
        at += len(part) + len(between)
