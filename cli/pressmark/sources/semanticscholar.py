"""Semantic Scholar's Graph API: words or ids in; its JSON, with its shapes of a miss, out.

https://api.semanticscholar.org/api-docs/graph
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

from pressmark import ids, text
from pressmark.config import Config
from pressmark.errors import BadInput, Configuration, NotFound
from pressmark.http import SEARCH_SECONDS
from pressmark.ids import Identifier
from pressmark.record import Paper
from pressmark.sources import licences, names
from pressmark.sources.answers import Listing, broken, json_object, json_value, listed
from pressmark.sources.base import Found, OpenCopy, Request
from pressmark.sources.language import Language
from pressmark.sources.query import Query, plain_words
from pressmark.sources.values import count, iso_date, items, renamed, table, unique, words

name = "semanticscholar"
platform = "Semantic Scholar"
kinds: tuple[str, ...] = ("s2", "doi", "arxiv", "pmid", "pmcid")
page_size = 100
batch = 500
language = Language(dates=True, open_access=True)

API = "https://api.semanticscholar.org/graph/v1/paper"
_LAST = 1000
_FIELDS = (
    "paperId,externalIds,title,abstract,venue,year,publicationDate,publicationTypes,journal,"
    "authors,isOpenAccess,openAccessPdf,corpusId"
)
_PREFIX = {"doi": "DOI:", "arxiv": "ARXIV:", "pmid": "PMID:", "s2": ""}
_TYPES = {
    "JournalArticle": "article-journal", "Conference": "paper-conference", "Book": "book",
    "BookSection": "chapter", "Dataset": "dataset", "Review": "article-journal",
    "CaseReport": "article-journal", "ClinicalTrial": "article-journal",
    "MetaAnalysis": "article-journal", "LettersAndComments": "article-journal",
    "Editorial": "article-journal", "News": "article-magazine",
}  # fmt: skip


def cannot(query: Query) -> str | None:
    """Its search ends at the thousandth hit; it filters journals by name alone."""
    if query.categories or query.not_categories:
        return "Semantic Scholar has no arXiv categories"
    if query.page * query.limit > _LAST:
        return "Semantic Scholar gives the first 1,000 hits of a question only"
    return None


def search_request(query: Query, config: Config, start: int, rows: int) -> Request:
    """Plain words; a hyphen would exclude what stands behind it."""
    said = query.verbatim.get(name) or plain_words(query.tree).replace("-", " ")
    params = {"query": said, "fields": _FIELDS, "offset": str(start), "limit": str(rows)}
    if query.since or query.until:
        params["publicationDateOrYear"] = f"{query.since or ''}:{query.until or ''}"
    if query.open_access:
        params["openAccessPdf"] = ""
    if query.journal:
        params["venue"] = query.journal.replace(",", " ")
    return Request(
        url=f"{API}/search", params=params, headers=key_headers(config), keep=SEARCH_SECONDS
    )


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """One paper by its id; several in one POST, where a miss is a `null` in its place."""
    named = [identified(each) for each in identifiers]
    params, headers = {"fields": _FIELDS}, key_headers(config)
    if len(named) == 1:
        return Request(url=f"{API}/{quote(named[0], safe=':/')}", params=params, headers=headers)
    content = json.dumps({"ids": named}).encode()
    return Request(url=f"{API}/batch", params=params, headers=headers, content=content)


def identified(identifier: Identifier) -> str:
    """An identifier as Semantic Scholar writes it."""
    if identifier.kind == "pmcid":
        return f"PMCID:{identifier.value.removeprefix('PMC')}"
    if identifier.kind not in _PREFIX:
        raise BadInput(f"Semantic Scholar does not know {identifier.kind} identifiers.")
    return _PREFIX[identifier.kind] + identifier.value


def key_headers(config: Config) -> dict[str, str]:
    """The key goes into a header; without one all the world shares one small allowance."""
    key = config.keys.get("s2")
    if not key:
        raise Configuration(
            "Semantic Scholar needs a key.",
            next="set PRESSMARK_S2_KEY (free at semanticscholar.org/product/api)",
        )
    return {"x-api-key": key}


def parse_search(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The papers of a list; a miss is an empty `data`, or none at all beside a total of 0."""
    answer = json_object(name, body, status, content_type)
    _refused(answer, body)
    rows, total = answer.get("data"), count(answer.get("total"))
    rows = [] if rows is None and total == 0 else rows
    before = count(answer.get("offset")) or 0
    listing = Listing(rows, len(items(rows)) if total is None else total, before)
    return listed(name, body, listing, paper, today)


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """One paper, or those of a batch: what it does not know is left out."""
    answer = json_value(name, body, status, content_type)
    if isinstance(answer, dict):
        _refused(answer, body)
        if "data" in answer or "total" in answer:
            return parse_search(body, status, content_type, today=today)
        answer = [answer]
    if not isinstance(answer, list):
        raise broken(name, body)
    known = [row for row in answer if row is not None]
    return listed(name, body, Listing(known, len(known)), paper, today)


