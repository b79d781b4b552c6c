"""A library's files in; an index to ask for papers and passages out: words, vectors, citations.

Everything here is a sidecar: it can be thrown away at any time and comes back the same.
"""

from __future__ import annotations

from pressmark.index.keeping import borrowed, drop
from pressmark.index.making import build, meaning, status
from pressmark.index.opening import BUILDING, NOT_BUILT, READY, STALE, Index, open_index
from pressmark.index.passage import Passage

__all__ = [
    "BUILDING",
    "NOT_BUILT",
    "READY",
    "STALE",
    "Index",
    "Passage",
    "borrowed",
    "build",
    "drop",
    "meaning",
    "open_index",
    "status",
]
