"""A reference in; where its open copies are, the best form first, out. Nothing is asked here."""

from __future__ import annotations

from collections.abc import Iterable

from pressmark import ids
from pressmark.record import Location, Reference

EFETCH = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils/efetch.fcgi"
EUROPEPMC = "https://www.ebi.ac.uk/europepmc/webservices/rest"

_PLOS = {
    "pone": "plosone", "pbio": "plosbiology", "pcbi": "ploscompbiol", "pgen": "plosgenetics",
    "pmed": "plosmedicine", "pntd": "plosntds", "ppat": "plospathogens", "pwat": "water",
    "pdig": "digitalhealth", "pclm": "climate", "pgph": "globalpublichealth",
}  # fmt: skip

_FORMS = ("jats", "html", "pdf")
"""XML says what everything is, HTML most of it, a PDF only where the ink goes."""


def locate(
    ref: Reference, extra: Iterable[Location] = (), forms: Iterable[str] = _FORMS
) -> list[Location]:
    """The places its identifiers lead to, then those that providers reported; each URL once."""
    ref = ids.canonical(ref)
    known = {one.split(":", 1)[0]: one.split(":", 1)[1] for one in reversed(ids.identities(ref))}
    found = [*_pmc(known.get("pmcid")), *_plos(ref.doi), *_arxiv(known.get("arxiv"))]
    # Europe PMC and PLOS before arXiv: the published version before the manuscript.
    unique: dict[str, Location] = {}
    for one in (*found, *ranked(extra, forms)):
        unique.setdefault(one.url, one)
    allowed = set(forms)
    return [one for one in unique.values() if one.kind in allowed]


_VERSIONS = ("published", "accepted", "submitted")


def ranked(reported: Iterable[Location], forms: Iterable[str] = _FORMS) -> list[Location]:
    """What providers reported, in the order in which it is tried: by form, then by version.

    A landing page is no copy.
    """
    allowed = set(forms)

    def rank(one: Location) -> tuple[int, int]:
        known = one.version in _VERSIONS
        version = _VERSIONS.index(one.version or "") if known else len(_VERSIONS)
        return _FORMS.index(one.kind), version

    return sorted((one for one in reported if one.kind in _FORMS and one.kind in allowed), key=rank)


def _pmc(pmcid: str | None) -> list[Location]:
    if not pmcid:
        return []
    digits = pmcid.upper().removeprefix("PMC")
    query = f"?db=pmc&id={digits}&rettype=xml"
    return [
        Location(url=f"{EUROPEPMC}/PMC{digits}/fullTextXML", kind="jats", source="europepmc"),
        Location(url=f"{EFETCH}{query}", kind="jats", source="pmc"),
    ]


def _plos(doi: str | None) -> list[Location]:
    """`10.1371/journal.pone.0000308`: the publisher's own XML."""
    parts = (doi or "").removeprefix("10.1371/journal.").split(".")
    journal = _PLOS.get(parts[0]) if doi and doi.startswith("10.1371/journal.") else None
    if journal is None:
        return []
    url = f"https://journals.plos.org/{journal}/article/file?id={doi}&type=manuscript"
    return [Location(url=url, kind="jats", source="plos", version="published")]


def _arxiv(arxiv: str | None) -> list[Location]:
    if not arxiv:
        return []
    return [
        Location(
            url=f"https://arxiv.org/{kind}/{arxiv}", kind=kind, source="arxiv", version="submitted"
        )
        for kind in ("html", "pdf")
    ]
