"""A SearXNG instance of the user's: words in; web results that name a work, as papers, out.

The last resort: what no provider found, a web search may. https://docs.searxng.org/dev/search_api
"""

from __future__ import annotations

from collections.abc import Sequence

from pressmark import ids, text
from pressmark.config import Config
from pressmark.errors import BadInput, Configuration, SourceBroken, SourceDown
from pressmark.http import SEARCH_SECONDS, failure
from pressmark.ids import Identifier
from pressmark.record import Paper
from pressmark.sources import names
from pressmark.sources.answers import broken, json_object, reading
from pressmark.sources.base import Found, Request
from pressmark.sources.language import Language
from pressmark.sources.query import Query, plain_words
from pressmark.sources.values import iso_date, items, renamed, table, unique, words

name = "searxng"
platform = "SearXNG"
kinds: tuple[str, ...] = ()
page_size = 20
batch = 1
language = Language(phrases=True)

HOST = "searxng.invalid"
"""No host: an instance is the user's own, and its `base_url` takes this one's place."""


def cannot(query: Query) -> str | None:
    """A web search has words only."""
    if query.categories or query.not_categories:
        return "a web search has no arXiv categories"
    if query.journal or query.issn:
        return "a web search has no journals"
    if query.open_access:
        return "a web search does not say what is open access"
    return None


def search_request(query: Query, config: Config, start: int, rows: int) -> Request:
    """Engines for science first; there is no limit, a page is what the engines gave."""
    if name not in config.base_urls:
        raise Configuration(
            "No SearXNG instance is configured.",
            next="set base_url under [sources.searxng] in your config.toml",
        )
    params = {
        "q": query.verbatim.get(name) or plain_words(query.tree),
        "format": "json",
        "categories": "science",
        "pageno": str(start // max(1, rows) + 1),
    }
    return Request(url=f"https://{HOST}/search", params=params, keep=SEARCH_SECONDS)


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """A web search answers to words only."""
    raise BadInput("A web search does not look identifiers up.")


def parse_search(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """Results that name a work are papers, the others leads; silent engines are an outage."""
    if status == 403:
        raise SourceBroken(
            "searxng refuses to answer in JSON (HTTP 403).",
            next="add json to search.formats in the instance's settings.yml",
            head=failure(name, 403, body).message,
        )
    answer = json_object(name, body, status, content_type)
    rows = answer.get("results")
    if not isinstance(rows, list):
        raise broken(name, body)
    silent = [words(each[0]) for each in items(answer.get("unresponsive_engines")) if items(each)]
    if not rows and silent:
        raise SourceDown(f"searxng heard from no engine ({', '.join(silent)[:120]}).")
    with reading(name, body):
        papers = [(table(row), paper(row, today)) for row in rows]
    found = tuple(made for _, made in papers if made is not None)
    leads = [words(row.get("url")) for row, made in papers if made is None]
    if rows and not found and not any(leads):
        raise broken(name, body)
    notes = (f"did not answer: {', '.join(silent)}",) if silent else ()
    return Found(
        papers=found,
        total=len(rows),
        leads=unique([each for each in leads if each.startswith("http")]),
        notes=notes,
    )


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The same as a search's."""
    return parse_search(body, status, content_type, today=today)


def paper(row: object, today: str) -> Paper | None:
    """A result in whose address or fields an identifier stands; None for any other."""
    row = table(row)
    address, title = words(row.get("url")), text.title(words(row.get("title")))
    known: dict[str, str] = {}
    for each in (*ids.find_all(address), *ids.find_all(words(row.get("doi")))):
        if each.kind != "isbn":
            known.setdefault(each.kind, each.value)
    if not known or not title:
        return None
    people = items(row.get("authors"))
    return Paper(
        title=title,
        authors=unique([names.author(words(each)) for each in people]),
        published=iso_date(row.get("publishedDate")),
        venue=text.title(words(row.get("journal"))) or None,
        publisher=text.title(words(row.get("publisher"))) or None,
        url=address,
        notice=renamed(title),
        sources=(f"{name}:{next(iter(known.values()))} {today}",),
        **known,  # type: ignore[arg-type]
    )
