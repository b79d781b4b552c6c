"""OpenAlex's citation edges: a work in; the requests, and the works of their answers, out."""

from __future__ import annotations

from pressmark.config import Config
from pressmark.record import Work
from pressmark.sources import openalex
from pressmark.sources.answers import broken, json_object, reading
from pressmark.sources.base import EdgePage, Request
from pressmark.sources.values import count, table, words

name = "openalex"

_API = "https://api.openalex.org/works"
_SELECT = "id,doi,ids,title,publication_year,authorships"
_FILTER = {"cites": "cited_by", "cited_by": "cites"}
"""A direction to OpenAlex's filter, which names it from the other end."""


def edge_request(work: Work, direction: str, config: Config, after: str) -> Request | None:
    """A list of at most 100 works; it can be asked for by OpenAlex id only."""
    if not work.openalex:
        return None
    params = {
        "filter": f"{_FILTER[direction]}:{work.openalex}",
        "per_page": "100",
        "cursor": after or "*",
        "select": _SELECT,
    }
    return Request(url=_API, params=params, headers=openalex.key_headers(config))


def parse_edges(body: bytes, status: int, content_type: str, direction: str) -> EdgePage:
    """The works of a list."""
    answer = json_object(name, body, status, content_type)
    rows = answer.get("results")
    if not isinstance(rows, list) or count(table(answer.get("meta")).get("count")) is None:
        raise broken(name, body)
    with reading(name, body):
        made = [openalex.paper(row, "") for row in rows]
    more = words(table(answer.get("meta")).get("next_cursor"))
    papers = tuple(each for each in made if each is not None)
    return EdgePage(papers=papers, next=more if rows else "")
