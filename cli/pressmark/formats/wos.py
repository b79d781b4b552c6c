"""The text of a Web of Science export in its tagged form in; a paper for each record out."""

from __future__ import annotations

import re

from pressmark.formats.encoding import decode
from pressmark.formats.making import Making
from pressmark.formats.reading import Read
from pressmark.formats.tagged import WOS, Record, records

_TEXTS = {
    "TI": "title", "VL": "volume", "IS": "issue", "LA": "language", "PU": "publisher",
    "PI": "place", "CT": "event", "SE": "series",
}  # fmt: skip
_LISTS = frozenset({"AU", "AF", "CR", "C1", "BE", "ED", "BA", "BF", "EM"})
_READ = frozenset({
    *_TEXTS, "PT", "AU", "AF", "BE", "ED", "SO", "PY", "PD", "BP", "EP", "AR", "DI", "PM", "SN",
    "EI", "BN", "AB", "DE", "ID", "DT", "CA", "UT", "FN", "VR", "CR",
})  # fmt: skip
_COUNTS = frozenset({"NR", "TC", "Z9", "U1", "U2", "PG", "GA", "DA", "SC", "WC", "J9", "JI", "PA"})
"""Counts that change and places in the database."""
_TYPES = {
    "J": "article-journal",
    "S": "chapter",
    "B": "book",
    "P": "patent",
    "C": "paper-conference",
}


def read(data: bytes) -> Read:
    """Every record of a file: as a paper, or as a problem with its line and reason."""
    text, encoding, doubt = decode(data)
    found = Read("wos", encoding=encoding)
    if doubt:
        found.say(doubt)
    starts, ends = frozenset({"PT"}), frozenset({"ER", "EF", "FN", "VR"})
    for record in records(text, WOS, starts=starts, ends=ends, lists=_LISTS):
        _take(record, found)
    return found


def _take(record: Record, found: Read) -> None:
    making = Making("wos")
    kinds = [kind.strip() for kind in record.first("DT").split(";")]
    talk = "Proceedings Paper" in kinds and not record.first("VL")
    letter = record.first("PT")[:1]
    making.found["type"] = "paper-conference" if talk else _TYPES.get(letter, "document")
    for tag, ours in _TEXTS.items():
        making.text(ours, record.first(tag))
    making.text("venue", _cased(record.first("SO")))
    making.names("authors", map(_initials, record.all("AF") or record.all("AU")))
    making.names(
        "authors", [f"{group.strip()}," for group in record.first("CA").split(";") if group]
    )
    making.names("editors", record.all("BE", "ED"))
    making.date(f"{record.first('PD')} {record.first('PY')}")
    making.pages(record.first("BP") or record.first("AR"), record.first("EP"))
    making.identifier("doi", record.first("DI"), kept="DI")
    making.identifier("pmid", record.first("PM"), kept="PM")
    for value in record.all("SN", "EI", "BN"):
        making.numbers(value, kept="SN")
    making.abstract_text(record.first("AB"))
    for tag in ("DE", "ID"):
        making.keywords(record.first(tag).split(";"))
    for kind in kinds:
        making.notice(kind)
        making.keep("publication-type", kind)
    for tag, value in record.pairs:
        if tag not in _READ and tag not in _COUNTS and value:
            making.keep(tag, value)
    name = record.first("UT") or record.first("TI")[:40]
    paper = making.paper(source=record.first("UT").removeprefix("WOS:"))
    found.settle(paper, making.problems, record.line, name)


def _initials(name: str) -> str:
    """`Gamernyk, RV` as `Gamernyk, R. V.`"""
    family, comma, given = name.partition(",")
    if comma and re.fullmatch(r"\s*[A-Z]{1,4}", given):
        return f"{family}, {' '.join(f'{letter}.' for letter in given.strip())}"
    return name


_SMALL = frozenset({"OF", "THE", "AND", "FOR", "IN", "ON", "DER", "DE", "UND", "LA", "ET", "A"})


def _cased(name: str) -> str:
    """`JOURNAL OF PHYSICS-CONDENSED MATTER` as `Journal of Physics-Condensed Matter`."""
    if not name.isupper() or (" " not in name and len(name) < 6):
        return name
    words = [
        word.lower() if at and word in _SMALL else "-".join(p.capitalize() for p in word.split("-"))
        for at, word in enumerate(name.split())
    ]
    return " ".join(words)
