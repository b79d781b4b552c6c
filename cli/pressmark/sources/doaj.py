"""DOAJ's API: a question or DOIs in; the articles of open journals, as papers, out.

https://doaj.org/api/docs
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

from pressmark import ids, text
from pressmark.config import Config
from pressmark.http import SEARCH_SECONDS
from pressmark.ids import Identifier
from pressmark.record import Paper
from pressmark.sources import languages, licences, names
from pressmark.sources.answers import Listing, alone, json_object, listed
from pressmark.sources.base import Found, OpenCopy, Request
from pressmark.sources.language import (
    Language,
    boolean,
    lucene,
    lucene_ids,
    lucene_term,
    lucene_years,
    must_know,
)
from pressmark.sources.query import Query, Term
from pressmark.sources.values import (
    count,
    date_of,
    items,
    page_range,
    renamed,
    table,
    unique,
    words,
)

name = "doaj"
platform = "DOAJ"
kinds: tuple[str, ...] = ("doi",)
page_size = 100
batch = 20
language = Language(
    fields=frozenset({"title", "author", "abstract"}), boolean=True, phrases=True,
    open_access=True, sorts=frozenset({"relevance", "date"}),
)  # fmt: skip

_API = "https://doaj.org/api/search/articles"
_LAST = 1000
_PREFIX = {
    "title": "bibjson.title:", "author": "bibjson.author.name:", "abstract": "bibjson.abstract:",
    "all": "",
}  # fmt: skip


def cannot(query: Query) -> str | None:
    """DOAJ knows no arXiv categories and shows the first thousand hits."""
    if query.categories or query.not_categories:
        return "DOAJ has no arXiv categories"
    if (query.page - 1) * query.limit >= _LAST:
        return "DOAJ gives the first 1,000 hits of a question only"
    return None


def search_request(query: Query, config: Config, start: int, rows: int) -> Request:
    """The question stands in the path, its specials escaped for Lucene and then for the URL."""
    said = query.verbatim.get(name) or translate(query)
    params = {"page": str(start // rows + 1), "pageSize": str(rows)}
    if query.sort == "date":
        params["sort"] = "bibjson.year:desc"
    return Request(url=f"{_API}/{quote(said, safe='')}", params=params, keep=SEARCH_SECONDS)


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """A question for DOIs; what is not there is left out of the answer."""
    must_know(platform, kinds, identifiers)
    said = lucene_ids(identifiers, {"doi": "doi"})
    params = {"page": "1", "pageSize": str(max(10, 2 * len(identifiers)))}
    return Request(url=f"{_API}/{quote(said, safe='')}", params=params)


def translate(query: Query) -> str:
    """Lucene's syntax; DOAJ knows years only, so days are left to be checked here."""
    parts = [f"({boolean(query.tree, _term)})"] if query.tree is not None else []
    if query.issn:
        parts.append(f"issn:{query.issn}")
    elif query.journal:
        parts.append(f'bibjson.journal.title:"{lucene(query.journal)}"')
    if query.since or query.until:
        parts.append(f"bibjson.year:{lucene_years(query)}")
    return " AND ".join(parts)


def _term(term: Term) -> str:
    return _PREFIX[term.field] + lucene_term(term)


def parse_search(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The articles of a list, in DOAJ's order, and its own total."""
    answer = json_object(name, body, status, content_type)
    before = ((count(answer.get("page")) or 1) - 1) * (count(answer.get("pageSize")) or 10)
    listing = Listing(answer.get("results"), count(answer.get("total")), before)
    return listed(name, body, listing, paper, today)


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The articles of a list, or one article alone."""
    answer = json_object(name, body, status, content_type)
    if "results" in answer or "total" in answer:
        return parse_search(body, status, content_type, today=today)
    return alone(name, body, answer, paper, today)


def paper(row: object, today: str) -> Paper | None:
    """One article; None for a journal, or for what names neither a title nor a DOI."""
    row = table(row)
    about = table(row.get("bibjson"))
    journal = table(about.get("journal"))
    title = text.title(words(about.get("title")))
    known = _known(about)
    if "journal" not in about or not (title or known.get("doi")):
        return None
    doi = known.get("doi")
    first, last = words(about.get("start_page")), words(about.get("end_page"))
    license_ = _licence(journal)
    own = words(row.get("id")) or doi or "-"
    return Paper(
        title=title,
        authors=unique([names.author(words(table(a).get("name"))) for a in _authors(about)]),
        published=date_of(about.get("year"), about.get("month")),
        type="article-journal",
        venue=text.title(words(journal.get("title"))) or None,
        publisher=text.title(words(journal.get("publisher"))) or None,
        volume=words(journal.get("volume")),
        issue=words(journal.get("number")),
        pages=page_range(first, last),
        doi=doi,
        issn=tuple(sorted(unique([known.get("pissn"), known.get("eissn")]))),
        url=f"https://doi.org/{doi}" if doi else next(iter(_links(about)), None),
        language=languages.normalise(words(journal.get("language"))),
        keywords=tuple(sorted(unique([words(k) for k in items(about.get("keywords"))]))),
        license=license_,
        notice=renamed(title),
        abstract=text.from_jats(str(about.get("abstract") or "")) or None,
        sources=(f"{name}:{own} {today}",),
        locations=tuple(
            OpenCopy(
                url=url, kind=kind, source=name, version="published", host_type="publisher",
                license=licences.named(license_),
            )
            for url, kind in _full_texts(about)
        ),
    )  # fmt: skip


def _known(about: dict[str, Any]) -> dict[str, str]:
    """The identifiers by type: their order and their case differ from record to record."""
    found: dict[str, str] = {}
    for each in map(table, items(about.get("identifier"))):
        kind, value = words(each.get("type")).lower(), words(each.get("id"))
        known = ids.normalise_doi(value) if kind == "doi" else value
        if known:
            found.setdefault(kind, known)
    return found


def _authors(about: dict[str, Any]) -> list[Any]:
    return items(about.get("author"))


def _licence(journal: dict[str, Any]) -> str | None:
    first = table(next(iter(items(journal.get("license"))), None))
    return licences.normalise(words(first.get("type")) or words(first.get("title")))


def _links(about: dict[str, Any]) -> Iterator[str]:
    return (url for url, _ in _full_texts(about))


def _full_texts(about: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Full-text links; what a journal calls HTML is a page about as often as the text itself."""
    for link in map(table, items(about.get("link"))):
        url = words(link.get("url"))
        if words(link.get("type")).lower() == "fulltext" and url.startswith("http"):
            is_pdf = "pdf" in words(link.get("content_type")).lower() or url.endswith(".pdf")
            yield url, "pdf" if is_pdf else "landing"
