"""The text of an EndNote `.enw` file, the tags of refer, in; a paper for each record out."""

from __future__ import annotations

import re

from pressmark.formats.encoding import decode
from pressmark.formats.making import Making
from pressmark.formats.reading import Read
from pressmark.formats.ris import tags
from pressmark.formats.tagged import REFER, Record, records

_TEXTS = {
    "T": "title", "V": "volume", "N": "issue", "7": "edition", "I": "publisher", "C": "place",
    "G": "language", "S": "series", "U": "url",
}  # fmt: skip
_READ = frozenset({*_TEXTS, "0", "A", "E", "Q", "J", "B", "D", "8", "P", "R", "X", "K", "@", "F"})
_NAMES = {
    "O": "note", "Z": "note", "L": "call-number", "M": "accession-number", "9": "genre",
    "!": "title-short", ">": "file", "+": "author-address", "W": "database", "~": "database",
    "[": "accessed", "Y": "series-editor", "?": "subsidiary-author",
}  # fmt: skip


def read(data: bytes) -> Read:
    """Every record of a file: as a paper, or as a problem with its line and reason."""
    text, encoding, doubt = decode(data)
    found = Read("enw", encoding=encoding)
    if doubt:
        found.say(doubt)
    for record in records(text, REFER, starts=frozenset({"0"}), blank=True):
        _take(record, found)
    return found


def _take(record: Record, found: Read) -> None:
    making = Making("enw")
    said = record.first("0")
    code = tags.WORDS.get(said.casefold(), "")
    making.found["type"] = tags.READ.get(code, "document")
    if said and not code:
        making.problems.append(f"the type {said} is none of EndNote's; it became “document”")
    making.key = re.sub(r"\s+", "-", record.first("F"))
    for tag, ours in _TEXTS.items():
        for value in record.all(tag):
            making.text(ours, value, other=tag)
    for value in record.all("J", "B"):
        making.text("venue", value, other="B")
    making.names("authors", record.all("A", "Q"))
    making.names("editors", record.all("E"))
    for value in record.all("D", "8"):
        making.date(value)
    making.pages(record.first("P"))
    for value in record.all("R"):
        making.identifier("doi", value, kept="R")
    for value in record.all("@"):
        making.numbers(value, kept="isbn")
    for value in record.all("K"):
        making.keywords(re.split(r"[;,]\s*|\s{2,}", value))
    making.abstract_text(record.first("X"))
    for tag, value in record.pairs:
        if tag not in _READ and value:
            making.keep(_NAMES.get(tag, f"%{tag}"), value)
    paper = making.paper(stand_ins={tag: record.first(tag) for tag in ("B", "J", "!")})
    name = making.key or record.first("T")[:40]
    found.settle(paper, making.problems, record.line, name)
