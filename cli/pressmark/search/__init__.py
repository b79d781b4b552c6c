"""Federated search: a query in; every source's answer merged, ranked, filed and logged, out."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pressmark.search.asking import fused, search
    from pressmark.search.filing import annotated, file, log, subject
    from pressmark.search.result import Hit, Report, Result

__all__ = ["Hit", "Report", "Result", "annotated", "file", "fused", "log", "search", "subject"]

_HOMES = {
    "fused": "asking", "search": "asking", "annotated": "filing", "file": "filing",
    "log": "filing", "subject": "filing", "Hit": "result", "Report": "result", "Result": "result",
}  # fmt: skip
"""Name -> its module: importing a file takes `intake` alone, and none of the sources."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
