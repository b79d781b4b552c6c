"""Crossref's REST API: a question or a DOI in; its JSON, with its five kinds of error, out.

https://api.crossref.org/swagger-ui/index.html
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from pressmark.config import Config
from pressmark.errors import NotFound, SourceBroken
from pressmark.http import SEARCH_SECONDS, failure
from pressmark.ids import Identifier
from pressmark.sources.answers import Listing, alone, broken, json_object, listed
from pressmark.sources.base import Found, Request
from pressmark.sources.crossref_work import paper
from pressmark.sources.language import Language
from pressmark.sources.query import Query, plain_words
from pressmark.sources.values import count, items, table, words

name = "crossref"
platform = "Crossref"
kinds: tuple[str, ...] = ("doi", "isbn")
page_size = 200
batch = 1
language = Language(
    fields=frozenset({"title", "author"}), dates=True,
    sorts=frozenset({"relevance", "date", "cited"}),
)  # fmt: skip

_API = "https://api.crossref.org"
_SORT = {"relevance": "relevance", "date": "published", "cited": "is-referenced-by-count"}


def cannot(query: Query) -> str | None:
    """Crossref knows neither arXiv's categories nor which copies are open."""
    if query.categories or query.not_categories:
        return "Crossref has no arXiv categories"
    if query.open_access:
        return "Crossref does not say which works are open access"
    return None


def search_request(query: Query, config: Config, start: int, rows: int) -> Request:
    """Words over titles, authors and venues; Crossref ranks, and knows no AND, OR or NOT."""
    fields = {
        "query.bibliographic": " ".join(
            part for field in ("all", "abstract") if (part := plain_words(query.tree, field))
        ),
        "query.title": plain_words(query.tree, "title"),
        "query.author": plain_words(query.tree, "author"),
    }
    if name in query.verbatim:
        fields = {"query": query.verbatim[name]}
    limits = [
        f"issn:{query.issn}" if query.issn else "",
        f"from-pub-date:{query.since}" if query.since else "",
        f"until-pub-date:{query.until}" if query.until else "",
    ]
    if query.journal and not query.issn:
        fields["query.container-title"] = query.journal
    params = {key: value for key, value in fields.items() if value}
    if any(limits):
        params["filter"] = ",".join(limit for limit in limits if limit)
    if query.sort != "relevance":
        params |= {"sort": _SORT[query.sort], "order": "desc"}
    params |= {"rows": str(rows), "offset": str(start)}
    return Request(url=f"{_API}/works", params=params, keep=SEARCH_SECONDS)


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """One work by its DOI, or the works that bear an ISBN."""
    wanted = identifiers[0]
    if wanted.kind == "isbn":
        return Request(url=f"{_API}/works", params={"filter": f"isbn:{wanted.value}", "rows": "20"})
    return Request(url=f"{_API}/works/{quote(wanted.value, safe='')}")


def journal_request(title: str) -> Request:
    """The journals whose titles hold these words."""
    return Request(url=f"{_API}/journals", params={"query": title, "rows": "20"})


def parse_search(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The works of a list, in Crossref's order, and its own total."""
    message = _message(body, status, content_type, "work-list")
    start = count(table(message.get("query")).get("start-index")) or 0
    before = start if count(message.get("items-per-page")) else None
    listing = Listing(message.get("items"), count(message.get("total-results")), before)
    return listed(name, body, listing, paper, today)


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The one work of an answer; of the works of an ISBN, the book and not its chapters."""
    kind = words(json_object_or_error(body, status, content_type).get("message-type"))
    if kind == "work-list":
        found = parse_search(body, status, content_type, today=today)
        books = tuple(each for each in found.papers if each.type == "book")
        return Found(papers=books[:1], total=len(books))
    message = _message(body, status, content_type, "work")
    return alone(name, body, message, paper, today)


def parse_journals(body: bytes, status: int, content_type: str) -> list[tuple[str, str]]:
    """The title and an ISSN of each journal."""
    message = _message(body, status, content_type, "journal-list")
    if not isinstance(message.get("items"), list):
        raise broken(name, body)
    rows = [table(item) for item in message["items"]]
    found = [(words(row.get("title")), words(row.get("ISSN"))) for row in rows]
    return [(title, issn) for title, issn in found if title and issn]


def json_object_or_error(body: bytes, status: int, content_type: str) -> dict[str, Any]:
    """The answer's object; Crossref's errors are text, two kinds of JSON, or a gateway's HTML."""
    if status == 404 and body[:1] == b"{":
        # A bad cursor is 404 too, and no missing work: it says so in JSON.
        raise _rejected(body, status)
    if 400 <= status < 500 and body[:1] == b"{":
        raise _rejected(body, status)
    return json_object(name, body, status, content_type)


def work_message(body: bytes, status: int, content_type: str) -> dict[str, Any]:
    """The work of an answer as Crossref writes it."""
    return _message(body, status, content_type, "work")


def _message(body: bytes, status: int, content_type: str, kind: str) -> dict[str, Any]:
    answer = json_object_or_error(body, status, content_type)
    if answer.get("status") != "ok":
        raise _rejected(body, 400)
    message = answer.get("message")
    if answer.get("message-type") != kind or not isinstance(message, dict):
        raise broken(name, body)
    return message


def _rejected(body: bytes, status: int) -> SourceBroken | NotFound | Exception:
    """What Crossref's JSON says was wrong with our request."""
    try:
        answer = json_object(name, body, 200, "")
    except SourceBroken:
        return failure(name, status, body)
    message = answer.get("message")
    first = table(items(message)[0] if items(message) else message)
    if first.get("type") == "resource-not-found":
        return NotFound("crossref does not have it.")
    if status == 429:
        return failure(name, status, body)
    said = words(first.get("message")) or "no reason given"
    return broken(name, body, f"rejects our request ({said[:120].rstrip('. ')})")
