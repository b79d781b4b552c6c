"""One page as the theme draws it in, thousands of pages in the same frame out.

A theme's templates are most of what a page costs, and all but a few places of them are the same
on every page. So the theme draws an empty page for each depth of folders, and ours are set in.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape

from pressmark.site.model import Section

CONTENT = "<h1>pm7content7</h1>"
"""The theme would put a title of its own above content that has no first heading."""

SLOT = re.compile(r"<h1>pm7content7</h1>|pm7([a-z]+)7|</head>")
_ITEM = re.compile(
    r'<li class="md-nav__item">(?:(?!<li\b).)*?#pm7anchor7(?:(?!<li\b).)*?</li>', re.S
)


_EDIT = re.compile(r'<a href="[^"]*pm7edit7"[^>]*>.*?</a>', re.S)


def slot(name: str) -> str:
    """What stands in a frame where a value goes."""
    return f"pm7{name}7"


class Shell:
    """A drawn page, cut where values go."""

    def __init__(self, html: str) -> None:
        item = _ITEM.search(html)
        self._item = item[0] if item else ""
        if item:
            html = html[: item.start()] + slot("toc") + html[item.end() :]
        edit = _EDIT.search(html)
        self._edit = edit[0] if edit else ""
        html = html.replace(self._edit, slot("editing")) if edit else html
        self._pieces: list[str] = []
        self._names: list[str] = []
        at = 0
        for found in SLOT.finditer(html):
            self._pieces.append(html[at : found.start()])
            name = found[1] or ("head" if found[0] == "</head>" else "content")
            self._names.append(name)
            at = found.end()
        self._pieces.append(html[at:])

    def fill(self, values: Mapping[str, str], sections: Sequence[Section]) -> str:
        """The page; values are HTML already."""
        more = {"toc": self._toc(sections), "anchor": sections[0].anchor if sections else "pm-top"}
        if values.get("edit"):
            more["editing"] = self._edit.replace(slot("edit"), values["edit"])
        out: list[str] = []
        for piece, name in zip(self._pieces, self._names, strict=False):
            out += [piece, values.get(name) or more.get(name, "")]
            if name == "head":
                out.append("</head>")
        return "".join([*out, self._pieces[-1]])

    def _toc(self, sections: Sequence[Section]) -> str:
        return "".join(
            self._item.replace(slot("anchor"), escape(each.anchor)).replace(
                slot("heading"), each.title
            )
            for each in sections
            if each.level <= 3
        )
