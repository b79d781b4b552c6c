"""A source's name in; its module out."""

from __future__ import annotations

from pressmark.sources import (
    ads,
    arxiv,
    biorxiv,
    core,
    crossref,
    datacite,
    dblp,
    doaj,
    europepmc,
    hal,
    inspire,
    openaire,
    openalex,
    opencitations,
    openreview,
    osf,
    plos,
    pmc,
    pubmed,
    scite,
    searxng,
    semanticscholar,
    unpaywall,
    zenodo,
)
from pressmark.sources.base import Known, Source

REGISTRY: dict[str, Source] = {
    "openalex": openalex,
    "crossref": crossref,
    "arxiv": arxiv,
    "pubmed": pubmed,
    "europepmc": europepmc,
    "doaj": doaj,
    "plos": plos,
    "datacite": datacite,
    "hal": hal,
    "dblp": dblp,
    "openaire": openaire,
    "osf": osf,
    "semanticscholar": semanticscholar,
    "core": core,
    "scite": scite,
    "searxng": searxng,
    "openreview": openreview,
    "ads": ads,
    "inspire": inspire,
    "zenodo": zenodo,
}
"""Every source that can be searched, by its name in settings."""

LOOKUPS: dict[str, Known] = {
    **REGISTRY,
    "unpaywall": unpaywall,
    "biorxiv": biorxiv,
    "pmc": pmc,
    "opencitations": opencitations,
}
"""Every source that answers to identifiers."""

LOCATORS: dict[str, Known] = {
    "europepmc": europepmc,
    "openalex": openalex,
    "unpaywall": unpaywall,
    "biorxiv": biorxiv,
    "openaire": openaire,
    "hal": hal,
    "osf": osf,
    "core": core,
}
"""The providers whose records name open copies. arXiv's and PLOS's follow from the identifier."""
