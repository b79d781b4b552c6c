"""A block element in, the Markdown blocks it becomes out: one function an element."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from xml.etree.ElementTree import Element

from pressmark.fulltext import markdown as md
from pressmark.fulltext.jats.inline import (
    BLOCKS,
    Article,
    formula,
    inline,
    join,
    line,
    span,
)
from pressmark.fulltext.jats.tables import asides, caption, table_wrap
from pressmark.fulltext.jats.tree import text

Writer = Callable[[Element, Article, int], list[str]]

_SILENT = frozenset({
    "title", "label", "ref-list", "object-id", "related-object", "related-article", "sec-meta",
    "graphic", "bio", "kwd-group", "permissions", "alt-text", "long-desc", "attrib", "fn-group",
    "h2",
})  # fmt: skip
"""Written by their parent, or by the walk of the back matter, or not text of the article."""


def blocks(
    parents: Iterable[Element], article: Article, level: int, skip: Iterable[str] = ()
) -> list[str]:
    """The blocks of some elements' children, with the notes that they cite after each."""
    out: list[str] = []
    boxes: list[str] = []
    for child in parents:
        if child.tag in _SILENT or child.tag in skip:
            continue
        if child.tag == "sec" and boxes:
            out, boxes = [*out, *boxes], []
        if child.tag == "boxed-text" and level > 2:
            # A box has a title of its own; what follows it in its section must not fall under it.
            boxes += block(child, article, level)
            continue
        out += block(child, article, level)
    return [*out, *boxes]


def block(element: Element, article: Article, level: int) -> list[str]:
    """One block element; an inline one that stands alone is a paragraph."""
    writer = _WRITERS.get(element.tag)
    found = writer(element, article, level) if writer else _loose(element, article, level)
    notes, article.pending = article.pending, []
    return [*found, *(note.block for note in notes)]


def _loose(element: Element, article: Article, level: int) -> list[str]:
    if any(child.tag in _WRITERS for child in element):
        return _contents(element, article, level)
    return [md.paragraph(span(element, article))]


def _contents(element: Element, article: Article, level: int) -> list[str]:
    return blocks(element, article, level)


def paragraph(element: Element, article: Article, level: int) -> list[str]:
    """A `p`: blocks inside it are lifted out, and a sentence they cut in two is made whole."""
    out: list[str] = []
    lifted: list[str] = []
    words = md.escape(md.clean(element.text or ""))
    for child in element:
        if child.tag in BLOCKS or (child.tag == "disp-formula" and not words.strip()):
            if not words.strip() or re.search(r"[.:;?!]\W*$", words):
                out += [md.paragraph(words), *lifted, *block(child, article, level)]
                words, lifted = "", []
            else:
                words += " "
                lifted += block(child, article, level)
        else:
            words = join(words, span(child, article))
        words = join(words, md.escape(md.clean(child.tail or "")))
    return [part for part in (*out, md.paragraph(words), *lifted) if part]


def section(element: Element, article: Article, level: int) -> list[str]:
    """A `sec`: its number and title as a heading, then its content one level deeper."""
    heading = title(element, article)
    if not heading:
        return blocks(element, article, level)
    return [md.heading(level, heading), *blocks(element, article, level + 1)]


def title(element: Element, article: Article) -> str:
    """Label and title of a section, app, box or statement as one line."""
    found = element.find("title")
    if found is None:
        found = element.find("caption/title")
    if found is None:
        found = element.find("h2")
    label = line(element.find("label"), article)
    name = line(found, article)
    return " ".join(part for part in (label, name) if part)


def boxed(element: Element, article: Article, level: int) -> list[str]:
    """A `boxed-text`: a section of its own."""
    name = title(element, article)
    content = blocks(element, article, level + 1, skip=("caption",))
    for found in element.findall("caption"):
        content = [*blocks(found, article, level + 1), *content]
    return [md.heading(level, name or "Box"), *content]


def figure(element: Element, article: Article, level: int) -> list[str]:
    """A `fig`, or anything that is a picture or a file with a caption."""
    members = [child for child in element if child.tag in BLOCKS]
    return [
        md.paragraph(caption(element, article)),
        *blocks([*asides(element), *members], article, level),
    ]


def group(element: Element, article: Article, level: int) -> list[str]:
    """A `fig-group` or `table-wrap-group`: its own caption, then its members."""
    own = caption(element, article)
    return [md.paragraph(own), *blocks(element, article, level, skip=("caption",))]


def listing(element: Element, article: Article, level: int) -> list[str]:
    """A `list` of any depth; what cannot stand in an item follows the list."""
    lifted: list[str] = []
    lines = _items(element, article, level, 0, lifted)
    name = title(element, article)
    head = [md.paragraph(md.emphasis(name, "**"))] if name else []
    return [*head, "\n".join(lines), *lifted]


