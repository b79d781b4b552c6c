"""Zotero's items, as its API and Better BibTeX write them, in; papers out.

The item types and fields are those of Zotero's schema (https://api.zotero.org/schema); creators
other than authors and editors are kept under the names of their roles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pressmark import ids
from pressmark.formats.making import Making
from pressmark.formats.reading import Read
from pressmark.record import Author, Paper

TYPES = {
    "artwork": "graphic", "audioRecording": "song", "bill": "bill", "blogPost": "post-weblog",
    "book": "book", "bookSection": "chapter", "case": "legal_case", "computerProgram": "software",
    "conferencePaper": "paper-conference", "dataset": "dataset", "dictionaryEntry":
    "entry-dictionary", "document": "document", "email": "personal_communication",
    "encyclopediaArticle": "entry-encyclopedia", "film": "motion_picture", "forumPost": "post",
    "hearing": "hearing", "instantMessage": "personal_communication", "interview": "interview",
    "journalArticle": "article-journal", "letter": "personal_communication", "magazineArticle":
    "article-magazine", "manuscript": "manuscript", "map": "map", "newspaperArticle":
    "article-newspaper", "patent": "patent", "podcast": "song", "preprint": "article",
    "presentation": "speech", "radioBroadcast": "broadcast", "report": "report", "standard":
    "standard", "statute": "legislation", "thesis": "thesis", "tvBroadcast": "broadcast",
    "videoRecording": "motion_picture", "webpage": "webpage",
}  # fmt: skip

_TEXTS = {
    "title": "title", "caseName": "title", "subject": "title", "nameOfAct": "title",
    "publicationTitle": "venue", "bookTitle": "venue", "proceedingsTitle": "venue",
    "encyclopediaTitle": "venue", "dictionaryTitle": "venue", "websiteTitle": "venue",
    "blogTitle": "venue", "forumTitle": "venue", "programTitle": "venue", "repository": "venue",
    "publisher": "publisher", "university": "publisher", "institution": "publisher",
    "company": "publisher", "studio": "publisher", "label": "publisher", "distributor": "publisher",
    "organization": "publisher", "place": "place", "conferenceName": "event",
    "meetingName": "event", "volume": "volume", "issue": "issue", "number": "number",
    "reportNumber": "number", "patentNumber": "number", "billNumber": "number",
    "edition": "edition", "series": "series", "seriesTitle": "series", "url": "url",
    "language": "language",
}  # fmt: skip
_READ = frozenset({
    *_TEXTS, "key", "version", "itemType", "creators", "date", "dateDecided", "issueDate",
    "dateEnacted", "pages", "DOI", "ISBN", "ISSN", "tags", "collections", "relations",
    "abstractNote", "extra", "citationKey", "citekey", "accessDate", "dateAdded", "dateModified",
    "itemID", "itemKey", "libraryID", "attachments", "notes", "uri", "select", "parentItem",
    "archiveID", "inPublications", "deleted", "seeAlso", "relatedItems",
})  # fmt: skip
_NO_WORKS = frozenset({"attachment", "note", "annotation"})
_EXTRA_LINE = re.compile(r"^([A-Za-z][\w .-]{1,40}?)\s*[:=]\s*(\S.*)$")
_EXTRA_IDS = {"doi": "doi", "pmid": "pmid", "pmcid": "pmcid", "arxiv": "arxiv"}


def taken(entries: Iterable[object]) -> Read:
    """A paper for each work of a list; attachments, notes and annotations are none."""
    found = Read("zotero")
    for number, entry in enumerate(entries, 1):
        item = entry.get("data", entry) if isinstance(entry, dict) else entry
        if not isinstance(item, dict):
            found.say("it is no object", None, f"Item {number}", lost=True)
            continue
        if item.get("itemType") in _NO_WORKS:
            continue
        made, problems = paper(item)
        name = str(item.get("citationKey") or item.get("key") or f"Item {number}")
        for problem in problems:
            found.say(f"{problem}.", None, name)
        if made is None:
            found.say("it has no title", None, name, lost=True)
        else:
            found.take(made)
    return found


def paper(item: Mapping[str, Any]) -> tuple[Paper | None, list[str]]:
    """One item as a paper (None without a title), and what a person should know of it."""
    making = Making("zotero")
    kind = _text(item.get("itemType"))
    making.found["type"] = TYPES.get(kind, "document")
    making.key = _text(item.get("citationKey")) or _text(item.get("citekey"))
    for tag, ours in _TEXTS.items():
        making.text(ours, _text(item.get(tag)), other=tag)
    _people(item, making)
    for tag in ("date", "dateDecided", "issueDate", "dateEnacted"):
        making.date(_date(_text(item.get(tag))))
    making.pages(_text(item.get("pages")))
    making.identifier("doi", _text(item.get("DOI")), kept="DOI")
    for tag in ("ISBN", "ISSN"):
        making.numbers(_text(item.get(tag)), kept=tag)
    making.abstract_text(_text(item.get("abstractNote")))
    making.tags = [_tag(each) for each in _listed(item.get("tags"))]
    making.tags = [tag for tag in making.tags if tag]
    accessed = _text(item.get("accessDate"))[:10]
    making.keep("accessed", accessed if accessed != "CURRENT_TI" else "")
    _arxiv(_text(item.get("archiveID")), making)
    _extra(_text(item.get("extra")), making)
    for name, value in item.items():
        if name not in _READ and isinstance(value, str):
            making.keep(name, value)
    made = making.paper(source=_text(item.get("key")) or _text(item.get("itemKey")))
    return made, making.problems


def _people(item: Mapping[str, Any], making: Making) -> None:
    for creator in _listed(item.get("creators")):
        if not isinstance(creator, dict):
            continue
        role = _text(creator.get("creatorType"))
        family, given = _text(creator.get("lastName")), _text(creator.get("firstName"))
        alone = family if not given and creator.get("fieldMode") else ""
        whole = _text(creator.get("name")) or alone
        name = f"{whole}," if whole else str(Author(family or given, given if family else ""))
        if not name.strip(", "):
            continue
        if role in ("editor", "seriesEditor"):
            making.names("editors", [name])
        elif role in _AUTHORS or not role:
            making.names("authors", [name])
        else:
            making.keep(role, name.rstrip(","))


_AUTHORS = frozenset({
    "author", "artist", "performer", "sponsor", "programmer", "presenter", "director", "inventor",
    "interviewee", "podcaster", "cartographer", "contributor-author", "reviewedAuthor",
})  # fmt: skip


def _date(value: str) -> str:
    """`2009-11-01 2009-11-1`, as the database has it: first ISO, with noughts for nothing."""
    found = re.match(r"(\d{4})-(\d\d)-(\d\d) ", value)
    if not found:
        return value
    return "-".join(part for part in found.groups() if part not in ("00", "0000"))


def _arxiv(value: str, making: Making) -> None:
    known = "arxiv" in value.casefold() and making.identifier("arxiv", value.partition(":")[2])
    if value and not known:
        making.keep("archiveID", value)


def _extra(value: str, making: Making) -> None:
    """The lines of `Extra`: `Citation Key: x`, `PMID: 1`, `arXiv:1706.03762`, and notes."""
    rest = []
    for line in value.splitlines():
        found = _EXTRA_LINE.match(line.strip())
        name = found[1].strip().casefold() if found else ""
        if found and name in ("citation key", "bibtex"):
            making.key = making.key or found[2].removeprefix("*").strip()
        elif found and name in _EXTRA_IDS:
            if not making.identifier(_EXTRA_IDS[name], re.sub(r"\s*\[.*", "", found[2])):
                rest.append(line.strip())
        elif line.strip():
            rest.append(line.strip())
            for each in ids.find_all(line) if "arxiv" in line.casefold() else ():
                if each.kind == "arxiv" and not making.found.get("arxiv"):
                    making.found["arxiv"] = each.value
    making.keep("note", "\n".join(rest))


def _tag(value: object) -> str:
    return " ".join(_text(value.get("tag") if isinstance(value, dict) else value).split())


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return str(value)
    return value.strip() if isinstance(value, str) else ""
