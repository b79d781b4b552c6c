"""Contract: every real answer of our providers parses to the facts that stand beside it.

One test a row of the corpus's MANIFEST, three more for the same bytes cut, emptied and replaced
by a web page, and a thousand seeded mutations each. Nothing may ever look like zero results.
"""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest
from real_answers import (
    DEEP_JSON,
    FAILURES,
    PAGES,
    STATUSES,
    TODAY,
    a_bad_status_is_named,
    a_web_page_is_broken,
    an_empty_answer_is_an_outage,
    manifest_rows,
    mutations_are_read_or_refused,
    row_id,
)

from pressmark import ids, text
from pressmark.errors import NotFound, RateLimited, SourceBroken, SourceDown
from pressmark.sources import arxiv, crossref, openalex
from pressmark.sources.base import Found
from pressmark.sources.crossref_work import TYPES

MODULES: dict[str, ModuleType] = {"arxiv": arxiv, "crossref": crossref, "openalex": openalex}

NAMED_FAILURES = {
    "arxiv/error_429_rate_exceeded.txt": (RateLimited, "Rate exceeded"),
    "arxiv/error_bad_id.xml": (NotFound, "incorrect id format for abc"),
    "arxiv/oai_getrecord_arxivraw_1810.09584.xml": (SourceBroken, "is no feed"),
    "crossref/agency_crossref.json": (SourceBroken, "another shape"),
    "crossref/agency_datacite_10.5284_1011335.json": (SourceBroken, "another shape"),
    "crossref/bibtex_10.1063_1.4938384.bib": (SourceBroken, "another shape"),
    "crossref/doi_org_404_html.html": (NotFound, "does not have it"),
    "crossref/error_400_facet_not_allowed.json": (SourceBroken, "does not support facet"),
    "crossref/error_400_rows_not_int.json": (SourceBroken, "Integer specified as things"),
    "crossref/error_400_sample_too_big.json": (SourceBroken, "Integer specified as 200"),
    "crossref/error_404_arxiv_doi.txt": (NotFound, "does not have it"),
    "crossref/error_404_cursor_invalid.json": (SourceBroken, "Cursor specified but"),
    "crossref/error_404_plain_text.txt": (NotFound, "does not have it"),
    "crossref/error_500_cursor_exception.json": (SourceDown, "HTTP 500"),
    "crossref/error_504_html.html": (SourceDown, "HTTP 504"),
    "crossref/journal_1932-6203.json": (SourceBroken, "another shape"),
    "crossref/redirect_302_html.html": (SourceBroken, "HTTP 302"),
    "crossref/unixsd_science_169.3946.635.xml": (SourceBroken, "is XML and no JSON"),
    "openalex/e404_10.1046_2Fj.1365_2699.2003.00795_select.html": (NotFound, "does not have it"),
}
"""Rows that hold no paper, and the failure each is."""


ROWS = manifest_rows(lambda provider: provider in MODULES)
SUCCESSES = [
    r for r in ROWS if r["file"] not in NAMED_FAILURES and "journals_query" not in r["file"]
]


def _parse(row: dict[str, str], body: bytes, status: int | None = None) -> Found:
    module = MODULES[row["provider"]]
    status = int(row["http_status"]) if status is None else status
    lookup = row["file"].startswith("crossref/work_") or (
        row["provider"] == "openalex" and not re.search(r"/(search|works)_", row["file"])
    )
    parse = module.parse_lookup if lookup else module.parse_search
    return parse(body, status, "", today=TODAY)


def _fact(row: dict[str, str], pattern: str) -> str | None:
    found = re.search(pattern, row["facts"])
    return found[1] if found else None


def test_the_corpus_is_whole(corpus: Path) -> None:
    numbers = {name: sum(r["provider"] == name for r in ROWS) for name in MODULES}
    assert numbers == {"arxiv": 17, "crossref": 48, "openalex": 13}


@pytest.mark.parametrize("row", ROWS, ids=row_id)
def test_an_answer_is_its_facts_or_its_named_failure(row: dict[str, str], corpus: Path) -> None:
    body = (corpus / "providers" / row["file"]).read_bytes()
    if row["file"] in NAMED_FAILURES:
        kind, says = NAMED_FAILURES[row["file"]]
        with pytest.raises(kind) as caught:
            _parse(row, body)
        assert says in str(caught.value) and type(caught.value) is kind
    elif "journals_query" in row["file"]:
        journals = crossref.parse_journals(body, 200, "application/json")
        assert journals == [("PeerJ", "2167-8359"), ("PeerJ Computer Science", "2376-5992")]
    else:
        {"arxiv": _check_arxiv, "crossref": _check_crossref, "openalex": _check_openalex}[
            row["provider"]
        ](row, _parse(row, body))


def _check_title(row: dict[str, str], found: Found, fact: str | None) -> None:
    if fact is None or fact == "None":
        return
    wanted = text.title(fact.removesuffix("…").strip())
    assert found.papers[0].title.startswith(wanted[:80])


