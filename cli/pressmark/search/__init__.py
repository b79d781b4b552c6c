"""Federated search: a query in; every source's answer merged, ranked, filed and logged, out."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pressmark.search.asking import search
    from pressmark.search.calls import search_papers
    from pressmark.search.filing import annotated, file, subject
    from pressmark.search.leading import Lead, Leads, leads
    from pressmark.search.logs import log
    from pressmark.search.memory import similar
    from pressmark.search.previewing import preview
    from pressmark.search.ranking import fused
    from pressmark.search.resolving import Resolved, resolve
    from pressmark.search.result import Hit, Report, Result

__all__ = [
    "Hit", "Lead", "Leads", "Report", "Resolved", "Result", "annotated", "file", "fused", "leads",
    "log", "preview", "resolve", "search", "search_papers", "similar", "subject",
]  # fmt: skip

_HOMES = {
    "fused": "ranking", "search": "asking", "annotated": "filing", "file": "filing",
    "subject": "filing", "log": "logs", "preview": "previewing", "similar": "memory",
    "Lead": "leading", "Leads": "leading", "leads": "leading", "Resolved": "resolving",
    "resolve": "resolving", "search_papers": "calls", "Hit": "result",
    "Report": "result", "Result": "result",
}  # fmt: skip
"""Name -> its module: importing a file takes `intake` alone, and none of the sources."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
