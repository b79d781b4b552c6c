"""PMC's ID converter: DOIs, PMIDs or PMCIDs in; what each is in the other two spellings out.

https://pmc.ncbi.nlm.nih.gov/tools/id-converter-api/
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import unquote

from pressmark import ids
from pressmark.config import Config
from pressmark.errors import BadInput
from pressmark.http import failure
from pressmark.ids import Identifier
from pressmark.record import Paper
from pressmark.sources.answers import broken, json_object, reading
from pressmark.sources.base import Found, Request
from pressmark.sources.pubmed import searched
from pressmark.sources.pubmed_record import copies
from pressmark.sources.values import items, table, words

name = "pmc"
platform = "PubMed Central"
kinds: tuple[str, ...] = ("doi", "pmid", "pmcid")
batch = 200

_API = "https://pmc.ncbi.nlm.nih.gov/tools/idconv/api/v1/articles/"


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """Up to 200 identifiers of one kind; without `idtype` they are all taken for PMIDs."""
    kind = identifiers[0].kind
    if kind not in kinds or any(each.kind != kind for each in identifiers):
        raise BadInput("PMC converts identifiers of one kind at a time.")
    contact = {"email": config.contact} if config.contact else {}
    params = {
        "ids": ",".join(each.value for each in identifiers),
        "idtype": kind,
        "format": "json",
        "tool": "pressmark",
    }
    return Request(url=_API, params=params | contact)


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The identifiers of each article that PMC has, without titles; the others are left out."""
    if 400 <= status < 500 and status != 429 and body[:1] == b"{":
        answer = json_object(name, body, 200, content_type)
    else:
        answer = json_object(name, body, status, content_type)
    if words(answer.get("status")) != "ok":
        first = table(next(iter(items(answer.get("errors"))), None))
        said = unquote(words(first.get("message")) or words(answer.get("message")))
        raise broken(name, body, f"rejects our request ({said[:120].rstrip('. ')})")
    if not 200 <= status < 300:
        raise failure(name, status, body)
    rows = answer.get("records")
    if not isinstance(rows, list):
        raise broken(name, body)
    with reading(name, body):
        papers = [made for row in rows if (made := paper(row, today))]
    return Found(papers=tuple(papers), total=len(papers))


def paper(row: object, today: str) -> Paper | None:
    """What one article is called; None for one that PMC does not have."""
    row = table(row)
    pmcid = ids.normalise_pmcid(words(row.get("pmcid")))
    if pmcid is None:
        return None
    return Paper(
        doi=ids.normalise_doi(words(row.get("doi"))),
        pmid=ids.normalise_pmid(words(row.get("pmid"))),
        pmcid=pmcid,
        sources=(f"{name}:{pmcid} {today}",),
        locations=copies(pmcid),
    )


def parse_search(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The PMCIDs of an `esearch` in PMC, which writes them without the letters."""
    return searched(name, "pmcid", body, status)
