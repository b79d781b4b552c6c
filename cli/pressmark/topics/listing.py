"""The topics in; a row for each, with what it asks and what came of it, out."""

from __future__ import annotations

from dataclasses import dataclass

from pressmark.errors import PressmarkError
from pressmark.library import Library
from pressmark.record import Topic
from pressmark.text import fold
from pressmark.topics.running import asked_of, is_feed


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One topic as a list shows it."""

    slug: str
    title: str
    kind: str
    """`rss` for a feed, `research` for a query."""
    asks: str
    providers: tuple[str, ...] = ()
    added_by: str | None = None
    last_run: str | None = None
    found: int = 0
    new: int = 0
    """Of those found, the candidates on which nobody has decided."""
    dropped: int = 0


def listed(library: Library, added_by: str | None = None) -> list[Listed]:
    """Every topic, or those that one person follows; letter case does not matter."""
    topics = library.topics()
    if added_by is not None:
        topics = [each for each in topics if fold(each.added_by or "") == fold(added_by.strip())]
    return [one(library, topic) for topic in topics]


def one(library: Library, topic: Topic) -> Listed:
    """The row of one topic; one whose address is off is listed with it as it stands."""
    found = library.select([f"topic:{topic.slug}"])
    providers, asks = topic.providers, topic.query or topic.feed or ", ".join(topic.categories)
    if not is_feed(topic):
        try:
            asked = asked_of(topic)
            providers, asks = asked.clients, asked.query or " AND ".join(asked.categories)
        except PressmarkError:
            pass
    return Listed(
        slug=topic.slug, title=topic.title, kind="rss" if is_feed(topic) else "research",
        asks=asks, providers=providers, added_by=topic.added_by, last_run=topic.last_run,
        found=len(found), new=sum(ref.stage is not None for ref in found),
        dropped=len(topic.dropped),
    )  # fmt: skip
