"""OSF's API: words of a title or a DOI in; the preprints of its servers, as papers, out.

https://developer.osf.io/
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
from pressmark.http import SEARCH_SECONDS
from pressmark.ids import Identifier
from pressmark.record import Paper
from pressmark.sources import licences, names
from pressmark.sources.answers import Listing, alone, json_object, listed
from pressmark.sources.base import Found, OpenCopy, Request
from pressmark.sources.language import Language
from pressmark.sources.query import Query, plain_words
from pressmark.sources.values import count, iso_date, items, named, table, unique, words

name = "osf"
platform = "OSF Preprints"
kinds: tuple[str, ...] = ("doi",)
page_size = 100
batch = 1
language = Language(
    fields=frozenset({"title"}), dates=True, open_access=True, sorts=frozenset({"date"})
)

_API = "https://api.osf.io/v2/preprints/"
_EMBED = "embed=contributors&embed=license"
"""Authors and licence stand in related records, and are not sent unless asked for."""

_OWN = re.compile(r"10\.\d{4,9}/osf\.io/([a-z0-9]{4,8}(?:_v\d+)?)", re.I)
_SERVERS = {
    "osf": "OSF Preprints", "psyarxiv": "PsyArXiv", "socarxiv": "SocArXiv",
    "metaarxiv": "MetaArXiv", "edarxiv": "EdArXiv", "mediarxiv": "MediArXiv",
    "lawarxiv": "LawArXiv", "engrxiv": "engrXiv",
    "paleorxiv": "PaleorXiv", "sportrxiv": "SportRxiv", "mindrxiv": "MindRxiv",
    "nutrixiv": "NutriXiv", "agrixiv": "AgriXiv", "africarxiv": "AfricArXiv",
    "biohackrxiv": "BioHackrXiv", "ecsarxiv": "ECSarXiv", "lissa": "LIS Scholarship Archive",
    "thesiscommons": "Thesis Commons", "indiarxiv": "IndiaRxiv", "arabixiv": "Arabixiv",
    "marxiv": "MarXiv", "frenxiv": "Frenxiv", "bodoarxiv": "BodoArXiv", "focusarchive": "FocUS",
    "inarxiv": "INA-Rxiv",
}  # fmt: skip


def cannot(query: Query) -> str | None:
    """OSF's interface finds titles only, and knows neither journals nor categories."""
    if query.categories or query.not_categories:
        return "OSF has no arXiv categories"
    if query.journal or query.issn:
        return "OSF holds preprints, which are in no journal"
    if not query.verbatim.get(name) and not plain_words(query.tree):
        return "OSF needs words of a title"
    return None


def search_request(query: Query, config: Config, start: int, rows: int) -> Request:
    """A title that holds the words side by side; there is no search of texts."""
    said = query.verbatim.get(name) or plain_words(query.tree)
    params = {
        "filter[title]": said,
        "page[size]": str(rows),
        "page": str(start // rows + 1),
        "sort": "-date_published",
    }
    if query.since:
        params["filter[date_published][gte]"] = query.since
    if query.until:
        params["filter[date_published][lte]"] = query.until
    return Request(url=f"{_API}?{_EMBED}", params=params, keep=SEARCH_SECONDS)


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """The preprint whose own DOI this is."""
    found = _OWN.fullmatch(identifiers[0].value)
    if identifiers[0].kind != "doi" or not found:
        raise BadInput("OSF knows the DOIs of its own preprints only.")
    return Request(url=f"{_API}{quote(found[1].lower(), safe='')}/?{_EMBED}")


def parse_search(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The preprints of a list, and OSF's count, which has stood in two places."""
    answer = json_object(name, body, status, content_type)
    meta = table(answer.get("meta")) | table(table(answer.get("links")).get("meta"))
    before = None if table(answer.get("links")).get("prev") else 0
    listing = Listing(answer.get("data"), count(meta.get("total")), before)
    found = listed(name, body, listing, paper, today)
    return replace(found, notes=("OSF searches titles only, for the words side by side",))


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The one preprint of an answer."""
    answer = json_object(name, body, status, content_type)
    if answer.get("errors"):
        raise NotFound("osf does not have it.")
    if isinstance(answer.get("data"), list):
        return parse_search(body, status, content_type, today=today)
    return alone(name, body, answer.get("data"), paper, today)


def paper(row: object, today: str) -> Paper | None:
    """One preprint; None where it has no id."""
    row = table(row)
    own, about = words(row.get("id")), table(row.get("attributes"))
    if not own or not about:
        return None
    links = table(row.get("links"))
    journal = ids.normalise_doi(words(about.get("doi")))
    doi = ids.normalise_doi(words(links.get("preprint_doi")))
    server = words(_related(row, "provider").get("id"))
    withdrawn = bool(about.get("date_withdrawn"))
    license_ = licences.named(words(_embedded(row, "license").get("name")))
    made = Paper(
        title=text.title(words(about.get("title"))),
        authors=_people(row),
        published=iso_date(about.get("date_published")) or iso_date(about.get("date_created")),
        type="thesis" if server == "thesiscommons" else "article",
        publisher=_SERVERS.get(server, server) or None,
        doi=doi or journal,
        url=words(links.get("html")) or (f"https://doi.org/{doi}" if doi else None),
        keywords=tuple(sorted(unique([words(each) for each in items(about.get("tags"))]))),
        license=license_,
        notice="withdrawn" if withdrawn else None,
        notice_note=words(about.get("withdrawal_justification")) or None if withdrawn else None,
        related=(f"doi:{journal}",) if journal and doi and journal != doi else (),
        abstract=text.from_jats(str(about.get("description") or "")) or None,
        sources=(f"{name}:{own} {today}",),
        locations=() if withdrawn else tuple(_copies(own, license_)),
    )
    return named(made)


def _embedded(row: dict[str, Any], kind: str) -> dict[str, Any]:
    """The attributes of an embedded record."""
    data = table(table(row.get("embeds")).get(kind)).get("data")
    return table(table(data).get("attributes"))


def _related(row: dict[str, Any], kind: str) -> dict[str, Any]:
    return table(table(table(row.get("relationships")).get(kind)).get("data"))


def _people(row: dict[str, Any]) -> tuple[str, ...]:
    """The contributors who are authors: an embedded record in an embedded record."""
    contributors = items(table(table(row.get("embeds")).get("contributors")).get("data"))
    people: list[str | None] = []
    for each in map(table, contributors):
        if table(each.get("attributes")).get("bibliographic") is False:
            continue
        user = _embedded(each, "users")
        family, given = words(user.get("family_name")), words(user.get("given_name"))
        middle = words(user.get("middle_names"))
        if family:
            shown = " ".join(part for part in (given, middle) if part)
            people.append(names.given_family(shown, family, words(user.get("suffix"))))
        else:
            unregistered = words(table(each.get("attributes")).get("unregistered_contributor"))
            people.append(names.author(words(user.get("full_name")) or unregistered))
    return unique(people)


def _copies(own: str, license_: str | None) -> Iterator[OpenCopy]:
    yield OpenCopy(
        url=f"https://osf.io/{own}/download", kind="pdf", source=name, version="submitted",
        license=license_, host_type="repository",
    )  # fmt: skip
