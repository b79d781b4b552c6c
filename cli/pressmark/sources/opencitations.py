"""OpenCitations' Index and Meta: an identifier in; the works it cites, or that cite it, out.

https://api.opencitations.net/index/v2
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from pressmark import ids, text
from pressmark.config import Config
from pressmark.errors import NotFound
from pressmark.ids import Identifier
from pressmark.record import Paper, Work
from pressmark.sources import names
from pressmark.sources.answers import Listing, broken, json_value, listed, reading
from pressmark.sources.base import EdgePage, Found, Request
from pressmark.sources.language import must_know
from pressmark.sources.values import iso_date, table, unique, words

name = "opencitations"
platform = "OpenCitations"
kinds: tuple[str, ...] = ("doi", "pmid")
batch = 10  # Meta has answered 500 at 15

_INDEX = "https://api.opencitations.net/index/v2"
_META = "https://api.opencitations.net/meta/v1/metadata"
_SECONDS = 60.0  # an answer is one piece, however many edges there are
_PATHS = {"cites": ("references", "cited"), "cited_by": ("citations", "citing")}
_TYPES = {
    "journal article": "article-journal", "proceedings article": "paper-conference",
    "book": "book", "book chapter": "chapter", "dissertation": "thesis", "report": "report",
    "dataset": "dataset", "reference entry": "entry", "web content": "webpage",
    "preprint": "article", "posted content": "article",
}  # fmt: skip


def edge_request(work: Work, direction: str, config: Config, after: str) -> Request | None:
    """All edges in one answer; a bare DOI would be answered as if it had none."""
    for kind in kinds:
        if value := getattr(work, kind):
            path = f"{_PATHS[direction][0]}/{kind}:{quote(value, safe='/')}"
            return Request(url=f"{_INDEX}/{path}", timeout=_SECONDS)
    return None


def parse_edges(body: bytes, status: int, content_type: str, direction: str) -> EdgePage:
    """The other ends of a list of edges; an end has several identifiers, parted by spaces."""
    rows = _rows(body, status, content_type)
    key = _PATHS[direction][1]
    with reading(name, body):
        papers = [_end(words(table(row).get(key))) for row in rows]
    found = tuple(each for each in papers if each is not None)
    if rows and not found:
        raise broken(name, body)
    return EdgePage(papers=found)


def _rows(body: bytes, status: int, content_type: str) -> list[Any]:
    rows = json_value(name, body, status, content_type)
    if not isinstance(rows, list):
        raise broken(name, body)
    return rows


def _end(value: str) -> Paper | None:
    """`omid:br/… doi:10.1/x pmid:1` of today, or the bare DOI of the first interface."""
    known = _identifiers(value)
    return Paper(**known) if known else None  # type: ignore[arg-type]


def _identifiers(value: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in value.split():
        kind, _, rest = each.partition(":")
        if kind == "pmid":
            known = ids.normalise_pmid(rest)
        elif kind == "openalex":
            known = ids.normalise_openalex(rest)
        elif kind == "pmcid":
            known = ids.normalise_pmcid(rest)
        else:
            kind, known = "doi", ids.normalise_doi(rest if kind == "doi" else each)
        if known:
            found.setdefault(kind, known)
    return found


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """Meta's records of up to ten identifiers."""
    must_know(platform, kinds, identifiers)
    said = "__".join(f"{each.kind}:{quote(each.value, safe='/')}" for each in identifiers)
    return Request(url=f"{_META}/{said}")


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The records of Meta, or of the index's first interface."""
    rows = _rows(body, status, content_type)
    if not rows:
        raise NotFound("opencitations does not have it.")
    return listed(name, body, Listing(rows, len(rows)), paper, today)


def paper(row: object, today: str) -> Paper | None:
    """One record; None where it has no identifier that we know, or no title."""
    row = table(row)
    known = _identifiers(words(row.get("id")) or words(row.get("doi")))
    title = text.title(words(row.get("title")))
    if not known or not title:
        return None
    cited = words(row.get("reference")).split(";")
    cites = unique([f"doi:{d}" for each in cited if (d := ids.normalise_doi(each.strip()))])
    return Paper(
        title=title,
        authors=_people(words(row.get("author"))),
        editors=_people(words(row.get("editor"))),
        published=iso_date(row.get("pub_date")) or iso_date(row.get("year")),
        type=_TYPES.get(words(row.get("type")).lower()),
        venue=_bare(words(row.get("venue")) or words(row.get("source_title"))) or None,
        publisher=_bare(words(row.get("publisher"))) or None,
        volume=words(row.get("volume")),
        issue=words(row.get("issue")),
        pages=words(row.get("page")),
        issn=tuple(sorted(unique(re.findall(r"issn:(\d{4}-\d{3}[\dX])", words(row.get("venue")))))),
        cites=cites,
        sources=(f"{name}:{next(iter(known.values()))} {today}",),
        **known,  # type: ignore[arg-type]
    )


def _people(value: str) -> tuple[str, ...]:
    """`Family, Given [orcid:… omid:…]; …`."""
    return unique([names.author(_bare(each)) for each in value.split(";")])


def _bare(value: str) -> str:
    return text.title(re.sub(r"\s*\[[^\]]*\]\s*$", "", value.strip()))
