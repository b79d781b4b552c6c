"""Crossref's citation edges: a work in; the reference list that its publisher deposited out."""

from __future__ import annotations

from pressmark.config import Config
from pressmark.ids import Identifier
from pressmark.record import Paper, Work
from pressmark.sources import crossref
from pressmark.sources.answers import reading
from pressmark.sources.base import EdgePage, Request
from pressmark.sources.crossref_work import reference
from pressmark.sources.values import items

name = "crossref"


def edge_request(work: Work, direction: str, config: Config, after: str) -> Request | None:
    """The work itself; who cites it, Crossref tells its members only."""
    doi = work.doi or ""
    if direction != "cites" or not doi or doi.startswith("10.48550/"):
        return None
    return crossref.lookup_request([Identifier("doi", doi)], config)


def parse_edges(body: bytes, status: int, content_type: str, direction: str) -> EdgePage:
    """The entries in the paper's order, each with what it states."""
    message = crossref.work_message(body, status, content_type)
    with reading(name, body):
        made = [reference(each) for each in items(message.get("reference"))]
    papers: list[Paper] = [each for each in made if each is not None]
    return EdgePage(papers=tuple(papers))
