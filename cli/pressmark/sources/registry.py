"""A source's name in; its module out."""

from __future__ import annotations

from pressmark.sources import arxiv, crossref, openalex
from pressmark.sources.base import Known, Source

REGISTRY: dict[str, Source] = {"openalex": openalex, "crossref": crossref, "arxiv": arxiv}
"""Every source that can be searched, by its name in settings."""

LOCATORS: dict[str, Known] = {"openalex": openalex}
"""The providers whose records name open copies."""
