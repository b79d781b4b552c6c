"""The belt over every page's HTML: an allow-list of elements, attributes and URL schemes."""

from __future__ import annotations

import re

TAGS = {
    "a", "abbr", "article", "aside", "b", "blockquote", "br", "caption", "cite", "code", "col",
    "colgroup", "dd", "del", "details", "div", "dl", "dt", "em", "figcaption", "figure", "h1", "h2",
    "h3", "h4", "h5", "h6", "hr", "i", "img", "input", "ins", "kbd", "label", "li", "mark", "nav",
    "ol", "p", "pre", "q", "s", "samp", "section", "small", "span", "strong", "sub", "summary",
    "sup", "table", "tbody", "td", "tfoot", "th", "thead", "time", "tr", "u", "ul", "var", "wbr",
}  # fmt: skip

ATTRIBUTES = {
    "*": {"class", "id", "title", "lang", "dir", "role"},
    "a": {"href", "aria-label"},
    "img": {"src", "alt", "width", "height", "loading"},
    "input": {"type", "checked", "disabled"},
    "td": {"colspan", "rowspan", "align"},
    "th": {"colspan", "rowspan", "align", "scope"},
    "ol": {"start", "type"},
    "time": {"datetime"},
    "details": {"open"},
}

SCHEMES = {"http", "https", "mailto", "pm"}
"""`pm` is ours: a link that becomes one within the site.

An image of another host would be a request that its reader did not ask for: it becomes a link.
"""

_IMAGE = re.compile(r"<img\b[^>]*>")
_SOURCE = re.compile(r'\bsrc="([^"]*)"')
_WORDS = re.compile(r'\balt="([^"]*)"')
_FOREIGN = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//|(?!pm:)[a-z][a-z0-9+.-]*:", re.I)


def clean(html: str) -> str:
    """Drop whatever could run, load or restyle; text and structure stay."""
    import nh3

    cleaned = str(
        nh3.clean(
            html,
            tags=TAGS,
            attributes=ATTRIBUTES,
            url_schemes=SCHEMES,
            link_rel=None,
            clean_content_tags={"script", "style", "iframe", "object", "template"},
        )
    )
    return _IMAGE.sub(_image, cleaned) if "<img" in cleaned else cleaned


def _image(found: re.Match[str]) -> str:
    source = _SOURCE.search(found[0])
    if source is None:
        return ""
    if not _FOREIGN.match(source[1]):
        return found[0].replace("<img", '<img loading="lazy"', 1)
    words = _WORDS.search(found[0])
    return f'<a href="{source[1]}">{words[1] if words and words[1] else "image"}</a>'
