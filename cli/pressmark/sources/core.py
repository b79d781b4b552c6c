"""CORE's API: a question or a DOI in; the records of the world's repositories, as papers, out.

https://api.core.ac.uk/docs/v3
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from pressmark import ids, text
from pressmark.config import Config
from pressmark.errors import BadInput, Configuration, SourceDown
from pressmark.http import SEARCH_SECONDS
from pressmark.ids import Identifier
from pressmark.record import Paper
from pressmark.sources import languages, names
from pressmark.sources.base import (
    Found,
    OpenCopy,
    Request,
    broken,
    count,
    iso_date,
    items,
    json_object,
    lucene,
    reading,
    renamed,
    table,
    unique,
    words,
)
from pressmark.sources.language import Language, boolean
from pressmark.sources.query import Query, Term

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
    if any(each.kind not in _WHERE for each in identifiers):
        raise BadInput("CORE knows DOIs and arXiv ids only.")
    said = " OR ".join(f'{_WHERE[each.kind]}:"{lucene(each.value)}"' for each in identifiers)
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
    plain = " ".join(term.words.split())
    whole = term.phrase or term.field == "author" or not re.fullmatch(r"[\w*'-]+", plain)
    return _PREFIX[term.field] + (f'"{lucene(plain)}"' if whole else plain)


def parse_search(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The works of a list, in CORE's order, and its own total."""
    answer = json_object(name, body, status, content_type)
    rows, total = answer.get("results"), count(answer.get("totalHits"))
    if total is None or not isinstance(rows, list):
        raise broken(name, body)
    if not rows and total > (count(answer.get("offset")) or 0) and count(answer.get("limit")) != 0:
        raise SourceDown(f"core sent an empty page where {total} results are due.")
    with reading(name, body):
        papers = [made for row in rows if (made := paper(row, today))]
    if rows and not papers:
        raise broken(name, body)
    return Found(papers=tuple(papers), total=total, damaged=len(rows) - len(papers))


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The works that answered to any of the identifiers, or one work alone."""
    answer = json_object(name, body, status, content_type)
    if "results" in answer or "totalHits" in answer:
        return parse_search(body, status, content_type, today=today)
    with reading(name, body):
        made = paper(answer, today)
    if made is None:
        raise broken(name, body)
    return Found(papers=(made,), total=1)


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
    listed = row.get("sourceFulltextUrls")
    sources = listed if isinstance(listed, list) else [listed]
    for url in unique([words(row.get("downloadUrl")), *map(words, sources)]):
        if url.startswith("http"):
            is_pdf = "core.ac.uk/download" in url or url.lower().endswith(".pdf")
            yield OpenCopy(
                url=url, kind="pdf" if is_pdf else "landing", source=name, host_type="repository"
            )