def _items(
    element: Element, article: Article, level: int, depth: int, lifted: list[str]
) -> list[str]:
    ordered = element.get("list-type") in ("order", "number", "arabic") or element.tag == "ol"
    lines: list[str] = []
    count = 0
    for item in element:
        if item.tag not in ("list-item", "li"):
            continue
        count += 1
        nested: list[str] = []
        words = line(item.find("label"), article)
        for part in _item_parts(item):
            if isinstance(part, str):
                words += f" {md.escape(md.clean(part))}"
            elif part.tag in ("list", "ul", "ol"):
                nested += _items(part, article, level, depth + 1, lifted)
            elif part.tag in BLOCKS and part.tag != "p":
                lifted += block(part, article, level)
            else:
                words += f" {span(part, article)}"
        mark = f"{count}. " if ordered else "- "
        indent = "    " * min(depth, 6)
        lines += [f"{indent}{mark}{md.paragraph(words)}".rstrip(), *nested]
    return lines


def _item_parts(item: Element) -> list[Element | str]:
    """Text and elements of an item; a paragraph gives its parts, so that blocks in it lift."""
    parts: list[Element | str] = [item.text or ""]
    for child in item:
        if child.tag == "p" and any(one.tag in BLOCKS for one in child):
            parts += _item_parts(child)
        elif child.tag != "label":
            parts.append(child)
        parts.append(child.tail or "")
    return [part for part in parts if not isinstance(part, str) or part.strip()]


def definitions(element: Element, article: Article, level: int) -> list[str]:
    """A `def-list`: one line a term."""
    lines = []
    for item in (*element.iter("def-item"), *element.iter("div")):
        terms = [line(child, article) for child in item if child.tag in ("term", "dt")]
        meanings = [line(child, article) for child in item if child.tag in ("def", "dd")]
        term = md.emphasis("; ".join(terms), "**")
        lines.append(f"- {term}: {' '.join(meanings)}".rstrip(": "))
    name = title(element, article)
    return [*([md.paragraph(md.emphasis(name, "**"))] if name else []), "\n".join(lines)]


def quote(element: Element, article: Article, level: int) -> list[str]:
    """A quotation, a verse or a speech: each paragraph marked."""
    if not len(element):
        return [f"> {md.paragraph(inline(element, article))}"]
    lines = [line(child, article) for child in element if child.tag not in ("label", "title")]
    return ["\n>\n".join(f"> {md.paragraph(one)}" for one in lines if one)]


def display(element: Element, article: Article, level: int) -> list[str]:
    """A `disp-formula` between paragraphs."""
    return [formula(element, article, display=True)]


def code(element: Element, article: Article, level: int) -> list[str]:
    """`code` and `preformat`: literal lines behind a fence that they cannot close."""
    lines = "".join(element.itertext()).strip("\n").replace("<!--", "< !--")
    clean = [md.clean(one).rstrip() if one.strip() else "" for one in lines.splitlines()]
    longest = max((len(run) for run in re.findall(r"`+", lines)), default=0)
    fence = "`" * max(3, longest + 1)
    return ["\n".join([fence, *clean, fence])]


def statement(element: Element, article: Article, level: int) -> list[str]:
    """A theorem, a proof, a definition: its name leads its first paragraph."""
    name = title(element, article).rstrip(". ")
    content = blocks(element, article, level)
    if name and content and "*" not in name:
        content[0] = f"**{name}.** {content[0]}"
    return content


def named(default: str) -> Writer:
    """A part of the back matter that has a heading even when the publisher gives none."""

    def write(element: Element, article: Article, level: int) -> list[str]:
        content = blocks(element, article, level + 1)
        heading = title(element, article) or md.escape(default)
        return [md.heading(level, heading), *content] if content else []

    return write


def notes(element: Element, article: Article, level: int) -> list[str]:
    """A `fn-group`: the notes that no text cites; those that it does are written where cited."""
    lines = []
    for note in element.iter("fn"):
        if note.get("id") not in article.names:
            lines.append(md.paragraph(line(note, article)))
    heading = line(element.find("title"), article) or "Notes"
    return [md.heading(level, heading), *lines] if any(lines) else []


def floats(element: Element, article: Article, level: int) -> list[str]:
    """A `floats-group`: figures and tables that PMC keeps apart from the text."""
    content = blocks(element, article, level + 1)
    return [md.heading(level, "Figures and tables"), *content] if content else []


_WRITERS: dict[str, Writer] = {
    "p": paragraph,
    "sec": section,
    "section": section,
    "boxed-text": boxed,
    "fig": figure,
    "supplementary-material": figure,
    "media": figure,
    "chem-struct-wrap": figure,
    "fig-group": group,
    "table-wrap-group": group,
    "table-wrap": lambda e, a, _: table_wrap(e, a),
    "list": listing,
    "ul": listing,
    "ol": listing,
    "def-list": definitions,
    "dl": definitions,
    "disp-quote": quote,
    "blockquote": quote,
    "verse-group": quote,
    "speech": quote,
    "disp-formula": display,
    "disp-formula-group": _contents,
    "preformat": code,
    "code": code,
    "pre": code,
    "statement": statement,
    "ack": named("Acknowledgements"),
    "app": named("Appendix"),
    "app-group": _contents,
    "glossary": named("Glossary"),
    "notes": named("Notes"),
    "floats-group": floats,
    "div": _contents,
}


def words(element: Element) -> int:
    """How much text an element holds, for telling an empty body."""
    return len(text(element))
