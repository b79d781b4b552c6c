"""JATS, HTML and entities in; plain titles and Markdown-safe text out."""

from __future__ import annotations

import html
import re

from pressmark.text.controls import clean

_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")

INLINE = frozenset({
    "i", "b", "em", "strong", "italic", "bold", "u", "underline", "sub", "sup", "inf", "sc", "tt",
    "code", "monospace", "span", "small", "big", "font", "strike", "s", "roman", "overline",
    "styled-content", "named-content", "a", "xref", "ext-link", "uri", "email", "abbr", "q",
    "cite", "inline-formula", "alternatives", "tex-math", "math", "mi", "mn", "mo", "mrow",
    "msub", "msup", "msubsup", "mfrac", "mtext", "mover", "munder", "mstyle", "msqrt", "mspace",
    "fn", "break", "br", "ruby", "rb", "rt",
})  # fmt: skip
"""Names that count as markup without a namespace prefix; `<GlcNAc>` and `<m>` are text."""

BLOCK = frozenset({
    "p", "sec", "section", "title", "abstract", "trans-abstract", "list", "list-item", "li", "ul",
    "ol", "h1", "h2", "h3", "h4", "h5", "h6", "div", "disp-formula", "disp-quote", "blockquote",
    "table", "tr", "td", "th", "caption", "label", "related-article", "hr",
})  # fmt: skip

TAG = re.compile(
    r"<(?P<end>/?)(?:(?P<prefix>[A-Za-z]\w*):)?(?P<name>[A-Za-z][\w-]*)"
    r"""(?:\s+[\w:.-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>]+))?)*\s*(?P<empty>/?)>"""
)

_LEFT = re.compile(r"([^\W\d_]\w+)\**$")
_RIGHT = re.compile(r"[^\W\d_]\w+")

_ENDS = re.compile(
    r"(?:\.\.|(?:^|[\s(])[^\W\d_]\.|\.[^\W\d_]\."
    r"|\b(?:inc|ltd|co|corp|al|etc|jr|sr|st|vs|spp?|ssp|subsp|var|no|vol|dr|prof|nov|gen|comb)\.)$",
    re.I,
)
"""Ends where the full stop belongs to the last word: `Jr.`, `U.S.`, `sp. nov.`, an ellipsis."""


def unescape(value: str) -> str:
    """HTML entities as characters, twice at most: providers escape what was escaped before."""
    for _ in range(2):
        if "&" not in value:
            break
        value = _ENTITY.sub(lambda found: html.unescape(found[0]), value)
    return value


def title(value: str) -> str:
    """A provider's title as one plain line: entities and tags gone, words kept apart, TeX kept."""
    value = clean(_untagged(raised(unescape(value))))
    if value.endswith(".") and not _ENDS.search(value):
        return value[:-1].rstrip()
    return value


_RAISED = re.compile(r"<(?:\w+:)?sup>\s*([0-9+\u2212\u2013-]+)\s*</(?:\w+:)?sup>", re.I)
_DIGITS = str.maketrans("0123456789+-\u2212\u2013", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")


def raised(markup: str) -> str:
    """Superscript numbers as Unicode has them: `10<sup>3</sup>` is not 103."""
    return _RAISED.sub(lambda found: found[1].translate(_DIGITS), markup)


def is_markup(tag: re.Match[str]) -> bool:
    """Whether a thing in angle brackets is a tag and not a provider's `<` in running text."""
    return bool(tag["prefix"]) or tag["name"].lower() in INLINE or tag["name"].lower() in BLOCK


def _untagged(value: str) -> str:
    out = ""
    at = 0
    for tag in TAG.finditer(value):
        if not is_markup(tag):
            continue
        out = joined(out, value[at : tag.start()], tag_between=at > 0)
        at = tag.end()
        name = tag["name"].lower()
        if name in BLOCK or name in ("br", "break"):
            out += " "
        elif name in ("sub", "sup", "inf"):
            out += "\0"  # an index belongs to its word: no blank is put here
    return joined(out, value[at:], tag_between=at > 0).replace("\0", "")


def joined(left: str, right: str, *, tag_between: bool) -> str:
    """`left` and `right` around a tag, with a blank where the tag alone kept two words apart.

    Publishers write `ecology and<i>Functional Ecology</i>`; but `p<i>K</i>a` and
    `<b>B</b>ackground` are one word each, so a lone letter is never parted from its neighbour.
    """
    if tag_between and _LEFT.search(left[-40:]) and _RIGHT.match(right):
        return f"{left} {right}"
    return left + right


_SIGNS = re.compile(
    r"(?P<plain>[\\`*_\[\]{}])"
    r"|(?P<coded>[<>~|$^]|&(?=[#\w])|(?<!\w)@(?=\w)|==|:(?=[\w+-]+:))"
    r"|(?m:^)(?P<blank>[ \t]*)(?:(?P<number>\d+)(?P<point>[.)])|(?P<start>[#+=:-]))"
)
"""Groups: what takes a backslash in every dialect, what must be an entity, what starts a block."""


def escape_markdown(value: str) -> str:
    """Text that shows literally wherever a page of Markdown holds it, heading or table too."""
    return _SIGNS.sub(_escaped, value)


def _escaped(found: re.Match[str]) -> str:
    if found["plain"]:
        return f"\\{found['plain']}"
    if found["coded"]:
        return "".join(f"&#{ord(sign)};" for sign in found["coded"])
    sign = found["point"] or found["start"]
    return f"{found['blank'][:3]}{found['number'] or ''}&#{ord(sign)};"
