"""A page's tree in; the same tree without chrome, its notes, formulas and references taken out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pressmark.fulltext import clean
from pressmark.fulltext import markdown as md
from pressmark.fulltext.html import site

if TYPE_CHECKING:
    from bs4 import Tag


@dataclass
class Prepared:
    """What the pass found: reference numbers by id, their elements, notes, unseen characters."""

    numbers: dict[str, int] = field(default_factory=dict)
    entries: list[Tag] = field(default_factory=list)
    addresses: list[list[str]] = field(default_factory=list)  # what each of them links to
    notes: dict[str, Tag] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    hidden: int = 0


def prepare(root: Tag) -> Prepared:
    """Change the tree in place; `maths.formulas` went before, so that every search is short."""
    prepared = Prepared()
    site.strip(root)
    prepared.hidden += site.unseen(root)
    prepared.hidden += clean.hidden(root.get_text())
    _errors(root, prepared)
    _tabulars(root)
    _bibliography(root, prepared)
    _endnotes(root, prepared)
    _notes(root, prepared)
    return prepared


def _errors(root: Tag, prepared: Prepared) -> None:
    marks = root.select(".ltx_ERROR")
    for mark in marks:
        mark.decompose()
    if marks:
        prepared.warnings.append(f"{len(marks)} macros that LaTeXML did not know were left out")


def _tabulars(root: Tag) -> None:
    """LaTeXML sets a table that stands in a line from `span`s: they are cells all the same."""
    for table in root.select("span.ltx_tabular, div.ltx_tabular"):
        table.name = "table"
        for part in table.select(".ltx_thead, .ltx_tbody, .ltx_tr, .ltx_td"):
            classes = set(part.get("class") or ())
            head = "th" if "ltx_th" in classes else "td"
            names = {"ltx_thead": "thead", "ltx_tbody": "tbody", "ltx_tr": "tr", "ltx_td": head}
            part.name = next(name for key, name in names.items() if key in classes)


def _bibliography(root: Tag, prepared: Prepared) -> None:
    """Take the entries out; the list is written last, whatever stood after it."""
    items = list(root.select("li.ltx_bibitem")) or _marked_list(root) or _generic_list(root)
    for number, item in enumerate(items, 1):
        if item.get("id"):
            prepared.numbers[str(item["id"])] = number
        for anchor in item.find_all(id=True):
            prepared.numbers.setdefault(str(anchor["id"]), number)
        for label in item.select(".ltx_tag_bibitem"):
            if re.fullmatch(r"\W*\d*\W*", label.get_text()):
                label.decompose()  # the list numbers its entries itself
            else:
                label.insert_after(" ")
        for block in item.select(".ltx_bibblock"):
            block.insert_before(" ")
        prepared.addresses.append([str(one["href"]) for one in item.find_all("a", href=True)])
        for link in item.find_all("a", href=True):
            if _SERVICE.fullmatch(link.get_text()):
                link.decompose()
        prepared.entries.append(item.extract())
    for section in root.select("section.ltx_bibliography, .ltx_biblist"):
        section.decompose()


_SERVICE = re.compile(
    r"\W*(?:view )?(?:article|pubmed(?: central)?|google scholar|cas|cross-?ref|ads"
    r"|mathscinet|medline|web of science|scopus|full text|find in .*|zbmath|math|↩︎?|\^)\W*",
    re.I,
)
"""What a publisher links behind an entry: a service's name, no word of the entry."""
_HEADING = re.compile(
    r"^\W*(?:\d+\.?\s*)?(?:references|bibliography|literature cited|works cited|literatur)\W*$",
    re.I,
)
_ENTRIES = (
    "[role=doc-biblioentry]", ".csl-entry", "[role=doc-bibliography] li",
    "li.c-article-references__item", "ol.references > li", ".ref-list li", "ol.bibliography > li",
)  # fmt: skip


def _headings(root: Tag) -> list[Tag]:
    return list(root.find_all(re.compile(r"^h[1-6]$")))


