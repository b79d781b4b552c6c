"""One topic in; what came since its last run filed as candidates, in one commit, out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import TYPE_CHECKING

from pressmark.errors import BadInput, NotFound
from pressmark.library import Added, Library, Write
from pressmark.record import Paper, Reference, Topic
from pressmark.search import Report, search, vocabulary
from pressmark.sources import Query, query
from pressmark.topics import memory as memories
from pressmark.topics.address import Asked, checked, is_research, parse_topic

if TYPE_CHECKING:
    from pressmark.http import Client, NullClient

FIRST_RUN_DAYS = 365
"""How far back a topic looks that has never run."""

OVERLAP_DAYS = 7
"""Days before the last run that are asked again: providers index a paper days after its date."""

LIMIT = 200
"""Hits asked of each source in one run."""

NAMED = 40
"""New references that a commit's message names; the others are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the providers, or the feed, of one topic gave; nothing is filed yet."""

    topic: Topic
    reports: tuple[Report, ...]
    papers: tuple[Paper, ...] = ()
    skipped: int = 0
    """Entries of a feed that were known: by guid, by what they say, or doubled in the feed."""
    unnamed: tuple[str, ...] = ()
    """Titles of entries that carry no identifier."""
    notes: tuple[str, ...] = ()

    @property
    def answered(self) -> bool:
        """Whether anybody answered."""
        return any(report.answered for report in self.reports)


@dataclass(frozen=True, slots=True)
class Run:
    """One topic's run: what every source said, and what was filed; None when nobody answered."""

    topic: Topic
    reports: tuple[Report, ...]
    added: Added | None
    skipped: int = 0
    unnamed: tuple[str, ...] = ()
    matched: tuple[str, ...] = ()
    """References that came into the library by other ways and answer to the query."""
    refused: int = 0
    """Hits that somebody dropped, or deleted in review, before."""
    notes: tuple[str, ...] = field(default=(), compare=False)

    @property
    def new(self) -> tuple[str, ...]:
        """Keys of what was filed."""
        items = self.added.items if self.added else ()
        return tuple(item.key for item in items if item.outcome == "added")


def get(library: Library, slug: str) -> Topic:
    """The topic with this slug."""
    topics = library.topics()
    found = next((t for t in topics if t.slug.casefold() == slug.casefold()), None)
    if found is None:
        known = ", ".join(t.slug for t in topics) or "none yet"
        raise NotFound(f"There is no topic {slug} (topics: {known}).", next="pressmark topic list")
    return found


def due(library: Library, *, feeds_only: bool = False) -> list[Topic]:
    """The topics that a refresh runs: those with a query, categories or a feed."""
    topics = library.topics()
    if feeds_only:
        return [topic for topic in topics if is_feed(topic)]
    return [topic for topic in topics if topic.query or topic.categories or topic.feed]


def is_feed(topic: Topic) -> bool:
    """Whether a topic reads an RSS or Atom feed."""
    return bool(topic.feed) and not is_research(topic.feed or "")


def run_topic(
    library: Library,
    client: Client | NullClient,
    slug: str,
    *,
    today: str,
    limit: int = LIMIT,
    write: Write | None = None,
) -> Run:
    """Run the topic with this slug."""
    return run(library, client, get(library, slug), today=today, limit=limit, write=write)


def run(
    library: Library,
    client: Client | NullClient,
    topic: Topic,
    *,
    today: str,
    limit: int = LIMIT,
    write: Write | None = None,
) -> Run:
    """Ask for what came since the last run and file it; a quiet run leaves no commit."""
    return file(library, ask(library, client, topic, today=today, limit=limit), today, write=write)


def ask(
    library: Library, client: Client | NullClient, topic: Topic, *, today: str, limit: int = LIMIT
) -> Answer:
    """Ask the topic's providers, or read its feed; no lock is held meanwhile."""
    if is_feed(topic):
        from pressmark.topics import feeds

        return feeds.ask(library, client, topic, today)
    asking = asked_of(topic)
    terms = vocabulary.get(topic.vocabulary, library) if topic.vocabulary else None
    result = search(
        client, library.config, asked(topic, today, limit), asking.clients or None, today=today,
        vocabulary=terms,
    )  # fmt: skip
    return Answer(
        topic=topic, reports=result.reports, papers=result.papers, notes=_capped(result.reports)
    )


def file(
    library: Library,
    answer: Answer,
    today: str,
    *,
    pending: Collection[str] = frozenset(),
    reserved: Collection[str] = frozenset(),
    write: Write | None = None,
) -> Run:
    """File an answer: new papers as candidates, held ones gain the topic; all in one commit.

    `pending` are identities, `reserved` keys that wait for review elsewhere. `last-run` is
    written only together with something new. The paper's own date counts, never today's.
    """
    write = write or Write()
    if not answer.answered:
        return Run(answer.topic, answer.reports, None, notes=answer.notes)
    repository = library.repository
    with repository.lock() if repository and not write.dry_run else nullcontext():
        with library.still():
            topic = get(library, answer.topic.slug)
            memory = memories.recall(library, topic)
            papers = [p for p in answer.papers if not memory.refuses(p) and not _waits(p, pending)]
            look = replace(write, dry_run=True)
            plan = library.add(
                papers, stage="candidate", topic=topic.slug, reserved=reserved, write=look
            )
            matched = _matched(library, topic, plan)
        if not plan.changes and not matched:
            return _run(answer, topic, plan, len(papers))
        undecided = _undecided(library, papers, plan)
        whole = all(each.answered or each.status == "skipped" for each in answer.reports)
        # Of a source that was down the same days are asked again.
        fresh = memories.remembered(topic, memory, undecided, today if whole else None)
        added = library.add(
            papers,
            stage="candidate",
            topic=topic.slug,
            subject=subject(topic, plan, answer.reports, len(matched)),
            records=(fresh, *matched),
            reserved=reserved,
            write=replace(
                write,
                body=write.body or body(plan, [each.key for each in matched]),
                trailers={**write.trailers, "Pressmark-Topic": topic.slug},
            ),
        )
    return _run(answer, fresh, added, len(papers), [each.key for each in matched])


