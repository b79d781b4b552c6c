"""The text of a MEDLINE file, PubMed's or ERIC's, in; a paper for each record out.

https://www.nlm.nih.gov/bsd/mms/medlineelements.html
"""

from __future__ import annotations

import re

from pressmark.formats.encoding import decode
from pressmark.formats.making import Making
from pressmark.formats.reading import Read
from pressmark.formats.tagged import MEDLINE, Record, records
from pressmark.record import Author

_TEXTS = {
    "TI": "title", "BTI": "title", "JT": "venue", "TA": "venue", "VI": "volume", "IP": "issue",
    "PL": "place", "PB": "publisher", "LA": "language", "EN": "edition", "SI": "series",
}  # fmt: skip
_READ = frozenset({
    *_TEXTS, "PMID", "FAU", "AU", "CN", "FED", "ED", "DP", "DEP", "PG", "AB", "LID", "AID", "PMC",
    "IS", "ISSN", "ISBN", "OT", "MH", "PT", "OWN",
})  # fmt: skip
_ADMINISTRATIVE = frozenset({
    "STAT", "DA", "DCOM", "LR", "EDAT", "MHDA", "CRDT", "PHST", "PST", "SO", "JID", "SB", "OTO",
    "PUBM", "DEP",
})  # fmt: skip
"""What PubMed notes about its own work on a record; it changes and says nothing of the work."""
_PAGE_OF_ID = re.compile(r"^(.*?)\s*\[(doi|pii|pmcid|bookaccession)\]$")


def read(data: bytes) -> Read:
    """Every record of a file: as a paper, or as a problem with its line and reason."""
    text, encoding, doubt = decode(data)
    found = Read("nbib", encoding=encoding)
    if doubt:
        found.say(doubt)
    parted = re.search(r"^PMID *-", text, re.M) is None  # ERIC has a blank line between records
    for record in records(text, MEDLINE, starts=frozenset({"PMID"}), blank=parted):
        _take(record, found)
    return found


def _take(record: Record, found: Read) -> None:
    making = Making("nbib")
    name = record.first("PMID") or record.first("TI", "BTI")[:40]
    kinds = record.all("PT")
    making.found["type"] = (
        "book" if record.first("BTI") and not record.first("TI") else ("article-journal")
    )
    for tag, ours in _TEXTS.items():
        for value in record.all(tag):
            making.text(ours, value, other=tag if tag not in ("TA", "BTI") else "")
    _people(record, making)
    making.date(record.first("DP"))
    making.pages(record.first("PG"))
    making.abstract_text(record.first("AB"))
    for value in record.all("IS", "ISSN", "ISBN"):
        making.numbers(value, kept="ISSN")
    making.keywords([*record.all("OT"), *(word.replace("*", "") for word in record.all("MH"))])
    _identifiers(record, making)
    for kind in kinds:
        making.notice(kind)
        making.keep("publication-type", kind)
    for tag, value in record.pairs:
        if tag not in _READ and tag not in _ADMINISTRATIVE and value:
            making.keep(tag, value)
    paper = making.paper(source=record.first("PMID", "OID"), stand_ins={"TT": record.first("TT")})
    found.settle(paper, making.problems, record.line, name)


def _people(record: Record, making: Making) -> None:
    """`FAU` in full, else `AU`, whose initials follow the family name; `CN` is a group."""
    authors: list[str] = []
    for tag, value in record.pairs:
        if tag == "FAU":
            authors.append(value)
        elif tag == "CN":
            authors.append(f"{value},")
    if not record.all("FAU"):
        authors = [*map(_initials, record.all("AU")), *authors]
    making.names("authors", authors)
    making.names("editors", record.all("FED") or map(_initials, record.all("ED")))


def _initials(name: str) -> str:
    """`Smith TA` as `Smith, T. A.`"""
    found = re.fullmatch(r"([^,]+?) ([A-Z]{1,3})(?: (Jr|Sr|\dnd|\drd|I{2,3}))?", name.strip())
    if not found:
        return name
    given = " ".join(f"{letter}." for letter in found[2])
    return str(Author(found[1], given, found[3] or ""))


def _identifiers(record: Record, making: Making) -> None:
    making.identifier("pmid", record.first("PMID"), kept="PMID")
    making.identifier("pmcid", record.first("PMC"), kept="PMC")
    for value in record.all("LID", "AID"):
        found = _PAGE_OF_ID.match(value)
        if found and found[2] == "doi":
            making.identifier("doi", found[1], kept="AID")
        elif not found and value.startswith("http"):
            making.doi_in(value)
            if "doi.org" not in value:
                making.text("url", value, other="LID")
        elif found and found[2] not in ("doi", "pmcid"):
            making.keep(found[2], found[1])
