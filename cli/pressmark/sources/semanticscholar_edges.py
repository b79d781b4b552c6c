"""Semantic Scholar's citation edges: a work in; its references, or who cites it, out."""

from __future__ import annotations

from urllib.parse import quote

from pressmark.config import Config
from pressmark.ids import Identifier
from pressmark.record import Work
from pressmark.sources import semanticscholar
from pressmark.sources.answers import broken, json_object, reading
from pressmark.sources.base import EdgePage, Request
from pressmark.sources.values import count, words

name = "semanticscholar"

_FIELDS = "externalIds,title,year,authors"
_PATHS = {"cites": "references", "cited_by": "citations"}
_MOST = 1000


def edge_request(work: Work, direction: str, config: Config, after: str) -> Request | None:
    """A page of a thousand; `next` is gone from the last."""
    for kind in semanticscholar.kinds:
        if value := getattr(work, kind):
            own = semanticscholar.identified(Identifier(kind, value))
            params = {"fields": _FIELDS, "offset": after or "0", "limit": str(_MOST)}
            return Request(
                url=f"{semanticscholar.API}/{quote(own, safe=':/')}/{_PATHS[direction]}",
                params=params,
                headers=semanticscholar.key_headers(config),
            )
    return None


def parse_edges(body: bytes, status: int, content_type: str, direction: str) -> EdgePage:
    """The papers at the other ends; a `null` list is a publisher who withholds it."""
    answer = json_object(name, body, status, content_type)
    if words(answer.get("error")) or "data" not in answer:
        raise broken(name, body)
    rows = answer["data"] or []
    if not isinstance(rows, list):
        raise broken(name, body)
    with reading(name, body):
        papers = [made for row in rows if (made := semanticscholar.paper(row, ""))]
    more = count(answer.get("next"))
    return EdgePage(papers=tuple(papers), next=str(more) if more and rows else "")
