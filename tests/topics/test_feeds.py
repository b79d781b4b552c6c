"""RSS and Atom feeds as topics: what is filed, what is known already, and every kind of bad feed."""

from __future__ import annotations

from pathlib import Path

import pytest

from double import UNAVAILABLE, Double, Reply, Route
from pressmark import topics
from pressmark.errors import SourceBroken
from pressmark.http import Client, NullClient, open_client
from pressmark.library import Library
from pressmark.record import Paper
from pressmark.topics import entries

from .conftest import library_at, subjects

TODAY = "2026-11-30"
MARSH = "---\ntitle: Marsh Letters\n\nfeed: https://marsh.invalid/feed.xml\n---\n"
REEDS = "---\ntitle: Reed notes\n\nfeed: https://reeds.invalid/atom.xml\n---\n"

RSS = """\
<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:prism="http://prismstandard.org/namespaces/basic/2.0/">
<channel><title>Marsh Letters</title><link>https://marsh.invalid/</link>
{items}
</channel></rss>
"""

JOURNAL = """\
<item><title>Reeds &amp; their roots</title><link>https://marsh.invalid/a/1</link>
<guid isPermaLink="false">marsh-1</guid><prism:doi>10.5555/MARSH.1</prism:doi>
<prism:publicationName>Marsh Letters</prism:publicationName>
<dc:creator>Ada Reader</dc:creator><dc:creator>Bo Writer</dc:creator>
<prism:publicationDate>2026-10-02</prism:publicationDate>
<description>&lt;p&gt;Roots hold &lt;i&gt;the&lt;/i&gt; bank.&lt;/p&gt;</description></item>"""

POST = """\
<item><title>A walk along the dyke</title><link>https://marsh.invalid/blog/walk</link>
<guid>https://marsh.invalid/blog/walk</guid><pubDate>Mon, 02 Nov 2026 10:00:00 GMT</pubDate>
<description>We walked, and counted herons.</description></item>"""

ATOM = """\
<?xml version="1.0"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>Reed notes</title><id>urn:reeds</id>
<updated>2026-11-01T00:00:00Z</updated>
<entry><title>Tidal networks, again</title><id>oai:arXiv.org:9901.00021v2</id>
<link href="https://arxiv.org/abs/9901.00021v2"/><updated>2026-10-10T00:00:00Z</updated>
<author><name>Ada Reader, Bo Writer</name></author>
<summary>arXiv:9901.00021v2 Announce Type: new
Abstract: Channels branch.</summary></entry>
<entry><title>A walk along the dyke</title><id>urn:copied</id>
<link href="https://reeds.invalid/copied"/><updated>2026-11-03T00:00:00Z</updated>
<summary>We walked, and counted herons.</summary></entry>
</feed>
"""


def rss(*items: str) -> bytes:
    return RSS.format(items="\n".join(items)).encode()


def serve(body: bytes, status: int = 200, kind: str = "application/rss+xml") -> list[Route]:
    return [("/feed.xml", Reply(status, body, kind)), ("/atom.xml", Reply(200, ATOM.encode()))]


@pytest.fixture
def library(tmp_path: Path, config: Path) -> Library:
    return library_at(tmp_path / "lib", config, {"marsh": MARSH, "reeds": REEDS})


def go(library: Library, client: Client | NullClient, slug: str = "marsh") -> topics.Run:
    return topics.run_topic(library, client, slug, today=TODAY)


def test_a_journals_entry_becomes_a_candidate_with_what_the_feed_says(
    library: Library, client: Client, double: Double
) -> None:
    double.routes[:0] = serve(rss(JOURNAL, POST))
    done = go(library, client)
    held = library.get("10.5555/marsh.1")
    assert held.title == "Reeds & their roots"
    assert held.authors == ("Reader, Ada", "Writer, Bo")
    assert (held.published, held.venue) == ("2026-10-02", "Marsh Letters")
    assert held.abstract == "Roots hold *the* bank."
    assert held.sources == (f"feed:marsh/marsh-1 {TODAY}",)
    assert (held.stage, held.topics) == ("candidate", ("marsh",))
    assert done.skipped == 0 and len(done.new) == 2
    assert subjects(library)[0] == "topic: 2 new for Marsh Letters (feed)"


