"""The bytes of a MODS file in; a paper for each record out. https://www.loc.gov/standards/mods/"""

from __future__ import annotations

from pressmark.formats.making import Making
from pressmark.formats.reading import Read
from pressmark.formats.xmltree import Element, below, each, inner, name, tree, words
from pressmark.record import Author

_GENRES = (
    ("journal article", "article-journal"), ("journalarticle", "article-journal"),
    ("academic journal", "article-journal"), ("magazine", "article-magazine"),
    ("newspaper", "article-newspaper"), ("conference", "paper-conference"),
    ("thesis", "thesis"), ("dissertation", "thesis"), ("book chapter", "chapter"),
    ("booksection", "chapter"), ("report", "report"), ("technical", "report"),
    ("web", "webpage"), ("patent", "patent"), ("dataset", "dataset"), ("software", "software"),
    ("periodical", "periodical"), ("encyclopedia", "entry-encyclopedia"), ("book", "book"),
    ("article", "article-journal"),
)  # fmt: skip


def read(data: bytes) -> Read:
    """Every record of a file: as a paper, or as a problem with its number and reason."""
    root = tree(data, "MODS")
    found = Read("mods")
    for number, record in enumerate((e for e in root.iter() if name(e) == "mods"), 1):
        _take(record, number, found)
    return found


def _take(record: Element, number: int, found: Read) -> None:
    making = Making("mods")
    making.key = record.get("ID", "")
    making.text("title", _title(record))
    host = next((e for e in each(record, "relatedItem") if e.get("type") == "host"), None)
    series = next((e for e in each(record, "relatedItem") if e.get("type") == "series"), None)
    making.found["type"] = _type(record, host)
    making.text("venue", _title(host))
    making.text("series", _title(series))
    _people(record, making, "authors")
    _people(host, making, "editors")
    for origin in (below(record, "originInfo"), below(host, "originInfo")):
        for tag in ("dateIssued", "copyrightDate", "dateCreated"):
            for date in each(origin, tag):
                making.date(words(date))
        making.text("publisher", words(below(origin, "publisher")))
        making.text("place", words(below(origin, "place", "placeTerm")))
        making.text("edition", words(below(origin, "edition")))
    _part(below(host, "part") if host is not None else below(record, "part"), making)
    for holder in (record, host):
        _identifiers(holder, making)
    making.text("language", words(below(record, "language", "languageTerm")))
    making.keywords(words(topic) for subject in each(record, "subject") for topic in subject)
    making.abstract_text(words(below(record, "abstract")))
    for note in each(record, "note"):
        making.keep("note", words(note))
    for place in each(record, "location"):
        making.text("url", words(below(place, "url")), other="url-2")
        making.keep("shelf-location", words(below(place, "shelfLocator")))
    paper = making.paper()
    if paper is None:
        found.say("it has no title", None, f"record {number}", lost=True)
    else:
        found.take(paper)


def _title(holder: Element | None) -> str:
    info = next((e for e in each(holder, "titleInfo") if not e.get("type")), None)
    before, title, after = (inner(below(info, t)) for t in ("nonSort", "title", "subTitle"))
    whole = f"{before} {title}".strip()
    return f"{whole}: {after}" if after else whole


def _type(record: Element, host: Element | None) -> str:
    genres = [words(e).casefold() for holder in (record, host) for e in each(holder, "genre")]
    for genre in genres:
        for sign, kind in _GENRES:
            if sign in genre:
                return "chapter" if kind == "book" and host is not None else kind
    return "chapter" if host is not None else "book"


def _people(holder: Element | None, making: Making, ours: str) -> None:
    for person in each(holder, "name"):
        part = {p.get("type", ""): words(p) for p in each(person, "namePart")}
        roles = [words(term).casefold() for role in each(person, "role") for term in role]
        field = "editors" if any(r in ("editor", "edt") for r in roles) else ours
        if person.get("type") == "corporate":
            making.names(field, [f"{words(below(person, 'namePart'))},"])
        elif part.get("family"):
            author = Author(part["family"], part.get("given", ""), part.get("termsOfAddress", ""))
            making.names(field, [str(author)])
        else:
            making.names(field, [part.get("", "")])


def _part(part: Element | None, making: Making) -> None:
    for detail in each(part, "detail"):
        kind = {"volume": "volume", "issue": "issue", "number": "issue"}.get(detail.get("type", ""))
        if kind:
            making.text(kind, words(below(detail, "number")))
    for extent in each(part, "extent"):
        first, last = words(below(extent, "start")), words(below(extent, "end"))
        making.pages(first or words(below(extent, "list")), last)
    for date in each(part, "date"):
        making.date(words(date))


def _identifiers(holder: Element | None, making: Making) -> None:
    for identifier in each(holder, "identifier"):
        kind, value = identifier.get("type", "").casefold(), words(identifier)
        if kind in ("doi", "pmid", "pmcid"):
            making.identifier(kind, value, kept=kind)
        elif kind in ("isbn", "issn"):
            making.numbers(value, kept=kind)
        elif kind == "uri":
            making.text("url", value)
        elif kind == "citekey":
            making.key = making.key or value
        elif value:
            making.keep(kind or "identifier", value)
