"""A prepared tree in, Markdown blocks out: markdownify's walk with our escaping and our forms."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import markdownify

from pressmark.fulltext import grid
from pressmark.fulltext import markdown as md
from pressmark.fulltext.grid import Cell
from pressmark.fulltext.html import parts
from pressmark.fulltext.raised import lowered, raised

if TYPE_CHECKING:
    from bs4 import Tag

    from pressmark.fulltext.html.prepare import Prepared

_BLOCKS = re.compile(
    r"^(?:p|div|section|article|main|header|aside|figure|figcaption|table|ul|ol|dl|h[1-6]|"
    r"blockquote|pre|details)$"
)
_BLOCK_MARK = "\x00"
"""Stands before every finished block, so that loose text between blocks can be told apart."""
_RUN_IN = "\x01"
"""Ends a title that leads the paragraph behind it."""
_BLANK = "\x02"
"""An empty line of a listing, which is no end of a block."""
_MARKS = {0: None, 1: None, 2: ""}
_APART = re.compile(r"#|\||>|```|- |\d+\. |\$\$|\[\^|\*\*(?:Fig|Table)")
_LEADING = re.compile(r"((?:Fig(?:ure)?|Table|Algorithm|Listing)\.?\s*[\w.]*\d)[.:]*\s*")


_Converter: Any = markdownify.MarkdownConverter


class Writer(_Converter):  # type: ignore[misc]
    """One converter a page; notes are collected as their marks are met."""

    def __init__(self, prepared: Prepared) -> None:
        super().__init__(wrap=True, wrap_width=None, heading_style="atx")
        self.prepared = prepared
        self.pending: list[md.Footnote] = []

    def blocks(self, root: Tag) -> list[str]:
        """The blocks of the whole tree."""
        out: list[str] = []
        for part in self.process_tag(root).split("\n\n"):
            part = part.strip("\n")
            if not part.strip():
                continue
            block = part[1:] if part.startswith(_BLOCK_MARK) else md.paragraph(part)
            if out and out[-1].endswith(_RUN_IN) and not _APART.match(block):
                out[-1] = f"{out[-1][:-1]} {block}"
            else:
                out.append(block)
        cleaned = (part.translate(_MARKS) for part in out)
        return [part for part in cleaned if part.strip()]

    def line(self, tag: Tag) -> str:
        """An element as one line."""
        text = self.process_tag(tag).replace(_BLOCK_MARK, " ")
        return " ".join(text.split())

    # What the walk calls

    def process_tag(self, node: Any, parent_tags: Any = None) -> str:
        """A tag; lists and tables read their own parts, once however deep they stand."""
        tags = set(parent_tags or ())
        if node.name in ("ul", "ol"):
            return self._list(node, tags)
        if node.name == "table":
            return self._table(node, tags)
        if "ltx_listing" in (node.get("class") or ()) and node.select_one(".ltx_listingline"):
            return self._listing(node, tags)
        return str(super().process_tag(node, parent_tags=tags))

    def _inside(self, el: Tag, parent_tags: set[str]) -> str:
        tags = {*parent_tags, el.name}
        return "".join(self.process_element(child, parent_tags=tags) for child in el.children)

    def escape(self, text: str, parent_tags: Any) -> str:
        """Literal text; our rules instead of markdownify's."""
        return md.escape(md.clean(text)) if text else ""

    def process_text(self, el: Any, parent_tags: Any = None) -> str:
        """Text in one line; blanks at its edges are kept between inline elements."""
        value = str(el)
        if "pre" in (parent_tags or ()):
            return value
        return md.escape(md.clean(value))

    def _block(self, text: str) -> str:
        notes, self.pending = self.pending, []
        blocks = [text, *(note.block for note in notes)]
        return "".join(f"\n\n{_BLOCK_MARK}{one}" for one in blocks if one.strip()) + "\n\n"

    def convert_p(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A paragraph; inside a cell or a heading only its words."""
        if "_inline" in parent_tags or "li" in parent_tags or "figcaption" in parent_tags:
            return f" {text.strip()} "
        if "\n\n" in text:
            return text
        return self._block(md.paragraph(text)) if text.strip() else ""

    def convert_div(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A group: a paragraph of its own when nothing in it is a block."""
        if "_inline" in parent_tags or "li" in parent_tags or "figcaption" in parent_tags:
            return f" {text} "
        if _BLOCK_MARK in text or el.find(_BLOCKS):
            return f"\n\n{text}\n\n"
        return self._block(md.paragraph(text)) if text.strip() else ""

    convert_article = convert_section = convert_figure = convert_aside = convert_div
    convert_main = convert_header = convert_details = convert_div

    def convert_hN(self, n: int, el: Tag, text: str, parent_tags: Any) -> str:
        """A heading: LaTeXML's run-in titles lead their paragraph, its abstract is a section."""
        classes = " ".join(el.get("class") or ())
        if "_inline" in parent_tags or not text.strip() or not parent_tags:
            return text
        text = text.replace(_BLOCK_MARK, " ")
        if "ltx_title_theorem" in classes or "ltx_runin" in classes:
            name = " ".join(re.sub(r"(?<!\\)\*", "", text).split())
            name = name if name[-1] in ".:?!" else f"{name}."
            return self._block(md.emphasis(name, "**") + _RUN_IN)
        level = 2 if re.search(r"ltx_title_(abstract|acknowledge|keywords)", classes) else max(n, 2)
        return self._block(md.heading(level, re.sub(r"(?<!\\)\*", "", text)))

    def convert_math(self, el: Tag, text: str, parent_tags: Any) -> str:
        """TeX in dollars; a displayed one in double dollars."""
        return md.math(str(el.get("data-tex") or ""), display=el.get("display") == "block")

    def convert_pressmark_note(self, el: Tag, text: str, parent_tags: Any) -> str:
        """The mark of a footnote, whose text follows the block."""
        name = str(el.get("data-name"))
        note = self.prepared.notes.pop(name, None)
        if note is not None:
            self.pending.append(md.Footnote(name, self.line(note)))
        return f"[^{name}]"

    def convert_a(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A link to a reference or to the web; one within the site is only words."""
        target = str(el.get("href") or "")
        number = self.prepared.numbers.get(target.rpartition("#")[2]) if "#" in target else None
        if number:
            return _outside(text, lambda inner: md.link(inner, f"#ref-{number}"))
        if "](" in text or md.plain(text).strip().startswith(("http", "www.")):
            return text
        return _outside(text, lambda inner: md.link(inner, target))

    def convert_cite(self, el: Tag, text: str, parent_tags: Any) -> str:
        """Citations as printed, without the blanks that an empty postnote leaves."""
        return re.sub(r"[,\s]+(?=[;)\]]|\\\]|$)", "", text.strip())

    def convert_img(self, el: Tag, text: str, parent_tags: Any) -> str:
        """Pictures are not kept."""
        return ""

    def convert_sup(self, el: Tag, text: str, parent_tags: Any) -> str:
        """Raised text as plain text; raised citations in brackets."""
        return raised(text) if text.strip() and "[^" not in text else text

    def convert_sub(self, el: Tag, text: str, parent_tags: Any) -> str:
        return lowered(text) if text.strip() and "[^" not in text else text

    def convert_span(self, el: Tag, text: str, parent_tags: Any) -> str:
        """LaTeXML names its fonts in classes; what is set in one throughout needs no mark."""
        font = next((one for one in el.get("class") or () if one in parts.FONTS), None)
        shown = text.strip()
        if font is None or not shown or len(shown) > 80 or "pre" in parent_tags:
            return text
        if el.find(parts.FONTED) is not None or _BLOCK_MARK in text or parts.fills(el, font):
            return text
        if font == "ltx_font_typewriter":
            return self.convert_code(el, text, parent_tags)
        return _outside(text, lambda inner: md.emphasis(inner, parts.FONTS[font]))

    def _plain(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A mark that plain Markdown has not."""
        return text

    convert_del = convert_s = convert_q = convert_ins = convert_u = convert_mark = _plain
    convert_small = convert_abbr = convert_time = _plain

    def convert_em(self, el: Tag, text: str, parent_tags: Any) -> str:
        return text if "em" in parent_tags or "i" in parent_tags else md.emphasis(text)

    convert_i = convert_em

    def convert_strong(self, el: Tag, text: str, parent_tags: Any) -> str:
        return md.emphasis(text, "**")

    convert_b = convert_strong

    def convert_rt(self, el: Tag, text: str, parent_tags: Any) -> str:
        """How the characters before it are read."""
        return f"({text.strip()})"

    def convert_rp(self, el: Tag, text: str, parent_tags: Any) -> str:
        return ""

    def convert_br(self, el: Tag, text: str, parent_tags: Any) -> str:
        return " "

    convert_hr = convert_br

    def convert_code(self, el: Tag, text: str, parent_tags: Any) -> str:
        """Code in a line, its signs as they are; inside `pre` only its words."""
        if "pre" in parent_tags:
            return text
        value = md.clean(el.get_text()).strip()
        return f"`{value}`" if value and not re.search(r"[`|\\$*]", value) else md.escape(value)

    convert_kbd = convert_samp = convert_code

    def convert_pre(self, el: Tag, text: str, parent_tags: Any) -> str:
        """Literal lines behind a fence that they cannot close."""
        for end in el.find_all("br"):
            end.replace_with("\n")
        return self._fenced(el.get_text(), parent_tags)

    def _fenced(self, literal: str, parent_tags: Any) -> str:
        if parent_tags and {"_inline", "li", "td"} & set(parent_tags):
            return f" {md.escape(md.clean(literal))} "
        lines = md.fenced(literal.replace("\xa0", " ")).split("\n")
        return self._block("\n".join(line or _BLANK for line in lines)) if lines[0] else ""

    def _listing(self, el: Tag, parent_tags: Any) -> str:
        """LaTeXML's listings: code as code, the steps of an algorithm as lines of a list."""
        lines = el.select(".ltx_listingline")
        for number in el.select(".ltx_tag_listingline"):
            number.decompose()
        if el.find("math") is None:
            return self._fenced("\n".join(one.get_text().strip("\n") for one in lines), parent_tags)
        steps = [self.line(one) for one in lines]
        return self._block("\n".join(f"- {md.paragraph(one)}" for one in steps if one))

    def convert_blockquote(self, el: Tag, text: str, parent_tags: Any) -> str:
        """Each line marked, lists and listings in it too."""
        if parent_tags and {"_inline", "li"} & set(parent_tags):
            return f" {text} "
        inner = [one.strip("\n").replace(_BLOCK_MARK, "") for one in text.split("\n\n")]
        marked = md.quoted(
            one if "\n" in one else " ".join(one.split()) for one in inner if one.strip()
        )
        return self._block(marked)

    def convert_figcaption(self, el: Tag, text: str, parent_tags: Any) -> str:
        """`**Figure 1.** Caption.`: the one form of every caption."""
        text = " ".join(text.replace(_BLOCK_MARK, " ").split())
        text = re.sub(r"^\*{1,2}([^*]+)\*{1,2}(?=\W|$)", r"\1", text) if text[:1] == "*" else text
        if found := _LEADING.match(text):
            text = f"**{found[1]}.** {text[found.end() :]}".rstrip()
        return self._block(md.paragraph(text)) if text.strip() else ""

    convert_caption = convert_figcaption

    # Lists and tables

    def convert_li(self, el: Tag, text: str, parent_tags: Any) -> str:
        """One line an item; a nested list keeps its lines, indented."""
        lines, words = [], []
        for part in re.split(r"\n+", text):
            nested = re.match(rf"{_BLOCK_MARK}?(\s*(?:- |\d+\. ))", part)
            if nested:
                lines.append("    " + part.replace(_BLOCK_MARK, ""))
            elif part.strip(f" {_BLOCK_MARK}"):
                words.append(part.replace(_BLOCK_MARK, "").strip())
        return "\n" + "\n".join([" ".join(words), *lines]).strip()

    def _list(self, el: Tag, parent_tags: set[str]) -> str:
        """A list from the lines its items became; what cannot stand in an item follows the list."""
        if "ltx_inline-enumerate" in (el.get("class") or ()) or "_inline" in parent_tags:
            return f" {self._inside(el, parent_tags).strip()} "
        lifted = [] if "li" in parent_tags else parts.lift(el)
        start = str(el.get("start") or "1")
        begin = int(start) if start.isdigit() and start.isascii() and len(start) < 6 else 1
        lines: list[str] = []
        for number, item in enumerate(el.find_all("li", recursive=False), begin):
            first, *rest = self._item(item, parent_tags).split("\n")
            mark = f"{number}. " if el.name == "ol" else "- "
            if first or rest:
                lines += [f"{mark}{md.paragraph(first)}".rstrip(), *rest]
        shown = self._block("\n".join(lines)) if lines else ""
        return shown + "".join(self.process_tag(part, set()) for part in lifted)

    def _item(self, item: Tag, parent_tags: Any) -> str:
        for mark in item.select(".ltx_tag_item"):
            if re.fullmatch(r"[\W\d_]*", mark.get_text()):
                mark.decompose()
            else:
                mark.insert_after(" ")
        return str(self.process_tag(item, parent_tags={*parent_tags, "li"})).strip("\n")

    def convert_dl(self, el: Tag, text: str, parent_tags: Any) -> str:
        lines = (line.replace(_BLOCK_MARK, "") for line in text.split("\n"))
        return self._block("\n".join(line for line in lines if line.strip()))

    def convert_dt(self, el: Tag, text: str, parent_tags: Any) -> str:
        return f"\n- {md.emphasis(' '.join(text.split()), '**')}: "

    def convert_dd(self, el: Tag, text: str, parent_tags: Any) -> str:
        """One line; a list in it stays a list."""
        return self.convert_li(el, text, parent_tags).lstrip("\n")

    def convert_td(self, el: Tag, text: str, parent_tags: Any) -> str:
        return f" {text} "

    convert_th = convert_tr = convert_td

    def _table(self, el: Tag, parent_tags: set[str]) -> str:
        """A pipe table; LaTeXML's equation tables are formulas."""
        if parts.EQUATIONS & set(el.get("class") or ()):
            return self._equations(el, parent_tags)
        if "_inline" in parent_tags or "li" in parent_tags:
            return f" {self._inside(el, parent_tags)} "
        caption = el.find("caption", recursive=False)
        before = self.process_tag(caption, parent_tags=set(parent_tags)) if caption else ""
        rows = [row for row in el.find_all("tr") if row.find_parent("table") is el]
        heads = 0
        while heads < len(rows) and parts.is_head(rows[heads]):
            heads += 1
        cells = [[self._cell(cell) for cell in parts.cells(row)] for row in rows]
        return before + self._block(grid.table(cells, heads))

    def _cell(self, cell: Tag) -> Cell:
        shown = self.process_tag(cell, parent_tags={"table", "_inline"}).replace(_BLOCK_MARK, " ")
        return Cell.read(" ".join(shown.split()), cell.get("colspan"), cell.get("rowspan"))

    def _equations(self, el: Tag, parent_tags: Any) -> str:
        lines = []
        for row in el.find_all("tr"):
            formulas = [str(one.get("data-tex") or "") for one in row.find_all("math")]
            number = row.select_one(".ltx_tag_equation")
            label = md.clean(number.get_text()).strip("()[] ") if number is not None else ""
            if len(formulas) > 1 and not label and re.fullmatch(r"\(\d[\w.]*\)", formulas[-1]):
                label = formulas.pop().strip("()")
            if formulas:  # the cells of a row are one formula, aligned at its sign
                shown = " ".join(
                    re.sub(r"^\s*\\displaystyle(?![A-Za-z])", "", one) for one in formulas
                )
                lines.append(md.math(shown + md.equation_tag(label), display=True))
            elif words := self.line(row):
                lines.append(md.paragraph(words))
        if "_inline" in parent_tags or "li" in parent_tags or "p" in parent_tags:
            return f" {' '.join(lines)} "
        return "".join(self._block(line) for line in lines if line)


def _outside(text: str, wrap: Any) -> str:
    """Blanks and brackets at the ends stay outside the link."""
    found = re.fullmatch(r"(\s*(?:\\?\[(?!\^))?)(.*?)((?:\\?\])?[\s,;]*)", text, re.S)
    if not found or not found[2]:
        return text
    before, inner, after = found.groups()
    if ("]" in after) != ("[" in before):  # one of the two belongs to a pair within
        before, inner, after = re.fullmatch(r"(\s*)(.*?)([\s,;]*)", text, re.S).groups()  # type: ignore[union-attr]
    return f"{before}{wrap(inner)}{after}"
