"""`ref-list` elements in; one entry a `ref` out, as text with separators between all parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from xml.etree.ElementTree import Element

from pressmark.fulltext import markdown as md
from pressmark.fulltext.jats.inline import Article, line
from pressmark.fulltext.jats.tree import text
from pressmark.fulltext.linking import with_identifiers

CITATIONS = ("element-citation", "mixed-citation", "nlm-citation", "citation")
_NAMES = ("name", "string-name", "collab", "person-group", "etal", "anonymous", "institution")
_IDS = {
    "doi": "doi:", "pmid": "PMID ", "pmcid": "", "pmc": "", "arxiv": "arXiv:", "isbn": "ISBN ",
    "accession": "", "handle": "hdl:", "ark": "",
}  # fmt: skip


def entries(root: Element, article: Article) -> list[tuple[str, str]]:
    """`(anchor, inline Markdown)` for every reference in document order."""
    found = []
    for number, ref in enumerate(refs(root), 1):
        entry = reference(ref, article)
        found.append((f"ref-{number}", entry or "(no text)"))
    return found


def refs(root: Element) -> Iterator[Element]:
    """The references of this article, not those of its sub-articles."""
    for child in root:
        if child.tag in ("sub-article", "response"):
            continue
        if child.tag == "ref":
            yield child
        else:
            yield from refs(child)


def reference(ref: Element, article: Article) -> str:
    """One `ref`: its citations and notes, joined with a semicolon."""
    parts = [citation(child, article) for child in _citations(ref)]
    parts += [line(note, article) for note in ref.findall("note")]
    return "; ".join(part for part in parts if part) or line(ref, article, skip=("label",))


def _citations(ref: Element) -> Iterator[Element]:
    for child in ref:
        if child.tag in CITATIONS:
            yield child
        elif child.tag == "citation-alternatives":
            # The same citation twice: the mixed one reads best.
            best = sorted(child, key=lambda one: one.tag != "mixed-citation")
            yield from best[:1]


def citation(element: Element, article: Article) -> str:
    """Running text stays as printed; bare fields are put in order with separators."""
    loose = "".join([element.text or "", *(child.tail or "" for child in element)])
    if re.search(r"[\w.,;]", loose):
        return _identified(_printed(element, article), element)
    return _identified(_composed(element, article), element)


def _printed(element: Element, article: Article) -> str:
    _separate(element)
    before = element.text or ""
    for child in element:
        if child.tag == "pub-id" and before[-1:].strip():
            child.text = f" {child.text or ''}"
            if child.get("pub-id-type") == "pmid" and "pmid" not in before.lower():
                child.text = f" PMID{child.text}"
        before = child.tail or text(child) or before
    return re.sub(r"\s+([,.;:)])", r"\1", line(element, article))


def _separate(element: Element) -> None:
    """Surname and given names that touch get a blank between them, and so do whole fields."""
    fields = list(element)
    for child, following in pairwise(fields):
        if not child.tail and {child.tag, following.tag} <= _FIELDS:
            child.tail = " "
    for name in element.iter():
        if name.tag in ("name", "string-name", "person-group"):
            for child in list(name)[:-1]:
                child.tail = child.tail or (", " if name.tag == "person-group" else " ")


def _composed(element: Element, article: Article) -> str:
    authors = ", ".join(part for part in _people(element) if part)
    year = text(element.find("year"))
    title = _field(element, article, "article-title", "chapter-title", "data-title", "part-title")
    source = _field(element, article, "source", "source-title", "conf-name")
    place = ", ".join(
        part for name in ("publisher-name", "publisher-loc") if (part := text(element.find(name)))
    )
    first, last = text(element.find("fpage")), text(element.find("lpage"))
    pages = "–".join(part for part in (first, last) if part) or text(element.find("elocation-id"))
    volume, issue = text(element.find("volume")), text(element.find("issue"))
    where = md.escape(volume + (f"({issue})" if issue else ""))
    tail = ": ".join(part for part in (where, md.escape(pages)) if part)
    head = f"{md.escape(authors)} ({md.escape(year)})" if authors and year else md.escape(
        authors or year)  # fmt: skip
    parts = (head, title, source, tail, md.escape(place), *_rest(element, article))
    return " ".join(part if part[-1] in ".?!" else f"{part}." for part in parts if part)


_PLACED = frozenset({
    "article-title", "chapter-title", "data-title", "part-title", "source", "source-title",
    "conf-name", "fpage", "lpage", "elocation-id", "volume", "issue", "publisher-name",
    "publisher-loc", "year", "pub-id", "label", "ext-link", "uri", "object-id", "month", "day",
})  # fmt: skip


_FIELDS = _PLACED | frozenset(_NAMES)


def _rest(element: Element, article: Article) -> list[str]:
    """What the citation says beyond the usual fields: comments, editions, links."""
    loose = [child for child in element if child.tag not in _PLACED and child.tag not in _NAMES]
    links = [child for child in element if child.tag in ("ext-link", "uri")]
    return [part for child in (*loose, *links) if (part := line(child, article))]


def _field(element: Element, article: Article, *names: str) -> str:
    return next((part for name in names if (part := line(element.find(name), article))), "")


def _people(element: Element) -> Iterator[str]:
    for child in element:
        if child.tag == "person-group":
            yield from _people(child)
        elif child.tag in ("name", "string-name"):
            parts = [text(child.find(part)) for part in ("surname", "given-names", "suffix")]
            yield " ".join(part for part in parts if part) or text(child)
        elif child.tag == "etal":
            yield text(child) or "et al"
        elif child.tag in ("collab", "institution", "anonymous"):
            yield text(child)


def _identified(entry: str, element: Element) -> str:
    """The entry with the identifiers that its text does not show."""
    for found in element.iter("pub-id"):
        value = text(found)
        kind = (found.get("pub-id-type") or "").lower()
        if kind in _IDS and value and value not in md.plain(entry):
            entry = f"{entry} {md.escape(_IDS[kind] + value)}"
    addresses = [one.get("href") or "" for one in element.iter() if one.tag in ("ext-link", "uri")]
    return with_identifiers(entry, addresses)
