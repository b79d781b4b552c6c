"""Federated search: a query in; every source's answer merged, ranked, filed and logged, out."""

from __future__ import annotations

from pressmark.search.asking import fused, search
from pressmark.search.filing import annotated, file, log, subject
from pressmark.search.result import Hit, Report, Result

__all__ = ["Hit", "Report", "Result", "annotated", "file", "fused", "log", "search", "subject"]
