"""Addresses that a person or an agent found in; the works that they name out, without a request."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pressmark import ids, text
from pressmark.ids import Identifier

if TYPE_CHECKING:
    from pressmark.library import Library

MOST = 1000
"""Addresses that are read in one call."""

_NATURE = re.compile(r"(?i)https?://(?:www\.)?nature\.com/articles/([\w.-]*\d[\w-]*)(?:[/.?#].*)?")
"""Its articles' addresses end as their DOIs do, and hold nothing else that names them."""


@dataclass(frozen=True, slots=True)
class Lead:
    """A work that addresses name: its identifier, the addresses, and who holds it already."""

    identifier: Identifier
    urls: tuple[str, ...]
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Leads:
    """What addresses lead to: works, and the addresses that name none."""

    found: tuple[Lead, ...] = ()
    no_identifier: tuple[str, ...] = ()

    @property
    def fetch(self) -> tuple[str, ...]:
        """The identifiers that are not held, for `add`."""
        return tuple(str(lead.identifier) for lead in self.found if lead.key is None)


def leads(urls: Sequence[str], library: Library | None = None) -> Leads:
    """Read a DOI, PMCID, PMID or arXiv id out of each address; nothing is asked and nobody.

    One work is one lead however many addresses name it; an address that names none is listed.
    Nothing is ever downloaded from such an address: an identifier goes to the providers, who
    decide whether there is an open copy.
    """
    found: dict[Identifier, list[str]] = {}
    nameless: list[str] = []
    for url in dict.fromkeys(text.clean(each).strip() for each in urls):
        if not url:
            continue
        identifier = read(url)
        if identifier is None:
            nameless.append(url)
        else:
            found.setdefault(identifier, []).append(url)
    held = {each: _held(each, library) for each in found}
    return Leads(
        tuple(Lead(each, tuple(places), held[each]) for each, places in found.items()),
        tuple(nameless),
    )


def read(url: str) -> Identifier | None:
    """The identifier that an address, or a text, names."""
    found = ids.parse(url)
    if found is None and (article := _NATURE.fullmatch(url)):
        doi = ids.normalise_doi(f"10.1038/{article[1].removesuffix('.pdf')}")
        found = Identifier("doi", doi) if doi else None
    return found


def _held(identifier: Identifier, library: Library | None) -> str | None:
    if library is None:
        return None
    keys = library.catalogue.resolve(str(identifier))
    return keys[0] if keys else None