def subject(topic: Topic, plan: Added, reports: Sequence[Report], matched: int = 0) -> str:
    """`topic: 3 new for Rivers and graphs (arxiv, openalex)`."""
    names = ", ".join(sorted(report.source for report in reports if report.answered))
    more = f", {matched} held already match" if matched else ""
    return f"topic: {plan.added} new for {topic.title}{more} ({names})"


def body(plan: Added, matched: Sequence[str] = ()) -> str:
    """A commit's message: the counts, the new references by name, the first conflicts."""
    counts = plan.counts
    told = [f"{number} {name}" for name, number in counts.items() if number]
    new = [f"- {item.key}: {item.title}" for item in plan.items if item.outcome == "added"]
    lines = [f"{', '.join(told)}.", "", *new[:NAMED]]
    if len(new) > NAMED:
        lines.append(f"- and {len(new) - NAMED} more")
    lines += [f"- {key} was held already and answers to the query" for key in matched[:NAMED]]
    if plan.conflicts:
        lines += ["", "Offered and not taken:", *(f"- {each}" for each in plan.conflicts[:5])]
    return "\n".join(lines).strip()


def asked_of(topic: Topic) -> Asked:
    """What a topic asks, whichever way its file says it."""
    if topic.feed and is_research(topic.feed):
        return parse_topic(topic.feed)
    if topic.feed:
        raise BadInput(f"The topic {topic.slug} is a feed, not a query.")
    names = topic.providers or (("arxiv",) if topic.categories and not topic.query else ())
    without = tuple(each[1:] for each in topic.categories if each.startswith("-"))
    return checked(
        Asked(
            clients=tuple(dict.fromkeys(names)),
            query=" ".join((topic.query or "").split()),
            journal=topic.journal,
            categories=tuple(each for each in topic.categories if not each.startswith("-")),
            not_categories=without,
        )
    )


def asked(topic: Topic, today: str, limit: int) -> Query:
    """The search that a topic stands for, from its last run on."""
    asking = asked_of(topic)
    return query(
        asking.query,
        today=today,
        since=since(topic, today),
        limit=limit,
        journal=asking.journal,
        categories=asking.categories,
        not_categories=asking.not_categories,
        sort="relevance" if asking.query else "date",
        fresh=True,
    )


def since(topic: Topic, today: str) -> str:
    """The first day that a run asks for; a clock that was set back asks for more, not for less."""
    now = date.fromisoformat(today)
    if topic.last_run is None:
        return (now - timedelta(days=FIRST_RUN_DAYS)).isoformat()
    try:
        last = date.fromisoformat(topic.last_run[:10])
    except ValueError:
        raise BadInput(
            f"The topic {topic.slug} was last run on {topic.last_run!r}, which is no date.",
            next=f"write last-run: 'YYYY-MM-DD' into topics/{topic.slug}.md, or take it out",
        ) from None
    return (min(last, now) - timedelta(days=OVERLAP_DAYS)).isoformat()


def found_by(library: Library, topic: Topic) -> Sequence[str]:
    """The keys of the references that a topic found."""
    return [ref.key for ref in library.select([f"topic:{topic.slug}"])]


def _run(
    answer: Answer, topic: Topic, added: Added, offered: int, matched: Sequence[str] = ()
) -> Run:
    return Run(
        topic, answer.reports, added,
        skipped=answer.skipped, unnamed=answer.unnamed, matched=tuple(matched),
        refused=len(answer.papers) - offered, notes=answer.notes,
    )  # fmt: skip


def _matched(library: Library, topic: Topic, plan: Added) -> list[Reference]:
    """References that came by other ways and answer to the query, with the topic added."""
    from pressmark.topics import matching

    touched = {item.key for item in plan.items}
    return [
        replace(ref, topics=tuple(sorted({*ref.topics, topic.slug})))
        for ref in matching.answering(library, topic)
        if ref.key not in touched
    ]


def _undecided(library: Library, papers: Sequence[Paper], plan: Added) -> list[Paper]:
    """The papers that are candidates of this topic from now on."""
    found = []
    for paper, item in zip(papers, plan.items, strict=True):
        held = library.catalogue.get(item.key) if item.key else None
        if item.key and (held is None or held.stage is not None):
            found.append(paper)
    return found


def _waits(paper: Paper, pending: Collection[str]) -> bool:
    return bool(pending) and any(each in pending for each in memories.lasting(paper))


def _capped(reports: Sequence[Report]) -> tuple[str, ...]:
    """A sentence for each source that had more than was asked for."""
    return tuple(
        f"{each.source} has {each.total:,} since then and gave {each.count}; "
        "narrow the query, or raise --limit."
        for each in reports
        if each.answered and each.capped
    )
