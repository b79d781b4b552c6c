"""DBLP's search: words in; computer science's bibliography, without abstracts, as papers out.

https://dblp.org/faq/How+to+use+the+dblp+search+API.html
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pressmark import ids, text
from pressmark.config import Config
from pressmark.errors import BadInput
from pressmark.http import SEARCH_SECONDS
from pressmark.ids import Identifier
from pressmark.record import Paper
from pressmark.sources import names
from pressmark.sources.answers import Listing, broken, json_object, listed
from pressmark.sources.base import Found, Request
from pressmark.sources.language import Language
from pressmark.sources.query import Query, plain_words
from pressmark.sources.values import count, iso_date, table, unique, unstopped, words

name = "dblp"
platform = "DBLP"
kinds: tuple[str, ...] = ()
page_size = 1000
batch = 1
language = Language()

_API = "https://dblp.org/search/publ/api"
_LAST = 10_000
_TYPES = {
    "Journal Articles": "article-journal", "Conference and Workshop Papers": "paper-conference",
    "Books and Theses": "book", "Parts in Books or Collections": "chapter", "Editorship": "book",
    "Reference Works": "entry", "Data and Artifacts": "dataset",
    "Informal and Other Publications": "article", "Informal Publications": "article",
}  # fmt: skip


def cannot(query: Query) -> str | None:
    """DBLP knows titles, names and years; neither journals by ISSN nor what is open."""
    if query.categories or query.not_categories:
        return "DBLP has no arXiv categories"
    if query.journal or query.issn:
        return "DBLP cannot be searched by journal"
    if query.open_access:
        return "DBLP does not say which works are open access"
    if (query.page - 1) * query.limit >= _LAST:
        return "DBLP gives the first 10,000 hits of a question only"
    return None


def search_request(query: Query, config: Config, start: int, rows: int) -> Request:
    """Every word must be in a title, a name or a venue; DBLP switched phrases and NOT off."""
    said = query.verbatim.get(name) or " ".join(re.findall(r"[\w.*$-]+", plain_words(query.tree)))
    params = {"q": said, "format": "json", "h": str(rows), "f": str(start), "c": "0"}
    return Request(url=_API, params=params, keep=SEARCH_SECONDS)


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """DBLP's search answers to words only."""
    raise BadInput("DBLP does not look identifiers up.")


def parse_search(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The hits; with none of them there is no `hit` key at all."""
    answer = json_object(name, body, status, content_type)
    result = table(answer.get("result"))
    hits = table(result.get("hits"))
    state = words(table(result.get("status")).get("@code"))
    if state and state != "200":
        raise broken(name, body)
    before = None if count(hits.get("@sent")) == 0 else count(hits.get("@first")) or 0
    listing = Listing(_several(hits.get("hit")), count(hits.get("@total")), before)
    return listed(name, body, listing, paper, today)


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The same as a search's."""
    return parse_search(body, status, content_type, today=today)


def _several(value: object) -> list[Any]:
    """DBLP writes a list of one as the thing itself."""
    return value if isinstance(value, list) else [value] if value else []


def paper(row: object, today: str) -> Paper | None:
    """One hit; None where it has neither a title nor a key."""
    about = table(table(row).get("info"))
    title = unstopped(text.title(words(about.get("title"))))
    own = words(about.get("key"))
    if not title or not own:
        return None
    doi = ids.normalise_doi(words(about.get("doi")))
    arxiv = _arxiv(about, doi)
    kind = _TYPES.get(words(about.get("type")), "document")
    if kind == "book" and own.startswith("phd/"):
        kind = "thesis"
    venue = text.title(words(about.get("venue"))) or None
    people = _several(table(about.get("authors")).get("author"))
    return Paper(
        title=title,
        authors=unique([_author(each) for each in people]),
        published=iso_date(about.get("year")),
        type=kind,
        venue=None if kind == "article" else venue,
        publisher=words(about.get("publisher")),
        volume=None if arxiv and not doi else words(about.get("volume")),
        issue=words(about.get("number")),
        pages=words(about.get("pages")),
        doi=doi or (f"10.48550/arxiv.{arxiv}" if arxiv else None),
        arxiv=arxiv,
        isbn=unique([ids.normalise_isbn(words(about.get("isbn")))]),
        url=f"https://doi.org/{doi}" if doi else words(about.get("url")),
        sources=(f"{name}:{own} {today}",),
    )


def _author(value: object) -> str | None:
    """A name without the number (`0009`) by which DBLP tells namesakes apart."""
    said = words(table(value).get("text")) if isinstance(value, dict) else words(value)
    return names.author(re.sub(r"\s+\d{4}$", "", said))


def _arxiv(about: dict[str, Any], doi: str | None) -> str | None:
    if doi and doi.startswith("10.48550/arxiv."):
        return ids.normalise_arxiv(doi)
    if words(about.get("venue")) == "CoRR":
        return ids.normalise_arxiv(words(about.get("volume")).removeprefix("abs/"))
    return None
