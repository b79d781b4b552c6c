"""A prepared tree in, Markdown blocks out: markdownify's walk with our escaping and our forms."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import markdownify

from pressmark.fulltext import grid
from pressmark.fulltext import markdown as md
from pressmark.fulltext.grid import Cell

if TYPE_CHECKING:
    from bs4 import Tag

    from pressmark.fulltext.html.prepare import Prepared

_BLOCKS = re.compile(
    r"^(?:p|div|section|article|main|header|aside|figure|figcaption|table|ul|ol|dl|h[1-6]|"
    r"blockquote|pre|details)$"
)
_BLOCK_MARK = "\x00"
"""Stands before every finished block, so that loose text between blocks can be told apart."""


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
            if part.startswith(_BLOCK_MARK):
                out.append(part[1:])
            else:
                out.append(md.paragraph(part))
        return [part.replace(_BLOCK_MARK, "") for part in out if part.strip()]

    def line(self, tag: Tag) -> str:
        """An element as one line."""
        text = self.process_tag(tag).replace(_BLOCK_MARK, " ")
        return " ".join(text.split())

    # What the walk calls

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
            return self._block(md.emphasis(re.sub(r"(?<!\\)\*", "", text), "**"))
        level = 2 if re.search(r"ltx_title_(abstract|acknowledge|keywords)", classes) else n
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
        return f"[{text.strip()}]" if re.match(r"\s*\[[^\]]*\]\(#ref-", text) else text

    def convert_em(self, el: Tag, text: str, parent_tags: Any) -> str:
        return text if "em" in parent_tags or "i" in parent_tags else md.emphasis(text)

    convert_i = convert_em

    def convert_strong(self, el: Tag, text: str, parent_tags: Any) -> str:
        return md.emphasis(text, "**")

    convert_b = convert_strong

    def convert_br(self, el: Tag, text: str, parent_tags: Any) -> str:
        return " "

    convert_hr = convert_br

    def convert_code(self, el: Tag, text: str, parent_tags: Any) -> str:
        value = " ".join(text.split())
        return f"`{value}`" if value and not re.search(r"[`|\\]", value) else md.escape(value)

    convert_kbd = convert_samp = convert_code

    def convert_pre(self, el: Tag, text: str, parent_tags: Any) -> str:
        """Literal lines behind a fence that they cannot close."""
        lines = [md.clean(line).rstrip() for line in text.replace("<!--", "< !--").split("\n")]
        longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
        fence = "`" * max(3, longest + 1)
        return self._block("\n".join([fence, *(line for line in lines if line), fence]))

    def convert_blockquote(self, el: Tag, text: str, parent_tags: Any) -> str:
        """Each paragraph marked."""
        parts = [one.strip().lstrip(_BLOCK_MARK) for one in text.split("\n\n") if one.strip()]
        return self._block("\n>\n".join(f"> {' '.join(one.split())}" for one in parts))

    def convert_figcaption(self, el: Tag, text: str, parent_tags: Any) -> str:
        """`**Figure 1.** Caption.`: the one form of every caption."""
        text = " ".join(text.replace(_BLOCK_MARK, " ").split())
        found = re.match(r"((?:Fig(?:ure)?|Table|Algorithm|Listing)\.?\s*[\w.]*\d)[.:]*\s*", text)
        if found:
            text = f"**{found[1]}.** {text[found.end() :]}"
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

    def convert_list(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A list from the lines its items became."""
        items = list(el.find_all("li", recursive=False))
        lines: list[str] = []
        for number, item in enumerate(items, 1):
            first, *rest = self._item(item, parent_tags).split("\n")
            mark = f"{number}. " if el.name == "ol" else "- "
            lines += [f"{mark}{md.paragraph(first)}".rstrip(), *rest]
        return self._block("\n".join(lines)) if lines else ""

    def _item(self, item: Tag, parent_tags: Any) -> str:
        for mark in item.select(".ltx_tag_item"):
            if re.fullmatch(r"[\W\d_]*", mark.get_text()):
                mark.decompose()
            else:
                mark.insert_after(" ")
        return str(self.process_tag(item, parent_tags={*parent_tags, "li"})).strip("\n")

    convert_ul = convert_ol = convert_list

    def convert_dl(self, el: Tag, text: str, parent_tags: Any) -> str:
        return self._block("\n".join(line for line in text.split("\n") if line.strip()))

    def convert_dt(self, el: Tag, text: str, parent_tags: Any) -> str:
        return f"\n- {md.emphasis(' '.join(text.split()), '**')}: "

    def convert_dd(self, el: Tag, text: str, parent_tags: Any) -> str:
        return " ".join(text.replace(_BLOCK_MARK, " ").split())

    def convert_td(self, el: Tag, text: str, parent_tags: Any) -> str:
        return f" {text} "

    convert_th = convert_tr = convert_td

    def convert_table(self, el: Tag, text: str, parent_tags: Any) -> str:
        """A pipe table; LaTeXML's equation tables are formulas."""
        if {"ltx_equation", "ltx_equationgroup", "ltx_eqn_table"} & set(el.get("class") or ()):
            return self._equations(el, parent_tags)
        if "_inline" in parent_tags or "li" in parent_tags:
            return f" {text} "
        caption = el.find("caption", recursive=False)
        before = self.process_tag(caption, parent_tags=set(parent_tags)) if caption else ""
        rows = [row for row in el.find_all("tr") if row.find_parent("table") is el]
        heads = 0
        while heads < len(rows) and _is_head(rows[heads]):
            heads += 1
        cells = [[self._cell(cell) for cell in _cells(row)] for row in rows]
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
            if len(formulas) == 1:
                lines.append(md.math(formulas[0] + md.equation_tag(label), display=True))
            else:  # aligned cells stay formulas of their own
                tail = [md.escape(f"({label})")] if label and formulas else []
                lines.append(" ".join([*(md.math(one) for one in formulas), *tail]))
        if "_inline" in parent_tags or "li" in parent_tags or "p" in parent_tags:
            return f" {' '.join(lines)} "
        return "".join(self._block(line) for line in lines if line)


def _cells(row: Tag) -> list[Tag]:
    return [cell for cell in row.find_all(["td", "th"]) if cell.find_parent("tr") is row]


def _is_head(row: Tag) -> bool:
    cells = _cells(row)
    return row.find_parent("thead") is not None or (
        bool(cells)
        and all(
            cell.name == "th" and "ltx_th_row" not in (cell.get("class") or ()) for cell in cells
        )
    )


def _outside(text: str, wrap: Any) -> str:
    """Blanks and brackets at the ends stay outside the link."""
    found = re.fullmatch(r"(\s*(?:\\?\[)?)(.*?)((?:\\?\])?[\s,;]*)", text, re.S)
    return f"{found[1]}{wrap(found[2])}{found[3]}" if found and found[2] else text
