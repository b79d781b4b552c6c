"""The web comes last: when it is asked, what it brings, and when it is a person's turn to ask it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from double import UNAVAILABLE, Double, Reply, json_reply
from pressmark import ids
from pressmark.config import Config, load
from pressmark.http import Client
from pressmark.library import Library
from pressmark.record import Paper
from pressmark.search import Result, preview
from pressmark.sources import REGISTRY, Found, Query, Request, query
from pressmark.sources.answers import json_object
from pressmark.sources.language import Language
from story import story_routes

TODAY = "2026-11-30"
PAGES = {
    "results": [
        {"title": "Salinity, a preprint", "url": "https://arxiv.org/abs/9809.99999"},
        {"title": "A blog on tides", "url": "https://blog.test/tides"},
    ]
}


class Searx:
    """A web search in the shape of a source."""

    name, platform, kinds, page_size, batch = "searxng", "SearXNG", (), 20, 1
    language = Language()

    def cannot(self, query: Query) -> str | None:
        return None

    def search_request(self, query: Query, config: Config, start: int, rows: int) -> Request:
        return Request(
            url=f"{config.base_urls[self.name]}/search", params={"q": query.words}, keep=0
        )

    def lookup_request(self, identifiers: Sequence[ids.Identifier], config: Config) -> Request:
        raise AssertionError("never asked")

    def parse_lookup(self, body: bytes, status: int, content_type: str, *, today: str) -> Found:
        raise AssertionError("never asked")

    def parse_search(self, body: bytes, status: int, content_type: str, *, today: str) -> Found:
        rows = json_object(self.name, body, status, content_type)["results"]
        papers = []
        for row in rows:
            found = ids.parse(row["url"])
            named = {found.kind: found.value} if found else {}
            papers.append(Paper(
                title=row["title"], url=row["url"], sources=(f"searxng:{row['url']} {today}",),
                **named,  # type: ignore[arg-type]
            ))  # fmt: skip
        return Found(papers=tuple(papers), total=len(papers))


@pytest.fixture
def double() -> Iterator[Double]:
    with Double([("/search", json_reply(json.dumps(PAGES))), *story_routes()]) as started:
        yield started


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(REGISTRY, "searxng", Searx())  # type: ignore[arg-type]


@pytest.fixture
def library(double: Double, tmp_path: Path) -> Library:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib/pressmark.toml").write_text("format = 1\n")
    names = ("crossref", "arxiv", "searxng")
    return Library(tmp_path / "lib", double.config(tmp_path, tmp_path / "lib", names))


def ask(library: Library, words: str, *sources: str, web: bool = True) -> Result:
    return preview(
        library, Client(library.config), query(words, today=TODAY), sources or ("crossref",),
        today=TODAY, web=web,
    )  # fmt: skip


def without_web(library: Library) -> Library:
    urls = {name: url for name, url in library.config.base_urls.items() if name != "searxng"}
    return Library(library.root, replace(library.config, base_urls=urls))


def closed(double: Double) -> None:
    """Crossref knows nothing open of what it finds."""
    double.routes.insert(0, ("/works", Reply(200, json.dumps({
        "status": "ok", "message-type": "work-list",
        "message": {"total-results": 1, "items-per-page": 10, "query": {"start-index": 0},
                    "items": [{"DOI": "10.5555/closed", "title": ["Salinity"], "type": "book"}]},
    }).encode())))  # fmt: skip


def test_an_open_copy_makes_the_web_unneeded(library: Library, double: Double) -> None:
    result = ask(library, "graph transformers", "arxiv")
    assert result.web is not None
    assert (result.web.status, result.web.why) == ("not needed", "an open copy was found")
    assert result.ask_the_web is None
    assert {seen.source for seen in double.requests} == {"arxiv"}


def test_without_an_open_copy_the_web_is_asked_last(library: Library, double: Double) -> None:
    closed(double)
    result = ask(library, "salinity")
    web = result.web
    assert web is not None and web.report is not None
    assert (web.status, web.why) == ("ok", "no provider reports an open copy of any hit")
    assert [hit.paper.title for hit in result.hits] == ["Salinity", "Salinity, a preprint"]
    assert result.hits[1].paper.arxiv == "9809.99999" and result.hits[1].ranks == {"searxng": 1}
    assert web.pages == (("A blog on tides", "https://blog.test/tides"),)
    assert result.ask_the_web is None
    assert [seen.source for seen in double.requests] == ["crossref", "searxng"]


def test_a_web_page_without_an_identifier_is_never_a_hit(library: Library, double: Double) -> None:
    closed(double)
    assert all("blog" not in (hit.paper.url or "") for hit in ask(library, "salinity").hits)


def test_the_web_is_asked_when_every_provider_is_down(library: Library, double: Double) -> None:
    double.fail("/at-crossref/*", UNAVAILABLE)
    result = ask(library, "salinity")
    assert result.web is not None and result.web.why == "no source answered"
    assert result.answered and result.failure is None and len(result.hits) == 1


def test_when_no_web_search_is_set_up_somebody_else_is_to_ask(
    library: Library, double: Double
) -> None:
    closed(double)
    result = ask(without_web(library), "salinity")
    asking = result.ask_the_web
    assert asking is not None and result.web is not None and result.web.status == "skipped"
    assert asking.why == "No provider reports an open copy of any hit."
    assert asking.query == "salinity pdf"
    assert asking.happened == "No web search is set up ([sources.searxng] base_url)."
    assert "pressmark leads URL" in asking.proceed and "pressmark add" in asking.proceed


def test_when_the_web_search_is_down_somebody_else_is_to_ask(
    library: Library, double: Double
) -> None:
    closed(double)
    double.fail("/at-searxng/*", UNAVAILABLE)
    result = ask(library, "salinity")
    assert result.web is not None and result.web.status == "unavailable"
    assert result.ask_the_web is not None and "HTTP 503" in result.ask_the_web.happened


def test_two_switches_turn_off_both(library: Library, double: Double) -> None:
    closed(double)
    off = Library(library.root, replace(library.config, web=False))
    for result in (ask(library, "salinity", web=False), ask(off, "salinity")):
        assert result.web is None and result.ask_the_web is None
    assert {seen.source for seen in double.requests} == {"crossref"}


def test_the_switch_is_a_setting_and_a_variable(tmp_path: Path) -> None:
    env = {"HOME": str(tmp_path)}
    assert load(None, env).web and load(None, {**env, "PRESSMARK_WEB": "1"}).web
    assert not load(None, {**env, "PRESSMARK_WEB": "0"}).web
    (tmp_path / "pressmark.toml").write_text("format = 1\n[search]\nweb = false\n")
    assert not load(tmp_path, env).web


def test_named_as_a_source_it_is_one_among_the_others(library: Library, double: Double) -> None:
    result = ask(library, "salinity", "crossref", "searxng")
    assert [report.source for report in result.reports] == ["crossref", "searxng"]
    assert result.web is None


def test_a_count_asks_no_web(library: Library, double: Double) -> None:
    closed(double)
    asked = query("salinity", today=TODAY, count=True)
    result = preview(library, Client(library.config), asked, ("crossref",), today=TODAY)
    assert result.web is None and result.ask_the_web is None
