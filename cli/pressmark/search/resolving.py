"""An identifier in; which provider serves it and at what address, without a request, out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from pressmark import ids
from pressmark.errors import BadInput, FormatMissing, Unsupported
from pressmark.ids import Identifier
from pressmark.library import Library

FORMATS = ("landing", "html", "pdf", "jats")

_PLOS = {
    "pbio": "plosbiology", "pmed": "plosmedicine", "pcbi": "ploscompbiol", "pgen": "plosgenetics",
    "ppat": "plospathogens", "pone": "plosone", "pntd": "plosntds",
}  # fmt: skip
"""The journal in a PLOS DOI to its part of the site."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """Where an identifier leads."""

    identifier: str
    kind: str
    provider: str
    """Who serves it: whom `add` asks first, or whose copy an address is."""
    url: str
    format: str
    formats: tuple[str, ...]
    """The forms that the provider itself serves."""
    key: str | None = None


def resolve(text: str, library: Library | None = None, format: str = "landing") -> Resolved:
    """Say where an identifier in any spelling leads; nobody is asked.

    Addresses are made for the providers of a fixed list only, and for a DOI's own resolver.
    Raises BadInput for what is no identifier, Unsupported (`unsupported_provider`) for one that no
    provider serves, FormatMissing (`format_unavailable`) for a form that its provider has not.
    """
    if format not in FORMATS:
        raise BadInput(f"A form is one of {', '.join(FORMATS)}, not {format!r}.")
    identifier = ids.parse(text)
    if identifier is None:
        raise BadInput(
            f"{text.strip()[:80]!r} holds no identifier.",
            next="give a DOI, an arXiv id, a PMID, a PMCID, an OpenAlex id or an ISBN",
        )
    found = _places(identifier)
    if not found:
        raise Unsupported(
            f"No provider serves {identifier}.", next="give a DOI, an arXiv id, a PMID or a PMCID"
        )
    provider = found[0][0]
    places = {form: url for name, form, url in found if name == provider}
    if format not in places:
        raise FormatMissing(
            f"{provider} has no {format} of {identifier}.", next=f"it has {', '.join(places)}"
        )
    keys = library.catalogue.resolve(str(identifier)) if library is not None else []
    return Resolved(
        str(identifier), identifier.kind, provider, places[format], format, tuple(places),
        keys[0] if keys else None,
    )  # fmt: skip


def _places(identifier: Identifier) -> list[tuple[str, str, str]]:
    """Provider, form and address of everything that is known without asking."""
    return list(_BY_KIND.get(identifier.kind, _nothing)(identifier.value))


def _nothing(value: str) -> Iterator[tuple[str, str, str]]:
    return iter(())


def _doi(value: str) -> Iterator[tuple[str, str, str]]:
    arxiv = ids.normalise_arxiv(value) if value.startswith("10.48550/arxiv.") else None
    if arxiv:
        yield from _arxiv(arxiv)
    elif value.startswith("10.1371/journal.") and value[16:20] in _PLOS:
        site = f"https://journals.plos.org/{_PLOS[value[16:20]]}/article"
        yield "plos", "landing", f"{site}?id={value}"
        yield "plos", "html", f"{site}?id={value}"
        yield "plos", "pdf", f"{site}/file?id={value}&type=printable"
        yield "plos", "jats", f"{site}/file?id={value}&type=manuscript"
    else:
        yield "doi", "landing", f"https://doi.org/{quote(value, safe='/:;()._-')}"


def _arxiv(value: str) -> Iterator[tuple[str, str, str]]:
    yield "arxiv", "landing", f"https://arxiv.org/abs/{value}"
    if value[:4].isdigit():  # papers before 2007 have no HTML
        yield "arxiv", "html", f"https://arxiv.org/html/{value}"
    yield "arxiv", "pdf", f"https://arxiv.org/pdf/{value}"


def _pmcid(value: str) -> Iterator[tuple[str, str, str]]:
    yield "europepmc", "landing", f"https://europepmc.org/articles/{value}"
    yield (
        "europepmc",
        "jats",
        (f"https://www.ebi.ac.uk/europepmc/webservices/rest/{value}/fullTextXML"),
    )


def _pmid(value: str) -> Iterator[tuple[str, str, str]]:
    yield "pubmed", "landing", f"https://pubmed.ncbi.nlm.nih.gov/{value}/"


def _openalex(value: str) -> Iterator[tuple[str, str, str]]:
    yield "openalex", "landing", f"https://openalex.org/{value}"


def _s2(value: str) -> Iterator[tuple[str, str, str]]:
    yield "semanticscholar", "landing", f"https://www.semanticscholar.org/paper/{value}"


_BY_KIND = {
    "doi": _doi, "arxiv": _arxiv, "pmcid": _pmcid, "pmid": _pmid, "openalex": _openalex, "s2": _s2,
}  # fmt: skip
