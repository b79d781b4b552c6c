"""The belt over every page's HTML: an allow-list of elements, attributes and URL schemes."""

from __future__ import annotations

TAGS = {
    "a", "abbr", "article", "aside", "b", "blockquote", "br", "caption", "cite", "code", "col",
    "colgroup", "dd", "del", "details", "div", "dl", "dt", "em", "figcaption", "figure", "h1", "h2",
    "h3", "h4", "h5", "h6", "hr", "i", "img", "input", "ins", "kbd", "label", "li", "mark", "nav",
    "ol", "p", "pre", "q", "s", "samp", "section", "small", "span", "strong", "sub", "summary",
    "sup", "table", "tbody", "td", "tfoot", "th", "thead", "time", "tr", "u", "ul", "var", "wbr",
}  # fmt: skip

ATTRIBUTES = {
    "*": {"class", "id", "title", "lang", "dir"},
    "a": {"href", "aria-label"},
    "img": {"src", "alt", "width", "height", "loading"},
    "input": {"type", "checked", "disabled"},
    "td": {"colspan", "rowspan", "align"},
    "th": {"colspan", "rowspan", "align", "scope"},
    "ol": {"start", "type"},
    "time": {"datetime"},
    "details": {"open"},
}

SCHEMES = {"http", "https", "mailto"}


def clean(html: str) -> str:
    """Drop whatever could run, load or restyle; text and structure stay."""
    import nh3

    return str(
        nh3.clean(
            html,
            tags=TAGS,
            attributes=ATTRIBUTES,
            url_schemes=SCHEMES,
            link_rel="noopener",
            clean_content_tags={"script", "style", "iframe", "object", "template"},
        )
    )
