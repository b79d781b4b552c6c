"""OpenAIRE's Graph API: a question or DOIs in; research products of Europe's repositories out.

https://graph.openaire.eu/docs/apis/graph-api/
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pressmark import ids, text
from pressmark.config import Config
from pressmark.errors import BadInput
from pressmark.http import SEARCH_SECONDS
from pressmark.ids import Identifier
from pressmark.record import Paper
from pressmark.sources import languages, licences, names
from pressmark.sources.answers import Listing, json_object, listed
from pressmark.sources.base import Found, OpenCopy, Request
from pressmark.sources.language import Language, boolean, stripped_term
from pressmark.sources.query import Query, Term
from pressmark.sources.values import (
    count,
    iso_date,
    items,
    page_range,
    renamed,
    table,
    unique,
    words,
)

name = "openaire"
platform = "OpenAIRE"
kinds: tuple[str, ...] = ("doi", "pmid", "pmcid", "arxiv")
page_size = 100
batch = 1
language = Language(
    boolean=True, phrases=True, dates=True, open_access=True,
    sorts=frozenset({"relevance", "date", "cited"}),
)  # fmt: skip

_API = "https://api.openaire.eu/graph/v1/researchProducts"
_LAST = 10_000
_SORT = {
    "relevance": "relevance DESC",
    "date": "publicationDate DESC",
    "cited": "citationCount DESC",
}
_SCHEMES = {"doi": "doi", "pmid": "pmid", "pmc": "pmcid", "pmcid": "pmcid", "arxiv": "arxiv"}
_TYPES = {
    "article": "article-journal", "preprint": "article", "conference object": "paper-conference",
    "doctoral thesis": "thesis", "master thesis": "thesis", "bachelor thesis": "thesis",
    "thesis": "thesis", "book": "book", "part of book or chapter of book": "chapter",
    "report": "report", "technical report": "report", "review": "article-journal",
    "dataset": "dataset", "software": "software", "patent": "patent",
    "data paper": "article-journal",
}  # fmt: skip


def cannot(query: Query) -> str | None:
    """OpenAIRE knows neither arXiv's categories nor journals as a filter."""
    if query.categories or query.not_categories:
        return "OpenAIRE has no arXiv categories"
    if query.journal or query.issn:
        return "OpenAIRE cannot be searched by journal"
    if query.page * query.limit > _LAST:
        return "OpenAIRE gives the first 10,000 hits of a question only"
    return None


