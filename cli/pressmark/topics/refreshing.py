"""Topics in; each run in turn, a failing one a line of the answer, then some full texts, out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pressmark.errors import Offline, PressmarkError
from pressmark.library import Library, Write
from pressmark.record import Reference, Topic
from pressmark.topics.running import LIMIT, Run, run

if TYPE_CHECKING:
    from pressmark.fulltext import Report as Texts
    from pressmark.http import Client, NullClient
    from pressmark.search.updating import Update

UPDATES = 20
"""References that one refresh asks for anew; every one has its turn over the days."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """One topic of a refresh: its run, or why there is none."""

    slug: str
    run: Run | None = None
    error: PressmarkError | None = None

    @property
    def answered(self) -> bool:
        """Whether anybody answered for it."""
        return self.run is not None and self.run.added is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refreshed:
    """What became of every topic, and of the full texts."""

    topics: tuple[Ran, ...] = ()
    update: Update | None = None
    """The day's slice asked anew: retractions, pages, the journal of what was a preprint."""
    texts: Texts | None = None
    unread: tuple[str, ...] = ()
    """Topic files that cannot be read, by file and line."""

    @property
    def failed(self) -> bool:
        """Whether there were topics and nobody answered any."""
        return bool(self.topics) and not any(each.answered for each in self.topics)


def refresh(
    library: Library,
    client: Client | NullClient,
    topics: Sequence[Topic],
    *,
    today: str,
    limit: int | None = None,
    update_limit: int = 0,
    fulltext_limit: int = 0,
    told: Callable[[Ran], None] = lambda _: None,
    write: Write | None = None,
) -> Refreshed:
    """Run topics one after the other, one commit a topic that brought something.

    Afterwards `update_limit` references are asked for anew, and the full text of `fulltext_limit`
    that lack it, the newest kept first.
    """
    write = write or Write()
    ran = []
    for topic in topics:
        ran.append(one(library, client, topic, today=today, limit=limit, write=write))
        told(ran[-1])
    unread = tuple(
        str(each) for each in library.catalogue.unreadable() if each.path.startswith("topics/")
    )
    renewed = updated(library, client, today, update_limit, write) if update_limit else None
    texts = _texts(library, client, today, fulltext_limit, write) if fulltext_limit else None
    return Refreshed(topics=tuple(ran), update=renewed, texts=texts, unread=unread)


def one(
    library: Library,
    client: Client | NullClient,
    topic: Topic,
    *,
    today: str,
    limit: int | None,
    write: Write,
) -> Ran:
    """Run one topic; what goes wrong is its own line."""
    try:
        done = run(library, client, topic, today=today, limit=limit or LIMIT, write=write)
    except PressmarkError as problem:
        return Ran(slug=topic.slug, error=problem)
    return Ran(slug=topic.slug, run=done)


def updated(
    library: Library, client: Client | NullClient, today: str, limit: int, write: Write
) -> Update | None:
    """Ask anew for the slice of the day; None when there is nothing to ask for."""
    from pressmark.search.updating import portion, update

    library.refresh()
    refs = portion([ref for ref in library.all() if _asks(ref, today)], today, limit)
    if not refs:
        return None
    try:
        return update(library, client, refs, today=today, write=replace(write, message=None))
    except Offline:  # the topics have said so already; without any there is nothing to say
        return None


def _asks(ref: Reference, today: str) -> bool:
    """Whether somebody can be asked for it, and has not just told."""
    if ref.sources and all(line.endswith(f" {today}") for line in ref.sources):
        return False
    return bool(ref.doi or ref.arxiv or ref.pmid or ref.pmcid or ref.openalex)


def _texts(
    library: Library, client: Client | NullClient, today: str, limit: int, write: Write
) -> Texts | None:
    """Fetch what the kept references lack; None when none lacks any or the network is off."""
    from pressmark.fulltext import fetch_newest

    library.refresh()
    if client.offline or not library.select(["missing:fulltext"], stage="kept"):
        return None
    return fetch_newest(
        library, client, limit=limit, today=today, write=replace(write, message=None)
    )
