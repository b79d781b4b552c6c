"""The providers of whom no real body was to be had: every field, in the shapes they document."""

from __future__ import annotations

import json

import pytest

from pressmark.errors import SourceBroken, SourceDown
from pressmark.record import Paper
from pressmark.sources import REGISTRY, searxng
from pressmark.sources.base import Found
from shapes import SHAPES

TODAY = "2026-11-30"


def read(source: str, body: object) -> Found:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    return REGISTRY[source].parse_search(raw, 200, "", today=TODAY)


def first(source: str) -> Paper:
    return read(source, SHAPES[source][0]).papers[0]


def test_hal() -> None:
    paper = first("hal")
    assert (paper.title, paper.type) == ("Graph Transformers for Tidal Networks", "article")
    assert paper.authors == ("Aldermoor, Ines", "Bryl, Tomasz", "de Vos, Quentin")
    assert (paper.arxiv, paper.published, paper.license) == ("9801.00011", "2021-03-15", "CC BY")
    assert [(c.kind, c.version, c.host_type) for c in paper.locations] == [
        ("pdf", None, "repository")
    ]
    assert paper.sources == (f"hal:hal-99000001 {TODAY}",)
    bare = {"halId_s": "hal-2", "title_s": "A word and no list", "docType_s": "THESE"}
    (other,) = read("hal", {"response": {"numFound": 1, "docs": [bare]}}).papers
    assert (other.title, other.type, other.locations) == ("A word and no list", "thesis", ())


def test_hal_says_an_error_with_status_200() -> None:
    with pytest.raises(SourceBroken, match="rejects our request \\(undefined field x\\)"):
        read("hal", {"error": {"msg": "undefined field x", "code": 400}})


def test_openaire() -> None:
    paper = first("openaire")
    assert paper.title == "Graph Transformers for Tidal Networks" and paper.type == "article"
    assert paper.authors[2] == "de Vos, Quentin" and paper.doi == "10.48550/arxiv.9801.00011"
    assert [(c.url, c.kind, c.version, c.license) for c in paper.locations] == [
        ("https://arxiv.org/pdf/9801.00011.pdf", "pdf", "submitted", "CC BY")
    ]
    closed = [p for p in read("openaire", SHAPES["openaire"][0]).papers if not p.arxiv and p.pmid]
    assert all(p.locations == () for p in closed)
    assert read("openaire", {"header": {"numFound": 0}, "results": None}).total == 0


def test_osf() -> None:
    paper = first("osf")
    assert paper.title == "Benchmarks for Learning on Waterways"
    assert paper.authors == ("Østergaard, Maren", "{Waterways Benchmark Consortium}")
    assert (paper.doi, paper.publisher) == ("10.31235/osf.io/w0009", "SocArXiv")
    assert paper.locations[0].url == "https://osf.io/w0009/download"
    assert read("osf", SHAPES["osf"][0]).notes == (
        "OSF searches titles only, for the words side by side",
    )


def test_core() -> None:
    paper = first("core")
    assert (paper.arxiv, paper.published) == ("9801.00011", "2021-03-15")
    assert paper.authors[0] == "Aldermoor, Ines"
    assert [(c.url, c.kind) for c in paper.locations] == [
        ("https://core.ac.uk/download/880001.pdf", "pdf")
    ]


def test_inspire() -> None:
    paper = first("inspire")
    assert paper.authors == ("Mensah, Kofi", "Wen, Li", "{TIDE Collaboration}")
    assert (paper.venue, paper.volume, paper.pages) == ("J.Inv.Phys.", "7", "012345")
    assert (paper.doi, paper.arxiv, paper.published) == ("10.5555/tpn.2024.5", "9806.00777", "2024")
    assert paper.sources == (f"inspire:990001 {TODAY}",)
    assert len(paper.locations) == 1


def test_a_web_search_gives_works_and_leads() -> None:
    found = read("searxng", SHAPES["searxng"][0])
    assert [paper.doi for paper in found.papers] == ["10.5555/jih.2019.0042"]
    assert found.papers[0].abstract is None and found.papers[0].locations == ()
    assert found.leads == ("https://rivers.invalid/page",)
    assert found.notes == ("did not answer: an engine",)


def test_a_web_search_of_silent_engines_is_an_outage() -> None:
    body = {"results": [], "unresponsive_engines": [["one", "timeout"], ["two", "CAPTCHA"]]}
    with pytest.raises(SourceDown, match="heard from no engine \\(one, two\\)"):
        read("searxng", body)
    assert read("searxng", {"results": []}).total == 0


def test_an_instance_that_answers_no_json_is_told_how_to() -> None:
    with pytest.raises(SourceBroken) as caught:
        searxng.parse_search(b"<html>", 403, "text/html", today=TODAY)
    assert "add json to search.formats" in (caught.value.next or "")


@pytest.mark.parametrize(
    ("source", "body"),
    [
        ("hal", {"response": {"numFound": 9, "start": 0, "docs": []}}),
        ("openaire", {"header": {"numFound": 9, "page": 1, "pageSize": 10}, "results": []}),
        ("osf", {"data": [], "links": {"meta": {"total": 9}}}),
        ("core", {"totalHits": 9, "offset": 0, "limit": 10, "results": []}),
        ("inspire", {"hits": {"total": 9, "hits": []}, "links": {}}),
        ("zenodo", {"hits": {"total": 9, "hits": []}, "links": {}}),
        ("doaj", {"total": 9, "page": 1, "pageSize": 10, "results": []}),
        ("datacite", {"data": [], "meta": {"total": 9, "page": 1, "totalPages": 1}}),
        ("semanticscholar", {"total": 9, "offset": 0, "data": []}),
        ("dblp", {"result": {"hits": {"@total": "9", "@first": "0", "@sent": "10"}}}),
        ("europepmc", {"hitCount": 9, "resultList": {"result": []}}),
        ("openreview", {"notes": [], "count": 9}),
    ],
)
def test_an_empty_page_where_results_are_due_is_an_outage(source: str, body: object) -> None:
    with pytest.raises(SourceDown, match="empty page where 9 results are due"):
        read(source, body)


@pytest.mark.parametrize(
    ("source", "body"),
    [
        ("doaj", {"total": 9, "page": 2, "pageSize": 10, "results": []}),
        ("core", {"totalHits": 9, "offset": 10, "limit": 10, "results": []}),
        ("dblp", {"result": {"hits": {"@total": "0", "@first": "0", "@sent": "0"}}}),
        ("semanticscholar", {"total": 0, "offset": 0}),
        ("osf", {"data": [], "links": {"meta": {"total": 9}, "prev": "x"}}),
    ],
)
def test_no_hits_and_a_page_beyond_the_last_are_answers(source: str, body: object) -> None:
    assert read(source, body).papers == ()


@pytest.mark.parametrize(("source", "body"), [
    ("crossref", {"status": "ok", "message-type": "work-list",
                  "message": {"total-results": 3, "items": [{"doi": "renamed"}]}}),
    ("openalex", {"meta": {"count": 3, "page": 1, "per_page": 2}, "results": [{"ID": "renamed"}]}),
])  # fmt: skip
def test_records_none_of_which_can_be_read_are_no_empty_answer(source: str, body: object) -> None:
    with pytest.raises(SourceBroken, match="has another shape than documented"):
        read(source, body)
