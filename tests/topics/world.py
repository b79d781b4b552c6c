"""A world of papers that changes from day to day, served in the shapes of the real providers.

    world = World(days=365)
    with Double(world.routes()) as double: ...
    world.today = date(2026, 3, 4)

Papers appear at one provider before another, are retracted, and get published; everything is made
up, and made from the day's number alone.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta

from double import Reply, Route, Seen
from story import Work, atom, crossref_item, openalex_item

PROVIDERS = ("arxiv", "openalex", "crossref")
BEGIN = date(2026, 1, 5)
SUBJECTS = ("weirs", "tides", "reeds")
FAMILIES = (
    "Alder", "Bryl", "Creek", "Dyke", "Eel", "Fen", "Gauge", "Heron", "Inlet", "Jetty", "Kelp",
    "Loam", "Marsh", "Nettle", "Otter", "Pike", "Quay", "Rush", "Sedge", "Teal",
)  # fmt: skip


@dataclass(frozen=True)
class Made:
    """One paper of the world: its record, and what happens to it on which day."""

    work: Work
    subjects: tuple[str, ...]
    seen_from: dict[str, date]
    """The provider and the first day on which it lists the paper."""
    published_on: date | None = None
    retracted_on: date | None = None
    guid: str = ""
    """Its entry in the feed, if it has one."""

    def on(self, day: date) -> Work:
        """The record as it is on a day."""
        work = self.work
        if self.published_on and day >= self.published_on:
            work = replace(
                work, doi=f"10.5555/pub.{work.number}", venue="Marsh Letters",
                journal_doi_on_arxiv=True,
            )  # fmt: skip
        if self.retracted_on and day >= self.retracted_on:
            work = replace(work, retracted=True)
        return work

    def revision(self, day: date) -> int:
        """How often the record has changed by a day."""
        return sum(
            each is not None and day >= each for each in (self.published_on, self.retracted_on)
        )


@dataclass
class World:
    """All papers, and the day it is."""

    days: int
    today: date = BEGIN
    down: frozenset[str] = frozenset()
    papers: dict[int, Made] = field(default_factory=dict)

    def __post_init__(self) -> None:
        dice = random.Random(7)
        number = 0
        for day in range(self.days):
            # Most days are quiet: one in three brings a paper or two.
            for _ in range(dice.choice((0, 0, 0, 0, 1, 2))):
                number += 1
                self.papers[number] = self._made(number, BEGIN + timedelta(day), dice)

    def _made(self, number: int, day: date, dice: random.Random) -> Made:
        subject = dice.choice(SUBJECTS)
        subjects = (subject, dice.choice(SUBJECTS)) if dice.random() < 0.25 else (subject,)
        preprint = dice.random() < 0.6
        title = f"Measure {number} of {' and '.join(sorted(set(subjects)))} in estuary {number * 7}"
        work = Work(
            number=number, title=title,
            authors=(("Ada", dice.choice(FAMILIES)), ("Bo", dice.choice(FAMILIES))),
            date=day.isoformat(), abstract=f"We measured {number} gauges.",
            arxiv=f"26{number % 12 + 1:02}.{number:05}" if preprint else "",
            doi="" if preprint else f"10.5555/own.{number}",
            venue="" if preprint else "Annals of Estuaries",
        )  # fmt: skip
        seen = {"openalex": day + timedelta(dice.choice((0, 1, 2, 3)))}
        seen["arxiv" if preprint else "crossref"] = day + timedelta(dice.choice((0, 0, 1)))
        end = BEGIN + timedelta(self.days)
        later = day + timedelta(max(5, self.days // 6))
        published = later if preprint and dice.random() < 0.3 and later < end else None
        retracted = later if not preprint and dice.random() < 0.2 and later < end else None
        if published:
            seen["crossref"] = published
        guid = f"marsh-{number}" if dice.random() < 0.3 else ""
        return Made(work, tuple(sorted(set(subjects))), seen, published, retracted, guid)

    # What the providers answer.

    def routes(self) -> list[Route]:
        return [
            ("/api/query", self.arxiv), ("/works", self.works), ("/works/*", self.one),
            ("/feed.xml", self.feed),
        ]  # fmt: skip

    def visible(self, provider: str) -> list[tuple[Made, Work]]:
        """What a provider lists today."""
        return [
            (each, each.on(self.today))
            for each in self.papers.values()
            if each.seen_from.get(provider, date.max) <= self.today
        ]

    def answering(self, provider: str, subject: str, since: str) -> list[Made]:
        """What a provider answers to a subject, of that day and later."""
        return [
            made
            for made, work in self.visible(provider)
            if subject in made.subjects and work.date >= since
        ]

    def _down(self, name: str) -> Reply | None:
        return Reply(503, b"down", "text/plain") if name in self.down else None

    def arxiv(self, seen: Seen) -> Reply:
        if reply := self._down("arxiv"):
            return reply
        if wanted := seen.query.get("id_list"):
            names = wanted.split(",")
            found = [w for _, w in self.visible("arxiv") if w.arxiv in names]
        else:
            asked = seen.query["search_query"]
            words = next(each for each in SUBJECTS if each in asked)
            since = re.search(r"submittedDate:\[(\d{4})(\d\d)(\d\d)", asked)
            day = "-".join(since.groups()) if since else "0000"
            found = [made.on(self.today) for made in self.answering("arxiv", words, day)]
        start, rows = int(seen.query.get("start", 0)), int(seen.query["max_results"])
        part = found[start : start + rows]
        return Reply(200, atom(part, len(found), start, rows), "application/atom+xml")

    def works(self, seen: Seen) -> Reply:
        """Crossref asks for `rows`, OpenAlex for pages."""
        import json

        provider = "crossref" if "rows" in seen.query else "openalex"
        if reply := self._down(provider):
            return reply
        limits = dict(f.split(":", 1) for f in seen.query.get("filter", "").split(",") if ":" in f)
        since = limits.get("from-pub-date") or limits.get("from_publication_date") or "0000"
        said = " ".join([*seen.query.values()])
        words = next((each for each in SUBJECTS if each in said), "nothing")
        found = [made.on(self.today) for made in self.answering(provider, words, since)]
        if provider == "crossref":
            rows, start = int(seen.query["rows"]), int(seen.query.get("offset", 0))
            items = [crossref_item(work) for work in found[start : start + rows] if work.doi]
            message = {"total-results": len(found), "items": items, "items-per-page": rows,
                       "facets": {}, "query": {"start-index": 0, "search-terms": ""}}  # fmt: skip
            body = {"status": "ok", "message-type": "work-list", "message-version": "1.0.0",
                    "message": message}  # fmt: skip
            return Reply(200, json.dumps(body).encode())
        rows, page = int(seen.query.get("per_page", 25)), int(seen.query.get("page", 1))
        items = [openalex_item(work) for work in found[(page - 1) * rows : page * rows]]
        meta = {"count": len(found), "db_response_time_ms": 1, "page": page, "per_page": rows}
        return Reply(200, json.dumps({"meta": meta, "results": items, "group_by": []}).encode())

    def one(self, seen: Seen) -> Reply:
        """A work by DOI (Crossref's path is a bare one), or by OpenAlex's ids."""
        import json
        from urllib.parse import unquote

        wanted = unquote(seen.path.removeprefix("/works/"))
        provider = "crossref" if wanted.startswith("10.") else "openalex"
        if reply := self._down(provider):
            return reply
        value = wanted.partition(":")[2] or wanted
        for _, work in self.visible(provider):
            if value.lower() in (
                work.doi.lower() or "-",
                work.own_doi.lower(),
                work.openalex.lower(),
            ):
                if provider == "openalex":
                    return Reply(200, json.dumps(openalex_item(work)).encode())
                if work.doi:
                    body = {"status": "ok", "message-type": "work", "message-version": "1.0.0",
                            "message": crossref_item(work)}  # fmt: skip
                    return Reply(200, json.dumps(body).encode())
        return Reply(404, b"Resource not found.", "text/plain")

    def fed(self) -> list[Made]:
        """What the feed lists: the entries of the last weeks."""
        return [
            made for made in self.papers.values()
            if made.guid and 0 <= (self.today - date.fromisoformat(made.work.date)).days < 28
        ]  # fmt: skip

    def feed(self, seen: Seen) -> Reply:
        """Papers by their identifier, and between them a post that has none."""
        if reply := self._down("feed"):
            return reply
        items = ""
        for made in self.fed():
            work = made.on(self.today)
            link = (
                f"https://arxiv.org/abs/{work.arxiv}"
                if work.arxiv
                else f"https://doi.org/{work.doi}"
            )
            moment = datetime.combine(date.fromisoformat(work.date), datetime.min.time(), UTC)
            items += (
                f"<item><title>{work.title}</title><link>{link}</link><guid>{made.guid}</guid>"
                f"<pubDate>{moment:%a, %d %b %Y %H:%M:%S} GMT</pubDate></item>"
            )
        body = f'<?xml version="1.0"?><rss version="2.0"><channel><title>Marsh</title>{items}</channel></rss>'
        return Reply(200, body.encode(), "application/rss+xml")
