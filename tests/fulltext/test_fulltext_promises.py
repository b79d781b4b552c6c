"""What users are promised of full text, walked through against the double: faults, batches, ends."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest
from articles import TITLE, jats, latexml
from marshland import Marsh
from test_fulltext_fetch import (
    CLOSED,
    EUROPEPMC,
    HTML,
    KEY,
    OTHER,
    PATH,
    PDF,
    PMC,
    XML,
    give,
    printed,
    salt,
)

from double import HTML as CHALLENGE
from double import RATE_LIMITED, UNAVAILABLE, Reply
from pressmark.errors import BadInput, FormatMissing, TooLarge
from pressmark.fulltext import Report, accept, fetch, fetch_newest, html
from pressmark.fulltext.asking import askable, mark, waiting
from pressmark.fulltext.pdf import _version
from pressmark.fulltext.pdf.lines import Page
from pressmark.http import Client, NullClient
from pressmark.record import Reference

GOOD = Reply(200, latexml(), "text/html")
HUGE = {"Content-Length": str(200 * 2**20)}


def impatient(marsh: Marsh) -> None:
    """Give up on a silent server soon."""
    marsh.config.write_text(marsh.config.read_text() + "\n[network]\ntimeout = 0.3\n")


def asked(marsh: Marsh, *keys: str, **more: object) -> Report:
    """Fetch with a client that does not wait out a rate limit."""
    library = marsh.library()
    client = Client(library.config, sleep=lambda _: None)
    refs = [library.get(key) for key in keys]
    return fetch(library, client, refs, today="2026-11-30", **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("fault", "said", "passing"),
    [
        (RATE_LIMITED, "asks us to wait", True),
        (UNAVAILABLE, "503", True),
        (Reply(200, jats(), XML, fault="reset"), "", True),
        (Reply(200, jats(), XML, fault="truncated"), "", True),
        (Reply(200, jats(), XML, fault="hang"), "", True),
        (Reply(200, jats(), XML, headers=HUGE), "larger than 50 MiB", False),
        (CHALLENGE, "is an HTML page, not JATS XML", False),
        (Reply(200, b"", XML), "the answer is empty", False),
        (Reply(200, printed(), "application/pdf"), "is a PDF, not JATS XML", False),
        (Reply(200, b"<?xml version='1.0'?><error>no</error>", XML), "", False),
        (Reply(200, jats()[:-60], XML), "damaged", False),
        (Reply(200, jats("A Treatise on Other Things", doi="10.5555/o"), XML), "Treatise", False),
        (Reply(200, jats(paragraphs=1), XML), "fewer than 2,000", False),
        (Reply(404, b"", XML), "does not have it", False),
        (Reply(403, b"", XML), "403", False),
        (Reply(500, b"", XML), "500", True),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_the_next_copy_is_tried_on_any_failure(
    marsh: Marsh, fault: Reply, said: str, passing: bool
) -> None:
    impatient(marsh)
    marsh.put(salt(pmcid="PMC7000001", arxiv="2404.01234"))
    marsh.double.routes += [(EUROPEPMC, fault), (PMC, Reply(404)), (HTML, GOOD)]
    item = asked(marsh, KEY).items[0]
    assert (item.status, item.source) == ("fetched", "arxiv")
    assert [(one.source, one.passing) for one in item.tried] == [
        ("europepmc", passing), ("pmc", False), ("arxiv", False),
    ]  # fmt: skip
    assert said in item.tried[0].reason
    assert item.tried[0].reason
    assert marsh.read(PATH).fields["source"] == "arxiv"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (printed()[:-200], "the PDF is cut short"),
        (printed()[:300] + b"x" * 5000 + b"\n%%EOF\n", "the file is damaged"),
        (CHALLENGE.body, "the answer is an HTML page, not a PDF"),
        (printed("A Treatise on Entirely Different Things"),
         "it is 'A Treatise on Entirely Different Things', not 'Salt Marsh"),
    ],
)  # fmt: skip
def test_a_wrong_or_broken_pdf_is_refused_with_the_evidence(
    marsh: Marsh, data: bytes, said: str
) -> None:
    marsh.put(salt(arxiv="2404.01234"))
    marsh.double.routes += [(PDF, Reply(200, data, "application/pdf"))]
    item = marsh.fetch(KEY).items[0]
    assert item.status == "none"
    assert said in item.tried[1].reason
    assert said in str(marsh.read(f"library/2024/{KEY}.md").fields["fulltext"])
    assert sorted(path.name for path in (marsh.root / "library/2024").iterdir()) == [f"{KEY}.md"]


def many(marsh: Marsh, count: int) -> list[str]:
    keys = [f"aldermoor20{n:02}salt" for n in range(count)]
    marsh.put(*(
        salt(key=key, arxiv=f"2404.{n:05}", doi=None, published=f"20{n:02}")
        for n, key in enumerate(keys)
    ))  # fmt: skip
    return keys


def test_twenty_of_which_five_are_bad(marsh: Marsh, monkeypatch: pytest.MonkeyPatch) -> None:
    # Twenty processes to read twenty pages would cost seconds, and show nothing more.
    monkeypatch.setattr(accept, "extract", lambda data, *_: html.to_markdown(data))
    keys = many(marsh, 20)
    bad = {
        2: Reply(404), 5: Reply(200, latexml()[:3000], "text/html"),
        11: Reply(200, OTHER, "text/html"), 17: Reply(200, b"", "text/html"), 19: UNAVAILABLE,
    }  # fmt: skip
    marsh.double.routes += [(f"/html/2404.{n:05}", reply) for n, reply in bad.items()]
    marsh.double.routes += [("/html/*", GOOD)]
    before = int(marsh.git("rev-list", "--count", "HEAD"))
    told: list[str] = []
    report = asked(marsh, *keys, limit=20, progress=lambda item: told.append(item.key))
    assert told == keys
    assert {n for n, item in enumerate(report.items) if item.status != "fetched"} == set(bad)
    assert [report.items[n].status for n in sorted(bad)] == [
        "none", "none", "none", "none", "unavailable",
    ]  # fmt: skip
    assert int(marsh.git("rev-list", "--count", "HEAD")) == before + 1
    assert marsh.git("log", "-1", "--format=%s") == "fetch: full text of 15 references (arxiv)"
    assert "fulltext" not in marsh.read(f"library/2019/{keys[19]}.md").fields
    assert str(marsh.read(f"library/2002/{keys[2]}.md").fields["fulltext"]).startswith("none (")
    # Run again, it goes on: who has a text, or waits, is not asked for.
    marsh.double.routes.insert(0, ("/html/*", GOOD))
    seen = len(marsh.double.requests)
    library = marsh.library()
    client = Client(library.config, refresh=True)  # past the minute that arXiv is left alone
    more = fetch_newest(library, client, today="2026-11-30")
    assert [item.key for item in more.items] == [keys[19]]
    assert (more.waiting, more.unidentified, more.left) == (4, 0, 0)
    assert len(marsh.double.requests) == seen + 1


def test_the_newest_without_a_text_come_first_and_nobody_is_asked_twice(marsh: Marsh) -> None:
    keys = many(marsh, 4)
    marsh.put(
        Reference(key="bare2023title", title="No Identifier", published="2023", sources=("x:1",)),
        salt(key="wait2022salt", arxiv="2404.99999", doi=None, published="2022",
             fulltext="none (arxiv: nothing, 2026-11-29)"),
    )  # fmt: skip
    marsh.double.routes += [("/html/*", GOOD)]
    library = marsh.library()
    report = fetch_newest(library, Client(library.config), limit=2, today="2026-11-30")
    assert [item.key for item in report.items] == [keys[3], keys[2]]
    assert (report.left, report.waiting, report.unidentified) == (2, 1, 1)
    assert (report.number("waiting"), report.number("unidentified")) == (1, 1)
    assert "fulltext" not in marsh.read("library/2023/bare2023title.md").fields
    library = marsh.library()
    later = fetch_newest(library, Client(library.config), limit=9, again=True, today="2026-11-30")
    assert [item.key for item in later.items] == ["wait2022salt", keys[1], keys[0]]


def test_without_an_identifier_nobody_is_asked_and_nothing_is_marked(marsh: Marsh) -> None:
    marsh.put(salt(doi=None))
    head = marsh.git("rev-parse", "HEAD")
    for again in (False, True):
        item = marsh.fetch(KEY, again=again).items[0]
        assert (item.status, item.reason) == (
            "unidentified", "identifiers : it has no identifier to ask by",
        )  # fmt: skip
    assert (marsh.double.requests, marsh.git("rev-parse", "HEAD")) == ([], head)
    assert askable(salt()) and not askable(salt(doi=None))


def test_a_mark_says_why_on_one_line_and_when(marsh: Marsh) -> None:
    said = mark("a\n b (c)", "2026-11-30")
    assert said == "none (a b (c), 2026-11-30)"
    assert waiting(salt(fulltext=said), "2026-12-29") == "a b (c) (2026-11-30)"
    assert waiting(salt(fulltext=said), "2026-12-30") is None
    assert waiting(salt(fulltext=said), "2026-11-29") is None  # a clock that went backwards
    assert waiting(salt(), "2026-11-30") is None
    assert len(mark("x" * 1000, "2026-11-30")) < 320


def test_offline_nothing_is_marked_and_what_is_held_stays(marsh: Marsh) -> None:
    keys = many(marsh, 2)
    marsh.put(salt(arxiv="2404.01234"))
    marsh.double.routes += [(HTML, GOOD)]
    marsh.fetch(KEY)
    head = marsh.git("rev-parse", "HEAD")
    library = marsh.library(PRESSMARK_OFFLINE="1")
    client = NullClient(library.config)
    batch = fetch_newest(library, client, today="2026-11-30")
    assert (batch.items, batch.left) == ((), 2)
    named = fetch(library, client, [library.get(k) for k in keys], today="2026-11-30")
    assert [(i.status, i.reason) for i in named.items] == [
        ("unavailable", "network : the network is off")
    ] * 2
    held = fetch(library, client, [library.get(KEY)], again=True, today="2026-11-30").items[0]
    assert (held.status, held.warnings) == ("held", ("its text stays: no other could be had",))
    assert marsh.git("rev-parse", "HEAD") == head


def test_a_text_stays_where_no_other_can_be_had(marsh: Marsh) -> None:
    marsh.put(salt(arxiv="2404.01234"))
    marsh.double.routes += [(HTML, GOOD)]
    marsh.fetch(KEY)
    head = marsh.git("rev-parse", "HEAD")
    marsh.double.routes.insert(0, ("*", Reply(404)))
    item = marsh.fetch(KEY, again=True).items[0]
    assert (item.status, item.warnings) == ("held", ("its text stays: no other could be had",))
    assert marsh.git("rev-parse", "HEAD") == head
    assert "fulltext" not in marsh.read(f"library/2024/{KEY}.md").fields


def test_every_stale_text_is_made_anew_without_names_and_network(marsh: Marsh) -> None:
    keys = many(marsh, 2)
    marsh.double.routes += [("/html/*", GOOD)]
    marsh.fetch(*keys)
    path = marsh.root / f"library/2001/{keys[1]}.fulltext.md"
    path.write_text(re.sub(r"pressmark-html \d+", "pressmark-html 0", path.read_text()))
    marsh.git("commit", "-qam", "older")
    library = marsh.library(PRESSMARK_OFFLINE="1")
    report = fetch_newest(library, NullClient(library.config), again=True, today="2027-01-01")
    assert [(i.key, i.status, i.tried[0].source) for i in report.items] == [
        (keys[1], "fetched", "document")
    ]


def test_when_the_other_fetch_gives_up_ours_goes_on(marsh: Marsh) -> None:
    marsh.put(salt(arxiv="2404.01234"))
    arrived, go = threading.Event(), threading.Event()
    replies = [UNAVAILABLE, UNAVAILABLE, GOOD]

    def answer(_: object) -> Reply:
        arrived.set()
        assert go.wait(60)
        return replies.pop(0)

    marsh.double.routes += [(HTML, answer)]
    found: dict[str, str] = {}

    def run(name: str) -> None:
        report = marsh.fetch(KEY)
        found[name] = report.items[0].status

    threads = [threading.Thread(target=run, args=(name,)) for name in ("first", "second")]
    threads[0].start()
    assert arrived.wait(60)
    threads[1].start()
    go.set()
    for thread in threads:
        thread.join(120)
    # The first was refused by a source that is down; the second looks for itself, and is told so.
    assert found["first"] == "unavailable"
    assert found["second"] in ("unavailable", "fetched")
    assert marsh.git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    ("data", "name", "form", "beside"),
    [
        (printed(), "x.pdf", "pdf", ".pdf"),
        (jats(licence=CLOSED), "x.xml", "jats", ".xml"),
        (latexml(), "x.html", "html", ".html"),
    ],
)
def test_a_copy_of_any_form_can_be_attached(
    marsh: Marsh, data: bytes, name: str, form: str, beside: str
) -> None:
    marsh.put(salt())
    give(marsh, data, name, rights="for my own reading")
    fields = marsh.read(PATH).fields
    assert (fields["format"], fields["rights"], fields["source"]) == (
        form, "for my own reading", "attached",
    )  # fmt: skip
    assert (marsh.root / f"library/2024/{KEY}{beside}").read_bytes() == data
    assert marsh.git("ls-files", PATH) == ("" if form != "html" else PATH)


def test_empty_and_huge_files(marsh: Marsh, tmp_path: Path) -> None:
    from pressmark import disk

    marsh.put(salt())
    with pytest.raises(BadInput, match=r"x\.pdf is no PDF"):
        give(marsh, b"", "x.pdf")
    huge = tmp_path / "huge.pdf"
    with huge.open("wb") as file:
        file.write(b"%PDF-1.4\n")
        file.truncate(200 * 2**20)
    with pytest.raises(TooLarge):
        disk.read_given(huge, 50 * 2**20)
    with pytest.raises(FormatMissing):
        give(marsh, b"%PDF-1.4\n")


def test_a_short_copy_is_taken_and_said_to_be_short(marsh: Marsh) -> None:
    from pressmark.fulltext import attach

    marsh.put(salt())
    done = attach(
        marsh.library(), KEY, latexml(paragraphs=1), "x.html", "CC BY 4.0", today="2026-11-30"
    )
    assert "The text may not be worth much: it holds" in done.warnings[-1]
    assert marsh.read(PATH).fields["reference"] == KEY


def test_the_version_in_arxivs_stamp() -> None:
    stamp = "arXiv:1504.06236v2 [cs.SI] 1 Jul 2015"
    assert _version([Page(1, (), (stamp,)), Page(2, (), ())]) == "v2"
    assert _version([Page(1, (), ("arXiv:hep-ph/9412269v1 9 Dec 1994",))]) == "v1"
    assert _version([Page(1, (), ()), Page(2, (), (stamp,))]) is None
    assert TITLE