def _check_arxiv(row: dict[str, str], found: Found) -> None:
    assert found.total == int(_fact(row, r"totalResults=(\d+)") or -1)
    assert len(found.papers) == int(_fact(row, r"entries=(\d+)") or -1)
    assert found.damaged == 0
    if not found.papers:
        return
    first = found.papers[0]
    address = _fact(row, r"first id=http://arxiv\.org/abs/(\S+);") or ""
    assert first.arxiv == ids.normalise_arxiv(address)
    assert first.sources == (f"arxiv:{first.arxiv}{ids.arxiv_version(address)} {TODAY}",)
    _check_title(row, found, _fact(row, r"title=(.*?); title_has_newline"))
    assert len(first.authors) == int(_fact(row, r"authors=(\d+)") or -1)
    assert first.published == (_fact(row, r"published=(\S{10})T"))
    assert first.arxiv_class == _fact(row, r"primary=(\S+);")
    with_doi = [p for p in found.papers if p.doi and not p.doi.startswith("10.48550/")]
    assert len(with_doi) == int(_fact(row, r"entries with doi=(\d+)") or -1)
    doi = _fact(row, r"first doi=(\S+);")
    assert doi == "None" or doi is None or with_doi[0].doi == doi.lower()
    assert all(len(paper.locations) == 2 for paper in found.papers)
    assert all("\n" not in paper.title and paper.abstract for paper in found.papers)


def _check_crossref(row: dict[str, str], found: Found) -> None:
    total = _fact(row, r"total-results=(\d+)")
    assert found.total == (int(total) if total else 1)
    assert len(found.papers) == int(_fact(row, r" items=(\d+)") or 1 if total else 1)
    assert found.damaged == 0
    if not found.papers:
        return
    first = found.papers[0]
    assert first.doi == ids.normalise_doi(_fact(row, r"DOI=(\S+);") or "")
    _check_title(row, found, _fact(row, r"title=(.*?); authors="))
    kind = _fact(row, r"; type=([\w-]+);")
    assert first.type == TYPES.get(kind or "")
    authors = int(_fact(row, r"authors=(\d+)") or 0)
    assert len(first.authors) == authors
    groups = int(_fact(row, r"author_name_only=(\d+)") or 0)
    assert sum(name.startswith("{") for name in first.authors) == groups
    issued = re.findall(r"\d+", _fact(row, r"issued=(\[\[.*?\]\]|None)") or "")
    assert (first.published or "") == "-".join([f"{int(part):02}" for part in issued])
    container = _fact(row, r"container=(.*?); abstract=")
    if container and container != "None":
        wanted = text.title(container.removesuffix("…"))[:40]
        assert wanted in f"{first.venue} {first.series}"
    abstract = _fact(row, r"abstract=(\w+)")
    assert bool(first.abstract) == (abstract in ("JATS", "text"))
    assert "<jats" not in (first.abstract or "")
    references = int(_fact(row, r"refs_with_DOI=(\d+)") or 0)
    # a DOI that is cited twice, or that two spellings of case name, stands once
    assert len([each for each in first.cites if each.startswith(("doi:", "arxiv:"))]) >= (
        references - 2
    )


def _check_openalex(row: dict[str, str], found: Found) -> None:
    total = _fact(row, r"meta\.count=(\d+)")
    assert found.total == (int(total) if total else 1)
    assert len(found.papers) == int(_fact(row, r"results=(\d+)") or 1)
    first = found.papers[0]
    identifier = _fact(row, r"\bid=(\S+);") or ""
    assert first.openalex == ids.normalise_openalex(identifier)
    doi = _fact(row, r"doi=(\S+);") or ""
    assert first.doi == ids.normalise_doi(doi)
    _check_title(row, found, _fact(row, r"title=(.*?); year="))
    year = _fact(row, r"year=(\d+)")
    assert first.year == year
    assert len(first.authors) == int(_fact(row, r"authorships=(\d+)") or 0)
    assert len(first.cites) == int(_fact(row, r"referenced_works=(\d+)") or 0)
    assert (first.notice == "retracted") == ("is_retracted=True" in row["facts"])
    size = int(_fact(row, r"abstract_words=(\d+)") or 0)
    assert bool(first.abstract) == bool(size)
    assert size == 0 or abs(len((first.abstract or "").split()) - size) <= size * 0.12
    is_oa = _fact(row, r"is_oa=(\w+)")
    assert is_oa in (None, "None") or (first.oa not in (None, "closed")) == (is_oa == "True")


