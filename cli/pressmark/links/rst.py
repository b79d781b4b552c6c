"""A reStructuredText text comes in; its citations go out: ``:cite:`key` ``, `[key]_`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pressmark.links import foreign
from pressmark.links.link import Link

_HIDDEN = re.compile(
    r"``[^\n]+?``(?!`)"
    r"|^([ \t]*)\.\.[ \t]+(?:code-block|code|sourcecode|literalinclude|math|raw|highlight)::[^\n]*"
    r"(?:\n(?:\1[ \t]+[^\n]*|[ \t]*(?=\n)))*"
    r"|(?<=::)[ \t]*\n[ \t]*\n(?:[ \t]+[^\n]*(?:\n[ \t]*(?=\n))*\n?)*"
    r"|^[ \t]*\.\.(?![ \t]+(?:\[|_|[\w-]+::))[ \t][^\n]*(?:\n[ \t]+[^\n]*)*",
    re.M,
)
_ROLE = re.compile(
    r":(?:[\w.-]+:)?(?:foot|full|no)*cite(?::[\w:]*|t|p|author|year|alp|full)?:`([^`]+)`"
)
_MARK = re.compile(r"(?<![\w\]])\[([A-Za-z][\w.+:-]*)\]_(?!\w)")
_PARTS = re.compile(r"\{[^{}]*\}")


def parse(text: str) -> list[Link]:
    """Every citation, in order; a number or `#label` in brackets is a footnote."""
    if "cite" not in text and "]_" not in text:
        return []
    return foreign.links(text, _cites(foreign.blanked(text, _HIDDEN)))


def _cites(seen: str) -> Iterator[foreign.Cite]:
    for found in _ROLE.finditer(seen):
        # sphinxcontrib-bibtex writes words before and after the key in braces.
        bare = foreign.blanked(found[1], _PARTS)
        begin = found.start(1)
        for start, end in foreign.keys(bare, 0, len(bare)):
            yield begin + start, begin + end, found.start(), found.end()
    for found in _MARK.finditer(seen):
        yield (*found.span(1), found.start(), found.end())
