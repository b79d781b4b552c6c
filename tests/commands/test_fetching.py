"""`fetch` on the command line: what it says, how it ends, two at once, and no network."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from double import Double, Reply
from shell import Inside, Shell
from story import BY_NUMBER, article_html, europepmc_jats

SALINITY = "devos2020salinity"


@pytest.fixture
def shell(online: Inside) -> Shell:
    return Shell(online.root, online.home, online.env)


def without_identifier(inside: Inside) -> None:
    path = inside.root / "library/2001/reed2001book.md"
    path.parent.mkdir()
    path.write_text(
        "---\ntitle: A Book of Reeds\n\npublished: '2001'\n\ntype: book\n\nsources:\n- bibtex:x\n---\n"
    )
    inside.git("add", ".")
    inside.git("commit", "-qm", "by hand")


def test_what_it_says(online: Inside, double: Double) -> None:
    without_identifier(online)
    online("add", BY_NUMBER[6].doi)
    done = online("fetch", "--limit", "1")
    assert done.err.splitlines()[0] == "fetched      aldermoor2021graph  html arxiv" or (
        done.err.splitlines()[0] == f"fetched      {SALINITY}  jats europepmc"
    )
    assert done.lines == [
        "1 fetched, 0 without an open copy, 0 to ask again later.",
        "1 more are waiting; run it again or raise --limit.",
        "1 without an identifier to ask by: pressmark edit KEY --set doi=…",
    ]
    online("fetch")
    head = online.head()
    rest = online("fetch", "--json").data
    assert (rest["items"], rest["left"], rest["unidentified"]) == ([], 0, 1)
    assert online.head() == head


def test_offline_it_fails_without_a_mark_and_says_so(offline: Inside) -> None:
    head = offline.head()
    done = offline("fetch", "--json", status=2)
    assert (done.answer["code"], done.data["offline"], done.data["items"]) == ("offline", True, [])
    named = offline("fetch", "aldermoor2021graph", status=2)
    assert named.err.startswith("unavailable  aldermoor2021graph  network : the network is off\n")
    assert offline("fetch", "bryl2019message").status == 0  # it is held
    assert offline("refresh", "--json", status=None).data["texts"] is None
    assert offline.head() == head


def test_two_at_once_ask_once(shell: Shell, double: Double) -> None:
    shell("add", BY_NUMBER[6].doi)
    slow: list[float] = []

    def answer(seen: object) -> Reply:
        slow.append(time.monotonic())
        double.sleep(1.0)
        return europepmc_jats(seen)  # type: ignore[arg-type]

    double.routes.insert(0, ("*/fullTextXML", answer))
    first = shell.start("fetch", SALINITY, "--json")
    limit = time.monotonic() + 60
    while not slow:
        assert time.monotonic() < limit and first.poll() is None, first.communicate()
        double.sleep(0.02)
    second = shell.start("fetch", SALINITY, "--json")
    answers = [json.loads(each.communicate(timeout=120)[0]) for each in (first, second)]
    assert [each["data"]["items"][0]["status"] for each in answers] == ["fetched", "held"]
    assert len(slow) == 1
    assert shell.subjects()[0] == f"fetch: full text of {SALINITY} (europepmc)"
    assert shell.status() == []


def test_a_refresh_never_marks_who_cannot_be_asked_for(online: Inside) -> None:
    without_identifier(online)
    for _ in range(2):
        online("refresh", "--fulltext-limit", "1", status=None)
    path: Path = online.root / "library/2001/reed2001book.md"
    assert "fulltext" not in path.read_text()


def test_the_limit_of_the_settings_counts_for_refresh_too(online: Inside) -> None:
    (online.root / "pressmark.toml").write_text("format = 1\n[fulltext]\nlimit = 0\n")
    online.git("commit", "-qam", "none")
    done = online("refresh", "--json", status=None).data
    assert done["texts"] is None
    assert online("fetch", "--json").data["left"] >= 1
    assert article_html(BY_NUMBER[6])
