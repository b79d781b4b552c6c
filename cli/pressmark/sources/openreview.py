"""OpenReview's API: words in; notes of two generations of its interface, as papers, out.

Anonymous readers are refused since the middle of 2026.
https://docs.openreview.net/
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from pressmark import text
from pressmark.config import Config
from pressmark.errors import BadInput, SourceDown
from pressmark.http import SEARCH_SECONDS
from pressmark.ids import Identifier
from pressmark.record import Paper
from pressmark.sources import names
from pressmark.sources.answers import Listing, broken, json_object, listed
from pressmark.sources.base import Found, OpenCopy, Request
from pressmark.sources.language import Language
from pressmark.sources.query import Query, plain_words
from pressmark.sources.values import count, date_of, items, table, unique, words

name = "openreview"
platform = "OpenReview"
kinds: tuple[str, ...] = ()
page_size = 100
batch = 1
language = Language()

_API = "https://api2.openreview.net/notes/search"


def cannot(query: Query) -> str | None:
    """OpenReview takes words, and nothing that narrows them."""
    if query.categories or query.not_categories:
        return "OpenReview has no arXiv categories"
    if query.journal or query.issn:
        return "OpenReview cannot be searched by journal"
    if query.open_access:
        return "OpenReview does not say which works are open access"
    return None


def search_request(query: Query, config: Config, start: int, rows: int) -> Request:
    """Words over the submissions' titles, authors and abstracts."""
    params = {
        "term": query.verbatim.get(name) or plain_words(query.tree),
        "content": "all",
        "source": "forum",
        "limit": str(rows),
        "offset": str(start),
    }
    return Request(url=_API, params=params, keep=SEARCH_SECONDS)


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """OpenReview knows its own ids only."""
    raise BadInput("OpenReview does not look identifiers up.")


def parse_search(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The notes of a list; one paper may stand in it several times, once a venue."""
    if status == 403 and b"Challenge" in body:
        raise SourceDown("openreview refuses readers who have not signed in.")
    answer = json_object(name, body, status, content_type)
    if answer.get("errors") or "notes" not in answer:
        raise broken(name, body)
    rows, total = answer["notes"], count(answer.get("count"))
    listing = Listing(rows, len(items(rows)) if total is None else total, 0)
    return listed(name, body, listing, paper, today)


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The same as a search's."""
    return parse_search(body, status, content_type, today=today)


def paper(row: object, today: str) -> Paper | None:
    """One note; None where it has neither an id nor a title."""
    row = table(row)
    own, content = words(row.get("id")), table(row.get("content"))
    title = text.title(words(_value(content, "title")))
    if not own or not title:
        return None
    people = items(_value(content, "authors"))
    venue = text.title(words(_value(content, "venue")))
    year = re.search(r"\b(?:19|20)\d\d\b", venue)
    preprint = not venue or venue.startswith("CoRR") or "Submitted" in venue
    keywords = items(_value(content, "keywords"))
    return Paper(
        title=title,
        authors=unique([names.author(words(each)) for each in people]),
        published=_day(row.get("pdate")) or (year[0] if year else _day(row.get("tcdate"))),
        type="article" if preprint else "paper-conference",
        venue=None if preprint else venue,
        url=f"https://openreview.net/forum?id={own}",
        keywords=tuple(sorted(unique([words(each) for each in keywords]))),
        notice="withdrawn" if re.search(r"(?i)withdrawn", venue) else None,
        abstract=text.from_jats(words(_value(content, "abstract"))) or None,
        sources=(f"{name}:{own} {today}",),
        locations=tuple(_copies(content, own)),
    )


def _value(content: dict[str, Any], key: str) -> object:
    """The second interface wraps every value in an object, the first does not."""
    value = content.get(key)
    return value.get("value") if isinstance(value, dict) else value


def _day(milliseconds: object) -> str | None:
    """The day of a time in milliseconds since 1970, reckoned without a clock."""
    number = count(milliseconds)
    if number is None:
        return None
    import datetime

    day = datetime.date(1970, 1, 1) + datetime.timedelta(days=min(number // 86_400_000, 300_000))
    return date_of(day.year, day.month, day.day)


def _copies(content: dict[str, Any], own: str) -> Iterator[OpenCopy]:
    if words(_value(content, "pdf")):
        yield OpenCopy(
            url=f"https://openreview.net/pdf?id={own}", kind="pdf", source=name,
            host_type="repository",
        )  # fmt: skip
