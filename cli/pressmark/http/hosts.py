"""Who lives where and how often it may be asked: a source or a host in, its rule out.

The figures are those the providers publish, or, where they publish none, what they bear.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit, urlunsplit

HOSTS: dict[str, tuple[str, ...]] = {
    "arxiv": (
        "export.arxiv.org",
        "arxiv.org",
        "www.arxiv.org",
        "rss.arxiv.org",
        "oaipmh.arxiv.org",
    ),
    "crossref": ("api.crossref.org",),
    "openalex": ("api.openalex.org", "content.openalex.org"),
    "pubmed": ("eutils.ncbi.nlm.nih.gov",),
    "pmc": ("eutils.ncbi.nlm.nih.gov", "pmc.ncbi.nlm.nih.gov", "www.ncbi.nlm.nih.gov"),
    "europepmc": ("www.ebi.ac.uk", "europepmc.org"),
    "doaj": ("doaj.org",),
    "plos": ("api.plos.org", "journals.plos.org"),
    "datacite": ("api.datacite.org",),
    "hal": ("api.archives-ouvertes.fr", "hal.science"),
    "dblp": ("dblp.org",),
    "openaire": ("api.openaire.eu", "graph.openaire.eu"),
    "osf": ("api.osf.io", "osf.io"),
    "semanticscholar": ("api.semanticscholar.org",),
    "core": ("api.core.ac.uk", "core.ac.uk"),
    "unpaywall": ("api.unpaywall.org",),
    "biorxiv": ("api.biorxiv.org", "www.biorxiv.org", "www.medrxiv.org"),
    "opencitations": ("api.opencitations.net",),
    "openreview": ("api2.openreview.net", "api.openreview.net", "openreview.net"),
    "ads": ("api.adsabs.harvard.edu",),
    "inspire": ("inspirehep.net",),
    "zenodo": ("zenodo.org",),
    "scite": ("api.scite.ai",),
    "searxng": ("searxng.invalid",),  # an instance is the user's own: its base_url is its host
    "doi": ("doi.org", "dx.doi.org"),
    "zotero": ("zotero.invalid",),  # the program on this machine: its base_url is its host
}
"""The hosts of each source: what `base_url` replaces."""

ANYWHERE = frozenset({"feed"})
"""Sources that have no host of their own: a mirror stands for every one."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Seconds between two requests, fewer with a contact or a key, and if one is open at a time."""

    seconds: float
    polite: float | None = None
    single: bool = False
    keyed: float | None = None


RULES: dict[str, Rule] = {
    "arxiv": Rule(3.0, single=True),  # terms of use: one request in 3 s on one connection
    "crossref": Rule(1.0, 1 / 3),  # lists; the answers' own headers can make it slower
    "crossref/doi": Rule(0.2, 0.1),
    "openalex": Rule(0.1),
    "ncbi": Rule(0.34, keyed=0.1),
    "europepmc": Rule(0.2),
    "doaj": Rule(0.5),
    "plos": Rule(6.2),  # ten a minute, with room for what requests are late by
    "datacite": Rule(0.6, 0.3),
    "hal": Rule(0.5),
    "semanticscholar": Rule(1.0, single=True),
    "core": Rule(6.0, keyed=2.4),
    "unpaywall": Rule(0.1),
    "opencitations": Rule(0.34),
    "inspire": Rule(0.34),
    "zenodo": Rule(2.0),
    "ads": Rule(0.5),
    "openreview": Rule(5.0),
    "scite": Rule(1.0, single=True),
    "doi": Rule(0.2),
}
"""A lane's rule; a host that is no source's own has the general one."""

GENERAL = Rule(1.0)

_LANES = {host: source for source, hosts in HOSTS.items() for host in hosts} | dict.fromkeys(
    ("eutils.ncbi.nlm.nih.gov", "pmc.ncbi.nlm.nih.gov", "www.ncbi.nlm.nih.gov"), "ncbi"
)


def lane(url: str) -> str:
    """The queue a request stands in: all hosts that share one provider's limit share one lane."""
    parts = urlsplit(url)
    host = (parts.hostname or "").rstrip(".")
    name = _LANES.get(host, host)
    if name == "crossref" and parts.path.startswith("/works/"):
        return "crossref/doi"
    return name


def rule(name: str) -> Rule:
    """The rule of a lane."""
    return RULES.get(name, GENERAL)


def mirrored(url: str, source: str, base_url: str | None) -> str:
    """The URL at the source's mirror when the user named one and the host is the source's own."""
    if base_url is None:
        return url
    parts = urlsplit(url)
    own = (parts.hostname or "").rstrip(".") in HOSTS.get(source, ())
    if not own and source not in ANYWHERE:
        return url
    base = urlsplit(base_url)
    path = base.path.rstrip("/") + parts.path
    return urlunsplit((base.scheme, base.netloc, path, parts.query, ""))


def origin(url: str) -> tuple[str, int]:
    """Host and port of a URL, the scheme's own port when it names none."""
    parts = urlsplit(url)
    return (parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80))
