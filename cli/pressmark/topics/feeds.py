"""A topic's feed read: what it holds that is not known yet, out."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pressmark.errors import Offline, PressmarkError, SourceBroken, Unavailable
from pressmark.http import checked
from pressmark.library import Library
from pressmark.record import Reference, Topic
from pressmark.search import Report
from pressmark.topics.address import feed_address
from pressmark.topics.entries import Entry, Feed, content_hash, parse
from pressmark.topics.running import FIRST_RUN_DAYS, Answer

if TYPE_CHECKING:
    from pressmark.http import Client, NullClient

LARGEST = 10 * 2**20
"""Bytes of a feed; the largest of real journals have some hundred kilobytes."""

SOURCE = "feed"

ACCEPT = "application/atom+xml, application/rss+xml, application/xml;q=0.9, */*;q=0.5"


def ask(library: Library, client: Client | NullClient, topic: Topic, today: str) -> Answer:
    """Fetch and read the feed; whatever goes wrong is its report's reason."""
    url = feed_address(topic.feed or "")
    if client.offline:
        raise Offline(
            f"The topic {topic.slug} needs the network, which is off.", next="pressmark find WORDS"
        )
    began = time.monotonic()
    row = Report(source=SOURCE, platform=urlsplit(url).hostname or url, status="ok", sent=url)
    try:
        answer = checked(client.get(url, source=SOURCE, accept=ACCEPT, max_bytes=LARGEST))
        feed = parse(answer.body, answer.headers.get("content-type", ""), slug=topic.slug,
                     today=today)  # fmt: skip
    except PressmarkError as problem:
        client.discreet(problem)
        if isinstance(problem, SourceBroken):
            client.report(SOURCE, url, problem)
        status = "unavailable" if isinstance(problem, Unavailable) else "broken"
        failed = replace(row, status=status, reason=_reason(problem, url), seconds=_since(began))
        return Answer(topic=topic, reports=(failed,))
    fresh, skipped = _unknown(library, topic, feed, today)
    return Answer(
        topic=topic,
        reports=(replace(row, count=len(feed.entries), seconds=_since(began)),),
        papers=tuple(entry.paper for entry in fresh),
        skipped=skipped + feed.doubled,
        unnamed=tuple(entry.paper.title for entry in fresh if not entry.named),
        notes=tuple(_notes(feed)),
    )


def _since(began: float) -> float:
    return round(time.monotonic() - began, 3)


def _reason(problem: PressmarkError, url: str) -> str:
    """The failure in terms of the address that a person wrote into the topic's file."""
    return problem.message.replace(f"{SOURCE} ", f"{urlsplit(url).hostname} ", 1)


def _unknown(library: Library, topic: Topic, feed: Feed, today: str) -> tuple[list[Entry], int]:
    """The entries to offer, and how many were known: by guid, by hash, or by identifier.

    One whose paper the library has by another way is offered all the same, so that the reference
    gains the topic and a source line; it counts as skipped, for it is nothing new.
    """
    known = library.select([f"source:{SOURCE}"])
    guids = {line.partition(" ")[0] for ref in known for line in ref.sources}
    hashes = {content_hash(ref.title, ref.abstract) for ref in known if not _named(ref)}
    oldest = (date.fromisoformat(today) - timedelta(FIRST_RUN_DAYS)).isoformat()
    fresh: list[Entry] = []
    skipped = 0
    for entry in feed.entries:
        shown = entry.paper.published or today
        known_already = (
            f"{SOURCE}:{topic.slug}/{entry.guid}" in guids
            or shown < oldest[: len(shown)]
            or (not entry.named and entry.hash in hashes)
        )
        if not known_already:
            fresh.append(entry)
        skipped += known_already or _is_held(library, entry)
    return fresh, skipped


def _is_held(library: Library, entry: Entry) -> bool:
    from pressmark.topics.memory import lasting

    return entry.named and bool(library.catalogue.holders(lasting(entry.paper)))


def _named(ref: Reference) -> bool:
    return bool(ref.doi or ref.arxiv or ref.pmid or ref.pmcid)


def _notes(feed: Feed) -> Iterable[str]:
    if feed.untitled:
        yield f"{feed.untitled} entries have neither a title nor an identifier."
    if feed.cut:
        yield f"The feed has {feed.cut} entries more than are taken."
