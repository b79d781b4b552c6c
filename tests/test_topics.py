"""Standing queries: what a run asks for, what it files, and that a quiet one leaves no commit."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from double import UNAVAILABLE, Double
from pressmark import topics
from pressmark.config import load
from pressmark.errors import BadInput, NotFound
from pressmark.http import Client, NullClient, open_client
from pressmark.library import Library, Write
from pressmark.record import Topic
from story import story_routes

TOPIC = """\
---
title: Rivers and graphs

query: graph transformers

providers:
- arxiv
- openalex

last-run: '2023-01-05'
---

Why I follow it.
"""


@pytest.fixture
def double() -> Iterator[Double]:
    with Double(story_routes()) as double:
        yield double


@pytest.fixture
def library(tmp_path: Path, double: Double) -> Library:
    root = tmp_path / "lib"
    (root / "topics").mkdir(parents=True)
    (root / "pressmark.toml").write_text("format = 1\n")
    (root / ".gitignore").write_text(".pressmark/\n")
    (root / "topics/rivers.md").write_text(TOPIC)
    (root / "topics/feed.md").write_text("---\ntitle: A feed\n\nfeed: https://a.invalid/x\n---\n")
    (root / "topics/prose.md").write_text("---\ntitle: Only words\n---\n")
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "All"]):
        subprocess.run(["git", *words], cwd=root, check=True)
    config = double.write_config(tmp_path / "config.toml")
    return Library.open(root, load(root, {**os.environ, "PRESSMARK_CONFIG": str(config)}))


@pytest.fixture
def client(library: Library) -> Client | NullClient:
    return open_client(library.config)


def subjects(library: Library) -> list[str]:
    return [entry.subject for entry in library.log()]


def test_what_came_since_the_last_run_is_filed_as_candidates(
    library: Library, client: Client
) -> None:
    done = topics.run(library, client, topics.get(library, "Rivers"), today="2026-03-04")
    assert done.added is not None
    keys = [item.key for item in done.added.items]
    assert sorted(keys) == ["elsayed2024graph", "mensah2025graph", "wen2023positional"]
    found = library.get("wen2023positional")
    assert (found.stage, found.topics) == ("candidate", ("rivers",))
    assert subjects(library)[0] == "topic: 3 new for Rivers and graphs (arxiv, openalex)"
    text = (library.root / "topics/rivers.md").read_text()
    assert text == TOPIC.replace("2023-01-05", "2026-03-04")
    assert topics.found_by(library, done.topic) == sorted(keys)


def test_a_quiet_run_leaves_no_commit_and_no_date(library: Library, client: Client) -> None:
    topic = topics.get(library, "rivers")
    topics.run(library, client, topic, today="2026-03-04")
    before = len(subjects(library))
    again = topics.run(library, client, topics.get(library, "rivers"), today="2026-03-11")
    assert again.added is not None
    assert (again.added.added, again.added.commit) == (0, None)
    assert len(subjects(library)) == before
    assert "2026-03-04" in (library.root / "topics/rivers.md").read_text()


def test_what_was_dropped_is_not_brought_again(library: Library, client: Client) -> None:
    topics.run(library, client, topics.get(library, "rivers"), today="2026-03-04")
    library.drop(["mensah2025graph"], reason="dry")
    again = topics.run(library, client, topics.get(library, "rivers"), today="2024-01-01")
    assert again.added is not None
    assert again.added.added == 0
    assert library.catalogue.get("mensah2025graph") is None


def test_a_source_that_is_down_is_a_row_and_all_of_them_are_nothing_filed(
    library: Library, client: Client, double: Double
) -> None:
    topic = topics.get(library, "rivers")
    double.fail("/at-arxiv/*", UNAVAILABLE)
    done = topics.run(library, client, topic, today="2026-03-04", write=Write(dry_run=True))
    assert {r.source: r.status for r in done.reports} == {
        "arxiv": "unavailable", "openalex": "ok",
    }  # fmt: skip
    double.fail("*", UNAVAILABLE)
    fresh = open_client(library.config, refresh=True)
    nothing = topics.run(library, fresh, topic, today="2026-03-04")
    assert nothing.added is None
    assert len(subjects(library)) == 1


def test_a_run_asks_from_a_week_before_the_last_one(library: Library) -> None:
    topic = topics.get(library, "rivers")
    assert topics.since(topic, "2026-03-04") == "2022-12-29"
    assert topics.asked(topic, "2026-03-04", 50).since == "2022-12-29"
    assert topics.since(Topic(slug="x", title="X"), "2026-03-04") == "2025-03-04"


@pytest.mark.parametrize("last", ["soon", "2023", "2023-13-40"])
def test_a_last_run_that_is_no_date_is_a_sentence(library: Library, last: str) -> None:
    topic = Topic(slug="rivers", title="Rivers", query="x", last_run=last)
    with pytest.raises(BadInput, match=f"topic rivers.*{last}"):
        topics.since(topic, "2026-03-04")


def test_only_topics_with_a_query_are_due(library: Library, client: Client) -> None:
    assert [topic.slug for topic in topics.due(library)] == ["rivers"]
    with pytest.raises(BadInput, match="feed is a feed"):
        topics.run(library, client, topics.get(library, "feed"), today="2026-03-04")
    with pytest.raises(NotFound, match="no topic none \\(topics: feed, prose, rivers\\)"):
        topics.get(library, "none")