@pytest.mark.parametrize("row", SUCCESSES, ids=row_id)
def test_half_an_answer_is_a_named_failure(row: dict[str, str], corpus: Path) -> None:
    body = (corpus / "providers" / row["file"]).read_bytes()
    with pytest.raises(FAILURES):
        _parse(row, body[: len(body) // 2])


@pytest.mark.parametrize("row", SUCCESSES, ids=row_id)
def test_an_empty_answer_is_a_named_failure(row: dict[str, str]) -> None:
    an_empty_answer_is_an_outage(_parse, row)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("row", SUCCESSES, ids=row_id)
def test_a_web_page_is_a_named_failure(row: dict[str, str], page: str) -> None:
    a_web_page_is_broken(_parse, row, page)


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("name", MODULES)
def test_a_bad_status_is_a_named_failure_whatever_the_body(name: str, status: int) -> None:
    a_bad_status_is_named(MODULES[name], status)


@pytest.mark.parametrize("name", MODULES)
def test_mutations_and_no_surprise(name: str, corpus: Path) -> None:
    small = [r for r in SUCCESSES if r["provider"] == name and int(r["bytes"]) < 60_000]
    rows = [r for r in small if r["file"] not in NAMED_FAILURES]
    bodies = [(r, (corpus / "providers" / r["file"]).read_bytes()) for r in rows]
    mutations_are_read_or_refused(name, bodies, _parse, 20)


def test_a_page_beyond_the_last_result_is_empty_and_no_failure() -> None:
    body = b'{"status":"ok","message-type":"work-list","message":{"total-results":3,"items":[],"items-per-page":10,"query":{"start-index":10}}}'
    assert crossref.parse_search(body, 200, "", today=TODAY).papers == ()


@pytest.mark.parametrize(
    ("module", "body"),
    [
        (crossref, b'{"status":"ok","message-type":"work-list","message":{"total-results":30,"items":[],"items-per-page":10,"query":{"start-index":10}}}'),
        (openalex, b'{"meta":{"count":30,"page":2,"per_page":10},"results":[]}'),
        (arxiv, b'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" xmlns:o="http://a9.com/-/spec/opensearch/1.1/"><o:totalResults>30</o:totalResults><o:startIndex>10</o:startIndex><o:itemsPerPage>10</o:itemsPerPage></feed>'),
    ],
)  # fmt: skip
def test_an_empty_page_where_results_are_due_is_an_outage(module: ModuleType, body: bytes) -> None:
    with pytest.raises(SourceDown, match="empty page where 30 results are due"):
        module.parse_search(body, 200, "", today=TODAY)


@pytest.mark.parametrize("module", MODULES.values(), ids=list(MODULES))
def test_bombs_are_named_failures(module: ModuleType) -> None:
    deep_xml = b'<?xml version="1.0"?>' + b"<feed>" * 200_000
    laughs = (
        b'<?xml version="1.0"?><!DOCTYPE feed [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'
        b'<feed xmlns="http://www.w3.org/2005/Atom"><title>&b;</title></feed>'
    )
    outside = (
        b'<?xml version="1.0"?><!DOCTYPE feed SYSTEM "file:///etc/passwd">'
        b'<feed xmlns="http://www.w3.org/2005/Atom"/>'
    )
    for bomb in (DEEP_JSON, deep_xml, laughs, outside, b"[" * 500_000, b"1" * 100_000):
        with pytest.raises(SourceBroken) as caught:
            module.parse_search(bomb, 200, "", today=TODAY)
        assert len(caught.value.head) <= 200


def test_windows_of_one_search_agree(corpus: Path) -> None:
    """Metamorphic: pages of any size are slices of the same list."""

    def page(name: str) -> list[str | None]:
        body = (corpus / "providers" / "arxiv" / name).read_bytes()
        return [p.arxiv for p in arxiv.parse_search(body, 200, "", today=TODAY).papers]

    whole = page("search_testing_start0_max100.xml")
    assert page("search_testing_start0_max10.xml") == whole[:10]
    assert page("search_testing_start10_max10.xml") == whole[10:20]
    assert page("search_testing_start50_max10.xml") == whole[50:60]
    assert page("search_testing_start5_max15.xml") == whole[5:20]


def test_the_order_of_elements_and_the_scheme_of_ids_do_not_matter(corpus: Path) -> None:
    import xml.etree.ElementTree as ET

    body = (corpus / "providers" / "arxiv" / "search_testing_start0_max10.xml").read_bytes()
    root = ET.fromstring(body)
    for entry in root.findall("{http://www.w3.org/2005/Atom}entry"):
        children = list(entry)
        # authors keep their order among themselves: that order means something
        other = [c for c in children if not c.tag.endswith("author")][::-1]
        for child in children:
            entry.remove(child)
        entry.extend(other + [c for c in children if c.tag.endswith("author")])
    turned = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    turned = turned.replace(b"http://arxiv.org/abs", b"https://arxiv.org/abs")
    one = arxiv.parse_search(body, 200, "", today=TODAY)
    two = arxiv.parse_search(turned, 200, "", today=TODAY)
    assert one == two


def test_cursor_pages_give_sixty_different_works(corpus: Path) -> None:
    pages = [
        crossref.parse_search(
            (corpus / "providers" / "crossref" / f"works_cursor_page{n}_ecology.json").read_bytes(),
            200, "", today=TODAY,
        )
        for n in (1, 2)
    ]  # fmt: skip
    assert len({paper.doi for page in pages for paper in page.papers}) == 60
