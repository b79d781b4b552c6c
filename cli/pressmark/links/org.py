"""An Org text comes in; every key it cites goes out, with offsets, line and column.

Org's own citations (`[cite/style:see @key p. 5;@other]`, https://orgmode.org/manual/Citations.html),
org-ref's links (`cite:key,other`, `[[citep:see &key]]`) and LaTeX's commands.
Source, example, export and comment blocks, code and verbatim text cite nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pressmark.links import foreign, latex
from pressmark.links.link import Link

_UNREAD = re.compile(
    r"^[ \t]*#\+begin_(src|example|export|comment)\b.*?^[ \t]*#\+end_\1\b[^\n]*"
    r"|^[ \t]*#(?:[ \t][^\n]*|$)|^[ \t]*:[ \t][^\n]*"
    r"|(?<![\w=~])([=~])(?!\s)[^\n]*?(?<!\s)\2(?![\w=~])",
    re.S | re.M | re.I,
)
_GROUP = re.compile(r"\[cite(?:/[\w/-]*)?:([^\[\]]*)\]")
_KEY = re.compile(r"@([^\s;\[\],]*[^\s;\[\],.:?!`'\"()])")
_LINK = re.compile(
    r"(?<![\w/\[])([A-Za-z]*cite[A-Za-z]*\*?):(?![/@])([^\s\[\]()<>]*[^\s\[\]()<>.,;:!?])"
)
_BRACKETED = re.compile(r"\[\[([A-Za-z]*cite[A-Za-z]*\*?):([^\[\]]*)\]")
_AMPERSAND = re.compile(r"&([^\s;\[\],&]+)")


def parse(text: str) -> list[Link]:
    """Every citation of an Org text, in order."""
    if "cite" not in text and "Cite" not in text:
        return []
    shown = foreign.blanked(text, _UNREAD)
    return foreign.links(text, [*_own(shown), *_org_ref(shown), *latex.cites(shown)])


def _own(text: str) -> Iterator[foreign.Cite]:
    for group in _GROUP.finditer(text):
        for key in _KEY.finditer(text, group.start(1), group.end(1)):
            yield key.start(1), key.end(1), group.start(), group.end()


def _org_ref(text: str) -> Iterator[foreign.Cite]:
    """`cite:a,b` of org-ref 2, and `cite:see &a;&b` of org-ref 3, in brackets or not."""
    for pattern in (_BRACKETED, _LINK):
        for link in pattern.finditer(text):
            start, end = link.span(2)
            ampersands = list(_AMPERSAND.finditer(text, start, end))
            places = [key.span(1) for key in ampersands] or foreign.keys(text, start, end)
            for first, last in places:
                yield first, last, link.start(), link.end()
