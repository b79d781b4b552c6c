"""Converted prose in, clean HTML and its sections out; what would take too long is shown as it is.

Most of a library's prose is abstracts, plain paragraphs: they are written without Markdown's help,
in the same HTML.
"""

from __future__ import annotations

import re
from html import escape, unescape
from typing import TYPE_CHECKING, Any

from pressmark.site import maths, reading
from pressmark.site.clean import clean
from pressmark.site.model import Section

if TYPE_CHECKING:
    import markdown

EXTENSIONS = (
    "admonition", "footnotes", "tables", "toc", "pymdownx.superfences", "sane_lists", "def_list",
    "pymdownx.tasklist", "pymdownx.mark", "pymdownx.tilde",
)  # fmt: skip
"""No snippets, attributes, macros or nested HTML: the text may be anybody's."""


def heading_id(title: str, separator: str = "-") -> str:
    """The anchor of a heading: Python-Markdown's, but no name of a theme's, as `__config`."""
    from markdown.extensions.toc import slugify

    return str(slugify(title, separator)).lstrip("_")


CONFIGURED: dict[str, dict[str, Any]] = {
    "toc": {"permalink": False, "slugify": heading_id},
    # A style attribute would not pass the belt, and the columns of numbers would lose theirs.
    "tables": {"use_align_attribute": True},
    "pymdownx.superfences": {"disable_indented_code_blocks": False},
    "pymdownx.tilde": {"subscript": False},  # a tilde is an "about"
}

LARGEST = 2_000_000
"""Characters of prose that are formatted."""

DEEPEST = 60
"""Brackets or quotes one within the other; lists, in steps of four blanks."""

MOST = 20_000
"""Links, or tags, of one text."""

_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_SPECIAL = re.compile(
    r"[*_`\[\]{}|\\]|<(?![\s\d=])|[ \t]{2}\n|!!!|\t|^[ ]{4}|^ {0,3}(?:[>+~=:-]|\d+[.)])|://|@|---|==|~~",
    re.M,
)
"""What may mean something in Markdown; a heading is looked for separately."""

_HEADING = re.compile(r"(#{2,6}) +([^\n#]+)")
_CITED = re.compile(r'<a href="(pm:/library/[^"#]*?([^/"#.]+)\.md)')
_QUOTES = re.compile(rf"^(?:[ \t]*>){{{DEEPEST}}}", re.M)
_INDENTED = re.compile(rf"^[ ]{{{4 * DEEPEST}}} *(?:[-*+]|\d+[.)]) ", re.M)
_RUN = re.compile(r"[*_]{300}|(?:[*_]\S[*_]?){3000}")
_BRACKETS = re.compile(r"\[|\]|\n[ \t]*\n")


class Markup:
    """One converter for a whole build."""

    def __init__(self) -> None:
        self.unread: list[str] = []
        """Formulas that could not be drawn, since somebody looked last."""
        self._markdown: markdown.Markdown | None = None

    def convert(self, text: str) -> tuple[str, list[Section]]:
        """HTML without anything live, links still `pm:`; and its headings."""
        text = text.strip()
        made = _plain(text)
        if made is None:
            made = self._convert(text)
        html, sections = made
        if "pmmath" in html:
            html = maths.draw(html, self.unread)
        return reading.boxed(marked(html)), sections

    def _convert(self, text: str) -> tuple[str, list[Section]]:
        converter = self._converter()
        converter.reset()
        try:
            html = clean(converter.convert(text))
        except RecursionError:
            return as_written(text), []
        return html, list(_flat(converter.toc_tokens))

    def _converter(self) -> markdown.Markdown:
        if self._markdown is None:
            import markdown

            self._markdown = markdown.Markdown(
                extensions=list(EXTENSIONS), extension_configs=CONFIGURED
            )
        return self._markdown


def marked(html: str) -> str:
    """The HTML with its links to references marked, so that a card can show them."""
    if 'href="pm:/library' not in html:
        return html
    return _CITED.sub(r'<a class="pm-cite" data-key="\2" href="\1', html)


def too_much(text: str) -> str | None:
    """Why a text is shown as it is written: what a converter would need minutes for."""
    if len(text) > LARGEST:
        return f"it has {len(text):,} characters"
    if text.count("](") > MOST or text.count("[@") > MOST or text.count("<") > MOST:
        return f"it has more than {MOST:,} links"
    if text.count("[") > DEEPEST and _deepest(text) > DEEPEST:
        return f"more than {DEEPEST} brackets stand one within the other"
    if _QUOTES.search(text) or _INDENTED.search(text):
        return f"quotes or lists are more than {DEEPEST} deep"
    return "its emphasis has no end" if _RUN.search(text) else None


def as_written(text: str) -> str:
    """A text that is not formatted."""
    return f'<pre class="pm-code" tabindex="0"><code>{escape(text)}</code></pre>'


def _deepest(text: str) -> int:
    deepest = depth = 0
    for found in _BRACKETS.finditer(text):
        sign = found[0]
        depth = depth + 1 if sign == "[" else max(0, depth - 1) if sign == "]" else 0
        deepest = max(deepest, depth)
    return deepest


def _flat(tokens: list[dict[str, Any]]) -> list[Section]:
    found: list[Section] = []
    for each in tokens:
        found.append(Section(each["level"], each["name"], each["id"]))
        found += _flat(each["children"])
    return found


def _plain(text: str) -> tuple[str, list[Section]] | None:
    """Plain paragraphs below plain headings, or None where there is more to it."""
    parts: list[str] = []
    sections: list[Section] = []
    for block in re.split(r"\n[ \t]*\n\s*", text):
        heading = _HEADING.fullmatch(block)
        words = heading[2].strip() if heading else block
        bare = _ESCAPED.sub("", words)
        if "\\&" in words or "&#92;" in words:
            return None
        if _SPECIAL.search(bare) or (not heading and block.startswith("#")) or "\n#" in block:
            return None
        html = escape(unescape(words), quote=False)
        html = _ESCAPED.sub(r"\1", html) if "\\" in html else html
        if not heading:
            parts.append(f"<p>{html}</p>" if html else "")
            continue
        anchor = heading_id(words)
        if not anchor or any(each.anchor == anchor for each in sections) or "\\" in words:
            return None
        parts.append(f'<h{len(heading[1])} id="{anchor}">{html}</h{len(heading[1])}>')
        sections.append(Section(len(heading[1]), html, anchor))
    return "\n".join(parts), sections
