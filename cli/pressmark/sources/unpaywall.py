"""Unpaywall's API: a DOI in; where its open copies are, with version, licence and host, out.

https://unpaywall.org/products/api
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

from pressmark import ids, text
from pressmark.config import Config
from pressmark.errors import Configuration
from pressmark.ids import Identifier
from pressmark.record import Paper
from pressmark.sources import licences, names
from pressmark.sources.answers import Listing, broken, json_object, listed
from pressmark.sources.base import Found, OpenCopy, Request
from pressmark.sources.language import must_know
from pressmark.sources.values import iso_date, items, renamed, table, unique, words

name = "unpaywall"
platform = "Unpaywall"
kinds: tuple[str, ...] = ("doi",)
batch = 1

_API = "https://api.unpaywall.org/v2"
_VERSIONS = {
    "publishedVersion": "published", "acceptedVersion": "accepted",
    "submittedVersion": "submitted",
}  # fmt: skip
_HOSTS = frozenset({"publisher", "repository"})
_TYPES = {
    "journal-article": "article-journal", "proceedings-article": "paper-conference",
    "book-chapter": "chapter", "book": "book", "monograph": "book", "posted-content": "article",
    "dissertation": "thesis", "report": "report", "dataset": "dataset",
}  # fmt: skip


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """One DOI; Unpaywall wants to know whom to write to, and refuses made-up addresses."""
    must_know(platform, kinds, identifiers)
    if not config.contact:
        raise Configuration(
            "Unpaywall needs an address to write to.", next="set PRESSMARK_CONTACT to your e-mail"
        )
    doi = quote(identifiers[0].value, safe="/")
    return Request(url=f"{_API}/{doi}", params={"email": config.contact})


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The one record of an answer, or those of Unpaywall's own search."""
    answer = json_object(name, body, status, content_type)
    if answer.get("error"):
        said = words(answer.get("message"))[:120].rstrip(". ") or "no reason given"
        raise broken(name, body, f"rejects our request ({said})")
    if isinstance(answer.get("results"), list):
        rows = [table(table(each).get("response")) for each in answer["results"]]
    else:
        rows = [answer]
    return listed(name, body, Listing(rows, len(rows)), paper, today)


def paper(row: dict[str, Any], today: str) -> Paper | None:
    """One record; None where it has no DOI or does not say whether it is open."""
    doi = ids.normalise_doi(words(row.get("doi")))
    if doi is None or not isinstance(row.get("is_oa"), bool):
        return None
    kind, title = words(row.get("genre")), text.title(words(row.get("title")))
    best = table(row.get("best_oa_location"))
    return Paper(
        title=title,
        authors=unique([_author(table(each)) for each in items(row.get("z_authors"))]),
        published=iso_date(row.get("published_date")) or iso_date(row.get("year")),
        type=_TYPES.get(kind, "document" if kind else None),
        venue=text.title(words(row.get("journal_name"))) or None,
        publisher=text.title(words(row.get("publisher"))) or None,
        doi=doi,
        issn=tuple(sorted(unique(words(row.get("journal_issns")).split(",")))),
        url=f"https://doi.org/{doi}",
        license=licences.named(words(best.get("license"))),
        oa=words(row.get("oa_status")) or None,
        notice=renamed(title),
        sources=(f"{name}:{doi} {today}",),
        locations=tuple(dict.fromkeys(_copies(row))),
    )


def _author(person: dict[str, Any]) -> str | None:
    """`raw_author_name` since 2025, `family` and `given` before."""
    family, given = words(person.get("family")), words(person.get("given"))
    if family:
        return names.given_family(given, family, words(person.get("suffix")))
    return names.author(words(person.get("raw_author_name")))


def _copies(row: dict[str, Any]) -> Iterator[OpenCopy]:
    """The best first; a copy without a licence (bronze) may be read, and is marked with none."""
    for place in map(table, [row.get("best_oa_location"), *items(row.get("oa_locations"))]):
        host = words(place.get("host_type"))
        pdf = words(place.get("url_for_pdf"))
        landing = words(place.get("url_for_landing_page")) or words(place.get("url"))
        for url, kind in ((pdf, "pdf"), (landing, "landing")):
            if url.startswith("http"):
                yield OpenCopy(
                    url=url,
                    kind=kind,
                    source=name,
                    version=_VERSIONS.get(words(place.get("version"))),
                    license=licences.named(words(place.get("license"))),
                    host_type=host if host in _HOSTS else None,
                )
