"""A provider's answer in; the papers of its list, or the failure by its name, out.

An answer that cannot be read, and an empty page where hits are due, must never look like no hits.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

from pressmark.errors import SourceBroken, SourceDown
from pressmark.http import failure, head
from pressmark.record import Paper
from pressmark.sources.base import Found
from pressmark.sources.values import count, table

Read = Callable[[Any, str], Paper | None]
"""A provider's own mapping: one record and the day in; the paper, or None for what is none, out."""


@contextmanager
def reading(name: str, body: bytes) -> Iterator[None]:
    """Turn whatever an odd shape raises into the one failure it is."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as problem:
        raise broken(name, body) from problem


def broken(name: str, body: bytes, what: str = "has another shape than documented") -> SourceBroken:
    """An answer that is none of those the provider documents."""
    return SourceBroken(f"The answer of {name} {what}.", head=head(body))


def json_value(name: str, body: bytes, status: int, content_type: str) -> Any:
    """The JSON in a body; every other answer is a named failure."""
    start = body[:512].lstrip()
    if not 200 <= status < 300:
        raise failure(name, status, body)
    if not start:
        raise SourceDown(f"{name} sent an empty answer.")
    if start.startswith(b"<?xml") and b"<html" not in body[:2048].lower():
        raise broken(name, body, "is XML and no JSON")
    if start[:1] == b"<" or "html" in content_type:
        raise broken(name, body, "is a web page and no data")
    with reading(name, body):
        return json.loads(body)


def json_object(name: str, body: bytes, status: int, content_type: str) -> dict[str, Any]:
    """The JSON object in a body; every other answer is a named failure."""
    found = json_value(name, body, status, content_type)
    if not isinstance(found, dict):
        raise broken(name, body)
    return found


class Listing(NamedTuple):
    """What an answer says of its list of hits."""

    rows: object
    """The records; anything but a list is another shape than documented."""
    total: int | None
    """The provider's own count of all hits."""
    before: int | None = None
    """How many hits stand before this page; None where it may be empty whatever the count."""


def listed(name: str, body: bytes, listing: Listing, read: Read, today: str) -> Found:
    """The papers of a list of hits, in the provider's order.

    An empty page where hits are due is an outage. Single records that cannot be read are counted;
    where that is all of them, the answer has another shape than documented.
    """
    rows, total, before = listing
    if total is None or not isinstance(rows, list):
        raise broken(name, body)
    if not rows and before is not None and total > before:
        raise SourceDown(f"{name} sent an empty page where {total} results are due.")
    with reading(name, body):
        papers = [made for row in rows if (made := read(row, today))]
    if rows and not papers:
        raise broken(name, body)
    return Found(papers=tuple(papers), total=total, damaged=len(rows) - len(papers))


def alone(name: str, body: bytes, row: object, read: Read, today: str) -> Found:
    """The one record of an answer that is no list."""
    with reading(name, body):
        made = read(row, today)
    if made is None:
        raise broken(name, body)
    return Found(papers=(made,), total=1)


def each_doi_once(found: Found) -> Found:
    """The same papers without repetitions: what the first says, where the last stands."""
    papers = {each.doi: each for each in reversed(found.papers)}
    return replace(found, papers=tuple(reversed(papers.values())))


def solr(answer: Mapping[str, Any], *, unsaid: int = 10) -> Listing:
    """The list in an answer of Solr's, whose header repeats how many rows were asked for.

    `unsaid` is that number where the header does not say it: by itself Solr sends ten.
    """
    response = table(answer.get("response"))
    asked = count(table(table(answer.get("responseHeader")).get("params")).get("rows"))
    wanted = unsaid if asked is None else asked
    before = (count(response.get("start")) or 0) if wanted else None
    return Listing(response.get("docs"), count(response.get("numFound")), before)


def invenio(answer: Mapping[str, Any]) -> Listing:
    """The list in an answer of Invenio's, which links to the page before from any but the first."""
    hits = table(answer.get("hits"))
    before = None if table(answer.get("links")).get("prev") else 0
    return Listing(hits.get("hits"), count(hits.get("total")), before)
