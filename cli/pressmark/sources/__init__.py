"""The providers: a question or an identifier in; papers, or the failure by its name, out."""

from __future__ import annotations

from pressmark.sources.base import Found, Known, OpenCopy, Request, Source
from pressmark.sources.batches import Many, batched
from pressmark.sources.discovery import FetchRoute, fetch_route
from pressmark.sources.edges import EdgeReport, Edges, edges
from pressmark.sources.exchange import Page, ask, search_page
from pressmark.sources.locations import Located, locate, located
from pressmark.sources.lookup import (
    Candidate,
    Candidates,
    Looked,
    candidates,
    look_up,
    lookup,
)
from pressmark.sources.merge import groups, merged
from pressmark.sources.query import Query, query
from pressmark.sources.registry import LOCATORS, LOOKUPS, REGISTRY

__all__ = [
    "LOCATORS",
    "LOOKUPS",
    "REGISTRY",
    "Candidate",
    "Candidates",
    "EdgeReport",
    "Edges",
    "FetchRoute",
    "Found",
    "Known",
    "Located",
    "Looked",
    "Many",
    "OpenCopy",
    "Page",
    "Query",
    "Request",
    "Source",
    "ask",
    "batched",
    "candidates",
    "edges",
    "fetch_route",
    "groups",
    "locate",
    "located",
    "look_up",
    "lookup",
    "merged",
    "query",
    "search_page",
]
