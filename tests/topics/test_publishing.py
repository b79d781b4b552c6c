"""Feeds out: of the library, each topic and each tag; stable ids, dated by filing."""

from __future__ import annotations

from pathlib import Path

import feedparser
import pytest

from pressmark.errors import NotFound
from pressmark.library import Library
from pressmark.record import Paper
from pressmark.topics import publishing


@pytest.fixture
def held(library: Library) -> Library:
    (library.root / "mkdocs.yml").write_text(
        "site_name: X\nsite_url: https://lab.example/papers/\n"
    )
    library.add([
        Paper(title="On weirs", authors=("Bryl, T.",), published="2019", doi="10.5555/w.1",
              tags=("Dams & mud",), abstract="Weirs hold.",
              sources=("crossref:10.5555/w.1 2026-02-03", "openalex:W1 2026-01-02")),
        Paper(title="On sluices", authors=("Wen, L.",), published="2020", arxiv="9801.00077",
              tags=("Dams & mud", "water"), sources=("arxiv:9801.00077v1 2026-03-04",)),
    ], topic="rivers")  # fmt: skip
    paper = Paper(title="On locks", authors=("Mensah, K.",), published="2021", doi="10.5555/l.1",
                  sources=("crossref:10.5555/l.1 2026-03-05",))  # fmt: skip
    library.add([paper], topic="rivers", stage="candidate")
    return library


def test_every_topic_and_tag_has_a_feed_and_the_library_too(held: Library) -> None:
    made = list(publishing.feeds(held))
    assert [(each.path, each.entries) for each in made] == [
        ("feed.xml", 2), ("topics/prose.xml", 0), ("topics/rivers.xml", 2),
        ("tags/dams-mud.xml", 2), ("tags/water.xml", 1),
    ]  # fmt: skip
    assert made == list(publishing.feeds(held))  # the same files, the same bytes


def test_entries_are_dated_by_filing_and_the_newest_come_first(held: Library) -> None:
    read = feedparser.parse(publishing.topic_feed(held, "Rivers").data)
    assert not read.bozo
    assert [(e.id, e.published, e.link) for e in read.entries] == [
        ("tag:lab.example,2026:reference/wen2020sluices", "2026-03-04T00:00:00Z",
         "https://arxiv.org/abs/9801.00077"),
        ("tag:lab.example,2026:reference/bryl2019weirs", "2026-01-02T00:00:00Z",
         "https://doi.org/10.5555/w.1"),
    ]  # fmt: skip
    assert read.feed.id == "tag:lab.example,2026:topics%2Frivers.xml"
    assert read.feed.updated == "2026-03-04T00:00:00Z"
    assert read.entries[1].summary == "Weirs hold." and read.entries[1].author == "T. Bryl"


def test_candidates_are_left_out_unless_asked_for(held: Library) -> None:
    assert publishing.topic_feed(held, "rivers").entries == 2
    assert publishing.topic_feed(held, "rivers", candidates=True).entries == 3


def test_an_id_stays_when_everything_else_changes(held: Library) -> None:
    held.edit(["bryl2019weirs"], set={"title": "On weirs, again", "doi": "10.5555/w.2"})
    read = feedparser.parse(publishing.tag_feed(held, "dams & mud").data)
    assert read.entries[1].id == "tag:lab.example,2026:reference/bryl2019weirs"
    assert read.entries[1].title == "On weirs, again"


def test_what_came_from_a_file_is_dated_by_its_commit(held: Library) -> None:
    held.add([Paper(title="On dykes", authors=("Eel, A.",), published="1999", tags=("old",),
                    sources=("file:77",))])  # fmt: skip
    read = feedparser.parse(publishing.tag_feed(held, "old").data)
    day = held.log()[0].date[:10]
    assert read.entries[0].published == f"{day}T00:00:00Z"


def test_a_tag_that_nothing_carries_is_named(held: Library, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="tag 'none'"):
        publishing.tag_feed(held, "none")
    (held.root / "mkdocs.yml").unlink()
    made = publishing.topic_feed(held, "rivers")
    assert b"<id>tag:library.invalid,2026:topics%2Frivers.xml</id>" in made.data
