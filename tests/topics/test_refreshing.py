"""A whole refresh: one failing topic is a line, full texts drain, the slice of the day is asked."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from double import UNAVAILABLE, Double
from pressmark import topics
from pressmark.http import Client
from pressmark.library import Library
from pressmark.record import Paper
from pressmark.topics.refreshing import refresh
from shell import Inside

from .conftest import TOPIC, library_at, opened, subjects

TODAY = "2026-03-04"
TIDES = "---\ntitle: Tides\n\nquery: tidal networks\n\nproviders:\n- openalex\n\nlast-run: '2020-01-01'\n---\n"


@pytest.fixture
def library(tmp_path: Path, config: Path) -> Library:
    return library_at(tmp_path / "lib", config, {"rivers": TOPIC, "tides": TIDES})


def test_every_topic_is_run_one_commit_each(library: Library, client: Client) -> None:
    told = []
    done = refresh(library, client, topics.due(library), today=TODAY, told=told.append)
    assert [each.slug for each in done.topics] == ["rivers", "tides"] == [e.slug for e in told]
    assert subjects(library)[:2] == [
        "topic: 1 new for Tides (openalex)",
        "topic: 3 new for Rivers and graphs (arxiv, openalex)",
    ]
    assert not done.failed and done.texts is None and done.update is None


def test_a_topic_file_broken_by_hand_is_named_by_its_line_and_the_others_run(
    library: Library, client: Client
) -> None:
    (library.root / "topics/rivers.md").write_text("---\ntitle: Rivers\nquery: [x\n---\n")
    library.refresh()
    done = refresh(library, client, topics.due(library), today=TODAY)
    assert [each.slug for each in done.topics] == ["tides"] and done.topics[0].answered
    (unread,) = done.unread
    assert unread.startswith("topics/rivers.md:3: ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("last-run: soon", "no date"),
        ("providers:\n- gopher", "no search client 'gopher'"),
        ("journal: Nature", "cannot be searched by journal"),
        ("feed: 'research:arxiv?q='", "asks for nothing"),
        ("feed: 'not an address'", "no address of a feed"),
    ],
)
def test_a_topic_that_says_something_odd_is_a_line_and_the_others_run(
    library: Library, client: Client, text: str, said: str
) -> None:
    body = TOPIC.replace("last-run: '2023-01-05'", text if not text.startswith("providers") else "")
    if text.startswith("providers"):
        body = body.replace("providers:\n- arxiv\n- openalex", text)
    (library.root / "topics/rivers.md").write_text(body)
    library.refresh()
    done = refresh(library, client, topics.due(library), today=TODAY)
    assert {each.slug: each.answered for each in done.topics} == {"rivers": False, "tides": True}
    assert said in str(done.topics[0].error)


def test_full_texts_drain_by_so_many_a_refresh(library: Library, client: Client) -> None:
    library.add([
        Paper(title="Message Passing on Estuaries", doi="10.5555/jih.2019.0042", published="2019",
              sources=("file:1",)),
        Paper(title="Salinity Forecasts with Quantile Forests", doi="10.5555/jih.2020.0007",
              pmcid="PMC99000006", published="2020", sources=("file:2",)),
    ])  # fmt: skip
    first = refresh(library, client, [], today=TODAY, fulltext_limit=1)
    assert first.texts is not None
    assert (first.texts.number("fetched"), first.texts.left) == (1, 1)
    second = refresh(library, client, [], today=TODAY, fulltext_limit=1)
    assert second.texts is not None and second.texts.left == 0
    before = subjects(library)
    third = refresh(library, client, [], today="2026-03-05", fulltext_limit=1)
    assert third.texts is not None and subjects(library) == before  # quiet again


def test_the_slice_of_the_day_notices_a_retraction(library: Library, client: Client) -> None:
    library.add([
        Paper(title="Withdrawn Claims about Tidal Memory", authors=("Farrow, Hugo",),
              published="2017-06-01", doi="10.5555/ams.2017.8",
              sources=("crossref:10.5555/ams.2017.8 2026-01-01",)),
    ])  # fmt: skip
    done = refresh(library, client, [], today=TODAY, update_limit=3)
    assert done.update is not None and done.update.items[0].notice == "retracted"
    assert library.get("10.5555/ams.2017.8").notice == "retracted"
    before = subjects(library)
    refresh(library, client, [], today="2026-03-05", update_limit=3)
    assert subjects(library) == before


def test_nobody_answers_any_topic(library: Library, client: Client, double: Double) -> None:
    double.fail("*", UNAVAILABLE)
    done = refresh(library, client, topics.due(library), today=TODAY)
    assert done.failed and len(subjects(library)) == 1
    assert not refresh(library, client, [], today=TODAY).failed  # no topic is no failure


def test_a_shallow_clone_is_refreshed_like_any_other(
    library: Library, client: Client, tmp_path: Path, config: Path
) -> None:
    refresh(library, client, topics.due(library), today=TODAY)
    url = f"file://{library.root}"
    subprocess.run(["git", "clone", "-q", "--depth", "1", url, "cut"], cwd=tmp_path, check=True)
    cut = opened(tmp_path / "cut", config)
    done = refresh(cut, client, topics.due(cut), today="2026-03-05")
    assert all(each.run and each.run.new == () for each in done.topics)
    assert len(subjects(cut)) == 1


def test_on_the_command_line_a_refresh_says_all_of_it(
    library: Library, double: Double, tmp_path: Path, config: Path
) -> None:
    (library.root / "topics/marsh.md").write_text(
        "---\ntitle: Marsh\n\nfeed: https://marsh.invalid/feed.xml\n---\n"
    )
    body = (
        b'<?xml version="1.0"?><rss version="2.0"><channel><title>M</title><item>'
        b"<title>A walk</title><guid>w</guid></item></channel></rss>"
    )
    from double import Reply

    double.routes[:0] = [("/feed.xml", Reply(200, body, "text/xml"))]
    double.fail("/at-arxiv/*", UNAVAILABLE)
    shell = Inside(library.root, tmp_path, {"PRESSMARK_CONFIG": str(config)})
    done = shell("refresh", "--fulltext-limit", "0")
    assert "marsh: 1 new." in done.out and "marsh: without an identifier: A walk" in done.err
    assert "rivers: arxiv        unavailable arxiv is not working (HTTP 503)." in done.err
    assert "changes --since-seen" in done.err
    feeds = shell("refresh", "--feeds-only", "--json")
    (row,) = feeds.data["topics"]
    assert (row["topic"], row["skipped"], row["filed"]["added"]) == ("marsh", 1, 0)
    shutil.rmtree(library.root / ".pressmark")
    assert shell("topic", "list", "--json").data[0]["kind"] == "rss"


def test_on_the_command_line_topics_are_followed_shown_and_ended(
    library: Library, tmp_path: Path, config: Path
) -> None:
    shell = Inside(library.root, tmp_path, {"PRESSMARK_CONFIG": str(config)})
    shell("topic", "add", "research:arxiv?q=force+fields", "--by", "Ada")
    assert [row["slug"] for row in shell("topic", "list", "--by", "ada", "--json").data] == [
        "arxiv-force-fields"
    ]
    assert shell("topic", "add", "research:gopher?q=x", status=2).err.startswith(
        "pressmark: There is no search client 'gopher'"
    )
    (library.root / "topics.toml").write_text('[[topic]]\nurl = "research:arxiv?cat=cs.CL"\n')
    assert "topics/arxiv-cs-cl.md" in shell("topic", "add", "--file", "topics.toml").out
    assert shell("topic", "show", "arxiv-cs-cl", "--json").data["providers"] == ["arxiv"]
    assert "cs.CL  Computation and Language" in shell("topic", "categories", "language").out
    shell("topic", "remove", "arxiv-cs-cl")
    assert "no topic arxiv-cs-cl" in shell("topic", "run", "arxiv-cs-cl", status=1).err
