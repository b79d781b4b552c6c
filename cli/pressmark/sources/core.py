"""CORE's API: a question or a DOI in; the records of the world's repositories, as papers, out.

https://api.core.ac.uk/docs/v3
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from pressmark import ids, text
from pressmark.config import Config
from pressmark.errors import Configuration
from pressmark.http import SEARCH_SECONDS
from pressmark.ids import Identifier
from pressmark.record import Paper
from pressmark.sources import languages, names
from pressmark.sources.answers import Listing, alone, json_object, listed
from pressmark.sources.base import Found, OpenCopy, Request
from pressmark.sources.language import Language, boolean, lucene, lucene_ids, lucene_term, must_know
from pressmark.sources.query import Query, Term
from pressmark.sources.values import count, iso_date, items, renamed, table, unique, words

name = "core"
platform = "CORE"
kinds: tuple[str, ...] = ("doi", "arxiv")
page_size = 100
batch = 10
language = Language(
    fields=frozenset({"title", "author", "abstract"}), boolean=True, phrases=True, dates=True,
    open_access=True, sorts=frozenset({"relevance", "date"}),
)  # fmt: skip

_API = "https://api.core.ac.uk/v3/search/works/"  # without the last slash it redirects
_LAST = 10_000
_PREFIX = {"title": "title:", "author": "authors.name:", "abstract": "abstract:", "all": ""}
_WHERE = {"doi": "doi", "arxiv": "arxivId"}
_TYPES = {"research": "article-journal", "thesis": "thesis", "presentation": "speech"}


def cannot(query: Query) -> str | None:
    """CORE knows no arXiv categories, and its ordinary search ends at 10,000 hits."""
    if query.categories or query.not_categories:
        return "CORE has no arXiv categories"
    if query.page * query.limit > _LAST:
        return "CORE gives the first 10,000 hits of a question only"
    return None


def search_request(query: Query, config: Config, start: int, rows: int) -> Request:
    """Elasticsearch's syntax; an author's name must be quoted, or it widens the question."""
    params = {
        "q": query.verbatim.get(name) or translate(query),
        "offset": str(start),
        "limit": str(rows),
    }
    if query.sort == "date":
        params["sort"] = "publishedDate:desc"
    return Request(url=_API, params=params, headers=_key(config), keep=SEARCH_SECONDS)


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """A question for ids; CORE keeps a record for each repository that has the work."""
    must_know(platform, kinds, identifiers)
    said = lucene_ids(identifiers, _WHERE)
    params = {"q": said, "limit": str(max(10, 5 * len(identifiers)))}
    return Request(url=_API, params=params, headers=_key(config))


def _key(config: Config) -> dict[str, str]:
    """The key goes into a header; without one CORE answers 429 to everything."""
    key = config.keys.get("core")
    if not key:
        raise Configuration(
            "CORE needs a key.", next="set PRESSMARK_CORE_KEY (free at core.ac.uk/services/api)"
        )
    return {"Authorization": f"Bearer {key}"}


def translate(query: Query) -> str:
    """`(title:"a b" AND c) AND publishedDate>=2020-01-01`."""
    parts = [f"({boolean(query.tree, _term)})"] if query.tree is not None else []
    if query.issn:
        parts.append(f'journals.identifiers:"issn:{query.issn}"')
    elif query.journal:
        parts.append(f'journals.title:"{lucene(query.journal)}"')
    parts += [f"publishedDate>={query.since}"] if query.since else []
    parts += [f"publishedDate<={query.until}"] if query.until else []
    return " AND ".join(parts)


def _term(term: Term) -> str:
    return _PREFIX[term.field] + lucene_term(term, whole=term.field == "author")


def parse_search(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The works of a list, in CORE's order, and its own total."""
    answer = json_object(name, body, status, content_type)
    before = None if count(answer.get("limit")) == 0 else count(answer.get("offset")) or 0
    listing = Listing(answer.get("results"), count(answer.get("totalHits")), before)
    return listed(name, body, listing, paper, today)


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The works that answered to any of the identifiers, or one work alone."""
    answer = json_object(name, body, status, content_type)
    if "results" in answer or "totalHits" in answer:
        return parse_search(body, status, content_type, today=today)
    return alone(name, body, answer, paper, today)


def paper(row: object, today: str) -> Paper | None:
    """One work; None where it has neither an id nor a title."""
    row = table(row)
    own, title = words(row.get("id")), text.title(words(row.get("title")))
    if not own or not title:
        return None
    doi = ids.normalise_doi(words(row.get("doi")))
    journal = next((table(each) for each in items(row.get("journals"))), {})
    numbers = [words(each).removeprefix("issn:") for each in items(journal.get("identifiers"))]
    issn = [each for each in numbers if re.fullmatch(r"\d{4}-\d{3}[\dXx]", each)]
    kind = words(row.get("documentType")).lower()
    return Paper(
        title=title,
        authors=unique(
            [names.author(words(table(a).get("name"))) for a in items(row.get("authors"))]
        ),
        published=iso_date(row.get("publishedDate")) or iso_date(row.get("yearPublished")),
        type=_TYPES.get(kind, "document"),
        venue=text.title(words(journal.get("title"))) or None,
        publisher=text.title(words(row.get("publisher")).strip("'\"")) or None,
        doi=doi,
        arxiv=ids.normalise_arxiv(words(row.get("arxivId"))),
        pmid=ids.normalise_pmid(words(row.get("pubmedId"))),
        issn=tuple(sorted(unique(issn))),
        url=f"https://doi.org/{doi}" if doi else f"https://core.ac.uk/works/{own}",
        language=languages.normalise(words(table(row.get("language")).get("code"))),
        notice=renamed(title),
        abstract=text.from_jats(str(row.get("abstract") or "")) or None,
        sources=(f"{name}:{own} {today}",),
        locations=tuple(_copies(row)),
    )


def _copies(row: dict[str, Any]) -> Iterator[OpenCopy]:
    """The file that CORE keeps, and the repositories' own; neither version nor licence is said."""
    named = row.get("sourceFulltextUrls")
    sources = named if isinstance(named, list) else [named]
    for url in unique([words(row.get("downloadUrl")), *map(words, sources)]):
        if url.startswith("http"):
            is_pdf = "core.ac.uk/download" in url or url.lower().endswith(".pdf")
            yield OpenCopy(
                url=url, kind="pdf" if is_pdf else "landing", source=name, host_type="repository"
            )
