"""A paper that was found in; the way to its text out: a provider of ours, a link, or a person."""

from __future__ import annotations

from dataclasses import dataclass

from pressmark import ids
from pressmark.record import Location, Work

_VERSIONS = ("published", "accepted", "submitted")


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchRoute:
    """How the text of a paper can be had.

    `known_provider`: `fetch` gets it from `provider` (arxiv, europepmc) under `identifier`.
    `oa_link`: `pdf_url` is an open copy that a provider reported; nothing fetches it by itself.
    `manual_upload`: nobody reported an open copy; `attach` takes one that a person holds.
    """

    kind: str
    provider: str | None = None
    identifier: str | None = None
    pdf_url: str | None = None


def fetch_route(work: Work, locations: tuple[Location, ...] = ()) -> FetchRoute:
    """The first of the three ways that is open, published copies before manuscripts."""
    doi = work.doi or ""
    own = ids.normalise_arxiv(doi) if doi.startswith("10.48550/arxiv.") else None
    if own or work.arxiv:
        return FetchRoute(kind="known_provider", provider="arxiv", identifier=own or work.arxiv)
    if work.pmcid:
        return FetchRoute(kind="known_provider", provider="europepmc", identifier=work.pmcid)
    found = [one for one in locations if one.kind == "pdf"]
    if found:
        first = min(found, key=lambda one: _rank(one.version))
        return FetchRoute(kind="oa_link", pdf_url=first.url)
    return FetchRoute(kind="manual_upload")


def _rank(version: str | None) -> int:
    return _VERSIONS.index(version) if version in _VERSIONS else len(_VERSIONS)
