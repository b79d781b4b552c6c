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
from pressmark.fulltext.jats.references import citation
from pressmark.fulltext.jats.tables import asides, caption, pipe_table, table_wrap

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
    """The blocks of some elements' children, with the notes that they cite after each.

    Words that stand between them, in no paragraph of their own, are paragraphs.
    """
    out: list[str] = []
    boxes: list[str] = []
    words = md.escape(md.clean(parents.text or "")) if isinstance(parents, Element) else ""
    for child in parents:
        silent = child.tag in skip or (child.tag in _SILENT and not _captioned(child))
        if not silent and not _stands_alone(child):
            words = join(words, span(child, article))
        elif not silent:
            out, words = [*out, *_loose(words, article)], ""
            if child.tag == "sec" and boxes:
                out, boxes = [*out, *boxes], []
            if child.tag == "boxed-text" and level > 2:
                # A box has a title of its own; what follows it in its section must not fall under.
                boxes += block(child, article, level)
            else:
                out += block(child, article, level)
        if isinstance(parents, Element):
            words = join(words, md.escape(md.clean(child.tail or "")))
    return [*out, *_loose(words, article), *boxes]


def _loose(words: str, article: Article) -> list[str]:
    notes, article.pending = article.pending, []
    return [part for part in (md.paragraph(words), *(note.block for note in notes)) if part]


def _stands_alone(element: Element) -> bool:
    return element.tag in _WRITERS or any(one.tag in BLOCKS for one in element.iter())


def _captioned(element: Element) -> bool:
    return element.tag == "graphic" and element.find("caption") is not None


def block(element: Element, article: Article, level: int) -> list[str]:
    """One block element; one that is not known gives its content."""
    found = _WRITERS.get(element.tag, _contents)(element, article, level)
    notes, article.pending = article.pending, []
    return [*found, *(note.block for note in notes)]


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
    if not name and len(element) and all(child.tag == "sec" for child in element):
        return blocks(element, article, level)  # its sections have the titles
    content = blocks(element, article, level + 1, skip=("caption",))
    for found in element.findall("caption"):
        content = [*blocks(found, article, level + 1), *content]
    return [md.heading(level, name or "Box"), *content]


def figure(element: Element, article: Article, level: int) -> list[str]:
    """A `fig`, or anything that is a picture or a file with a caption."""
    return [
        md.paragraph(caption(element, article)),
        *blocks(asides(element), article, level),
        *blocks(element, article, level, skip=("label", "caption", "textual-form")),
    ]


def group(element: Element, article: Article, level: int) -> list[str]:
    """A `fig-group` or `table-wrap-group`: its own caption, then its members."""
    own = caption(element, article)
    return [md.paragraph(own), *blocks(element, article, level, skip=("caption",))]


def listing(element: Element, article: Article, level: int) -> list[str]:
    """A `list` of any depth; what cannot stand in an item follows the list."""
    lifted: list[str] = []
    lines = _items(element, article, level, 0, lifted)
    return [*_head(element, article), "\n".join(lines), *lifted]


def _head(element: Element, article: Article) -> list[str]:
    """The title of a list, as a bold line of its own."""
    name = title(element, article)
    return [md.paragraph(md.emphasis(name, "**"))] if name else []


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
    """A `def-list`: one line a term, a list inside a definition indented below it."""
    lifted: list[str] = []
    lines = _terms(element, article, level, 0, lifted)
    return [*_head(element, article), "\n".join(lines), *lifted]


def _terms(
    element: Element, article: Article, level: int, depth: int, lifted: list[str]
) -> list[str]:
    lines: list[str] = []
    for item in element:
        if item.tag in ("def-list", "dl"):
            lines += _terms(item, article, level, depth, lifted)
        if item.tag not in ("def-item", "div"):
            continue
        terms = [line(child, article) for child in item if child.tag in ("term", "dt")]
        meaning, nested = "", []
        for part in (
            one for child in item if child.tag in ("def", "dd") for one in _item_parts(child)
        ):
            if isinstance(part, str):
                meaning += f" {md.escape(md.clean(part))}"
            elif part.tag in ("def-list", "dl"):
                nested += _terms(part, article, level, depth + 1, lifted)
            elif part.tag in ("list", "ul", "ol"):
                nested += _items(part, article, level, depth + 1, lifted)
            elif part.tag in BLOCKS and part.tag != "p":
                lifted += block(part, article, level)
            else:
                meaning += f" {span(part, article)}"
        term = md.emphasis("; ".join(terms), "**")
        shown = f"{term}: {' '.join(meaning.split())}".rstrip(": ")
        lines += [f"{'    ' * min(depth, 6)}- {shown}", *nested]
    return lines


def quote(element: Element, article: Article, level: int) -> list[str]:
    """A quotation or a speech: its blocks marked, its title in bold, its notes behind it."""
    name = title(element, article)
    content = [md.paragraph(md.emphasis(name, "**"))] if name else []
    if len(element):
        content += blocks(element, article, level)
        content += [md.paragraph(line(one, article)) for one in element.findall("attrib")]
    else:
        content.append(md.paragraph(inline(element, article)))
    notes = [one for one in content if one.startswith("[^")]
    return [md.quoted(one for one in content if one not in notes), *notes]


def verse(element: Element, article: Article, level: int) -> list[str]:
    """A `verse-group`: one paragraph a stanza, its lines broken as they are."""
    name = title(element, article)
    stanzas = [md.emphasis(name, "**")] if name else []
    lines: list[str] = []
    for child in (*element, Element("verse-group")):
        if child.tag == "verse-line":
            lines.append(line(child, article))
            continue
        if lines:
            stanzas.append("<br>".join(lines))
            lines = []
        if child.tag == "verse-group" and len(child):
            stanzas += [part[2:] for part in verse(child, article, level)[0].split("\n>\n")]
        elif child.tag not in ("title", "label"):
            stanzas.append(line(child, article))
    return [md.quoted(md.paragraph(stanza) for stanza in stanzas)]


def display(element: Element, article: Article, level: int) -> list[str]:
    """A `disp-formula` between paragraphs."""
    return [formula(element, article, display=True)]


def formulas(element: Element, article: Article, level: int) -> list[str]:
    """A `disp-formula-group`; a number of its own is its first formula's."""
    inner = list(element.iter("disp-formula"))
    own = element.find("label")
    if own is not None and inner and not any(one.find("label") is not None for one in inner):
        inner[0].insert(0, own)
    return blocks(element, article, level)


def code(element: Element, article: Article, level: int) -> list[str]:
    """`code` and `preformat`: literal lines."""
    return [md.fenced("".join(element.itertext()))]


def cited(element: Element, article: Article, level: int) -> list[str]:
    """A citation that stands in the text and not in the list, as those of data sets do."""
    return [md.paragraph(citation(element, article))]


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
    "table": lambda e, a, _: [pipe_table(e, a)],
    "array": lambda e, a, _: [pipe_table(e, a)],
    "graphic": figure,
    "element-citation": cited,
    "mixed-citation": cited,
    "nlm-citation": cited,
    "list": listing,
    "ul": listing,
    "ol": listing,
    "def-list": definitions,
    "dl": definitions,
    "disp-quote": quote,
    "blockquote": quote,
    "verse-group": verse,
    "speech": quote,
    "disp-formula": display,
    "disp-formula-group": formulas,
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
