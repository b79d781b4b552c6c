"""A `table-wrap` or `table` in; caption, pipe table and foot out, cells never joined."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from pressmark.fulltext import grid
from pressmark.fulltext import markdown as md
from pressmark.fulltext.grid import Cell
from pressmark.fulltext.jats.inline import Article, inline, line

ASIDE = frozenset({"supplementary-material", "media", "fig", "fig-group", "table-wrap", "list"})


def table_wrap(element: Element, article: Article) -> list[str]:
    """The blocks of one table with its label, caption and foot."""
    blocks = [caption(element, article)]
    tables = list(element.iter("table"))
    for table in tables:
        blocks.append(pipe_table(table, article))
    for foot in element.findall("table-wrap-foot"):
        blocks += [md.paragraph(note) for note in _foot(foot, article)]
    return blocks


def _foot(foot: Element, article: Article) -> list[str]:
    notes = []
    for child in foot:
        label = child.find("label")
        mark = f"{line(label, article)} " if label is not None else ""
        notes.append(mark + line(child, article, skip=("label",)))
    return [note for note in notes if note.strip()]


def caption(element: Element, article: Article) -> str:
    """`**Figure 1.** Title. Text.`: the one form of every caption, so that readers can skip it."""
    label = line(element.find("label"), article).rstrip(".: ")
    parts = []
    for found in element.findall("caption"):
        parts += [line(child, article, skip=ASIDE) for child in found if child.tag not in ASIDE]
        if not len(found):
            parts.append(line(found, article))
    parts = [part if part[-1] in ".?!:;" else f"{part}." for part in parts if part]
    lead = f"**{label}.**" if label and "*" not in label else label
    return " ".join([*([lead] if lead else []), *parts])


def asides(element: Element) -> list[Element]:
    """Figures, files and lists that a publisher puts inside a caption."""
    return [aside for found in element.findall("caption") for aside in _outermost(found)]


def _outermost(element: Element) -> list[Element]:
    found: list[Element] = []
    for child in element:
        found += [child] if child.tag in ASIDE else _outermost(child)
    return found


def pipe_table(table: Element, article: Article) -> str:
    """The rows of one `table`, those of its heads first."""
    head = [row for group in table.findall("thead") for row in group.iter("tr")]
    body = [row for row in table.iter("tr") if not any(row is one for one in head)]
    if not head and body and all(cell.tag == "th" for cell in body[0]):
        head, body = body[:1], body[1:]
    rows = [
        [
            Cell.read(_content(cell, article), cell.get("colspan"), cell.get("rowspan"))
            for cell in row
            if cell.tag in ("td", "th")
        ]
        for row in (*head, *body)
    ]
    return grid.table(rows, len(head))


def _content(cell: Element, article: Article) -> str:
    paragraphs = [child for child in cell if child.tag in ("p", "list", "break")]
    if len(paragraphs) > 1 and not (cell.text or "").strip():
        return "<br>".join(part for child in cell if (part := line(child, article)))
    return inline(cell, article)