def _refused(answer: dict[str, Any], body: bytes) -> None:
    """An error inside an answer of status 200 (`error` in most, `message` in some)."""
    said = words(answer.get("error")) or words(answer.get("message"))
    if said and "not found" in said.lower():
        raise NotFound("semanticscholar does not have it.")
    if said and "title" not in answer:
        raise broken(name, body, f"rejects our request ({said[:120].rstrip('. ')})")


def paper(value: object, today: str) -> Paper | None:
    """One paper, also inside a citation or a snippet; None where it has neither id nor title."""
    row = table(value)
    for inside in ("citingPaper", "citedPaper", "paper"):
        if isinstance(row.get(inside), dict):
            row = table(row[inside])
    known = table(row.get("externalIds"))
    corpus = words(row.get("corpusId")) or words(known.get("CorpusId"))
    s2 = ids.normalise_s2(words(row.get("paperId")) or (f"CorpusID:{corpus}" if corpus else ""))
    title = text.title(words(row.get("title")))
    if s2 is None and not title:
        return None
    arxiv = ids.normalise_arxiv(words(known.get("ArXiv")))
    doi = ids.normalise_doi(words(known.get("DOI"))) or (
        f"10.48550/arxiv.{arxiv}" if arxiv else None
    )
    journal, kinds_ = table(row.get("journal")), items(row.get("publicationTypes"))
    people = items(row.get("authors"))
    venue = text.title(words(journal.get("name")) or words(row.get("venue"))) or None
    preprint = bool(arxiv) and (venue is None or "arxiv" in venue.lower())
    return Paper(
        title=title,
        authors=unique([names.author(words(table(a).get("name")) or words(a)) for a in people]),
        published=iso_date(row.get("publicationDate")) or iso_date(row.get("year")),
        type="article" if preprint else _type(kinds_, venue),
        venue=None if preprint else venue,
        volume=None if preprint else words(journal.get("volume")),
        pages=None if preprint else words(journal.get("pages")),
        doi=doi,
        arxiv=arxiv,
        pmid=ids.normalise_pmid(words(known.get("PubMed"))),
        pmcid=ids.normalise_pmcid(words(known.get("PubMedCentral"))),
        s2=s2,
        url=f"https://doi.org/{doi}" if doi else words(row.get("url")) or None,
        notice=renamed(title),
        abstract=text.from_jats(str(row.get("abstract") or "")) or None,
        sources=(f"{name}:{s2 or doi or '-'} {today}",),
        locations=tuple(_copies(row)),
    )


def _type(kinds_: Sequence[object], venue: str | None) -> str:
    """The first kind that says what the thing is; `Review` alone is an article."""
    found = [_TYPES[str(each)] for each in kinds_ if str(each) in _TYPES]
    if "paper-conference" in found:
        return "paper-conference"
    return found[0] if found else "article-journal" if venue else "document"


def _copies(row: dict[str, Any]) -> Iterator[OpenCopy]:
    """The PDF that it found; `CLOSED` is what it says of a copy that nobody licensed."""
    copy = table(row.get("openAccessPdf"))
    url = words(copy.get("url"))
    if not url.startswith("http") or row.get("isOpenAccess") is False:
        return
    state = words(copy.get("status")).upper()
    green = state == "GREEN" or "arxiv.org" in url
    yield OpenCopy(
        url=url,
        kind="landing" if re.match(r"https?://(?:dx\.)?doi\.org/", url) else "pdf",
        source=name,
        version="submitted" if "arxiv.org" in url else None,
        license=licences.named(words(copy.get("license"))),
        host_type="repository" if green else "publisher" if state else None,
    )
