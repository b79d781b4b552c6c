"""TEI XML as GROBID writes it in, Markdown out: sections, citations linked to their entries.

GROBID reads a printed page, so a formula is the words that stood there, and a table its cells.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element

from pressmark import ids
from pressmark.fulltext import markdown as md
from pressmark.fulltext.clean import hidden
from pressmark.fulltext.extracted import Extracted
from pressmark.fulltext.jats.tree import NotAnArticle, parse_root, text
from pressmark.fulltext.licenses import normalise
from pressmark.fulltext.linking import link

EXTRACTOR = "pressmark-tei 1"
Numbers = dict[str, int]
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
    abstract = [md.paragraph(_inline(one, numbers)) for one in header.iter("abstract")]
    written = _blocks(_child(root, "text/body"), numbers, 2)
    body = [*written, *_back(_child(root, "text/back"), numbers)]
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


def _inline(element: Element, numbers: Numbers) -> str:
    """The content of an element as one line of Markdown."""
    out = md.escape(md.clean(element.text or ""))
    for child in element:
        if child.tag not in ("head", "label"):
            out = md.join(out, _span(child, numbers))
        out = md.join(out, md.escape(md.clean(child.tail or "")))
    return out


def _span(element: Element, numbers: Numbers) -> str:
    shown = _inline(element, numbers)
    if element.tag == "ref" and element.get("type") == "bibr":
        number = numbers.get((element.get("target") or "").removeprefix("#"))
        found = re.fullmatch(r"(\s*(?:\\?[\[(])?)(.*?)((?:\\?[\])])?[\s,;]*)", shown, re.S)
        if number and found and found[2]:
            return f"{found[1]}{md.link(found[2], f'#ref-{number}')}{found[3]}"
    if element.tag == "hi":
        rend = (element.get("rend") or "").lower()
        return md.emphasis(shown, "**" if "bold" in rend else "*") if rend else shown
    if element.tag in ("p", "note", "s"):
        return f"{shown} "
    return shown


def _blocks(element: Element, numbers: Numbers, level: int) -> list[str]:
    """The blocks of a division; GROBID's divisions lie flat, a head's number says how deep."""
    out: list[str] = []
    notes: list[str] = []
    for child in element:
        if child.tag == "div":
            head = child.find("head")
            depth = (head.get("n") or "").strip(".").count(".") if head is not None else 0
            out += _section(child, numbers, level + depth)
        elif child.tag == "figure":
            out += _figure(child, numbers)
        elif child.tag == "list":
            items = (_inline(item, numbers).strip() for item in child.iter("item"))
            out.append("\n".join(f"- {md.paragraph(item)}" for item in items if item))
        elif child.tag == "note":
            mark = md.escape(md.clean(child.get("n") or "")).strip()
            notes.append(md.paragraph(f"{mark} {_inline(child, numbers)}".strip()))
        elif child.tag == "formula":
            label = text(child.find("label"))
            shown = _inline(child, numbers).strip()
            out.append(md.paragraph(f"{shown} {md.escape(label)}".strip()))
        elif child.tag not in ("head", "listBibl", "label"):
            out.append(md.paragraph(_inline(child, numbers)))
    found = [note for note in notes if note]
    return [*out, *([md.heading(level, "Notes"), *found] if found else [])]


def _section(element: Element, numbers: Numbers, level: int) -> list[str]:
    head = element.find("head")
    number = (head.get("n") or "").strip() if head is not None else ""
    name = _inline(head, numbers).strip() if head is not None else ""
    title = " ".join(part for part in (md.escape(md.clean(number)), name) if part)
    content = _blocks(element, numbers, level + 1)
    return [md.heading(level, title), *content] if title else content


def _figure(element: Element, numbers: Numbers) -> list[str]:
    """A figure or table: its label leads its caption, its cells follow."""
    named = "Table" if element.get("type") == "table" else "Figure"
    label = text(element.find("label"))
    head = _LABEL.sub("", text(element.find("head"))).strip()
    caption = _inline(_child(element, "figDesc"), numbers).strip()
    lead = f"**{named} {md.escape(md.clean(label))}.**" if label else ""
    words = md.escape(md.clean(head)) if head not in ("", label) else ""
    blocks = [md.paragraph(" ".join(part for part in (lead, words, caption) if part))]
    rows = [[_inline(cell, numbers) for cell in row.iter("cell")] for row in element.iter("row")]
    note = _inline(_child(element, "note"), numbers).strip()
    return [part for part in (*blocks, md.table(rows), md.paragraph(note)) if part]


def _back(back: Element, numbers: Numbers) -> list[str]:
    """What stands behind the body, each part under a heading; the list is written last."""
    out: list[str] = []
    for part in back:
        kind = part.get("type") or ""
        if kind == "references" or part.tag == "listBibl":
            continue
        content = _blocks(part, numbers, 2)
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