def _marked_list(root: Tag) -> list[Tag]:
    """The entries of a list that says what it is."""
    for selector in _ENTRIES:
        items = [one for one in root.select(selector) if one.get_text().strip()]
        if len(items) >= 2:
            for heading in _headings(root):
                if _HEADING.match(heading.get_text()):
                    heading.decompose()
            return items
    return []


def _generic_list(root: Tag) -> list[Tag]:
    """The items after the last heading that names a reference list, up to the next heading."""
    headings = [tag for tag in _headings(root) if _HEADING.match(tag.get_text())]
    if not headings:
        return []
    heading, items, lines = headings[-1], [], []
    for tag in heading.find_all_next(["ol", "ul", "p", re.compile(r"^h[1-6]$")]):
        if re.match(r"h[1-6]$", tag.name) or not _within(tag, root):
            break
        if tag.name != "p":
            items = [one for one in tag.find_all("li", recursive=False) if one.get_text().strip()]
            break
        lines.append(tag)
    if not items and lines and all(_NUMBERED.match(one.get_text()) for one in lines):
        items = lines
        for one in items:  # the list numbers its entries itself
            first = one.find(string=_NUMBERED)
            if first is not None:
                first.replace_with(_NUMBERED.sub("", str(first), count=1))
    if len(items) < 2:
        return []
    heading.decompose()
    return items


_NUMBERED = re.compile(r"^\s*(?:\[\d{1,3}\]|\d{1,3}[.)])\s*")


def _within(tag: Tag, root: Tag) -> bool:
    return any(parent is root for parent in tag.parents)


_NOTE = re.compile(r"(?:foot|end)?(?:fn|note)(?!ref|s?$)", re.I)


def _endnotes(root: Tag, prepared: Prepared) -> None:
    """Notes that a page lists at its end and its text points to."""
    places: dict[str, str] = {}
    for mark in root.select("a[href^='#']"):
        if mark.decomposed or not mark.attrs:  # taken out with the note before, or turned into it
            continue
        target = str(mark["href"])[1:]
        known = mark.get("role") == "doc-noteref" or _NOTE.match(target)
        if not target or not known:
            continue
        if target not in places:
            note = root.find(id=target)
            if note is None or note.name not in ("li", "div", "p", "aside", "section"):
                continue
            for back in note.select("a[href^='#']"):
                if re.fullmatch(r"\W*|\W*(?:\d+|back)\W*", back.get_text(), re.I):
                    back.decompose()
            places[target] = f"end{len(places) + 1}"
            prepared.notes[places[target]] = note.extract()
        holder = mark.parent if mark.parent is not None and mark.parent.name == "sup" else mark
        if holder.get_text().strip() != mark.get_text().strip():
            holder = mark
        holder.clear()
        holder.name = "pressmark-note"
        holder.attrs = {"data-name": places[target]}
    for group in root.select("section[role=doc-endnotes], section.footnotes, div.footnotes"):
        if not group.get_text().strip() or group.find("li") is None:
            group.decompose()


def _notes(root: Tag, prepared: Prepared) -> None:
    """A LaTeXML footnote stands in the text; only its mark may stay there."""
    for number, note in enumerate(root.select(".ltx_note"), 1):
        content = note.select_one(".ltx_note_content")
        if note.decomposed or content is None:
            continue
        for mark in content.select(".ltx_note_mark, .ltx_tag_note, .ltx_note_type"):
            mark.decompose()
        prepared.notes[str(number)] = content.extract()
        note.clear()
        note.name = "pressmark-note"
        note.attrs = {"data-name": str(number)}


def visible_text(tag: Tag) -> str:
    """The words of a heading without its notes and marks."""
    parts = []
    for text in tag.find_all(string=True):
        classes = {name for parent in text.parents for name in parent.get("class") or ()}
        if not classes & {"ltx_note", "ltx_ERROR", "ltx_note_mark"} and not text.find_parent(
            "math"
        ):
            parts.append(str(text))
    for math in tag.find_all("math"):
        parts.append(str(math.get("alttext") or ""))
    return md.clean("".join(parts)).strip()
