"""Contract of the other providers: every real answer parses to the facts that stand beside it.

One test a row of the corpus's MANIFEST, three more for the bytes of each success cut, emptied and
replaced by a web page, and seeded mutations of each provider's. Nothing may ever look like zero
results. arXiv, Crossref and OpenAlex have the same suite in test_sources_corpus.py.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from real_answers import (
    DEEP_JSON,
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

from damage import check_clean
from pressmark import text
from pressmark.errors import NotFound, RateLimited, SourceBroken, SourceDown
from pressmark.fulltext.jats import to_markdown
from pressmark.record import Paper
from pressmark.sources import (
    ads,
    biorxiv,
    core,
    datacite,
    dblp,
    doaj,
    europepmc,
    hal,
    inspire,
    openaire,
    opencitations,
    openreview,
    osf,
    plos,
    pmc,
    pubmed,
    scite,
    searxng,
    semanticscholar,
    semanticscholar_edges,
    unpaywall,
    zenodo,
)
from pressmark.sources.base import Found
from shapes import SHAPES

FIRST = ("arxiv", "crossref", "openalex")
MODULES = {
    m.name: m
    for m in (
        ads, biorxiv, core, datacite, dblp, doaj, europepmc, hal, inspire, openaire,
        opencitations, openreview, osf, plos, pmc, pubmed, scite, searxng, semanticscholar, unpaywall,
        zenodo,
    )
}  # fmt: skip

BROKEN = {
    "datacite/crosscite_bibliography.txt": "another shape",
    "dblp/dump_article.xml": "is XML and no JSON",
    "dblp/rec.bib": "another shape",
    "doaj/journal_f3f2e7f2.json": "another shape",
    "doaj/search_journals_heritage.json": "another shape",
    "europepmc/citations_2026_trimmed.json": "another shape",
    "europepmc/errcode_in_200_empty_query.json": "rejects our request (No search criteria provided",
    "europepmc/errcode_in_200_page_size.json": "rejects our request (Invalid page size provided",
    "europepmc/search_dc_p25.xml": "is XML and no JSON",
    "europepmc/search_lite_p25.xml": "is XML and no JSON",
    "opencitations/meta_sparql_doi2ids.json": "another shape",
    "plos/error_400_facet_undefined_field.json": "rejected our request (HTTP 400)",
    "plos/error_400_highlight.json": "rejected our request (HTTP 400)",
    "plos/facet_journal.json": "another shape",
    "plos/search_author_johnson.json": "another shape",
    "plos/search_title_drosophila.json": "another shape",
    "pmc/idconv_2026_error_no_idtype.json": "must be PubMed IDs",
    "pmc/idconv_error_mismatch.json": "ID type 'doi' mismatch for '28371833'",
    "pubmed/efetch_html_instead_of_xml.html": "is a web page and no data",
    "pubmed/elink1.xml": "another shape",
    "pubmed/elink_zero_entries.xml": "another shape",
    "pubmed/esearch_json_retstart_9999_error_in_200.json": "'retstart' cannot be larger than 9998",
    "searxng/error_403_json_disabled.html": "refuses to answer in JSON",
    "semanticscholar/author.json": "another shape",
    "semanticscholar/error_400_fields.json": "rejected our request (HTTP 400)",
    "semanticscholar/error_400_no_positive.json": "rejected our request (HTTP 400)",
    "semanticscholar/error_403_bad_key.json": "rejected our request (HTTP 403)",
    "semanticscholar/paper_authors.json": "another shape",
    "semanticscholar/recommendations.json": "another shape",
    "unpaywall/error_422_fake_email.json": "rejected our request (HTTP 422)",
}
"""Answers that are not what was asked for, and what is said of each."""

OTHER_FAILURES: dict[str, tuple[type[Exception], str]] = {
    "datacite/error_404_crosscite.txt": (NotFound, "does not have it"),
    "europepmc/error_503_references_maintenance.txt": (SourceDown, "is not working (HTTP 503)"),
    "semanticscholar/error_404_paper.json": (NotFound, "does not have it"),
    "semanticscholar/error_429_unkeyed.json": (RateLimited, "asks us to wait (429"),
    "semanticscholar/match_not_found_404.json": (NotFound, "does not have it"),
}

TEXTS = re.compile(r"plos/fulltext_|pmc/efetch_")
LINES = "doaj/articles_dump.jsonl"


ROWS = manifest_rows(lambda provider: provider not in FIRST)
FAILING = {**dict.fromkeys(BROKEN), **dict.fromkeys(OTHER_FAILURES)}
SUCCESSES = [
    r
    for r in ROWS
    if r["file"] not in FAILING and r["file"] != LINES and not TEXTS.match(r["file"])
]


def _read(row: dict[str, str], body: bytes, status: int | None = None) -> Found:
    """The answer by the parser that asks for its like; edges as papers."""
    file = row["file"]
    status = int(row["http_status"]) if status is None else status
    if re.match(r"semanticscholar/(citations|references)", file):
        direction = "cites" if "references" in file else "cited_by"
        page = semanticscholar_edges.parse_edges(body, status, "", direction)
        return Found(papers=page.papers, total=len(page.papers), next={"offset": page.next})
    if file.startswith("opencitations/coci_") and "metadata" not in file:
        direction = "cites" if "references" in file else "cited_by"
        page = opencitations.parse_edges(body, status, "", direction)
        return Found(papers=page.papers, total=len(page.papers))
    module = MODULES[row["provider"]]
    searches = re.match(
        r"(?:\w+/(?:es|notes_s)?earch|datacite/dois_|europepmc/(?:page|search|err)|plos/|"
        r"searxng/|ads/|semanticscholar/(?:search|match|snippet)|dblp/)", file
    )  # fmt: skip
    lookup = not searches or not hasattr(module, "parse_search")
    parse = module.parse_lookup if lookup else module.parse_search
    return parse(body, status, "", today=TODAY)


def _fact(row: dict[str, str], pattern: str) -> str:
    found = re.search(pattern, row["facts"])
    return found[1] if found else ""


def test_the_corpus_is_whole(corpus: Path) -> None:
    numbers: dict[str, int] = {}
    for row in ROWS:
        numbers[row["provider"]] = numbers.get(row["provider"], 0) + 1
    assert numbers == {
        "ads": 1, "biorxiv": 2, "datacite": 18, "dblp": 3, "doaj": 7, "europepmc": 14,
        "opencitations": 8, "openreview": 1, "plos": 16, "pmc": 6, "pubmed": 43, "searxng": 1,
        "semanticscholar": 30, "unpaywall": 9, "zenodo": 2,
    }  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=row_id)
def test_an_answer_is_its_facts_or_its_named_failure(row: dict[str, str], corpus: Path) -> None:
    body = (corpus / "providers" / row["file"]).read_bytes()
    file = row["file"]
    if file in FAILING:
        kind, says = OTHER_FAILURES.get(file) or (SourceBroken, BROKEN[file])
        with pytest.raises(kind) as caught:
            _read(row, body)
        assert says in str(caught.value) and type(caught.value) is kind
    elif TEXTS.match(file):
        article = to_markdown(body)
        assert article.title.startswith(_title(row)[:60])
        assert len(article.body.split()) > 20
    elif file == LINES:
        papers = [doaj.paper(json.loads(line), TODAY) for line in body.splitlines()]
        assert all(paper is not None and paper.title for paper in papers) and len(papers) == 5
        assert papers[0] is not None and papers[0].doi == "10.1016/j.matdes.2016.06.110"
    else:
        found = _read(row, body)
        CHECKS[row["provider"]](row, found)
        for paper in found.papers:
            check_clean(paper.title, *paper.authors, paper.venue or "", *paper.cites)
            assert paper.sources == () or paper.sources[0].endswith(TODAY) or _is_edge(row)


def _is_edge(row: dict[str, str]) -> bool:
    return bool(re.search(r"citations|references", row["file"]))


def _title(row: dict[str, str]) -> str:
    said = _fact(row, r"(?:first )?title=(.*?)(?:; [a-z_]+=|; authors|$)").removesuffix("…")
    return text.title(said).strip()


def _same_title(row: dict[str, str], paper: Paper) -> bool:
    wanted = _title(row).strip("[]. ")
    return paper.title.strip("[]. ").startswith(wanted[:70])


def _pubmed(row: dict[str, str], found: Found) -> None:
    if _fact(row, r"(root=eSearchResult)"):
        assert found.total == int(_fact(row, r"Count=(\d+)"))
        assert len(found.ids) == int(_fact(row, r"ids=(\d+)")) and found.papers == ()
        if found.ids:
            assert found.ids[0].value == _fact(row, r"first=(\d+)")
        unknown = _fact(row, r"PhraseNotFound=(\w+)")
        assert found.notes == ((f"PubMed knows no {unknown}",) if unknown != "None" else ())
        return
    if _fact(row, r"(root=PubmedBookArticle)"):
        assert (found.papers[0].pmid, found.papers[0].type) == ("21413195", "book")
        return
    articles = int(_fact(row, r"PubmedArticle=(\d+)")) + int(_fact(row, r"PubmedBookArticle=(\d+)"))
    assert len(found.papers) == articles and found.damaged == 0
    if not found.papers:
        return
    first = found.papers[0]
    assert first.pmid == _fact(row, r"first PMID=(\d+)") and _same_title(row, first)
    # of a book the facts count its editors too
    assert len(first.authors) + len(first.editors) == int(_fact(row, r"authors=(\d+)"))
    assert sum(name.startswith("{") for name in first.authors) >= int(
        _fact(row, r"collective=(\d+)")
    )
    doi, pmcid = _fact(row, r"; doi=(\S+);"), _fact(row, r"pmc=(\w+);")
    assert first.doi == (None if doi == "None" else doi.lower())
    if first.type != "chapter":  # the facts of the book name an article of its reference list
        assert first.pmcid == (None if pmcid == "None" else pmcid)
    year = _fact(row, r"year=(\d{4})") or _fact(row, r"MedlineDate=(\d{4})")
    assert first.year == year or not year
    labels = re.findall(r"'([^']+)'", _fact(row, r"labels=(\[.*?\])"))
    for label in labels:
        assert f"**{label.capitalize()}**" in (first.abstract or "")
    assert (first.notice == "retracted") == (_fact(row, r"Retracted=(\w+)") == "True")
    languages = re.findall(r"'(\w+)'", _fact(row, r"Language=(\[.*?\])"))
    assert (
        not languages
        or first.language == {"eng": "en", "ger": "de", "fre": "fr", "pol": "pl"}[languages[0]]
    )
    if int(_fact(row, r"no_abstract=(\d+)")) and not int(_fact(row, r"OtherAbstract=(\d+)")):
        assert first.abstract is None
    cited = int(_fact(row, r"'Cites': (\d+)") or _fact(row, r"refs=(\d+)") or 0)
    assert len(first.cites) <= cited
    assert "<" not in re.sub(r"<(?=\s|\d|=)", "", first.title)


def _europepmc(row: dict[str, str], found: Found) -> None:
    assert found.total == int(_fact(row, r"hitCount=(\d+)"))
    assert len(found.papers) == int(_fact(row, r"results=(\d+)"))
    assert bool(found.next) == (_fact(row, r"nextCursorMark=(\w+)") == "True")
    if not found.papers:
        return
    first = found.papers[0]
    source = _fact(row, r"source=(\w+)")
    own = _fact(row, r"first id=(\w+)")
    assert first.sources == (f"europepmc:{source}:{own} {TODAY}",)
    doi, title = _fact(row, r" doi=(\S+)"), _title(row)
    assert first.doi == (None if doi == "None" else doi)
    assert title == "None" or _same_title(row, first)
    assert not first.title.endswith(".")
    abstracts = int(_fact(row, r"abstracts=(\d+)/"))
    assert sum(paper.abstract is not None for paper in found.papers) == abstracts
    assert not any("<" in (paper.abstract or "") and "</" in (paper.abstract or "")
                   for paper in found.papers)  # fmt: skip


def _plos(row: dict[str, str], found: Found) -> None:
    assert found.total == int(_fact(row, r"numFound=(\d+)"))
    docs = int(_fact(row, r"docs=(\d+)"))
    assert len(found.papers) <= docs and (found.papers or not docs)
    if found.papers:
        doi = _fact(row, r'"id": "(10\.1371/journal\.[a-z]+\.\d+)')
        assert found.papers[0].doi == doi and found.papers[0].license == "CC BY"
        assert [copy.kind for copy in found.papers[0].locations] == ["jats", "pdf"]


def _datacite(row: dict[str, str], found: Found) -> None:
    assert found.total == int(_fact(row, r"meta\.total=(\d+)") or 1)
    assert len(found.papers) == int(_fact(row, r"; data=(\d+)") or 1)
    first = found.papers[0]
    assert first.doi == _fact(row, r"doi=(\S+);") and _same_title(row, first)
    assert first.year == _fact(row, r"year=(\d+)")
    assert len(first.authors) in (
        int(_fact(row, r"creators=(\d+)")), int(_fact(row, r"creators=(\d+)")) - 1
    ) or first.authors == ()  # fmt: skip
    # one record announces an abstract and has no words for it
    announced = "'Abstract'" in row["facts"] and "doi_doc_10" not in row["file"]
    assert bool(first.abstract) == announced


def _doaj(row: dict[str, str], found: Found) -> None:
    assert found.total == int(_fact(row, r"total=(\d+)") or 1)
    assert len(found.papers) == int(_fact(row, r"results=(\d+)") or 1)
    first = found.papers[0]
    assert _same_title(row, first)
    assert len(first.authors) == int(_fact(row, r"authors=(\d+)"))
    doi = _fact(row, r"doi=(\S+);") or _fact(row, r"'id': '(10\.[^']+)'")
    assert first.doi == doi
    with_abstract = _fact(row, r"with abstract=(\d+)")
    if with_abstract:
        assert sum(bool(paper.abstract) for paper in found.papers) == int(with_abstract)


def _semanticscholar(row: dict[str, str], found: Found) -> None:
    total = _fact(row, r"total=(\d+)")
    assert not total or found.total == int(total)
    listed = _fact(row, r"data=(\d+)") or _fact(row, r"list len=(\d+)")
    nulls = int(_fact(row, r"nulls=(\d+)") or 0)
    if listed:
        assert len(found.papers) == int(listed) - nulls
    own, title = _fact(row, r"paperId=(\w+)"), _title(row)
    if found.papers and own not in ("", "None"):
        assert found.papers[0].s2 == own
    if found.papers and title not in ("", "None"):
        assert _same_title(row, found.papers[0])
    doi = _fact(row, r"'DOI': '([^']+)'")
    if doi:
        assert found.papers[0].doi == doi.lower()
        arxiv = _fact(row, r"'ArXiv': '([^']+)'")
        assert found.papers[0].arxiv == (arxiv or None)
        pmcid = _fact(row, r"'PubMedCentral': '(\d+)'")
        assert found.papers[0].pmcid == (f"PMC{pmcid}" if pmcid else None)
    if _is_edge(row) and "object" not in row["file"]:
        assert found.next["offset"] == _fact(row, r"next=(\d+)")


def _unpaywall(row: dict[str, str], found: Found) -> None:
    results = _fact(row, r"results=(\d+)")
    assert len(found.papers) == int(results or 1)
    if not found.papers:
        return
    first = found.papers[0]
    assert first.doi == _fact(row, r"doi=(\S+);") and _same_title(row, first)
    if results:
        return
    assert first.oa == _fact(row, r"oa_status=(\w+)")
    assert bool(first.locations) == (_fact(row, r"is_oa=(\w+)") == "True")
    pdf = _fact(row, r"url_for_pdf=(\S+);")
    assert [c.url for c in first.locations if c.kind == "pdf"] == ([pdf] if pdf != "None" else [])
    licence = _fact(row, r"best\.license=([\w-]+)")
    assert (first.license or "None").lower().replace(" ", "-") == licence.lower()
    if first.locations:
        assert first.locations[0].host_type == _fact(row, r"host_type=(\w+)")


def _biorxiv(row: dict[str, str], found: Found) -> None:
    assert found.total == int(_fact(row, r"total='(\d+)'"))
    (paper,) = found.papers
    assert paper.title == _fact(row, r"first=(.*)$")
    if "pubs" in row["file"]:
        assert paper.related == ("doi:10.1091/mbc.e25-09-0454",)
    else:
        assert [copy.kind for copy in paper.locations] == ["jats", "pdf"]
        assert (paper.license, paper.doi) == ("CC BY-NC-ND", "10.64898/2026.07.31.741992")


def _pmc(row: dict[str, str], found: Found) -> None:
    if row["file"].startswith("pmc/esearch"):
        assert found.ids[0].value == "PMC6540636" and found.total == 5
        return
    assert len(found.papers) == int(_fact(row, r"records=(\d+)"))
    first = found.papers[0]
    assert first.doi == _fact(row, r"'doi': '([^']+)'") and first.pmid
    assert first.pmcid == _fact(row, r"'pmcid': '(\w+)'")


def _opencitations(row: dict[str, str], found: Found) -> None:
    assert len(found.papers) == int(_fact(row, r"records=(\d+)"))
    first = found.papers[0]
    if "metadata" not in row["file"]:
        end = "cited" if "references" in row["file"] else "citing"
        assert first.doi == _fact(row, rf'"{end}": "([^"]+)"').lower()
        assert all(paper.doi for paper in found.papers)
        return
    assert first.title and first.authors and first.doi
    if "meta_v1" in row["file"]:
        assert (first.pmid, first.openalex, first.year) == ("17375194", "W2046766973", "2007")
        assert all("[" not in name for name in first.authors)


def _first_title(row: dict[str, str], found: Found) -> None:
    assert found.papers[0].title and found.papers[0].authors
    if row["provider"] == "zenodo":
        assert found.papers[0].doi == _fact(row, r"doi=(\S+);") and _same_title(
            row, found.papers[0]
        )
        assert len(found.papers[0].authors) == int(_fact(row, r"creators=(\d+)"))
    elif row["provider"] == "ads":
        assert (found.total, len(found.papers)) == (28, 28)
        assert (found.papers[0].published, found.papers[0].pages) == ("1971-10", "142")
    elif row["provider"] == "openreview":
        assert len(found.papers) == 2 and found.papers[0].title == found.papers[1].title
        assert [paper.venue for paper in found.papers] == [None, "Interspeech 2021"]
    else:
        assert found.total == 112 and _same_title(row, found.papers[0])
        assert found.papers[0].authors[0] == "Zhang, Xiaopeng"


CHECKS: dict[str, Callable[[dict[str, str], Found], None]] = {
    "pubmed": _pubmed, "europepmc": _europepmc, "plos": _plos, "datacite": _datacite,
    "doaj": _doaj, "semanticscholar": _semanticscholar, "unpaywall": _unpaywall,
    "biorxiv": _biorxiv, "pmc": _pmc, "opencitations": _opencitations, "zenodo": _first_title,
    "ads": _first_title, "openreview": _first_title, "dblp": _first_title,
}  # fmt: skip


@pytest.mark.parametrize("row", SUCCESSES, ids=row_id)
def test_a_cut_answer_is_a_named_failure(row: dict[str, str], corpus: Path) -> None:
    body = (corpus / "providers" / row["file"]).read_bytes()
    with pytest.raises((SourceBroken, SourceDown)):
        _read(row, body[: len(body) // 2])


@pytest.mark.parametrize("row", SUCCESSES, ids=row_id)
def test_an_empty_answer_is_an_outage(row: dict[str, str]) -> None:
    an_empty_answer_is_an_outage(_read, row)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("row", SUCCESSES, ids=row_id)
def test_a_web_page_is_a_named_failure(row: dict[str, str], page: str) -> None:
    a_web_page_is_broken(_read, row, page)


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("name", MODULES)
def test_a_bad_status_is_a_named_failure_whatever_the_body(name: str, status: int) -> None:
    a_bad_status_is_named(MODULES[name], status)


def _bodies(name: str, corpus: Path) -> list[tuple[dict[str, str], bytes]]:
    """The real answers of a provider, or, where there are none, those of the small world."""
    all_ = [r for r in SUCCESSES if r["provider"] == name]
    small = [r for r in all_ if int(r["bytes"]) < 60_000] or all_
    real = [(r, (corpus / "providers" / r["file"]).read_bytes()) for r in small]
    if real:
        return real
    row = {"provider": name, "file": f"{name}/search_invented.json", "http_status": "200"}
    return [(row, body) for body in SHAPES[name]]


@pytest.mark.parametrize("name", MODULES)
def test_mutations_and_no_surprise(name: str, corpus: Path) -> None:
    mutations_are_read_or_refused(name, _bodies(name, corpus), _read, 50)


@pytest.mark.parametrize("module", MODULES.values(), ids=list(MODULES))
def test_bombs_are_named_failures(module) -> None:
    deep_xml = b'<?xml version="1.0"?>' + b"<PubmedArticleSet>" * 200_000
    laughs = (
        b'<?xml version="1.0"?><!DOCTYPE PubmedArticleSet [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>'
        b"<PubmedArticleSet>&b;</PubmedArticleSet>"
    )
    parse = getattr(module, "parse_search", None) or module.parse_lookup
    for bomb in (DEEP_JSON, deep_xml, laughs, b"[" * 500_000, b"1" * 100_000):
        for each in {parse, module.parse_lookup}:
            with pytest.raises(SourceBroken) as caught:
                each(bomb, 200, "", today=TODAY)
            assert len(caught.value.head) <= 200
