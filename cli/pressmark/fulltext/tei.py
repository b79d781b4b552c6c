"""TEI XML as GROBID writes it in, Markdown out: sections, citations linked to their entries.

GROBID reads a printed page, so a formula is the words that stood there, and a table its cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from pressmark import ids
from pressmark.fulltext import grid
from pressmark.fulltext import markdown as md
from pressmark.fulltext.clean import hidden
from pressmark.fulltext.extracted import Extracted
from pressmark.fulltext.grid import Cell
from pressmark.fulltext.jats.tree import NotAnArticle, parse_root, text
from pressmark.fulltext.licenses import normalise
from pressmark.fulltext.linking import link
from pressmark.fulltext.raised import lowered, raised

EXTRACTOR = "pressmark-tei 2"
_KINDS: dict[str, tuple[str, Callable[[str], str | None]]] = {
    "doi": ("doi", ids.normalise_doi),
    "arxiv": ("arxiv", ids.normalise_arxiv),
    "pmid": ("pmid", ids.normalise_pmid),
    "pmcid": ("pmcid", ids.normalise_pmcid),
}
_BACK = {
    "acknowledgement": "Acknowledgements", "availability": "Data availability",
    "funding": "Funding", "annex": "Appendix", "contribution": "Author contributions",
    "conflict": "Conflict of interest",
}  # fmt: skip
_LABEL = re.compile(r"^(?:Fig(?:ure)?|Table)\.?\s*\w*\s*[:.]?\s*", re.I)


def to_markdown(data: bytes) -> Extracted:
    """Read one document; never raises for what the bytes hold."""
    try:
        root = parse_root(data)
        if root.tag != "TEI":
            raise NotAnArticle(f"its root element is <{str(root.tag)[:40]}>, not TEI")
    except NotAnArticle as error:
        return Extracted(format="tei", state="damaged", extractor=EXTRACTOR, warnings=(str(error),))
    return _convert(root)


def _convert(root: Element) -> Extracted:
    header = _child(root, "teiHeader")
    listed = list(root.iter("listBibl"))
    entries = [one for part in listed for one in part if one.tag in ("biblStruct", "bibl")]
    numbers = {one.get("id") or "": number for number, one in enumerate(entries, 1)}
    title = md.clean(text(header.find(".//titleStmt/title"))).strip()
    notes = {one.get("id") or "": one for one in _child(root, "text").iter("note")}
    document = _Document(numbers, {key: note for key, note in notes.items() if key})
    abstract = [part for one in header.iter("abstract") for part in _blocks(one, document, 3)]
    written = _blocks(_child(root, "text/body"), document, 2)
    body = [*written, *_back(_child(root, "text/back"), document)]
    cited = [_entry(one) for one in entries]
    out = [
        md.heading(1, md.escape(title)),
        *([md.heading(2, "Abstract"), *abstract] if any(abstract) else []),
        *link(body, cited),
        *md.references((f"ref-{n}", md.escape(one)) for n, one in enumerate(cited, 1)),
    ]
    return Extracted(
        format="tei",
        state="ok" if any(part.strip() for part in written) else "empty",
        title=title,
        body=md.document(out),
        license=normalise(_licence(header), strict=True),
        hidden=hidden("".join(root.itertext())),
        references=tuple(cited),
        identifiers=tuple(dict.fromkeys(_identifiers(header))),
        opening=" ".join([title, *map(text, header.iter("persName")), *map(md.plain, abstract)])[
            :6000
        ],
        extractor=EXTRACTOR,
    )


def _child(element: Element, path: str) -> Element:
    found = element.find(path)
    return found if found is not None else Element("none")


def _licence(header: Element) -> str:
    found = next(header.iter("licence"), None)
    return f"{found.get('target') or ''} {text(found)}" if found is not None else ""


def _identifiers(element: Element) -> Iterator[str]:
    for found in element.iter("idno"):
        kind = _KINDS.get((found.get("type") or "").lower())
        value = kind[1](text(found)) if kind else None
        if kind and value:
            yield f"{kind[0]}:{value}"


# Text


@dataclass
class _Document:
    """What the walk needs to know and remembers: entries and notes by their ids."""

    numbers: dict[str, int]
    notes: dict[str, Element] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)  # id of a note -> its Markdown name
    pending: list[md.Footnote] = field(default_factory=list)  # to stand after this block

    def note(self, key: str, element: Element) -> str:
        """The mark of a note; its text is written once, after the block that cites it."""
        if key not in self.names:
            self.names[key] = str(len(self.names) + 1)
            self.pending.append(md.Footnote(self.names[key], _inline(element, self)))
        return f"[^{self.names[key]}]"

    def flush(self) -> list[str]:
        """The notes that were cited since the last block."""
        notes, self.pending = self.pending, []
        return [note.block for note in notes]


def _inline(element: Element, document: _Document) -> str:
    """The content of an element as one line of Markdown."""
    out = md.escape(md.clean(element.text or ""))
    for child in element:
        if child.tag not in ("head", "label"):
            out = md.join(out, _span(child, document))
        out = md.join(out, md.escape(md.clean(child.tail or "")))
    return out


def _span(element: Element, document: _Document) -> str:
    if element.tag == "lb":
        return " "
    if element.tag == "choice":  # two readings of one place: the better one
        better = (element.find(name) for name in ("corr", "reg", "expan", "abbr", "sic", "orig"))
        chosen = next((one for one in better if one is not None), None)
        return _inline(chosen, document) if chosen is not None else ""
    if element.tag == "note" and element.get("place"):
        return document.note(element.get("id") or f"at {id(element)}", element)
    shown = _inline(element, document)
    if element.tag == "ref":
        return _reference(element, shown, document)
    if element.tag == "hi":
        rend = (element.get("rend") or "").lower()
        if "sup" in rend:
            return raised(shown)
        if "sub" in rend:
            return lowered(shown)
        return md.emphasis(shown, "**" if "bold" in rend else "*") if rend else shown
    return f"{shown} " if element.tag in ("p", "note", "s", "item", "cell", "row") else shown


def _reference(element: Element, shown: str, document: _Document) -> str:
    targets = [one.removeprefix("#") for one in (element.get("target") or "").split()]
    if element.get("type") in ("foot", "note") and targets and targets[0] in document.notes:
        return document.note(targets[0], document.notes[targets[0]])
    if element.get("type") == "url":
        return shown if shown.strip().startswith(("http", "www.")) else md.link(
            shown, element.get("target") or "")  # fmt: skip
    cited = [document.numbers[one] for one in targets if one in document.numbers]
    found = re.fullmatch(r"(\s*(?:\\?[\[(])?)(.*?)((?:\\?[\])])?[\s,;]*)", shown, re.S)
    if element.get("type") != "bibr" or not cited or not found or not found[2]:
        return shown
    parts = re.split(r"(\s*[,;]\s*)", found[2])
    if len(cited) == 1 or len(parts) != 2 * len(cited) - 1:
        return f"{found[1]}{md.link(found[2], f'#ref-{cited[0]}')}{found[3]}"
    for place, number in enumerate(cited):
        parts[2 * place] = md.link(parts[2 * place], f"#ref-{number}")
    return f"{found[1]}{''.join(parts)}{found[3]}"


def _blocks(element: Element, document: _Document, level: int, *, flat: bool = True) -> list[str]:
    """The blocks of a division; GROBID's divisions lie flat, a head's number says how deep."""
    out: list[str] = []
    notes: list[str] = []
    words = md.escape(md.clean(element.text or ""))
    for child in element:
        if child.tag in _LINE:  # words that stand in no paragraph of their own
            words = md.join(words, _span(child, document))
        elif child.tag not in ("head", "listBibl", "label"):
            out, words = [*out, md.paragraph(words), *document.flush()], ""
            if child.tag == "div":
                out += _section(child, document, level, flat=flat)
            elif child.tag == "note":
                notes += _note(child, document)
            else:
                out += _block(child, document, level)
        out += document.flush() if not words.strip() else []
        words = md.join(words, md.escape(md.clean(child.tail or "")))
    found = [note for note in notes if note]
    out = [part for part in (*out, md.paragraph(words), *document.flush()) if part]
    return [*out, *([md.heading(level, "Notes"), *found] if found else [])]


_LINE = frozenset({"hi", "ref", "s", "lb", "choice", "seg", "abbr", "date", "name"})


def _note(element: Element, document: _Document) -> list[str]:
    """A note at the end of a division, unless its mark has led it to its place."""
    if element.get("id") in document.names:
        return []
    mark = md.escape(md.clean(element.get("n") or "")).strip()
    return [md.paragraph(f"{mark} {_inline(element, document)}".strip())]


def _block(element: Element, document: _Document, level: int) -> list[str]:
    if element.tag == "figure":
        return _figure(element, document)
    if element.tag == "list":
        return ["\n".join(_items(element, document, 0))]
    if element.tag in ("quote", "cit") and not any(one.tag in ("div", "figure") for one in element):
        return [md.quoted([md.paragraph(_inline(element, document))])]
    if element.tag == "formula":
        label = text(element.find("label"))
        shown = _inline(element, document).strip()
        return [md.paragraph(f"{shown} {md.escape(md.clean(label))}".strip())]
    if element.tag == "table":
        return [_table(element, document)]
    return _paragraph(element, document, level)


_LIFTED = frozenset({"list", "figure", "table", "quote", "div"})


def _paragraph(element: Element, document: _Document, level: int) -> list[str]:
    """A `p`; lists and figures in it follow the sentence that they stand in."""
    lifted = [child for child in element if child.tag in _LIFTED]
    if not lifted:
        return [md.paragraph(_inline(element, document))]
    words = Element("p")
    words.text = element.text
    for child in element:
        if child in lifted:
            after = child.tail or ""
            if len(words):
                words[-1].tail = f"{words[-1].tail or ''} {after}"
            else:
                words.text = f"{words.text or ''} {after}"
        else:
            words.append(child)
    blocks = [md.paragraph(_inline(words, document))]
    for child in lifted:
        blocks += _section(child, document, level, flat=False) if child.tag == "div" else _block(
            child, document, level)  # fmt: skip
    return blocks


def _items(element: Element, document: _Document, depth: int) -> list[str]:
    ordered = "order" in f"{element.get('type')} {element.get('rend')}".replace("unorder", "")
    lines: list[str] = []
    for number, item in enumerate(element.findall("item"), 1):
        nested = [one for one in item.iter("list") if one is not item]
        words = Element("item")
        words.text = item.text
        for child in item:
            if child.tag != "list":
                words.append(child)
        shown = md.paragraph(_inline(words, document))
        shown += "".join(f" {one}" for one in map(_tail, item.findall("list")) if one)
        mark = f"{number}. " if ordered else "- "
        if shown or nested:
            lines.append(f"{'    ' * min(depth, 6)}{mark}{shown}".rstrip())
        for one in item.findall("list"):
            lines += _items(one, document, depth + 1)
    return lines


def _tail(element: Element) -> str:
    return md.escape(md.clean(element.tail or "")).strip()


def _section(element: Element, document: _Document, level: int, *, flat: bool) -> list[str]:
    head = element.find("head")
    number = (head.get("n") or "").strip() if head is not None else ""
    name = _inline(head, document).strip() if head is not None else ""
    title = " ".join(part for part in (md.escape(md.clean(number)), name) if part)
    level += number.strip(".").count(".") if flat else 0
    content = [*document.flush(), *_blocks(element, document, level + bool(title), flat=False)]
    return [md.heading(level, title), *content] if title else content


def _figure(element: Element, document: _Document) -> list[str]:
    """A figure or table: its label leads its caption, its cells follow."""
    named = "Table" if element.get("type") == "table" else "Figure"
    label = text(element.find("label"))
    head = _LABEL.sub("", text(element.find("head"))).strip(" .:")
    caption = _inline(_child(element, "figDesc"), document).strip()
    lead = f"**{named} {md.escape(md.clean(label))}.**" if label else ""
    if lead:
        caption = re.sub(
            rf"^(?:Fig(?:ure)?|Table)\.?\s*{re.escape(md.escape(label))}\s*[.:]\s*", "", caption,
            flags=re.I,
        )  # fmt: skip
    words = md.escape(md.clean(head)) if head not in ("", label) else ""
    blocks = [md.paragraph(" ".join(part for part in (lead, words, caption) if part))]
    blocks += [_table(one, document) for one in element.findall("table")]
    for note in element.findall("note"):
        blocks.append(md.paragraph(_inline(note, document)))
    return [part for part in blocks if part]


def _table(element: Element, document: _Document) -> str:
    rows = [
        [
            Cell.read(_inline(cell, document), cell.get("cols"), cell.get("rows"))
            for cell in row.iter("cell")
        ]
        for row in element.iter("row")
    ]
    heads = [row.get("role") in ("label", "head") for row in element.iter("row")]
    return grid.table(rows, next((n for n, head in enumerate(heads) if not head), len(heads)))


def _back(back: Element, document: _Document) -> list[str]:
    """What stands behind the body, each part under a heading; the list is written last."""
    out: list[str] = []
    for part in back:
        kind = part.get("type") or ""
        if kind == "references" or part.tag == "listBibl":
            continue
        content = _blocks(part, document, 2)
        if content and not content[0].startswith("#"):
            content = [md.heading(2, _BACK.get(kind, "Notes")), *content]
        out += content
    return out


# The reference list


def _entry(element: Element) -> str:
    """One entry as plain text: as it was printed where that is kept, else from its fields."""
    raw = next((one for one in element.iter("note") if one.get("type") == "raw_reference"), None)
    shown = md.clean(text(raw)).strip() if raw is not None else ""
    shown = re.sub(r"(?<=[a-z])- (?=[a-z])", "", shown) or _composed(element)
    for one in dict.fromkeys(_identifiers(element)):
        if one.partition(":")[2].lower() not in shown.lower():
            shown = f"{shown} {one}"
    return shown or "(no text)"


def _composed(element: Element) -> str:
    people = [
        " ".join(part for part in (text(name.find("surname")), _given(name)) if part)
        for name in element.iter("persName")
    ]
    date = next((one for one in element.iter("date")), Element("date"))
    year = (date.get("when") or text(date))[:4]
    titles = {one.get("level") or "": text(one) for one in element.iter("title") if text(one)}
    units = {one.get("unit") or "": one for one in element.iter("biblScope")}
    volume, issue = (text(units.get(unit)) for unit in ("volume", "issue"))
    page = units.get("page")
    ends = [page.get("from") or "", page.get("to") or ""] if page is not None else []
    pages = "–".join(dict.fromkeys(one for one in ends if one)) or text(page)
    where = ": ".join(one for one in (volume + (f"({issue})" if issue else ""), pages) if one)
    head = ", ".join(people) + (f" ({year})" if year else "")
    order = [titles.get(level, "") for level in ("a", "m", "j")]
    parts = [head.strip(), *order, where, text(element.find(".//publisher"))]
    return md.clean(" ".join(part if part[-1] in ".?!" else f"{part}." for part in parts if part))


def _given(name: Element) -> str:
    return " ".join(part for one in name.findall("forename") if (part := text(one)))
