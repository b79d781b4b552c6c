"""The providers: a question or an identifier in; papers, or the failure by its name, out."""

from __future__ import annotations

from pressmark.sources.base import Found, Request, Source
from pressmark.sources.lookup import (
    REGISTRY,
    Candidate,
    Candidates,
    Looked,
    ask,
    candidates,
    look_up,
    lookup,
)
from pressmark.sources.merge import groups, merged
from pressmark.sources.query import Query, query

__all__ = [
    "REGISTRY",
    "Candidate",
    "Candidates",
    "Found",
    "Looked",
    "Query",
    "Request",
    "Source",
    "ask",
    "candidates",
    "groups",
    "look_up",
    "lookup",
    "merged",
    "query",
]
