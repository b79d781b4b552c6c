"""Standing queries: a topic in; what came since its last run filed as candidates, in one commit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from pressmark.errors import BadInput, NotFound
from pressmark.library import Added, Library, Write
from pressmark.record import Topic
from pressmark.search import Report, search
from pressmark.sources import Query, query

if TYPE_CHECKING:
    from pressmark.http import Client, NullClient

FIRST_RUN_DAYS = 365
"""How far back a topic looks that has never run."""

OVERLAP_DAYS = 7
"""Days before the last run that are asked again: providers index a paper days after its date."""


@dataclass(frozen=True, slots=True)
class Run:
    """One topic's run: what every source said, and what was filed; None when nobody answered."""

    topic: Topic
    reports: tuple[Report, ...]
    added: Added | None


def get(library: Library, slug: str) -> Topic:
    """The topic with this slug."""
    topics = library.topics()
    found = next((t for t in topics if t.slug.casefold() == slug.casefold()), None)
    if found is None:
        known = ", ".join(t.slug for t in topics) or "none yet"
        raise NotFound(f"There is no topic {slug} (topics: {known}).", next="pressmark topic list")
    return found


def due(library: Library) -> list[Topic]:
    """The topics that a refresh runs: those with a query."""
    return [topic for topic in library.topics() if topic.query or topic.categories]


def run(
    library: Library,
    client: Client | NullClient,
    topic: Topic,
    *,
    today: str,
    limit: int = 50,
    write: Write | None = None,
) -> Run:
    """Ask for what came since the last run; a quiet run leaves no commit.

    The paper's own date counts. `last-run` is written only together with something new.
    """
    result = search(
        client, library.config, asked(topic, today, limit), topic.providers or None, today=today
    )
    if not result.answered:
        return Run(topic, result.reports, None)
    fresh = replace(topic, last_run=today)
    papers = result.papers
    plan = library.add(
        papers, stage="candidate", topic=topic.slug, write=replace(write or Write(), dry_run=True)
    )
    if not plan.changes:
        return Run(topic, result.reports, plan)
    names = ", ".join(sorted(report.source for report in result.reports if report.answered))
    added = library.add(
        papers,
        stage="candidate",
        topic=topic.slug,
        subject=f"topic: {plan.added} new for {topic.title} ({names})",
        records=(fresh,),
        write=write or Write(),
    )
    return Run(fresh, result.reports, added)


def asked(topic: Topic, today: str, limit: int) -> Query:
    """The search that a topic stands for, from its last run on."""
    if topic.feed:
        raise BadInput(
            f"The topic {topic.slug} is a feed; feeds are not read by this version.",
            next="give it a query instead",
        )
    return query(
        topic.query or "",
        today=today,
        since=since(topic, today),
        limit=limit,
        journal=topic.journal,
        categories=tuple(topic.categories),
        fresh=True,
    )


def since(topic: Topic, today: str) -> str:
    """The first day that a run asks for."""
    last = topic.last_run
    if last is None:
        return (date.fromisoformat(today) - timedelta(days=FIRST_RUN_DAYS)).isoformat()
    try:
        return (date.fromisoformat(last[:10]) - timedelta(days=OVERLAP_DAYS)).isoformat()
    except ValueError:
        raise BadInput(
            f"The topic {topic.slug} was last run on {last!r}, which is no date.",
            next=f"write last-run: 'YYYY-MM-DD' into topics/{topic.slug}.md, or take it out",
        ) from None


def found_by(library: Library, topic: Topic) -> Sequence[str]:
    """The keys of the references that a topic found."""
    return [ref.key for ref in library.select([f"topic:{topic.slug}"])]