def test_an_entry_without_an_identifier_is_listed_and_not_dropped(
    library: Library, client: Client, double: Double
) -> None:
    double.routes[:0] = serve(rss(POST))
    done = go(library, client)
    assert done.unnamed == ("A walk along the dyke",)
    (held,) = library.select(["topic:marsh"])
    assert (held.type, held.published, held.venue) == ("webpage", "2026-11-02", "Marsh Letters")
    assert held.url == "https://marsh.invalid/blog/walk"


def test_a_second_run_of_the_same_feed_adds_nothing(
    library: Library, client: Client, double: Double
) -> None:
    double.routes[:0] = serve(rss(JOURNAL, POST))
    go(library, client)
    before = subjects(library)
    again = go(library, client)
    assert again.added is not None
    assert (again.added.seen, again.skipped, again.added.commit) == (0, 2, None)
    assert subjects(library) == before


def test_what_two_feeds_tell_in_the_same_words_is_one_entry(
    library: Library, client: Client, double: Double
) -> None:
    double.routes[:0] = serve(rss(POST))
    go(library, client)
    done = go(library, client, "reeds")
    assert done.skipped == 1 and len(done.new) == 1
    assert len(library.select(["title:walk"])) == 1


def test_a_post_of_the_same_title_elsewhere_is_another_one(
    library: Library, client: Client, double: Double
) -> None:
    post = POST.replace("<guid>", "<author>Ada Reader</author><guid>")
    other = post.replace("blog/walk", "blog/walk-2").replace("herons", "gulls")
    double.routes[:0] = serve(rss(post, other))
    assert len(go(library, client).new) == 2


def test_a_paper_that_a_search_found_gains_the_feeds_line_and_counts_as_skipped(
    library: Library, client: Client, double: Double
) -> None:
    double.routes[:0] = serve(rss(JOURNAL))
    paper = Paper(title="Reeds & their roots", doi="10.5555/marsh.1",
                  sources=("crossref:10.5555/marsh.1 2026-11-01",))  # fmt: skip
    library.add([paper], topic="reeds")
    done = go(library, client)
    (held,) = library.all()
    assert held.topics == ("marsh", "reeds")
    assert held.sources == (
        "crossref:10.5555/marsh.1 2026-11-01", f"feed:marsh/marsh-1 {TODAY}",
    )  # fmt: skip
    assert (done.skipped, done.new) == (1, ())
    assert done.added is not None and done.added.enriched == 1


def test_arxivs_feed_is_read_with_its_quirks(
    library: Library, client: Client, double: Double
) -> None:
    double.routes[:0] = serve(b"")
    go(library, client, "reeds")
    held = library.get("arXiv:9901.00021")
    assert (held.authors, held.abstract) == (("Reader, Ada", "Writer, Bo"), "Channels branch.")


@pytest.mark.parametrize(
    ("reply", "status", "said"),
    [
        (Reply(404, b"gone", "text/plain"), "broken", "does not have it"),
        (Reply(200, b"<!DOCTYPE html><html><body>Hi</body></html>", "text/html"), "broken",
         "a web page and no feed"),
        (Reply(200, b"", "text/xml"), "broken", "is empty"),
        (Reply(200, b"\x00\xff\xfe\x01 no feed", "application/rss+xml"), "broken",
         "no RSS or Atom feed"),
        (Reply(200, b'{"version": "x", "items": []}', "application/json"), "broken",
         "no RSS or Atom feed"),
        (Reply(200, b"x" * (50 * 2**20), "application/rss+xml"), "broken", "larger than 10 MiB"),
        (UNAVAILABLE, "unavailable", "is not working"),
        (Reply(429, b"Rate exceeded.", "text/html"), "unavailable", "asks us to wait"),
    ],
    ids=["404", "html", "empty", "bytes", "json", "50 MB", "503", "429"],
)  # fmt: skip
def test_a_bad_feed_is_its_own_line_and_files_nothing(
    library: Library, client: Client, double: Double, reply: Reply, status: str, said: str
) -> None:
    double.routes[:0] = [("/feed.xml", reply), *serve(b"")]
    done = go(library, client)
    (report,) = done.reports
    assert (report.status, done.added) == (status, None)
    assert said in report.reason and len(subjects(library)) == 1
    assert len(go(library, client, "reeds").new) == 2  # the others run


