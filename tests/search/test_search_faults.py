"""A search of ten sources of which half fail, each in a way of its own: the rest is filed in time."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from double import HTML, RATE_LIMITED, Double, Reply, Seen
from pressmark.http import Client
from pressmark.library import Library
from pressmark.search import Result, file, preview
from pressmark.sources import REGISTRY, query
from providers import holds_all, provider_routes
from shell import IDENTITY
from story import story_routes

TODAY = "2026-11-30"
TEN = ("openalex", "crossref", "arxiv", "pubmed", "europepmc", "doaj", "datacite", "hal", "dblp",
       "openaire")  # fmt: skip
DEAD, SLOW, LIMITED, PAGE, CUT = "hal", "europepmc", "datacite", "dblp", "doaj"
FAILING = {DEAD, LIMITED, PAGE, CUT}


@pytest.fixture
def double() -> Iterator[Double]:
    with Double([*provider_routes(holds_all), *story_routes()]) as started:
        yield started


@pytest.fixture
def library(double: Double, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Library:
    root = tmp_path / "lib"
    root.mkdir()
    (root / "pressmark.toml").write_text("format = 1\n")
    monkeypatch.setenv("HOME", str(tmp_path))
    for name, value in IDENTITY.items():
        monkeypatch.setenv(name, value)
    subprocess.run(["git", "init", "--quiet", "-b", "main"], cwd=root, check=True)
    return Library(root, double.config(tmp_path, root, TEN, sources=TEN, timeout=10.0))


def asked(library: Library, words: str = "graph transformers", *, refresh: bool = False) -> Result:
    client = Client(library.config, refresh=refresh)
    return preview(library, client, query(words, today=TODAY), today=TODAY, web=False)


def hurt(double: Double, library: Library) -> Library:
    """One dead, one slow, one 429, one web page, one cut short; the dead one is a closed port."""
    double.fail(f"/at-{LIMITED}/*", RATE_LIMITED)
    double.fail(f"/at-{PAGE}/*", HTML)
    double.fail(f"/at-{CUT}/*", Reply(200, b'{"total": 3, "results": [' * 9, fault="truncated"))
    plain = double.reply

    def slowly(seen: Seen) -> Reply:
        reply = plain(seen)
        return replace(reply, delay=1.0) if seen.source == SLOW else reply

    double.reply = slowly  # type: ignore[method-assign]
    urls = {**library.config.base_urls, DEAD: "http://127.0.0.1:9/closed"}
    return Library(library.root, replace(library.config, base_urls=urls))


def test_ten_sources_answer_and_one_work_is_one_hit(library: Library) -> None:
    result = asked(library)
    assert {row.source: row.status for row in result.reports} == dict.fromkeys(TEN, "ok")
    best = result.hits[0]
    assert len(best.ranks) >= 6, best.ranks
    titles = [hit.paper.title for hit in result.hits]
    assert len(titles) == len(set(titles)) == 5


def test_half_of_ten_fail_and_the_rest_is_filed_in_time(library: Library, double: Double) -> None:
    asked(library, "salinity")  # imports
    library = hurt(double, library)
    late = []
    for _ in range(3):  # a machine that does other things at once is late by itself
        began = time.monotonic()
        result = asked(library, refresh=True)
        slowest = max(row.seconds for row in result.reports if row.answered)
        late.append(time.monotonic() - began - slowest)
        if late[-1] < 0.3:
            break
    assert slowest >= 1.0 and min(late) < 0.3, late
    status = {row.source: row.status for row in result.reports}
    assert status == {
        **dict.fromkeys(TEN, "ok"), DEAD: "unavailable", LIMITED: "unavailable",
        PAGE: "broken", CUT: "unavailable",
    }  # fmt: skip
    assert result.reports[0].source == PAGE
    assert {row.source for row in result.reports if row.reason} == FAILING
    added = file(library, result)
    assert added.added == len(result.hits) == 5
    record = library.searches()[0]
    said = {row["platform"]: row["status"] for row in record.providers}
    assert sum(each == "ok" for each in said.values()) == 6
    assert said[REGISTRY[PAGE].platform].startswith("broken: ")


def test_the_next_search_leaves_the_unavailable_alone_and_asks_the_broken(
    library: Library, double: Double
) -> None:
    library = hurt(double, library)
    asked(library)
    before = len(double.requests)
    result = asked(library, "salinity")
    rows = {row.source: row for row in result.reports}
    for name in (DEAD, LIMITED, CUT):
        assert rows[name].paused and rows[name].until, name
    assert rows[PAGE].status == "broken" and not rows[PAGE].paused
    later = {seen.source for seen in double.requests[before:]}
    assert later == set(TEN) - {DEAD, LIMITED, CUT}
