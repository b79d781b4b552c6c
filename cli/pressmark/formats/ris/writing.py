"""References in; the text of one RIS file, the same for the same references, out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from pressmark import ids
from pressmark.formats.ris import tags
from pressmark.record import Author, Reference
from pressmark.text import clean

_RANGE = re.compile(r"(\w*\d\w*)\s*[-–—−]+\s*(\w*\d\w*)")


def write(references: Iterable[Reference]) -> str:
    """The whole file, entries in the order of their keys, lines ending as RIS has them."""
    keyed = sorted(references, key=lambda each: (each.key.casefold(), each.key))
    return "\r\n".join(entry(each) for each in keyed)


def entry(reference: Reference) -> str:
    """One entry, from `TY` to `ER` and its line's end."""
    reference = ids.canonical(reference)
    lines = [("TY", tags.WRITTEN.get(reference.type or "", "GEN")), *_lines(reference), ("ER", "")]
    return "".join(f"{tag}  - {clean(value)}\r\n" for tag, value in lines if value or tag == "ER")


def _lines(reference: Reference) -> Iterator[tuple[str, str]]:
    yield "ID", reference.cite_as or reference.key
    for name in reference.authors:
        yield "AU", _name(name)
    for name in reference.editors:
        yield "A2" if reference.type != "collection" else "ED", _name(name)
    yield "TI", reference.title
    yield from _date(reference.published)
    texts = {
        "T2": reference.venue, "C3": reference.event, "T3": reference.series,
        "VL": reference.volume, "IS": reference.issue, "M1": reference.number,
        "ET": reference.edition, "PB": reference.publisher, "CY": reference.place,
        "LA": reference.language, "DO": reference.doi, "UR": reference.url,
    }  # fmt: skip
    yield from ((tag, value or "") for tag, value in texts.items())
    yield from _pages(reference.pages)
    for number in (*reference.isbn, *reference.issn):
        yield "SN", number
    for word in reference.keywords:
        yield "KW", word
    yield "AB", reference.abstract or ""
    yield from _numbers(reference)


def _numbers(reference: Reference) -> Iterator[tuple[str, str]]:
    """Identifiers without a tag of their own, as PubMed and Zotero put them."""
    if reference.pmid:
        yield "AN", reference.pmid
        yield "DB", "PubMed"
    yield "C2", reference.pmcid or ""
    if reference.arxiv:
        yield "M2", f"arXiv:{reference.arxiv}"
    if reference.notice:
        yield "N1", f"{reference.notice.replace('-', ' ').capitalize()}"
    note = reference.extra.get("note")
    yield "N1", note if isinstance(note, str) else ""


def _name(name: str) -> str:
    """`Family, Given, Suffix`; a group's name stands whole, as Zotero writes it."""
    author = Author.parse(name)
    return author.family if author.group else str(author)


def _date(published: str | None) -> Iterator[tuple[str, str]]:
    """`PY` has the year, `DA` what is known of the day: `2018/07/03/`."""
    if not published:
        return
    year, month, day = (*published.split("-"), "", "")[:3]
    yield "PY", year
    if month:
        yield "DA", f"{year}/{month}/{day}/"


def _pages(pages: str | None) -> Iterator[tuple[str, str]]:
    found = _RANGE.fullmatch((pages or "").strip())
    yield "SP", found[1] if found else pages or ""
    yield "EP", found[2] if found else ""
