"""Standing queries: a topic in; what came since its last run filed as candidates out.

A topic is a feed, not a subject: a Markdown file with a query, arXiv categories, or the address
of an RSS or Atom feed. Beside it stand reading lists, what changed since, and review in git.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pressmark.topics.address import Asked, FeedError, parse_topic
    from pressmark.topics.changing import Changes, changes
    from pressmark.topics.collecting import Collected, collect, new_collection, uncollect
    from pressmark.topics.registering import add_topic, remove_topic, seed
    from pressmark.topics.running import Run, due, found_by, get, run, run_topic, since

__all__ = [
    "Asked",
    "Changes",
    "Collected",
    "FeedError",
    "Run",
    "add_topic",
    "changes",
    "collect",
    "due",
    "found_by",
    "get",
    "new_collection",
    "parse_topic",
    "remove_topic",
    "run",
    "run_topic",
    "seed",
    "since",
    "uncollect",
]

_HOMES = {
    "Asked": "address", "FeedError": "address", "parse_topic": "address",
    "add_topic": "registering", "remove_topic": "registering", "seed": "registering",
    "Changes": "changing", "changes": "changing", "Collected": "collecting",
    "collect": "collecting", "new_collection": "collecting", "uncollect": "collecting",
    "Run": "running", "due": "running", "found_by": "running", "get": "running", "run": "running",
    "run_topic": "running", "since": "running",
}  # fmt: skip
"""Name -> its module: a list of topics needs neither sources nor feeds."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
