"""bioRxiv's and medRxiv's API: a preprint's DOI in; its versions, and what became of it, out.

There is no search by words here; Europe PMC holds these preprints and is searched for them.
https://api.biorxiv.org/
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from pressmark import ids, text
from pressmark.config import Config
from pressmark.errors import BadInput, NotFound
from pressmark.ids import Identifier
from pressmark.record import Paper
from pressmark.sources import licences, names
from pressmark.sources.answers import Listing, broken, json_object, listed
from pressmark.sources.base import Found, OpenCopy, Request
from pressmark.sources.values import count, iso_date, items, table, unique, words

name = "biorxiv"
platform = "bioRxiv"
kinds: tuple[str, ...] = ("doi",)
batch = 1

_API = "https://api.biorxiv.org/details"
_OURS = re.compile(r"10\.(?:1101|64898)/\S+")
_CAPS = re.compile(r"[OC]_SCP(?:CAP|LOW)|[OC]_(?:LI|ST_ABS|TEXT)")


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """All versions of one preprint; medRxiv's answer to the other server's name, too."""
    doi = identifiers[0].value
    if identifiers[0].kind != "doi" or not _OURS.fullmatch(doi):
        raise BadInput("bioRxiv knows the DOIs of its own preprints only.")
    return Request(url=f"{_API}/biorxiv/{quote(doi, safe='/')}/na/json")


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The preprints of an answer, each DOI once, as its last version."""
    answer = json_object(name, body, status, content_type)
    rows, messages = answer.get("collection"), items(answer.get("messages"))
    state = words(table(messages[0]).get("status")) if messages else ""
    if state.startswith("no posts"):
        raise NotFound("biorxiv does not have it.")
    if state != "ok":
        raise broken(name, body)
    said = table(messages[0])
    total = count(said.get("total")) or count(said.get("count")) or 0
    found = listed(name, body, Listing(rows, total, 0), paper, today)
    last = {each.doi: each for each in found.papers}
    return replace(found, papers=tuple(last.values()))


def _known(value: object) -> str:
    """`NA` is how it writes that there is nothing."""
    said = words(value)
    return "" if said == "NA" else said


def paper(row: object, today: str) -> Paper | None:
    """One version of `/details`, or one pair of preprint and article of `/pubs`."""
    row = table(row)
    pair = "preprint_doi" in row
    prefix = "preprint_" if pair else ""
    doi = ids.normalise_doi(_known(row.get(f"{prefix}doi")))
    if doi is None:
        return None
    journal = ids.normalise_doi(_known(row.get("published_doi" if pair else "published")))
    server = _known(row.get("preprint_platform" if pair else "server")) or "bioRxiv"
    withdrawn = words(row.get("type")).lower() == "withdrawn"
    license_ = licences.named(_known(row.get("license")).replace("_", "-"))
    people = _known(row.get(f"{prefix}authors")).split(";")
    abstract = _CAPS.sub(" ", _known(row.get(f"{prefix}abstract")))
    return Paper(
        title=text.title(_known(row.get(f"{prefix}title"))),
        authors=unique([names.author(each) for each in people]),
        published=iso_date(row.get(f"{prefix}date")),
        type="article",
        publisher=server,
        doi=doi,
        url=f"https://doi.org/{doi}",
        license=license_,
        notice="withdrawn" if withdrawn else None,
        related=(f"doi:{journal}",) if journal else (),
        abstract=text.from_jats(abstract) or None,
        sources=(f"{name}:{doi}{_version(row)} {today}",),
        locations=() if withdrawn else tuple(_copies(row, doi, server, license_)),
    )


def _version(row: dict[str, Any]) -> str:
    number = words(row.get("version"))
    return f"v{number}" if number.isdigit() else ""


def _copies(row: dict[str, Any], doi: str, server: str, license_: str | None) -> Iterator[OpenCopy]:
    """The XML where the answer names it, and the PDF of the version."""
    xml, version = _known(row.get("jatsxml")), _version(row)
    host = "www.medrxiv.org" if server.lower() == "medrxiv" else "www.biorxiv.org"
    places = [(xml, "jats")] if xml.startswith("http") else []
    if version:
        places.append((f"https://{host}/content/{doi}{version}.full.pdf", "pdf"))
    for url, kind in places:
        yield OpenCopy(
            url=url, kind=kind, source=name, version="submitted", license=license_,
            host_type="repository",
        )  # fmt: skip
