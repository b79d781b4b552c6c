"""The belt over every page's HTML: an allow-list of elements, attributes and URL schemes."""

from __future__ import annotations

import re
from collections.abc import Callable

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


_NAMED = re.compile(r"""\b(?:class|id)="[^"]*(?:md-|pm-|Z3988|__)""")
_OURS = {"pm-missing", "pm-unpublished", "pm-code"}
"""Classes that converted prose has of us."""


def clean(html: str) -> str:
    """Drop whatever could run, load, restyle or pass for the theme's; text and structure stay."""
    cleaned = _cleaned(html)
    if _NAMED.search(cleaned):
        cleaned = _cleaned(cleaned, _foreign)
    return _IMAGE.sub(_image, cleaned) if "<img" in cleaned else cleaned


def _cleaned(html: str, attribute: Callable[[str, str, str], str | None] | None = None) -> str:
    import nh3

    cleaned = nh3.clean(
        html,
        tags=TAGS,
        attributes=ATTRIBUTES,
        attribute_filter=attribute,
        url_schemes=SCHEMES,
        link_rel=None,
        clean_content_tags={"script", "style", "iframe", "object", "template"},
    )
    return str(cleaned)


def _foreign(tag: str, name: str, value: str) -> str | None:
    """An attribute without names that the theme, our scripts or a reference manager look for.

    Material reads its settings from the first element whose id is `__config`, and a class of its
    own, such as `md-overlay`, would lay a link over the whole page.
    """
    if name == "id":
        return None if value.startswith(("__", "pm-")) else value
    if name != "class":
        return value
    kept = [each for each in value.split() if each in _OURS or not _reserved(each)]
    return " ".join(kept) or None


def _reserved(name: str) -> bool:
    return name.startswith(("md-", "pm-")) or name == "Z3988"


def _image(found: re.Match[str]) -> str:
    source = _SOURCE.search(found[0])
    if source is None:
        return ""
    if not _FOREIGN.match(source[1]):
        return found[0].replace("<img", '<img loading="lazy"', 1)
    words = _WORDS.search(found[0])
    return f'<a href="{source[1]}">{words[1] if words and words[1] else "image"}</a>'