def test_without_a_network_the_topic_says_so(library: Library) -> None:
    from dataclasses import replace

    from pressmark.errors import Offline

    client = open_client(replace(library.config, offline=True))
    with pytest.raises(Offline, match="marsh needs the network"):
        go(library, client)


@pytest.mark.parametrize("encoding", ["iso-8859-1", "windows-1252", "utf-16", "koi8-r"])
def test_a_feed_that_is_not_utf_8_is_read_by_what_it_says_it_is(encoding: str) -> None:
    name = "Болота" if encoding == "koi8-r" else "Röhricht"
    text = RSS.replace("UTF-8", encoding).format(items=POST.replace("A walk", name))
    feed = entries.parse(text.encode(encoding), "text/xml", slug="x", today=TODAY)
    assert feed.entries[0].paper.title == f"{name} along the dyke"


def test_a_feed_whose_encoding_is_a_lie_is_still_read() -> None:
    body = RSS.format(items=POST.replace("A walk", "Röhricht")).encode("latin-1")
    feed = entries.parse(body, "text/xml; charset=utf-8", slug="x", today=TODAY)
    assert "along the dyke" in feed.entries[0].paper.title


@pytest.mark.parametrize(
    ("date", "expected"),
    [
        ("", None),
        ("<pubDate>Thu, 01 Jan 1970 00:00:00 GMT</pubDate>", None),
        ("<pubDate>Sun, 01 Jan 2099 00:00:00 GMT</pubDate>", None),
        ("<pubDate>soon</pubDate>", None),
        ("<dc:date>2026-12</dc:date>", "2026-12"),
        ("<pubDate>Mon, 02 Nov 2026 23:30:00 -0500</pubDate>", "2026-11-03"),
    ],
)
def test_the_date_is_the_entrys_own_or_none(date: str, expected: str | None) -> None:
    item = f"<item><title>On dates</title><guid>d</guid>{date}</item>"
    feed = entries.parse(rss(item), "text/xml", slug="x", today=TODAY)
    assert feed.entries[0].paper.published == expected


def test_doubled_entries_count_once_and_a_guid_of_two_entries_is_told_apart() -> None:
    other = POST.replace("A walk", "A swim")
    feed = entries.parse(rss(POST, POST, other), "text/xml", slug="x", today=TODAY)
    guids = [entry.guid for entry in feed.entries]
    assert feed.doubled == 1 and len(guids) == len(set(guids)) == 2
    assert guids[0] == "https://marsh.invalid/blog/walk"
    assert guids[1] == f"{guids[0]}-{feed.entries[1].hash[:8]}"


def test_the_same_paper_under_two_guids_counts_once() -> None:
    feed = entries.parse(
        rss(JOURNAL, JOURNAL.replace("marsh-1<", "marsh-1b<")), "text/xml", slug="x", today=TODAY
    )
    assert (len(feed.entries), feed.doubled) == (1, 1)


