"""The bytes of a CITATION.cff in; the software and what it prefers to be cited by, out.

https://github.com/citation-file-format/citation-file-format/blob/main/schema-guide.md
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pressmark.errors import BadInput
from pressmark.formats import plainyaml
from pressmark.formats.csljson.values import kept
from pressmark.formats.encoding import decode
from pressmark.formats.making import Making
from pressmark.formats.reading import Read
from pressmark.record import Author, Paper

_TYPES = {
    "article": "article-journal", "magazine-article": "article-magazine", "book": "book",
    "newspaper-article": "article-newspaper", "conference-paper": "paper-conference",
    "proceedings": "book", "conference": "event", "thesis": "thesis", "report": "report",
    "software": "software", "software-code": "software", "software-container": "software",
    "software-executable": "software", "software-virtual-machine": "software", "data": "dataset",
    "dataset": "dataset", "database": "dataset", "manual": "document", "patent": "patent",
    "standard": "standard", "website": "webpage", "blog": "post-weblog",
    "unpublished": "manuscript",
    "pamphlet": "pamphlet", "generic": "document", "edited-work": "book", "encyclopedia": "book",
    "map": "map", "video": "motion_picture", "audio": "song", "slides": "speech",
}  # fmt: skip
_TEXTS = {
    "title": "title", "journal": "venue", "collection-title": "venue", "volume": "volume",
    "issue": "issue", "number": "number", "edition": "edition", "url": "url",
    "license": "license", "repository-code": "url", "repository": "url",
}  # fmt: skip
_READ = frozenset({
    *_TEXTS, "cff-version", "message", "type", "authors", "editors", "doi", "identifiers", "pmcid",
    "date-released", "date-published", "year", "month", "isbn", "issn", "keywords", "abstract",
    "publisher", "institution", "start", "end", "pages", "preferred-citation", "references",
    "languages", "conference",
})  # fmt: skip


def read(data: bytes) -> Read:
    """The software's own record, its preferred citation, and its references."""
    text, encoding, _ = decode(data)
    loaded = plainyaml.load(text, "a CITATION.cff")
    if not isinstance(loaded, dict) or not ("cff-version" in loaded or "authors" in loaded):
        raise BadInput("The file cannot be read as a CITATION.cff: it has no cff-version.")
    found = Read("cff", encoding=encoding)
    entries = [loaded, loaded.get("preferred-citation"), *_listed(loaded.get("references"))]
    for number, entry in enumerate(entries):
        if isinstance(entry, dict):
            paper = _paper(entry, "" if number else "software")
            if paper:
                found.take(paper)
            else:
                found.say("it has no title", None, f"entry {number + 1}", lost=True)
    return found


def _paper(entry: Mapping[str, Any], kind: str) -> Paper | None:
    making = Making("cff")
    making.found["type"] = _TYPES.get(_text(entry.get("type")), kind or "document")
    for tag, ours in _TEXTS.items():
        making.text(ours, _text(entry.get(tag)), other=tag)
    making.names("authors", map(_person, _listed(entry.get("authors"))))
    making.names("editors", map(_person, _listed(entry.get("editors"))))
    year, month = _text(entry.get("year")), _text(entry.get("month"))
    for date in (entry.get("date-released"), entry.get("date-published")):
        making.date(_text(date))
    making.date(f"{year}-{int(month):02d}" if year and month.isdigit() else year)
    making.pages(_text(entry.get("start")) or _text(entry.get("pages")), _text(entry.get("end")))
    making.identifier("doi", _text(entry.get("doi")), kept="doi")
    making.identifier("pmcid", _text(entry.get("pmcid")), kept="pmcid")
    for each in _listed(entry.get("identifiers")):
        if isinstance(each, dict) and each.get("type") == "doi":
            making.identifier("doi", _text(each.get("value")))
        elif isinstance(each, dict):
            making.keep(_text(each.get("type")) or "identifier", _text(each.get("value")))
    for number in (entry.get("isbn"), entry.get("issn")):
        making.numbers(_text(number), kept="isbn")
    for name in ("publisher", "institution"):
        held = entry.get(name)
        making.text("publisher", _text(held.get("name") if isinstance(held, dict) else held))
    held = entry.get("conference")
    making.text("event", _text(held.get("name") if isinstance(held, dict) else held))
    making.keywords(map(_text, _listed(entry.get("keywords"))))
    making.text("language", _text(next(iter(_listed(entry.get("languages"))), "")))
    making.abstract_text(_text(entry.get("abstract")))
    for name, value in entry.items():
        if name not in _READ:
            making.keep(name, kept(value))
    return making.paper()


def _person(value: object) -> str:
    if not isinstance(value, dict):
        return _text(value)
    if group := _text(value.get("name")):
        return f"{group},"
    family = " ".join(
        filter(None, (_text(value.get("name-particle")), _text(value.get("family-names"))))
    )
    given, suffix = _text(value.get("given-names")), _text(value.get("name-suffix"))
    return str(Author(family or given, given if family else "", suffix))


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    return value.strip() if isinstance(value, str) else ""
