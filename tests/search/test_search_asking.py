"""Federated search against the small world: rows, merging, ranking, failures, time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from double import HTML, RATE_LIMITED, UNAVAILABLE, Double, Reply
from pressmark.config import Config
from pressmark.errors import BadInput, Offline, RateLimited, SourceBroken, SourceDown
from pressmark.http import Client, NullClient
from pressmark.record import Paper
from pressmark.search import Report, Result, fused, search
from pressmark.sources import REGISTRY, query
from pressmark.sources.query import Query
from story import story_routes

TODAY = date.today().isoformat()
"""What is kept in the cache bears the day of the clock."""
ALL = ("openalex", "crossref", "arxiv")


@pytest.fixture
def double() -> Iterator[Double]:
    with Double(story_routes()) as started:
        yield started


@pytest.fixture
def config(double: Double, tmp_path: Path) -> Config:
    (tmp_path / "library").mkdir()
    return double.config(tmp_path, tmp_path / "library", sources=ALL)


@pytest.fixture
def client(config: Config) -> Client:
    return Client(config)


def ask(client: Client, words: str = "graph transformers", **more: object) -> Result:
    sources = more.pop("sources", None)
    return search(
        client, client.config, query(words, today=TODAY, **more), sources, today=TODAY  # type: ignore[arg-type]
    )  # fmt: skip


def rows(result: Result) -> dict[str, tuple[str, int, int | None]]:
    return {row.source: (row.status, row.count, row.total) for row in result.reports}


def test_every_source_is_asked_and_reported(client: Client) -> None:
    result = ask(client)
    assert rows(result) == {
        "openalex": ("ok", 5, 5), "crossref": ("ok", 2, 2), "arxiv": ("ok", 4, 4),
    }  # fmt: skip
    assert result.answered and result.failure is None and result.broken == ()


def test_one_work_found_thrice_is_one_hit_with_every_rank(client: Client) -> None:
    best = ask(client).hits[0]
    assert best.paper.title == "Sparse Attention in Graph Transformers: A Field Study"
    assert best.ranks == {"openalex": 2, "crossref": 1, "arxiv": 2}
    assert best.finders == ("crossref", "arxiv", "openalex")
    assert best.score == round(1 / 61 + 2 / 62, 6)
    paper = best.paper
    assert (paper.doi, paper.arxiv, paper.openalex) == (
        "10.5555/icg.2022.17", "9802.00123", "W9900000003",
    )  # fmt: skip
    assert paper.sources == (
        f"arxiv:9802.00123v2 {TODAY}",
        f"crossref:10.5555/icg.2022.17 {TODAY}",
        f"openalex:W9900000003 {TODAY}",
    )
    assert paper.type == "paper-conference"
    assert paper.cites == ("arxiv:9801.00011", "doi:10.5555/jih.2019.0042")
    assert {at.kind for at in paper.locations} == {"html", "pdf", "landing"}


def test_the_order_is_the_same_every_time(client: Client) -> None:
    first = [hit.paper.title for hit in ask(client).hits]
    for _ in range(3):
        assert [hit.paper.title for hit in ask(client).hits] == first
    assert len(first) == len(set(first)) == 5


def test_the_request_is_quoted_without_the_mirror(client: Client) -> None:
    sent = {row.source: row.sent for row in ask(client, since="2022").reports}
    assert sent["crossref"] == (
        "https://api.crossref.org/works?query.bibliographic=graph%20transformers"
        "&filter=from-pub-date:2022-01-01&rows=10&offset=0"
    )
    assert sent["openalex"].startswith("https://api.openalex.org/works?search=graph%20AND")
    assert sent["arxiv"].startswith("https://export.arxiv.org/api/query?search_query=")


def test_dates_narrow_every_source(client: Client) -> None:
    result = ask(client, since="2023", until="2024-06")
    assert [hit.paper.title for hit in result.hits] == [
        "Positional Encodings for Graph Transformers on Rivers",
        "Graph Transformers Predict Eel Migration",
    ]


def test_a_second_search_is_served_from_the_cache(client: Client, double: Double) -> None:
    first = ask(client)
    asked = len(double.requests)
    again = ask(client)
    assert [row.status for row in again.reports] == ["cache"] * 3
    assert again.hits == first.hits and len(double.requests) == asked
    fresh = Client(client.config, refresh=True)
    assert [row.status for row in ask(fresh).reports] == ["ok"] * 3


FAULTS = {
    "429": (RATE_LIMITED, "unavailable", "Rate exceeded"),
    "503": (UNAVAILABLE, "unavailable", "HTTP 503"),
    "html": (HTML, "broken", "The answer of"),
    "empty": (Reply(200, b""), "unavailable", "empty answer"),
    "cut": (Reply(200, b'{"meta": {"count"'), "broken", "another shape|is damaged|is no feed"),
    "reset": (Reply(fault="reset"), "unavailable", "cannot be reached|broke off"),
    "truncated": (Reply(200, b"x" * 99, fault="truncated"), "unavailable", "broke off"),
    "400": (Reply(400, b"no such parameter", "text/plain"), "broken", "HTTP 400"),
    "403": (Reply(403, b"<html>", "text/html"), "broken", "HTTP 403"),
}


def test_a_fresh_query_is_never_served_from_the_cache(client: Client, double: Double) -> None:
    ask(client)
    before = len(double.requests)
    again = ask(client, fresh=True)
    assert {row[0] for row in rows(again).values()} == {"ok"}
    assert len(double.requests) == 2 * before


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", ALL)
def test_a_failing_source_is_a_row_and_the_others_answer(
    client: Client, double: Double, name: str, fault: str
) -> None:
    import re

    reply, status, says = FAULTS[fault]
    double.fail(f"/at-{name}/*", reply)
    result = ask(client)
    row = next(each for each in result.reports if each.source == name)
    assert (row.status, row.count) == (status, 0)
    assert re.search(says, row.reason), row.reason
    assert row.sent.startswith("https://")
    assert [r.status for r in result.reports if r.source != name] == ["ok", "ok"]
    assert result.answered and result.hits and result.failure is None
    if status == "broken":
        assert result.reports[0].source == name and result.broken == (row,)


def test_a_failing_source_is_paused_and_says_so_with_the_first_reason(
    client: Client, double: Double
) -> None:
    double.fail("/at-arxiv/*", RATE_LIMITED)
    ask(client)
    asked = len([seen for seen in double.requests if seen.source == "arxiv"])
    again = ask(client, "sparse attention")
    row = next(each for each in again.reports if each.source == "arxiv")
    assert row.paused and row.until and "Rate exceeded" in row.reason
    assert row.reason.startswith("arxiv is paused for ")
    assert asked == len([seen for seen in double.requests if seen.source == "arxiv"]) == 1


def test_a_broken_answer_is_not_kept_and_never_pauses(client: Client, double: Double) -> None:
    double.fail("/at-crossref/*", HTML, times=1)
    assert rows(ask(client))["crossref"][0] == "broken"
    assert rows(ask(client))["crossref"] == ("ok", 2, 2)


def test_a_429_is_never_waited_out(client: Client, double: Double) -> None:
    for name in ALL:
        double.fail(f"/at-{name}/*", Reply(429, b"slow down", headers={"Retry-After": "30"}))
    began = time.monotonic()
    result = ask(client)
    assert time.monotonic() - began < 1.5
    assert not result.answered and isinstance(result.failure, RateLimited)


def test_a_dead_source_costs_its_timeout_once(client: Client, double: Double) -> None:
    client.config = replace(client.config, timeout=0.6)
    double.fail("/at-openalex/*", Reply(fault="hang"))
    began = time.monotonic()
    result = ask(client)
    assert time.monotonic() - began < 0.6 + 0.8
    assert rows(result)["openalex"] == ("unavailable", 0, None)
    began = time.monotonic()
    assert rows(ask(client, "sparse attention"))["openalex"][0] == "unavailable"
    assert time.monotonic() - began < 0.5


def test_slow_sources_are_asked_side_by_side(client: Client, double: Double) -> None:
    slow = [(pattern, _slowed(handler)) for pattern, handler in double.routes]
    double.routes = slow  # type: ignore[assignment]
    ask(client, "warm up")  # imports
    began = time.monotonic()
    result = ask(client)
    assert [row.status for row in result.reports] == ["ok"] * 3
    slowest = max(row.seconds for row in result.reports)
    assert time.monotonic() - began < slowest + 0.3


def _slowed(handler: object) -> object:
    def slow(seen: object) -> Reply:
        return replace(handler(seen), delay=0.5)  # type: ignore[operator]

    return slow


def test_when_nobody_answers_the_result_says_why(client: Client, double: Double) -> None:
    double.fail("*", UNAVAILABLE)
    result = ask(client)
    assert not result.answered and result.hits == ()
    assert isinstance(result.failure, SourceDown) and result.failure.exit_status == 2
    assert "crossref: crossref is not working (HTTP 503)" in str(result.failure)
    double.heal()
    double.fail("*", HTML)
    broken = ask(Client(client.config, refresh=True))
    assert type(broken.failure) is SourceBroken


def test_what_a_source_cannot_do_is_skipped_with_the_reason(client: Client) -> None:
    result = ask(client, "graph", categories=("cs.LG",), sources=(*ALL, "pubmed"))
    assert {row.source: (row.status, row.reason) for row in result.reports} == {
        "openalex": ("skipped", "OpenAlex has no arXiv categories"),
        "crossref": ("skipped", "Crossref has no arXiv categories"),
        "arxiv": ("ok", ""),
        "pubmed": ("skipped", "PubMed has no arXiv categories"),
    }
    alone = ask(client, "graph", categories=("cs.LG",), sources=("crossref",))
    assert isinstance(alone.failure, BadInput)


def test_an_unknown_source_is_refused_with_the_nearest(client: Client) -> None:
    with pytest.raises(BadInput, match="no source called 'opnalex'") as caught:
        ask(client, sources=("opnalex",))
    said = caught.value.next or ""
    assert said.startswith("did you mean openalex? choose from ads, arxiv, core, crossref, ")
    with pytest.raises(BadInput, match="No source is enabled"):
        ask(client, sources=())


def test_a_defect_of_ours_is_a_broken_row(client: Client, monkeypatch) -> None:
    def defect(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(REGISTRY["crossref"], "parse_search", defect)
    row = ask(client).reports[0]
    assert (row.source, row.status) == ("crossref", "broken")
    assert row.reason == "ZeroDivisionError in our own code" and "a bug" in row.trace


def test_offline_no_source_is_asked(double: Double, config: Config) -> None:
    with pytest.raises(Offline):
        search(NullClient(config), config, Query(words="x"), today=TODAY)
    assert double.requests == []


def test_a_limit_and_pages(client: Client) -> None:
    first = ask(client, limit=2, sources=("openalex",))
    second = ask(client, limit=2, page=2, sources=("openalex",))
    assert [len(each.hits) for each in (first, second)] == [2, 2]
    assert {hit.paper.doi for hit in first.hits}.isdisjoint(h.paper.doi for h in second.hits)
    assert first.reports[0].capped and first.reports[0].total == 5


def test_a_limit_beyond_a_page_takes_several_requests(
    client: Client, double: Double, monkeypatch
) -> None:
    monkeypatch.setattr(REGISTRY["openalex"], "page_size", 2)
    result = ask(client, limit=5, sources=("openalex",))
    assert rows(result) == {"openalex": ("ok", 5, 5)}
    pages = [(seen.query["per_page"], seen.query["page"]) for seen in double.requests]
    assert pages == [("2", "1"), ("2", "2"), ("2", "3")]


def test_further_pages_are_told_as_they_come(client: Client, monkeypatch) -> None:
    monkeypatch.setattr(REGISTRY["openalex"], "page_size", 2)
    told: list[tuple[str, int, int]] = []
    search(
        client, client.config, query("graph transformers", today=TODAY, limit=5), ALL,
        today=TODAY, progress=lambda *said: told.append(said),
    )  # fmt: skip
    assert told == [("openalex", 2, 5), ("openalex", 4, 5), ("openalex", 5, 5)]


def test_a_source_named_twice_is_asked_once(client: Client, double: Double) -> None:
    result = search(
        client, client.config, query("graph", today=TODAY), ("crossref", "crossref"),
        today=TODAY, also=("crossref", "arxiv"),
    )  # fmt: skip
    assert [row.source for row in result.reports] == ["crossref", "arxiv"]
    assert [seen.source for seen in double.requests].count("crossref") == 1


def test_agreement_and_the_year_break_ties() -> None:
    def one(source: str, title: str, doi: str, year: str) -> Paper:
        return _paper(source, title, doi=doi, published=year)

    lists = [
        ("crossref", "", [one("crossref", "Old", "10.5555/o", "1990"),
                          one("crossref", "Both", "10.5555/b", "1980")]),
        ("openalex", "", [one("openalex", "New", "10.5555/n", "2020")]),
        ("arxiv", "", []),
    ]  # fmt: skip
    assert [hit.paper.title for hit in fused(lists, {})] == ["New", "Old", "Both"]
    agreed = [*lists, ("hal", "", [one("hal", "Both", "10.5555/b", "1980")])]
    assert next(hit.paper.title for hit in fused(agreed, {})) == "Both"
    assert [hit.paper.title for hit in fused(lists, {}, "date")] == ["New", "Old", "Both"]


def test_a_later_page_that_fails_keeps_the_first(
    client: Client, double: Double, monkeypatch
) -> None:
    monkeypatch.setattr(REGISTRY["openalex"], "page_size", 2)
    double.fail("*&page=2*", RATE_LIMITED)
    result = ask(client, limit=5, sources=("openalex",))
    assert rows(result) == {"openalex": ("unavailable", 2, None)}
    assert len(result.hits) == 2


def test_the_library_may_set_a_sources_own_limit(client: Client) -> None:
    client.config = replace(client.config, limits={"openalex": 3})
    result = ask(client)
    assert rows(result)["openalex"] == ("ok", 3, 5) and rows(result)["arxiv"] == ("ok", 4, 4)


def test_only_counting_brings_no_hits(client: Client) -> None:
    result = ask(client, count=True)
    assert result.hits == () and {row.total for row in result.reports} == {5, 2, 4}


def test_a_journal_is_resolved_to_its_issn_once(client: Client, double: Double) -> None:
    result = ask(client, "salinity", journal="journal of invented hydrology")
    assert result.query.issn == "5555-0002"
    assert {row.source: row.status for row in result.reports}["arxiv"] == "skipped"
    sent = {row.source: row.sent for row in result.reports}
    assert "filter=issn:5555-0002" in sent["crossref"]
    assert "primary_location.source.issn:5555-0002" in sent["openalex"]
    assert double.paths.count("/journals") == 1


def test_a_journal_nobody_knows_brings_nothing_of_another_journal(
    client: Client, double: Double
) -> None:
    """An abbreviation is no title: its answers are narrowed here, and may come to nothing."""
    result = ask(client, "salinity", journal="J Inv Hydrol", limit=2)
    by_name = {row.source: row for row in result.reports}
    assert result.query.issn is None and result.hits == ()
    assert (by_name["crossref"].status, by_name["crossref"].count) == ("ok", 0)
    assert by_name["openalex"].status == by_name["arxiv"].status == "skipped"
    sent = next(seen for seen in double.requests if seen.path == "/works")
    assert sent.query["query.container-title"] == "J Inv Hydrol" and sent.query["rows"] == "10"
    assert "No journal is called 'J Inv Hydrol'" in result.warnings[0]


def test_a_near_name_of_a_journal_is_suggested(client: Client) -> None:
    result = ask(client, "salinity", journal="invented")
    assert result.warnings[0].endswith("Did you mean Journal of Invented Hydrology?")


def test_a_journal_that_cannot_be_resolved_skips_who_needs_it(
    client: Client, double: Double
) -> None:
    double.fail("*/journals*", UNAVAILABLE)
    result = ask(client, "salinity", journal="Journal of Invented Hydrology")
    by_name = {row.source: row for row in result.reports}
    assert by_name["openalex"].status == "skipped" and "ISSN" in by_name["openalex"].reason
    assert by_name["crossref"].status == "unavailable"


# merging and ranking without a network


def _paper(source: str, title: str, **more: object) -> Paper:
    return Paper(title=title, sources=(f"{source}:x {TODAY}",), **more)  # type: ignore[arg-type]


def test_two_dois_are_two_works_whatever_their_titles() -> None:
    same = {"authors": ("Bryl, T.",), "published": "2020"}
    hits = fused(
        [
            ("crossref", "", [_paper("crossref", "Errata", doi="10.5555/a", **same)]),
            ("openalex", "", [_paper("openalex", "Errata", doi="10.5555/b", **same)]),
        ],
        {},
    )
    assert [hit.paper.doi for hit in hits] == ["10.5555/a", "10.5555/b"]


def test_a_record_without_identifiers_joins_by_title_year_and_author() -> None:
    same = {"authors": ("Bryl, T.",), "published": "2020"}
    hits = fused(
        [
            ("crossref", "", [_paper("crossref", "Tidal Networks", doi="10.5555/a", **same)]),
            ("openalex", "", [_paper("openalex", "Tidal networks.", openalex="W99000000", **same)]),
        ],
        {},
    )
    assert len(hits) == 1 and hits[0].paper.openalex == "W99000000"


def test_a_chain_of_identifiers_never_joins_two_dois() -> None:
    """a and c are two DOIs; b, with no DOI, names the arXiv id of both."""
    hits = fused(
        [
            (
                "crossref",
                "",
                [
                    _paper("crossref", "A", doi="10.5555/a", arxiv="9801.00011"),
                    _paper("crossref", "C", doi="10.5555/c", arxiv="9801.00011"),
                ],
            ),
            ("arxiv", "", [_paper("arxiv", "A", arxiv="9801.00011")]),
        ],
        {},
    )
    assert sorted(hit.paper.doi or "" for hit in hits) == ["10.5555/a", "10.5555/c"]


def test_weights_of_the_library_count() -> None:
    found = [
        ("crossref", "", [_paper("crossref", "One", doi="10.5555/a")]),
        ("openalex", "", [_paper("openalex", "Two", doi="10.5555/b")]),
    ]
    assert [h.paper.title for h in fused(found, {"openalex": 2.0})] == ["Two", "One"]
    assert [h.paper.title for h in fused(found, {"crossref": 2.0})] == ["One", "Two"]


def test_a_report_knows_whether_it_was_capped() -> None:
    row = Report(source="x", platform="X", status="ok", count=10, total=11)
    assert row.capped and not replace(row, total=10).capped and not replace(row, total=None).capped


def test_a_metered_source_is_asked_only_when_the_call_names_it(
    client: Client, double: Double
) -> None:
    client.config = replace(client.config, sources=("crossref", "scite"))
    rows = {row.source: row for row in ask(client).reports}
    assert rows["scite"].status == "skipped"
    assert rows["scite"].reason == "it is metered: ask for it with --also scite"
    named = search(
        client, client.config, query("x", today=TODAY), ("crossref", "scite"), today=TODAY
    )
    also = search(client, client.config, query("x", today=TODAY), today=TODAY, also=("scite",))
    for result in (named, also):
        row = next(row for row in result.reports if row.source == "scite")
        assert "metered" not in row.reason


def test_a_metered_source_is_asked_the_words_as_written_once(
    client: Client, double: Double, monkeypatch
) -> None:
    from pressmark.record import Vocabulary
    from pressmark.search import asking, one
    from pressmark.search.vocabulary import terms

    for module in (asking, one):
        monkeypatch.setattr(module, "METERED", frozenset({"crossref"}))
    words = terms(Vocabulary(slug="t", title="T", terms=("Estuaries",),
                             synonyms=("river mouths → Estuaries",)))  # fmt: skip
    result = search(
        client, client.config, query("river mouths", today=TODAY), ("crossref", "openalex"),
        today=TODAY, vocabulary=words,
    )  # fmt: skip
    assert result.variants == ("Estuaries",)
    asked = [seen.source for seen in double.requests]
    assert (asked.count("crossref"), asked.count("openalex")) == (1, 2)