def search_request(query: Query, config: Config, start: int, rows: int) -> Request:
    """`search` for the words, a parameter for each limit; a page is counted in its own size."""
    tree = query.tree
    said = query.verbatim.get(name) or (boolean(tree, _term) if tree is not None else "")
    params = {
        "search": said,
        "type": "publication",
        "page": str(start // rows + 1),
        "pageSize": str(rows),
        "sortBy": _SORT[query.sort],
    }
    if query.since:
        params["fromPublicationDate"] = query.since
    if query.until:
        params["toPublicationDate"] = query.until
    if query.open_access:
        params["bestOpenAccessRightLabel"] = "OPEN"
    return Request(url=_API, params=params, keep=SEARCH_SECONDS)


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """One work by any of its persistent identifiers."""
    wanted = identifiers[0]
    if wanted.kind not in kinds:
        raise BadInput(f"OpenAIRE does not know {wanted.kind} identifiers.")
    return Request(url=_API, params={"pid": wanted.value, "pageSize": "5"})


def _term(term: Term) -> str:
    return stripped_term(term, wildcards=False)


def parse_search(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The products of a list; OpenAIRE writes an absent list as null."""
    answer = json_object(name, body, status, content_type)
    header = table(answer.get("header"))
    rows, total = answer.get("results"), count(header.get("numFound"))
    page, size = count(header.get("page")) or 1, count(header.get("pageSize"))
    before = None if size == 0 else (page - 1) * (size or 10)
    listing = Listing([] if rows is None and total == 0 else rows, total, before)
    return listed(name, body, listing, paper, today)


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The products that answered to the identifier."""
    return parse_search(body, status, content_type, today=today)


def paper(row: object, today: str) -> Paper | None:
    """One product; None where it has neither an id nor a title."""
    row = table(row)
    own, title = words(row.get("id")), text.title(words(row.get("mainTitle")))
    if not own or not title:
        return None
    subtitle = text.title(words(row.get("subTitle")))
    place = table(row.get("container"))
    instances = [table(each) for each in items(row.get("instances"))]
    known = _known([row, *instances])
    first, last = words(place.get("sp")), words(place.get("ep"))
    issn = [words(place.get(key)) for key in ("issnPrinted", "issnOnline", "issnLinking")]
    doi = known.get("doi")
    license_ = next((c.license for c in _copies(row, instances) if c.license), None)
    return Paper(
        title=f"{title}: {subtitle}" if subtitle else title,
        authors=_people(row.get("authors") or row.get("author")),
        published=iso_date(row.get("publicationDate")),
        type=_type(words(row.get("type")), instances),
        venue=text.title(words(place.get("name"))) or None,
        publisher=text.title(words(row.get("publisher"))) or None,
        volume=words(place.get("vol")),
        issue=words(place.get("iss")),
        pages=page_range(first, last),
        doi=doi,
        arxiv=known.get("arxiv"),
        pmid=known.get("pmid"),
        pmcid=known.get("pmcid"),
        issn=tuple(sorted(unique(issn))),
        url=f"https://doi.org/{doi}" if doi else None,
        language=languages.normalise(words(table(row.get("language")).get("code"))),
        license=license_,
        oa=words(row.get("openAccessColor")) or None,
        notice=renamed(title),
        abstract=_abstract(row),
        sources=(f"{name}:{own} {today}",),
        locations=tuple(_copies(row, instances)),
    )


def _known(holders: Sequence[dict[str, Any]]) -> dict[str, str]:
    """The identifiers of a product, its own before those of its instances."""
    found: dict[str, str] = {}
    for holder in holders:
        for pid in map(table, items(holder.get("pids"))):
            kind = _SCHEMES.get(words(pid.get("scheme")).lower())
            known = ids.NORMALISERS[kind](words(pid.get("value"))) if kind else None
            if kind and known:
                found.setdefault(kind, known)
    return found


def _people(value: object) -> tuple[str, ...]:
    people: list[str | None] = []
    for each in map(table, items(value)):
        family, given = words(each.get("surname")), words(each.get("name"))
        people.append(
            names.given_family(given, family)
            if family
            else names.author(words(each.get("fullName")))
        )
    return unique(people)


def _type(general: str, instances: Sequence[dict[str, Any]]) -> str:
    for instance in instances:
        if found := _TYPES.get(words(instance.get("type")).lower()):
            return found
    return {"dataset": "dataset", "software": "software"}.get(general, "document")


def _abstract(row: dict[str, Any]) -> str | None:
    said = next((words(each) for each in items(row.get("descriptions")) if each), "")
    return text.from_jats(said) or None


def _copies(row: dict[str, Any], instances: Sequence[dict[str, Any]]) -> Iterator[OpenCopy]:
    """The addresses of instances whose own access right is open."""
    for instance in instances:
        right = table(instance.get("accessRight"))
        label = words(right.get("label")).upper()
        if not label.startswith("OPEN") and words(right.get("code")) != "c_abf2":
            continue
        kind = words(instance.get("type")).lower()
        route = words(right.get("openAccessRoute")).lower()
        for url in map(words, items(instance.get("urls"))):
            if url.startswith("http"):
                yield OpenCopy(
                    url=url,
                    kind="pdf" if url.lower().endswith(".pdf") else "landing",
                    source=name,
                    version="submitted" if kind == "preprint" else None,
                    license=licences.named(words(instance.get("license"))),
                    host_type="publisher"
                    if route in ("gold", "hybrid", "bronze")
                    else "repository",
                )
