"""All providers of the small world at once: what each is sent, batches, open copies, edges."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from double import RATE_LIMITED, UNAVAILABLE, Double, Reply, Seen
from pressmark.config import DEFAULT_SOURCES, Config
from pressmark.errors import BadInput, Configuration, NotFound, RateLimited, SourceDown
from pressmark.http import Client
from pressmark.ids import Identifier
from pressmark.record import Paper
from pressmark.search import search
from pressmark.sources import (
    LOOKUPS,
    REGISTRY,
    Query,
    batched,
    edges,
    groups,
    locate,
    located,
    look_up,
    lookup,
    merged,
    opencitations,
    query,
)
from pressmark.sources.merge import PREFERENCE
from providers import holds_all, provider_routes, s2_id
from story import BY_NUMBER, WORKS, story_routes

TODAY = "2026-11-30"
KEYS = {"openalex": "k1", "s2": "k2", "ncbi": "k3", "core": "k4", "ads": "k5"}


@pytest.fixture
def double() -> Iterator[Double]:
    with Double([*provider_routes(holds_all), *story_routes()]) as started:
        yield started


@pytest.fixture
def client(double: Double, tmp_path: Path) -> Client:
    (tmp_path / "library").mkdir()
    config = double.config(
        tmp_path, tmp_path / "library", keys=KEYS, contact="reader@college.invalid", timeout=5.0
    )
    return Client(config, sleep=lambda seconds: None)


def test_the_whole_default_set_answers_and_each_work_is_one_hit(client: Client) -> None:
    names = (*DEFAULT_SOURCES, "semanticscholar", "core")
    words = query("graph transformers", today=TODAY, limit=20)
    result = search(client, client.config, words, names, today=TODAY)
    assert {row.source: row.status for row in result.reports} == dict.fromkeys(names, "ok")
    titles = [hit.paper.title for hit in result.hits]
    assert len(titles) == len(set(titles)) == 5
    eels = next(hit.paper for hit in result.hits if "Eel" in hit.paper.title)
    assert (eels.doi, eels.pmid, eels.pmcid) == ("10.5555/iel.2024.99", "990000007", "PMC99000007")
    assert eels.openalex == "W9900000007" and eels.s2 == s2_id(BY_NUMBER[7])
    assert [line.partition(":")[0] for line in eels.sources] == [
        "core", "crossref", "dblp", "doaj", "europepmc", "hal", "openaire", "openalex", "pubmed",
        "semanticscholar",
    ]  # fmt: skip


def test_no_key_and_no_address_is_in_what_is_logged(client: Client, double: Double) -> None:
    names = [name for name in REGISTRY if name not in ("scite", "searxng")]
    for name in names:
        module = REGISTRY[name]
        sent = module.search_request(Query(words="graph"), client.config, 0, 10).sent
        assert not any(key in sent for key in KEYS.values()) and "college" not in sent
    for name, module in LOOKUPS.items():
        for kind, value in (("doi", "10.5555/x"), ("pmid", "1"), ("arxiv", "9801.00011")):
            if kind in module.kinds and name not in ("osf", "biorxiv"):
                sent = module.lookup_request([Identifier(kind, value)], client.config).sent
                assert "college" not in sent and "k1" not in sent


ASKED = query(
    'ti:"graph transformers" au:wen (river OR tidal) NOT eel',
    today=TODAY, since="2020-03-01", until="2024-12-31", open_access=True,
)  # fmt: skip


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("pubmed", "term", '("graph transformers"[ti] AND wen[au] AND (river OR tidal) NOT eel)'
                           ' AND "pubmed pmc open access"[filter]'),
        ("europepmc", "query", '(TITLE:"graph transformers" AND AUTH:wen AND (river OR tidal) NOT '
                               "eel) AND FIRST_PDATE:[2020-03-01 TO 2024-12-31] AND OPEN_ACCESS:y"),
        ("plos", "q", '(title:"graph transformers" AND author:wen AND (river OR tidal) NOT eel) AND'
                      " publication_date:[2020-03-01T00:00:00Z TO 2024-12-31T23:59:59Z]"),
        ("hal", "q", 'title_t:"graph transformers" AND authFullName_t:wen AND (river OR tidal) '
                     "NOT eel"),
        ("hal", "fq", "producedDate_tdate:[2020-03-01T00:00:00Z TO 2024-12-31T23:59:59Z] AND "
                      "openAccess_bool:true"),
        ("dblp", "q", "graph transformers wen river tidal"),
        ("openaire", "search", '"graph transformers" AND wen AND (river OR tidal) NOT eel'),
        ("openaire", "fromPublicationDate", "2020-03-01"),
        ("osf", "filter[title]", "graph transformers wen river tidal"),
        ("osf", "filter[date_published][gte]", "2020-03-01"),
        ("semanticscholar", "query", "graph transformers wen river tidal"),
        ("semanticscholar", "publicationDateOrYear", "2020-03-01:2024-12-31"),
        ("core", "q", '(title:"graph transformers" AND authors.name:"wen" AND (river OR tidal) NOT'
                      " eel) AND publishedDate>=2020-03-01 AND publishedDate<=2024-12-31"),
        ("ads", "q", '(title:"graph transformers" AND author:"wen" AND (river OR tidal) NOT eel) '
                     "AND pubdate:[2020-03 TO 2024-12] AND property:openaccess"),
        ("zenodo", "q", '(title:"graph transformers" AND creators.name:wen AND (river OR tidal) '
                        "NOT eel) AND publication_date:[2020-03-01 TO 2024-12-31] AND "
                        "access_right:open"),
        ("openreview", "term", "graph transformers wen river tidal"),
        ("searxng", "q", "graph transformers wen river tidal"),
    ],
)  # fmt: skip
def test_a_question_in_each_providers_language(
    client: Client, name: str, key: str, value: str
) -> None:
    assert REGISTRY[name].search_request(ASKED, client.config, 0, 10).params[key] == value


def test_the_question_of_doaj_stands_in_the_path_escaped_twice(client: Client) -> None:
    asked = query('"a/b: c"', today=TODAY, since="2020-03-01")
    request = REGISTRY["doaj"].search_request(asked, client.config, 20, 20)
    assert request.url == (
        "https://doaj.org/api/search/articles/"
        "%28%22a%5C%2Fb%5C%3A%20c%22%29%20AND%20bibjson.year%3A%5B2020%20TO%202999%5D"
    )
    assert request.params == {"page": "2", "pageSize": "20"}


def test_a_query_in_a_providers_own_language_goes_untouched(client: Client) -> None:
    said = 'x[ti] AND "y z"[Mesh]'
    for name, key in (("pubmed", "term"), ("europepmc", "query"), ("core", "q"), ("hal", "q")):
        asked = Query(words="graph", verbatim={name: said})
        assert REGISTRY[name].search_request(asked, client.config, 0, 10).params[key] == said


def test_pubmed_takes_a_journals_name_and_arxiv_refuses_one(client: Client) -> None:
    asked = query("salinity", today=TODAY, journal="J Chem Phys")
    sent = REGISTRY["pubmed"].search_request(asked, client.config, 0, 10)
    assert sent.params["term"] == '(salinity) AND "J Chem Phys"[Journal]'
    assert REGISTRY["arxiv"].cannot(asked) == "arXiv cannot be searched by journal"


def test_a_person_asks_pubmed_by_publication_and_a_topic_by_entry(client: Client) -> None:
    asked = query("salinity", today=TODAY, since="2026-11-01")
    sent = REGISTRY["pubmed"].search_request(asked, client.config, 0, 10).params
    assert (sent["datetype"], sent["mindate"], sent["maxdate"]) == (
        "pdat", "2026/11/01", "2999/12/31",
    )  # fmt: skip
    topic = REGISTRY["pubmed"].search_request(replace(asked, fresh=True), client.config, 0, 10)
    assert topic.params["datetype"] == "edat" and topic.params["retmax"] == "10"


@pytest.mark.parametrize("name", ["semanticscholar", "core", "ads"])
def test_who_needs_a_key_says_so_before_anything_is_sent(name: str) -> None:
    with pytest.raises(Configuration, match="needs a key") as caught:
        REGISTRY[name].search_request(Query(words="graph"), Config(), 0, 10)
    assert "PRESSMARK_" in (caught.value.next or "")


def test_unpaywall_wants_a_contact_and_searxng_an_instance() -> None:
    with pytest.raises(Configuration, match="an address to write to"):
        LOOKUPS["unpaywall"].lookup_request([Identifier("doi", "10.5555/x")], Config())
    with pytest.raises(Configuration, match="No SearXNG instance"):
        REGISTRY["searxng"].search_request(Query(words="graph"), Config(), 0, 10)


# Batches


def test_pubmed_takes_two_hundred_and_says_what_it_has_not(client: Client, double: Double) -> None:
    wanted = [Identifier("pmid", str(number)) for number in range(1, 249)]
    wanted += [Identifier("pmid", "990000006"), Identifier("pmid", "990000007")]
    many = batched("pubmed", wanted, client, client.config, TODAY)
    assert [paper.doi for paper in many.found.values()] == [
        "10.5555/jih.2020.0007", "10.5555/iel.2024.99",
    ]  # fmt: skip
    assert len(many.not_found) == 248 and many.failed == {}
    sent = [len(seen.query["id"].split(",")) for seen in double.requests]
    assert sent == [200, 50]


@pytest.mark.parametrize(
    ("source", "kind", "held", "missing"),
    [
        ("arxiv", "arxiv", "9801.00011", "9801.99999"),
        ("europepmc", "pmcid", "PMC99000006", "PMC1"),
        ("europepmc", "doi", "10.5555/iel.2024.99", "10.5555/none"),
        ("semanticscholar", "doi", "10.5555/iel.2024.99", "10.5555/none"),
        ("plos", "doi", "10.5555/iel.2024.99", "10.5555/none"),
        ("doaj", "doi", "10.5555/iel.2024.99", "10.5555/none"),
        ("hal", "arxiv", "9801.00011", "9801.99999"),
    ],
)
def test_one_request_for_several_and_the_difference_is_not_found(
    client: Client, double: Double, source: str, kind: str, held: str, missing: str
) -> None:
    wanted = [Identifier(kind, missing), Identifier(kind, held)]
    if source == "plos":  # its documents are of its own DOIs only
        double.routes.insert(0, ("/search", one_plos))
        wanted = [Identifier(kind, missing), Identifier(kind, "10.1371/journal.pone.0099001")]
    many = batched(source, wanted, client, client.config, TODAY)
    assert list(many.found) == wanted[1:] and many.not_found == wanted[:1]
    assert len(double.requests) == 1


def one_plos(seen: Seen) -> Reply:
    docs = [{"id": "10.1371/journal.pone.0099001", "title_display": "Invented"}]
    return Reply(200, json.dumps({"response": {"numFound": 1, "start": 0, "docs": docs}}).encode())


def test_a_batch_with_one_bad_id_is_halved_until_it_stands_alone(
    client: Client, double: Double
) -> None:
    bad = "f" * 40

    def poisoned(seen: Seen) -> Reply | None:
        asked = json.loads(seen.body)["ids"] if seen.body else [seen.path.rpartition("/")[2]]
        return Reply(500, b'{"message":"Internal Server Error"}') if bad in asked else None

    double.routes.insert(0, ("/graph/v1/paper/*", poisoned))
    wanted = [Identifier("s2", s2_id(work)) for work in WORKS] + [Identifier("s2", bad)]
    many = batched("semanticscholar", wanted, client, client.config, TODAY)
    assert len(many.found) == 12 and many.not_found == []
    assert list(many.failed) == [Identifier("s2", bad)]
    assert isinstance(many.failed[Identifier("s2", bad)], SourceDown)


def test_a_limited_batch_is_not_halved(client: Client, double: Double) -> None:
    double.fail("/graph/v1/paper/*", RATE_LIMITED)
    wanted = [Identifier("s2", s2_id(work)) for work in WORKS]
    many = batched("semanticscholar", wanted, client, client.config, TODAY)
    assert len(many.failed) == 12
    assert all(isinstance(problem, RateLimited) for problem in many.failed.values())
    # one question and the ladder of waits that a patient one has; no halves
    assert {len(json.loads(seen.body)["ids"]) for seen in double.requests} == {12}


def test_several_pmids_are_one_question(client: Client, double: Double) -> None:
    wanted = [Identifier("pmid", "990000006"), Identifier("pmid", "990000007")]
    looked = look_up(wanted, client, client.config, TODAY)
    assert [each.paper.doi for each in looked if each.paper] == [
        "10.5555/jih.2020.0007", "10.5555/iel.2024.99",
    ]  # fmt: skip
    asked = [seen for seen in double.requests if seen.source == "pubmed"]
    assert [seen.query["id"] for seen in asked] == ["990000006,990000007"]


def test_a_doi_that_crossref_does_not_hold_is_datacites(client: Client, double: Double) -> None:
    double.routes.insert(0, ("/dois/10.5281/*", datacite_only))
    paper = lookup(Identifier("doi", "10.5281/zenodo.99"), client, client.config, TODAY)
    assert (paper.title, paper.type) == ("Gauge Readings of Twelve Estuaries", "dataset")
    asked = [seen.source for seen in double.requests]
    assert asked == ["crossref", "openalex", "datacite"]


def datacite_only(seen: Seen) -> Reply:
    attributes = {
        "doi": "10.5281/zenodo.99", "titles": [{"title": "Gauge Readings of Twelve Estuaries"}],
        "types": {"resourceTypeGeneral": "Dataset"}, "publicationYear": 2024, "creators": [],
    }  # fmt: skip
    return Reply(200, json.dumps({"data": {"attributes": attributes}}).encode())


def test_what_openalex_lacks_europe_pmc_fills(client: Client, double: Double) -> None:
    double.fail("/at-crossref/*", UNAVAILABLE)
    double.fail("/at-openalex/*", Reply(404, b"<html>", "text/html"))
    double.fail("/at-datacite/*", UNAVAILABLE)
    paper = lookup(Identifier("doi", "10.5555/iel.2024.99"), client, client.config, TODAY)
    assert (paper.title, paper.year, paper.pmid) == (
        "Graph Transformers Predict Eel Migration", "2024", "990000007",
    )  # fmt: skip


# Open copies


def test_every_provider_names_its_copies_and_the_best_stands_first(
    client: Client, double: Double
) -> None:
    paper = Paper(title="x", doi="10.5555/iel.2024.99", arxiv="9801.00011")
    found = located(paper, client, client.config, TODAY)
    assert found.failures == {} and found.skipped == {}
    by_source: dict[str, set[str]] = {}
    for copy in found.copies:
        by_source.setdefault(copy.source, set()).add(copy.kind)
    assert by_source == {
        "europepmc": {"jats"}, "openalex": {"landing"}, "unpaywall": {"pdf"}, "core": {"pdf"},
        "arxiv": {"html", "pdf"},
    }  # fmt: skip
    first = found.copies[0]
    assert (first.kind, first.version, first.license, first.host_type) == (
        "jats", "published", "CC BY", "repository",
    )  # fmt: skip
    assert first.url.endswith("/PMC99000007/fullTextXML")
    assert [copy.version for copy in found.copies if copy.source == "arxiv"] == ["submitted"] * 2
    # the ID converter was asked first, and Europe PMC then by the PMCID it gave
    asked = [seen for seen in double.requests if seen.source == "europepmc"]
    assert [seen.query["query"] for seen in asked] == ["PMCID:PMC99000007"]


def test_the_id_converter_may_fail(client: Client, double: Double) -> None:
    double.fail("/at-pmc/*", UNAVAILABLE)
    paper = Paper(title="x", doi="10.5555/iel.2024.99")
    assert any(copy.kind == "jats" for copy in locate(paper, client, client.config, TODAY))


def test_who_lacks_a_key_is_skipped_and_who_fails_is_named(client: Client, double: Double) -> None:
    config = replace(client.config, keys={}, contact=None)
    bare = Client(config, sleep=lambda seconds: None)
    double.fail("/at-openaire/*", UNAVAILABLE)
    found = located(Paper(title="x", doi="10.5555/iel.2024.99"), bare, config, TODAY)
    assert set(found.skipped) == {"core", "unpaywall"}
    assert list(found.failures) == ["openaire"]
    assert isinstance(found.failures["openaire"], SourceDown)


def test_a_closed_work_has_no_copy(client: Client) -> None:
    paper = Paper(title="x", doi="10.5555/ams.2008.3")
    copies = locate(paper, client, client.config, TODAY, sources=["unpaywall", "openalex", "hal"])
    assert copies == []


# Edges


def test_what_a_paper_cites_in_its_own_order_and_who_cites_it(client: Client) -> None:
    paper = Paper(title="x", doi="10.5555/icg.2022.17")  # cites 1 and 2
    found = edges(paper, client, client.config, TODAY)
    assert found.cites == ("doi:10.48550/arxiv.9801.00011", "doi:10.5555/jih.2019.0042") or (
        found.cites == ("arxiv:9801.00011", "doi:10.5555/jih.2019.0042")
    )
    rows = {row.source: (row.status, row.cites, row.cited_by) for row in found.reports}
    assert rows["crossref"] == ("ok", 2, 0)
    assert rows["semanticscholar"] == ("ok", 2, 3)
    assert rows["opencitations"] == ("ok", 1, 0)
    assert len(found.cited_by) == 3
    named = [found.known[each].title for each in found.cited_by if each in found.known]
    assert "Benchmarks for Learning on Waterways" in named


def test_edges_are_kept_for_thirty_days(client: Client, double: Double) -> None:
    paper = Paper(title="x", doi="10.5555/icg.2022.17", openalex="W9900000003")
    first = edges(paper, client, client.config, TODAY, sources=["crossref", "opencitations"])
    asked = len(double.requests)
    again = edges(paper, client, client.config, TODAY, sources=["crossref", "opencitations"])
    assert len(double.requests) == asked and again.cites == first.cites
    assert {row.status for row in again.reports} == {"cache"}
    edges(paper, client, client.config, TODAY, sources=["crossref"], refresh=True)
    assert len(double.requests) == asked + 1


def test_a_failing_provider_of_edges_is_a_row_and_no_empty_list(
    client: Client, double: Double
) -> None:
    double.fail("/at-opencitations/*", Reply(200, b"<html>maintenance</html>", "text/html"))
    double.fail("/at-semanticscholar/*", RATE_LIMITED)
    paper = Paper(title="x", doi="10.5555/icg.2022.17")
    found = edges(paper, client, client.config, TODAY)
    rows = {row.source: row.status for row in found.reports}
    assert rows["opencitations"] == "broken" and rows["semanticscholar"] == "unavailable"
    assert len(found.cites) == 2


def test_a_defect_of_ours_in_one_list_of_edges_is_a_broken_row(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def defect(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(opencitations, "parse_edges", defect)
    found = edges(Paper(title="x", doi="10.5555/icg.2022.17"), client, client.config, TODAY)
    rows = {row.source: (row.status, row.reason) for row in found.reports}
    assert rows["opencitations"] == ("broken", "ZeroDivisionError in our own code")
    assert len(found.cites) == 2


# Merging, with the real answers


def _parsed(corpus: Path, source: str, file: str) -> list[Paper]:
    body = (corpus / "providers" / file).read_bytes()
    return list(LOOKUPS[source].parse_lookup(body, 200, "", today=TODAY).papers)


def test_real_accounts_of_one_work_are_one_reference(corpus: Path) -> None:
    openalex = REGISTRY["openalex"].parse_search(
        (
            corpus / "providers" / "openalex"
            / "search_title_search_3AAugmenting_large_language_models_wi.json"
        ).read_bytes(),
        200, "", today=TODAY,
    ).papers  # fmt: skip
    papers = [
        *_parsed(corpus, "crossref", "crossref/work_10.1038_s42256-024-00832-8.json"),
        *_parsed(corpus, "semanticscholar", "semanticscholar/paper_doi_10.1038_s42256.json"),
        *openalex,
    ]
    found = [merged([papers[at] for at in group]) for group in groups(papers)]
    one = next(paper for paper in found if paper.doi == "10.1038/s42256-024-00832-8")
    assert (one.arxiv, one.pmcid, one.pmid) == ("2304.05376", "PMC11116106", "38799228")
    assert one.year == "2024"  # the publisher's year, and not Semantic Scholar's 2023
    assert {line.partition(":")[0] for line in one.sources} == {
        "crossref", "openalex", "semanticscholar",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("files", "doi"),
    [
        ([("crossref", "crossref/work_10.1063_1.4938384.json"),
          ("unpaywall", "unpaywall/v2_search.json")], "10.1063/1.4938384"),
        ([("semanticscholar", "semanticscholar/paper_pone.0000308_2026.json"),
          ("opencitations", "opencitations/meta_v1_metadata_pone.0000308.json")],
         "10.1371/journal.pone.0000308"),
    ],
)  # fmt: skip
def test_real_pairs_are_one_reference(corpus: Path, files: list[tuple[str, str]], doi: str) -> None:
    papers = [paper for source, file in files for paper in _parsed(corpus, source, file)]
    assert groups(papers) == [[0, 1]]
    one = merged(papers)
    assert one.doi == doi
    assert [line.partition(":")[0] for line in one.sources] == sorted(name for name, _ in files)


def test_a_paper_of_arxiv_is_one_at_openalex_and_semantic_scholar(corpus: Path) -> None:
    openalex = REGISTRY["openalex"].parse_search(
        (
            corpus / "providers" / "openalex"
            / "search_title_search_3APaperQA_3A_Retrieval_Augmented_Gene.json"
        ).read_bytes(),
        200, "", today=TODAY,
    ).papers  # fmt: skip
    papers = [
        *openalex,
        *_parsed(corpus, "semanticscholar", "semanticscholar/paper_arxiv_doi.json"),
    ]
    assert groups(papers) == [[0, 1]]
    one = merged(papers)
    assert (one.arxiv, one.doi) == ("2312.07559", "10.48550/arxiv.2312.07559")


def test_names_in_full_and_the_publishers_year_win() -> None:
    """One account shortens names and has another year, one gives three authors of four."""
    names = ("Wen, Li", "Mensah, Kofi", "Bryl, Tomasz", "Farrow, Hugo")
    accounts = [
        Paper(title="A", doi="10.5555/x", sources=(f"scite:10.5555/x {TODAY}",),
              authors=names[:3], published="2023"),
        Paper(title="A", doi="10.5555/x", sources=(f"semanticscholar:1 {TODAY}",),
              authors=("Wen, L.", "Mensah, K.", "Bryl, T.", "Farrow, H."), published="2023"),
        Paper(title="A", doi="10.5555/x", sources=(f"dblp:x {TODAY}",), authors=names,
              published="2024"),
    ]  # fmt: skip
    one = merged(accounts)
    assert (one.authors, one.published) == (names, "2024")
    assert set(PREFERENCE) >= {name for name in LOOKUPS if name != "pmc"}


def test_a_preprint_and_its_article_stay_two(corpus: Path) -> None:
    papers = [
        *_parsed(corpus, "crossref", "crossref/work_10.1101_2024.04.01.587366_preprint.json"),
        *_parsed(corpus, "openalex", "openalex/10.1016_2Fj.xgen.2025.100814.json"),
        *_parsed(corpus, "unpaywall", "unpaywall/v2_10.1016_j.xgen.2025.100814.json"),
    ]
    assert papers[0].title == papers[1].title
    assert groups(papers) == [[0], [1, 2]]
    assert "doi:10.1016/j.xgen.2025.100814" in papers[0].related


def test_a_kind_that_a_source_does_not_know_is_refused() -> None:
    for name, module in LOOKUPS.items():
        if name in ("crossref", "arxiv"):
            continue
        with pytest.raises((BadInput, NotFound)):
            module.lookup_request([Identifier("handle", "1/2")], Config(keys=KEYS))
        assert name == module.name