def test_entities_and_markup_are_read_as_text_and_bombs_are_not_blown_up() -> None:
    item = "<item><title>R&amp;D &eacute;t&#233; &lt;b&gt;x&lt;/b&gt;</title><guid>e</guid></item>"
    feed = entries.parse(rss(item), "text/xml", slug="x", today=TODAY)
    assert feed.entries[0].paper.title == "R&D été x"
    bomb = "<!DOCTYPE rss [<!ENTITY a 'ha'>" + "".join(
        f"<!ENTITY {name} '{f'&{before};' * 10}'>" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    ) + "]>"  # fmt: skip
    body = rss("<item><title>&i;</title><guid>b</guid></item>").replace(
        b"<rss", bomb.encode() + b"<rss", 1
    )
    try:
        read = entries.parse(body, "text/xml", slug="x", today=TODAY)
    except SourceBroken:
        return
    assert all(len(entry.paper.title) < 1000 for entry in read.entries)


def test_an_entry_with_neither_title_nor_identifier_is_told_of() -> None:
    item = "<item><description>Nothing but words.</description></item>"
    feed = entries.parse(rss(item, POST), "text/xml", slug="x", today=TODAY)
    assert (feed.untitled, len(feed.entries)) == (1, 1)


def test_the_text_of_an_entry_names_no_identifier_of_its_own() -> None:
    item = POST.replace("We walked,", "See doi:10.5555/other.1,")
    feed = entries.parse(rss(item), "text/xml", slug="x", today=TODAY)
    assert feed.entries[0].paper.doi is None and not feed.entries[0].named


def test_old_news_is_no_news(library: Library, client: Client, double: Double) -> None:
    double.routes[:0] = serve(rss(POST.replace("Nov 2026", "Nov 2019"), JOURNAL))
    done = go(library, client)
    assert (len(done.new), done.skipped) == (1, 1)


def test_a_feed_longer_than_any_is_cut_and_said(
    library: Library, client: Client, double: Double, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entries, "MOST", 3)
    items = [POST.replace("walk", f"walk-{n}") for n in range(5)]
    double.routes[:0] = serve(rss(*items))
    done = go(library, client)
    assert len(done.new) == 3 and done.notes == ("The feed has 2 entries more than are taken.",)


def test_a_feed_damaged_at_random_is_read_or_named_broken() -> None:
    import random

    dice = random.Random(3)
    whole = [rss(JOURNAL, POST), ATOM.encode()]
    for number in range(200):
        body = bytearray(whole[number % 2])
        for _ in range(dice.randrange(1, 9)):
            at = dice.randrange(len(body))
            body[at : at + dice.randrange(1, 30)] = dice.randbytes(dice.randrange(0, 12))
        cut = bytes(body[: dice.randrange(1, len(body))] if number % 3 else body)
        try:
            feed = entries.parse(cut, "text/xml", slug="x", today=TODAY)
        except SourceBroken:
            continue
        for entry in feed.entries:
            (line,) = entry.paper.sources
            assert line.startswith("feed:x/") and line.count(" ") == 1


@pytest.mark.parametrize("body", [
    RSS.format(items=JOURNAL.replace("Reeds", "Reeds &#x110000; <")).encode(),
    RSS.format(items=JOURNAL).encode().replace(b"UTF-8", b"UTF-\x868"),
    b'<?xml version="1.0" encoding="u\xfff-8"?><feed xmlns="http://www.w3.org/2005/Atom"/>',
], ids=["no such character", "no such encoding", "an encoding of no letters"])  # fmt: skip
def test_what_the_feeds_own_reader_fails_on_is_a_broken_feed_on_record(
    library: Library, client: Client, double: Double, body: bytes
) -> None:
    with pytest.raises(SourceBroken, match="damaged and cannot be read") as caught:
        entries.parse(body, "application/xml", slug="x", today=TODAY)
    assert caught.value.head.startswith("<?xml version"), "the first words, and no bytes' repr"
    double.routes.insert(0, ("*", Reply(200, body, "application/xml")))
    ran = topics.run_topic(library, client, "marsh", today=TODAY)
    assert [each.status for each in ran.reports] == ["broken"]
    (defect,) = client.defects.all()
    assert (defect.source, defect.reason) == ("feed", "The feed is damaged and cannot be read.")
