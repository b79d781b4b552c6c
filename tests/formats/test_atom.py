"""Atom feeds: what a reader's parser finds in them, stable ids, nothing that can break out."""

from __future__ import annotations

import feedparser
import pytest
from defusedxml import ElementTree
from hypothesis import given, settings
from hypothesis import strategies as st

from pressmark.formats import atom

ATOM = "{http://www.w3.org/2005/Atom}"

SMALL = b"""\
<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <title>Tides &amp; graphs</title>
  <id>tag:lab.example,2026:topic/tides</id>
  <updated>2026-11-30T00:00:00Z</updated>
  <author><name>Pressmark</name></author>
  <generator>Pressmark</generator>
  <link rel="self" type="application/atom+xml" href="https://lab.example/topics/tides.xml"/>
  <entry>
    <title>Salt &lt;b&gt;</title>
    <id>tag:lab.example,2026:library/devos2020salt</id>
    <updated>2026-11-30T00:00:00Z</updated>
    <published>2026-11-01T00:00:00Z</published>
    <author><name>Ada de Vos</name></author>
    <link rel="alternate" type="text/html" href="https://lab.example/library/devos2020salt/"/>
    <category term="water"/>
    <summary type="text">One.

Two.</summary>
  </entry>
</feed>
"""


def small() -> bytes:
    entry = atom.Entry(
        id=atom.tag("lab.example", "library", "devos2020salt"), title="Salt <b>",
        updated="2026-11-30", published="2026-11-01", authors=("Ada de Vos",),
        url="https://lab.example/library/devos2020salt/", summary="One.\n\nTwo.",
        categories=("water",),
    )  # fmt: skip
    return atom.write(
        "Tides & graphs", atom.tag("lab.example", "topic", "tides"), None, [entry],
        own_url="https://lab.example/topics/tides.xml",
    )  # fmt: skip


def test_a_feed_is_these_very_bytes() -> None:
    assert small() == SMALL


def test_a_feed_reader_finds_all_of_it() -> None:
    read = feedparser.parse(small())
    assert not read.bozo
    assert (read.feed.title, read.feed.id) == ("Tides & graphs", "tag:lab.example,2026:topic/tides")
    (entry,) = read.entries
    assert entry.id == "tag:lab.example,2026:library/devos2020salt"
    assert entry.link == "https://lab.example/library/devos2020salt/"
    assert entry.published == "2026-11-01T00:00:00Z"
    assert [each.term for each in entry.tags] == ["water"]
    assert "<b>" not in entry.summary


@pytest.mark.parametrize(
    ("when", "shown"),
    [
        ("2026", "2026-01-01T00:00:00Z"),
        ("2026-11", "2026-11-01T00:00:00Z"),
        ("2026-11-30", "2026-11-30T00:00:00Z"),
        ("2026-11-30T10:00:00+02:00", "2026-11-30T10:00:00+02:00"),
        ("2026-11-30 10:00:00.25Z", "2026-11-30T10:00:00Z"),
        ("soon", atom.NEVER),
    ],
)
def test_a_day_is_its_first_moment(when: str, shown: str) -> None:
    out = atom.write("T", "tag:x,2026:t", when, [])
    assert f"<updated>{shown}</updated>".encode() in out


def test_a_tag_uri_holds_no_odd_sign() -> None:
    assert atom.tag("Lab.Example:8000", "tag", "c++ & co/ü") == (
        "tag:lab.example8000,2026:tag/c%2B%2B%20%26%20co%2F%C3%BC"
    )
    assert atom.tag("", "library") == "tag:localhost,2026:library"


def test_an_address_that_is_no_page_is_left_out() -> None:
    entry = atom.Entry(id="tag:x,2026:a", title="", updated="2026", url="javascript:alert(1)")
    out = atom.write("", "tag:x,2026:t", None, [entry])
    assert b"javascript" not in out and b"<title>(no title)</title>" in out


@settings(max_examples=150)
@given(st.text(), st.text(), st.lists(st.text(), max_size=3))
def test_whatever_the_text_it_is_xml_that_says_no_more(
    title: str, summary: str, words: list[str]
) -> None:
    entry = atom.Entry(
        id="tag:x,2026:a", title=title, updated="2026", summary=summary,
        authors=tuple(words), categories=tuple(words),
    )  # fmt: skip
    root = ElementTree.fromstring(atom.write(title, "tag:x,2026:t", None, [entry]))
    allowed = {"title", "id", "updated", "author", "name", "generator", "link", "entry",
               "category", "summary", "feed"}  # fmt: skip
    assert {each.tag.removeprefix(ATOM) for each in root.iter()} <= allowed
