"""A page's tree in; the same tree without chrome, its notes, formulas and references taken out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

from pressmark.fulltext import clean
from pressmark.fulltext import markdown as md
from pressmark.fulltext.mathml import to_tex

if TYPE_CHECKING:
    from bs4 import Tag

_DROPPED = ", ".join(
    (
        "script", "style", "template", "noscript", "iframe", "object", "embed", "svg", "form",
        "button", "input", "select", "textarea", "nav", "footer", "link", "meta",
        ".ltx_page_navbar", ".ltx_page_logo", ".ltx_page_footer", ".ltx_pagination", ".ltx_dates",
        ".package-alerts", "#license-tr", "#watermark-tr", ".ltx_authors", ".ltx_rule",
        ".ltx_note_type", ".ltx_role_institutetext", ".ltx_role_footnotemark", ".sr-only",
        ".ltx_role_newpage", "[hidden]", "[aria-hidden=true]",
    )
)  # fmt: skip
_UNSEEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])", re.I)


@dataclass
class Prepared:
    """What the pass found: reference numbers by id, their elements, notes, unseen characters."""

    numbers: dict[str, int] = field(default_factory=dict)
    entries: list[Tag] = field(default_factory=list)
    notes: dict[str, Tag] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    hidden: int = 0


def prepare(root: Tag) -> Prepared:
    """Change the tree in place; formulas were emptied before, so that every search is short."""
    prepared = Prepared()
    for tag in root.select(_DROPPED):
        tag.decompose()
    for tag in root.find_all(style=_UNSEEN):
        if not tag.decomposed:
            prepared.hidden += len(" ".join(tag.get_text().split()))
            tag.decompose()
    prepared.hidden += clean.hidden(root.get_text())
    _errors(root, prepared)
    _bibliography(root, prepared)
    _notes(root, prepared)
    return prepared


def _errors(root: Tag, prepared: Prepared) -> None:
    marks = root.select(".ltx_ERROR")
    for mark in marks:
        mark.decompose()
    if marks:
        prepared.warnings.append(f"{len(marks)} macros that LaTeXML did not know were left out")


def formulas(root: Tag) -> None:
    """Each `math` keeps only its TeX: its children say the same again, for the eye."""
    for math in root.find_all("math"):
        tex = str(math.get("alttext") or "").strip() or _annotation(math) or to_tex(_element(math))
        math.clear()
        math["data-tex"] = tex


def _annotation(math: Tag) -> str:
    found = math.find("annotation", attrs={"encoding": re.compile("tex", re.I)})
    return found.get_text().strip() if found is not None else ""


def _element(tag: Tag) -> Element:
    """A subtree of MathML as the element tree that its converter reads."""
    from bs4 import Tag as TagType

    element = Element(tag.name.rpartition(":")[2])
    element.attrib = {name: str(value) for name, value in tag.attrs.items()}
    children = [child for child in tag.children if isinstance(child, TagType)]
    if not children:
        element.text = tag.get_text()
    element.extend(_element(child) for child in children)
    return element


def _bibliography(root: Tag, prepared: Prepared) -> None:
    """Take the entries out; the list is written last, whatever stood after it."""
    items = list(root.select("li.ltx_bibitem"))
    if not items:
        items = _generic_list(root)
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
        prepared.entries.append(item.extract())
    for section in root.select("section.ltx_bibliography, .ltx_biblist"):
        section.decompose()


_HEADING = re.compile(r"^\W*(?:\d+\.?\s*)?(?:references|bibliography|literature cited)\W*$", re.I)


def _generic_list(root: Tag) -> list[Tag]:
    """The items after the last heading that names a reference list."""
    headings = [
        tag for tag in root.find_all(re.compile(r"^h[1-6]$")) if _HEADING.match(tag.get_text())
    ]
    if not headings:
        return []
    found = headings[-1].find_next(["ol", "ul"])
    items = found.find_all("li", recursive=False) if found is not None else []
    if len(items) >= 2:
        headings[-1].decompose()
        return list(items)
    return []


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
