"""The text of a RIS file of any dialect in; a paper for each record, and what was odd, out."""

from __future__ import annotations

import re

from pressmark import ids
from pressmark.formats.encoding import decode
from pressmark.formats.making import Making
from pressmark.formats.reading import Read
from pressmark.formats.ris import tags
from pressmark.formats.tagged import RIS, Record, records

_TEXTS = {
    "VL": "volume", "VO": "volume", "IS": "issue", "CP": "issue", "ET": "edition",
    "PB": "publisher", "CY": "place", "PP": "place", "LA": "language", "UR": "url",
}  # fmt: skip
_READ = frozenset({
    *_TEXTS, "TY", "ID", "AU", "A1", "A2", "ED", "TI", "T1", "BT", "T2", "JF", "JO", "JA", "J1",
    "J2", "T3", "C3", "PY", "Y1", "DA", "Y2", "SP", "EP", "SN", "DO", "KW", "AB", "N2", "M1",
    "AN", "DB", "C2", "M2", "N1", "ST",
})  # fmt: skip
_JOURNALS = frozenset({"article-journal", "article-magazine", "article-newspaper", "periodical"})
_WHOLE = frozenset({"book", "collection", "classic", "thesis", "report", "webpage", "document"})


def read(data: bytes) -> Read:
    """Every record of a file: as a paper, or as a problem with its line and reason."""
    text, encoding, doubt = decode(data)
    found = Read("ris", encoding=encoding)
    if doubt:
        found.say(doubt)
    for record in records(text, RIS, starts=frozenset({"TY"}), ends=frozenset({"ER"})):
        _take(record, found)
    return found


def _take(record: Record, found: Read) -> None:
    making = Making("ris")
    name = record.first("ID") or record.first("TI", "T1")[:40]
    _type(record, making)
    making.key = record.first("ID").strip()
    _titles(record, making)
    making.names("authors", record.all("AU", "A1"))
    making.names("editors", record.all("ED"))
    if making.found["type"] in _JOURNALS or making.found["type"] in ("chapter", "paper-conference"):
        making.names("editors", record.all("A2"))
    else:
        making.names("authors" if not making.found["authors"] else "editors", record.all("A2"))
    for tag in ("PY", "Y1", "DA"):
        for value in record.all(tag):
            making.date(value)
    for tag, ours in _TEXTS.items():
        for value in record.all(tag):
            making.text(ours, value, other=tag)
    for value in record.all("M1"):
        making.text("number", value, other="M1")
    making.pages(record.first("SP"), record.first("EP"))
    for value in record.all("SN"):
        making.numbers(value, kept="SN")
    making.keywords(record.all("KW"))
    for value in record.all("AB", "N2"):
        making.abstract_text(value)
    _identifiers(record, making)
    _others(record, making)
    paper = making.paper(stand_ins={tag: record.first(tag) for tag in ("ST", "T2", "UR")})
    found.settle(paper, making.problems, record.line, name)


def _type(record: Record, making: Making) -> None:
    said = record.first("TY").strip()
    code = tags.WORDS.get(said.casefold(), said.upper())
    making.found["type"] = tags.READ.get(code, "document")
    if not said:
        making.problems.append("it has no type (TY); it became “document”")
    elif code not in tags.READ:
        making.problems.append(f"the type {said} is none of RIS's; it became “document”")
    if code == "INPR":
        making.keep("status", "in press")


def _titles(record: Record, making: Making) -> None:
    whole = making.found["type"] in _WHOLE
    for value in record.all("TI", "T1", *(("BT",) if whole else ())):
        making.text("title", value, other="T1")
    for value in record.all("T2", "JF", "JO", *(() if whole else ("BT",)), "JA", "J1", "J2"):
        making.text("series" if making.found["type"] == "book" else "venue", value)
    for value in record.all("T3"):
        making.text("series", value, other="T3")
    for value in record.all("C3"):
        making.text("event", value, other="C3")
    making.found.setdefault("authors", ())
    short = record.first("ST")
    if short and record.first("TI", "T1") and short != record.first("TI", "T1"):
        making.keep("title-short", short)


def _identifiers(record: Record, making: Making) -> None:
    for value in record.all("DO", "DI"):
        making.identifier("doi", value, kept="DO")
    if "pubmed" in record.first("DB").casefold() or "medline" in record.first("DB").casefold():
        making.identifier("pmid", record.first("AN"), kept="AN")
    else:
        making.keep("AN", record.first("AN"))
    if "pubmed" not in record.first("DB").casefold():
        making.keep("DB", record.first("DB"))
    if not making.identifier("pmcid", record.first("C2")):
        making.keep("C2", record.first("C2"))
    for value in record.all("M2", "UR", "N1", "M3", "L3"):
        making.doi_in(value)
        if "arxiv" in value.casefold() and not making.found.get("arxiv"):
            found = (each.value for each in ids.find_all(value) if each.kind == "arxiv")
            making.found["arxiv"] = next(found, None)


def _others(record: Record, making: Making) -> None:
    """Notes, the day it was looked at, and every tag without a field of ours."""
    for value in record.all("N1"):
        making.notice(value)
        if not making.found.get("notice") or value.casefold() != making.found["notice"]:
            making.keep("note", value)
    for value in record.all("Y2"):
        plain = re.fullmatch(r"(\d{4})/(\d\d?)/(\d\d?)/?", value.strip())
        iso = f"{plain[1]}-{int(plain[2]):02d}-{int(plain[3]):02d}" if plain else value
        making.keep("accessed", iso)
    for value in record.all("M2"):
        if "arxiv" not in value.casefold():
            making.keep("M2", value)
    for tag, value in record.pairs:
        if tag not in _READ and value and value != making.found.get("doi"):
            making.keep(tag, value)
