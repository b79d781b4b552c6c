"""A year of daily refreshes: the right library at its end, no twin, no resurrection, no noise.

45 days by default, the whole year under PRESSMARK_FULL=1.
"""

from __future__ import annotations

import os
import random
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta

import pytest

from double import Double
from pressmark import ids, topics
from pressmark.check import check
from pressmark.http import Client
from pressmark.library import Library
from pressmark.record import Reference
from pressmark.topics.refreshing import Refreshed, refresh

from .conftest import library_at
from .world import BEGIN, PROVIDERS, Made, World

pytestmark = [pytest.mark.xdist_group("year"), pytest.mark.timeout(3600)]

DAYS = 365 if os.environ.get("PRESSMARK_FULL") else 45

ASKED = {
    "reeds": ("arxiv", "openalex"),
    "tides": ("openalex", "crossref"),
    "weirs": ("arxiv", "openalex", "crossref"),
}
FEED = "marsh"


@dataclass
class Year:
    """What was done and seen."""

    world: World
    library: Library
    days: list[tuple[str, Refreshed]] = field(default_factory=list)
    commits: Counter[str] = field(default_factory=Counter)
    expected: Counter[str] = field(default_factory=Counter)
    unsure: int = 0
    offered: set[int] = field(default_factory=set)
    refused: set[int] = field(default_factory=set)
    kept: set[int] = field(default_factory=set)
    seen: dict[tuple[int, str], int] = field(default_factory=dict)
    """The revision in which a provider last told of a paper."""
    resurrected: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    """Days on which a topic's commit was not what the day's news asked for."""

    def number(self, ref: Reference) -> int | None:
        """Which paper of the world a reference is."""
        return next((self.names[i] for i in ids.identities(ref) if i in self.names), None)

    @property
    def names(self) -> dict[str, int]:
        if not self._names:
            for number, made in self.world.papers.items():
                end = made.on(BEGIN + timedelta(DAYS))
                for work in (made.work, end):
                    for name in (f"arxiv:{work.arxiv}", f"doi:{work.own_doi.lower()}",
                                 f"openalex:{work.openalex}"):  # fmt: skip
                        self._names[name] = number
            self._names.pop("arxiv:", None)
        return self._names

    _names: dict[str, int] = field(default_factory=dict)


def git(library: Library, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=library.root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.rstrip("\n")


def news(year: Year, slug: str) -> bool | None:
    """Whether a topic has anything to tell today, by the world and the files; None: unsure."""
    library, world = year.library, year.world
    library.refresh()
    topic = topics.get(library, slug)
    held = {year.number(ref): ref for ref in library.all()}
    unsure = False
    offers: list[tuple[Made, str]]
    if slug == FEED:
        offers = [(made, "feed") for made in world.fed()] if "feed" not in world.down else []
    else:
        since = topics.since(topic, world.today.isoformat())
        offers = [
            (made, name) for name in ASKED[slug] if name not in world.down
            for made in world.answering(name, slug, since)
        ]  # fmt: skip
    for made, name in offers:
        number = made.work.number
        if number in year.refused:
            continue
        ref = held.get(number)
        if ref is None or slug not in ref.topics:
            return True
        if f"{name}:" not in " ".join(ref.sources):
            return True
        if year.seen.get((number, name)) != made.revision(world.today):
            unsure = True
    if slug != FEED and not unsure:
        # What came by another topic and was kept is offered where it answers to the query.
        unsure = any(
            number and ref.stage is None and slug not in ref.topics
            and slug in year.world.papers[number].subjects
            for number, ref in held.items()
        )  # fmt: skip
    return None if unsure else False


def tell(year: Year, slug: str) -> None:
    """Remember in which revision the providers that answered told of each paper."""
    world = year.world
    names = ("feed",) if slug == FEED else ASKED[slug]
    for name in names:
        if name in world.down:
            continue
        made_today = world.fed() if slug == FEED else [m for m, _ in world.visible(name)]
        for made in made_today:
            year.seen[made.work.number, name] = made.revision(world.today)
            if slug == FEED:
                year.offered.add(made.work.number)


def review(year: Year, dice: random.Random) -> None:
    """What people do with the inbox: delete without a word, drop with one, keep."""
    library = year.library
    library.refresh()
    waiting = library.select(["stage:candidate"])
    gone = [ref for ref in waiting if dice.random() < 0.2]
    dropped = [ref for ref in waiting if ref not in gone and dice.random() < 0.15]
    kept = [r for r in waiting if r not in gone and r not in dropped and dice.random() < 0.7]
    year.refused |= {n for ref in (*gone, *dropped) if (n := year.number(ref))}
    year.kept |= {n for ref in kept if (n := year.number(ref))}
    if dropped:
        library.drop([ref.key for ref in dropped], reason="not mine")
    if kept:
        library.keep([ref.key for ref in kept])
    if gone:
        git(library, "rm", "-q", *[library.path(ref.key) for ref in gone])
        git(library, "commit", "-qm", "Review")
        library.refresh()


def live_through(year: Year, double: Double) -> None:
    """Every day: what is down today, a refresh, and once a week a review."""
    dice = random.Random(11)
    for number in range(DAYS):
        world, library = year.world, year.library
        world.today = BEGIN + timedelta(number)
        down = {name for name in (*PROVIDERS, "feed") if dice.random() < 0.07}
        world.down = frozenset((*PROVIDERS, "feed") if dice.random() < 0.02 else down)
        noon = datetime.combine(world.today, time(12), UTC).timestamp()
        client = Client(library.config, clock=lambda noon=noon: noon, sleep=lambda _: None)
        today = world.today.isoformat()
        for slug in [topic.slug for topic in topics.due(library)]:
            want = news(year, slug)
            head = git(library, "rev-parse", "HEAD")
            done = refresh(library, client, [topics.get(library, slug)], today=today)
            new = int(git(library, "rev-list", "--count", f"{head}..HEAD"))
            year.days.append((slug, done))
            year.commits[slug] += new
            year.expected[slug] += bool(want) if want is not None else new
            year.unsure += want is None
            if want is not None and new != int(want):
                year.wrong.append(f"{today} {slug}: {new} commits, news: {want}")
            tell(year, slug)
            added = done.topics[0].run.new if done.topics[0].run else ()
            for key in added:
                found = year.number(library.get(key))
                if found in year.refused:
                    year.resurrected.append(f"{today} {key}")
                year.offered.add(found or 0)
        refresh(library, client, [], today=today, update_limit=5)
        if number % 7 == 6:
            review(year, dice)


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Year]:
    folder = tmp_path_factory.mktemp("year")
    kept = os.environ.copy()
    os.environ.update({
        "GIT_AUTHOR_NAME": "Ada Reader", "GIT_AUTHOR_EMAIL": "ada@reader.invalid",
        "GIT_COMMITTER_NAME": "Ada Reader", "GIT_COMMITTER_EMAIL": "ada@reader.invalid",
        "HOME": str(folder), "XDG_STATE_HOME": str(folder / "state"),
    })  # fmt: skip
    world = World(DAYS)
    try:
        with Double(world.routes()) as double:
            config = double.write_config(folder / "config.toml")
            files = {
                slug: f"---\ntitle: On {slug}\n\nquery: {slug}\n\nproviders:\n"
                + "".join(f"- {name}\n" for name in names) + "---\n"
                for slug, names in ASKED.items()
            }  # fmt: skip
            files[FEED] = "---\ntitle: Marsh\n\nfeed: https://marsh.invalid/feed.xml\n---\n"
            lived = Year(world, library_at(folder / "lib", config, files))
            live_through(lived, double)
            yield lived
    finally:
        os.environ.clear()
        os.environ.update(kept)


