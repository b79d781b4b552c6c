"""The HTML of a text's prose in; the same with what helps to read it out.

Headings that can be linked to, citation marks and entries that lead to each other, page numbers of
the document, captions that look like captions, tables that scroll in a box of their own.
"""

from __future__ import annotations

import re
from collections import defaultdict
from html import escape, unescape

_LEAF = re.compile(r"^[ \t]*<!-- page ([A-Za-z0-9.-]{1,12}) -->[ \t]*$", re.M)
_ANCHOR = re.compile(r'<div id="page-([A-Za-z0-9.-]{1,12})"></div>')
_HEADING = re.compile(r'<h([2-4]) id="([^"]+)">(.*?)</h\1>', re.S)
_TAG = re.compile(r"<[^>]*>")
_MARK = re.compile(r'<a href="#ref-([\w.-]+)">')
_ENTRY = re.compile(r'(<a id="ref-([\w.-]+)">)(.*?)(</p>|</li>)', re.S)
_CAPTION = re.compile(
    r"<p>(?=<strong>(?:Fig(?:ure|\.)?|Table|Box|Scheme|Plate|Algorithm|Listing|Extended Data)\b)"
)
_TABLE = re.compile(r"<table>(.*?)</table>", re.S)
_ALIGNED = re.compile(r'<(t[hd]) align="(left|right|center)">')

BACK = 12
"""Places in the text that an entry of a reference list leads back to."""


def leaves(markdown: str) -> str:
    """The marks of the document's pages as anchors; a blank line keeps them apart from prose."""
    return _LEAF.sub(r'\n<div id="page-\1"></div>\n', markdown)


def paged(html: str) -> str:
    """The anchors of pages, once they are through the belt, as numbers that link to themselves."""
    return _ANCHOR.sub(
        r'<div class="pm-leaf" id="page-\1"><a href="#page-\1" '
        r'title="page \1 of the document">\1</a></div>',
        html,
    )


def linked(html: str) -> str:
    """A quiet link to itself behind each heading; what it is called is for a screen reader."""

    def with_link(found: re.Match[str]) -> str:
        level, anchor, words = found.groups()
        called = escape(unescape(_TAG.sub("", words)).strip())
        link = f'<a class="pm-self" href="#{anchor}" aria-label="Link to: {called}"></a>'
        return f'<h{level} id="{anchor}">{words}{link}</h{level}>'

    return _HEADING.sub(with_link, html)


def both_ways(html: str) -> str:
    """Marks get anchors, and each entry of the reference list leads back to its marks."""
    places: dict[str, list[str]] = defaultdict(list)

    def mark(found: re.Match[str]) -> str:
        number = found[1]
        places[number].append(f"cite-{number}-{len(places[number]) + 1}")
        return f'<a class="pm-mark" id="{places[number][-1]}" href="#ref-{number}">'

    def entry(found: re.Match[str]) -> str:
        anchor, number, words, end = found.groups()
        back = "".join(
            f'<a href="#{place}" aria-label="Cited here, place {n} of {len(places[number])}">'
            f"{n if len(places[number]) > 1 else ''}↑</a>"
            for n, place in enumerate(places[number][:BACK], 1)
        )
        return f"{anchor}{words}" + (f' <span class="pm-back">{back}</span>' if back else "") + end

    marked = _MARK.sub(mark, html)
    return _ENTRY.sub(entry, marked) if places else html


def captioned(html: str) -> str:
    """Captions as such: `**Figure 1.** Words.` is the one form that our converters write."""
    return _CAPTION.sub('<p class="pm-caption">', html)


def boxed(html: str) -> str:
    """Each table in a box that scrolls, so that the page does not; its columns aligned by class."""

    def box(found: re.Match[str]) -> str:
        cells = _ALIGNED.sub(r'<\1 class="pm-\2">', found[1])
        return f'<div class="pm-table"><table class="pm-grid">{cells}</table></div>'

    return _TABLE.sub(box, html) if "<table>" in html else html