def test_every_commit_is_a_day_with_something_new_and_no_such_day_is_without(year: Year) -> None:
    assert year.wrong == []
    assert year.commits == year.expected
    assert sum(year.commits.values()) > DAYS / 6
    assert year.unsure < len(year.days) / 5


def test_nothing_that_was_refused_came_back(year: Year) -> None:
    assert year.refused and year.resurrected == []
    held = {year.number(ref) for ref in year.library.all()}
    assert held.isdisjoint(year.refused)


def test_every_paper_that_was_offered_and_not_refused_is_held_once(year: Year) -> None:
    numbers = Counter(year.number(ref) for ref in year.library.all())
    assert [number for number, count in numbers.items() if count > 1] == []
    assert set(numbers) == year.offered - year.refused
    missed = {
        number for number, made in year.world.papers.items()
        if (year.world.today - min(made.seen_from.values())).days > 20
        and any(name in made.seen_from for slug in made.subjects for name in ASKED[slug])
    } - set(numbers) - year.refused  # fmt: skip
    assert missed == set()  # also not what appeared while a provider was down


def test_what_was_kept_is_kept_and_the_rest_waits(year: Year) -> None:
    for ref in year.library.all():
        assert (ref.stage is None) == (year.number(ref) in year.kept), ref.key


def test_the_records_followed_what_happened(year: Year) -> None:
    settled = year.world.today - timedelta(max(40, DAYS // 5))
    held = {year.number(ref): ref for ref in year.library.all()}
    published = retracted = 0
    for number, made in year.world.papers.items():
        ref = held.get(number)
        if ref is None:
            continue
        if made.published_on and made.published_on < settled:
            published += 1
            assert ref.doi == f"10.5555/pub.{number}" and ref.arxiv == made.work.arxiv
        if made.retracted_on and made.retracted_on < settled:
            retracted += 1
            assert ref.notice == "retracted", ref.key
    if DAYS == 365:
        assert published > 5 and retracted > 2


def test_each_topic_stands_on_what_it_found_with_every_source_that_told(year: Year) -> None:
    for ref in year.library.all():
        number = year.number(ref)
        assert number is not None
        made = year.world.papers[number]
        assert set(ref.topics) - {FEED} <= set(made.subjects)
        assert (FEED in ref.topics) <= bool(made.guid)
        lines = [line.partition(" ")[0] for line in ref.sources]
        assert len(lines) == len(set(lines))


def test_the_library_is_sound_and_the_providers_failures_were_only_lines(year: Year) -> None:
    assert [f for f in check(year.library) if f.severity == "error"] == []
    down = [
        report for _, done in year.days for each in done.topics if each.run
        for report in each.run.reports if not report.answered and report.status != "skipped"
    ]  # fmt: skip
    assert down and all(report.status == "unavailable" for report in down)
    assert all(each.error is None for _, done in year.days for each in done.topics)
    assert git(year.library, "status", "--porcelain") == ""
