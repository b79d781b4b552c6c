"""Identifiers and titles looked up in the small world: who is asked, what is merged, what is said."""

from __future__ import annotations

from dataclasses import replace

import pytest

from double import HTML, RATE_LIMITED, UNAVAILABLE, Double, Reply
from pressmark.config import SOURCES
from pressmark.errors import (
    BadInput,
    Configuration,
    NotFound,
    Offline,
    RateLimited,
    SourceBroken,
    SourceDown,
    Unsupported,
)
from pressmark.http import Client, NullClient
from pressmark.ids import Identifier, parse
from pressmark.record import Paper
from pressmark.sources import candidates, groups, look_up, lookup, merged
from pressmark.sources.lookup import similarity

TODAY = "2026-11-30"
ALL = tuple(SOURCES)


def find(client: Client, text: str) -> Paper:
    identifier = parse(text)
    assert identifier is not None
    return lookup(identifier, client, client.config, TODAY)


def asked(double: Double) -> list[str]:
    return [f"{seen.source}{seen.path}" for seen in double.requests]


def test_a_doi_is_crossrefs_and_openalex_adds_what_it_knows(client: Client, double: Double) -> None:
    paper = find(client, "https://doi.org/10.5555/IEL.2024.99")
    assert asked(double) == [
        "crossref/works/10.5555%2Fiel.2024.99",
        "openalex/works/doi:10.5555/iel.2024.99",
    ]
    assert paper.title == "Graph Transformers Predict Eel Migration"
    assert (paper.pmid, paper.pmcid, paper.openalex) == (
        "990000007", "PMC99000007", "W9900000007",
    )  # fmt: skip
    assert paper.abstract is not None and "*Anguilla ficta*" in paper.abstract  # Crossref's JATS
    assert paper.cites == ("arxiv:9801.00011", "doi:10.5555/jih.2020.0007")
    assert paper.oa == "gold" and paper.license == "CC BY 4.0"
    assert paper.sources == (
        f"crossref:10.5555/iel.2024.99 {TODAY}",
        f"openalex:W9900000007 {TODAY}",
    )


@pytest.mark.parametrize("text", ["9801.00011", "arXiv:9801.00011v2", "10.48550/arXiv.9801.00011"])
def test_arxivs_own_dois_and_ids_are_arxivs(client: Client, double: Double, text: str) -> None:
    paper = find(client, text)
    assert asked(double) == ["arxiv/api/query"]
    assert double.requests[0].query["id_list"] == "9801.00011"
    assert (paper.arxiv, paper.sources) == ("9801.00011", (f"arxiv:9801.00011v3 {TODAY}",))


@pytest.mark.parametrize(
    ("text", "first"),
    [("pmid:990000006", ["pubmed"]), ("PMC99000006", ["europepmc"]), ("W9900000006", [])],
)
def test_other_ids_lead_to_the_publishers_account(
    client: Client, double: Double, text: str, first: list[str]
) -> None:
    paper = find(client, text)
    assert [seen.source for seen in double.requests] == [*first, "openalex", "crossref"]
    assert paper.doi == "10.5555/jih.2020.0007" and paper.pages == "1-14"
    assert paper.cites == ("doi:10.5555/jih.2019.0042",)


def test_a_retraction_that_one_source_knows_is_kept(client: Client, double: Double) -> None:
    paper = find(client, "10.5555/ams.2017.8")
    assert (paper.notice, paper.notice_note) == (
        "retracted", "doi:10.5555/ams.2018.retraction 2018-01-20",
    )  # fmt: skip
    double.fail("/at-crossref/*", UNAVAILABLE)
    alone = lookup(
        Identifier("doi", "10.5555/ams.2017.8"), client, client.config, TODAY, refresh=True
    )
    assert alone.notice == "retracted"


def test_what_nobody_has_is_not_found(client: Client) -> None:
    with pytest.raises(NotFound) as caught:
        find(client, "10.5555/nothing")
    assert str(caught.value) == (
        "No source has doi:10.5555/nothing (crossref: crossref does not have it; "
        "openalex: openalex does not have it; datacite: datacite does not have it; "
        "europepmc: europepmc does not have doi:10.5555/nothing)."
    )
    with pytest.raises(NotFound, match=r"arxiv: arxiv does not have arxiv:9812\.99999"):
        find(client, "9812.99999")


@pytest.mark.parametrize(
    ("reply", "error"),
    [(UNAVAILABLE, SourceDown), (RATE_LIMITED, RateLimited), (HTML, SourceBroken)],
)
def test_what_nobody_could_say_is_no_absence(
    client: Client, double: Double, reply: Reply, error: type[Exception]
) -> None:
    double.fail("/at-crossref/*", reply)
    with pytest.raises(error, match=r"doi:10\.5555/nothing could not be had"):
        find(client, "10.5555/nothing")


def test_one_failing_source_does_not_cost_the_other(client: Client, double: Double) -> None:
    double.fail("/at-openalex/*", UNAVAILABLE)
    wanted = [Identifier("doi", "10.5555/iel.2024.99")]
    (looked,) = look_up(wanted, client, client.config, TODAY)
    assert looked.paper is not None and looked.paper.openalex is None
    assert list(looked.failures) == ["openalex"]
    assert isinstance(looked.failures["openalex"], SourceDown)


def test_openalex_stands_in_for_an_arxiv_that_refuses(client: Client, double: Double) -> None:
    double.fail("/at-arxiv/*", RATE_LIMITED)
    paper = find(client, "9801.00011")
    assert paper.sources == (f"openalex:W9900000001 {TODAY}",)
    assert paper.arxiv == "9801.00011"


def test_but_not_for_an_arxiv_that_knows_there_is_none(client: Client, double: Double) -> None:
    with pytest.raises(NotFound):
        find(client, "9812.99999")
    assert [seen.source for seen in double.requests] == ["arxiv"]


def test_many_arxiv_ids_are_one_request(client: Client, double: Double) -> None:
    wanted = [Identifier("arxiv", f"980{n}.{tail}") for n, tail in
              ((1, "00011"), (3, "00007"), (9, "00001"), (6, "00777"))]  # fmt: skip
    looked = look_up([*wanted, wanted[0]], client, client.config, TODAY)
    assert len(double.requests) == 1
    assert [each.paper.arxiv if each.paper else None for each in looked] == [
        "9801.00011", "9803.00007", None, "9806.00777", "9801.00011",
    ]  # fmt: skip
    assert isinstance(looked[2].failures["arxiv"], NotFound)


def test_a_record_is_kept_with_its_first_date_and_asked_again_on_request(
    client: Client, double: Double
) -> None:
    find(client, "10.5555/jih.2019.0042")
    asked_first = len(double.requests)
    later = lookup(parse("10.5555/jih.2019.0042"), client, client.config, "2027-01-01")  # type: ignore[arg-type]
    assert len(double.requests) == asked_first
    assert all(" 2027" not in line for line in later.sources)
    again = lookup(
        parse("10.5555/jih.2019.0042"), client, client.config, "2027-01-01", refresh=True  # type: ignore[arg-type]
    )  # fmt: skip
    assert len(double.requests) == 2 * asked_first
    assert all(line.endswith(" 2027-01-01") for line in again.sources)


def test_an_absence_is_not_kept(client: Client, double: Double) -> None:
    for _ in range(2):
        with pytest.raises(NotFound):
            find(client, "9812.99999")
    assert len(double.requests) == 2


def test_a_look_up_waits_out_a_429(client: Client, double: Double) -> None:
    slept: list[float] = []
    waiting = Client(client.config, sleep=slept.append)
    double.fail("/at-arxiv/*", RATE_LIMITED, times=2)
    assert find(waiting, "9801.00011").arxiv == "9801.00011"
    assert slept == [3.0, 6.0]


def test_a_kind_nobody_reads_is_unsupported(client: Client, double: Double) -> None:
    with pytest.raises(Configuration, match="Semantic Scholar needs a key"):
        lookup(Identifier("s2", "a" * 40), client, client.config, TODAY)
    with pytest.raises(Unsupported, match="No source reads hdl identifiers yet"):
        lookup(Identifier("hdl", "1/2"), client, client.config, TODAY)
    assert double.requests == []


def test_offline_nobody_is_asked(client: Client, double: Double) -> None:
    null = NullClient(client.config)
    with pytest.raises(Offline):
        lookup(Identifier("doi", "10.5555/x"), null, client.config, TODAY)
    with pytest.raises(Offline):
        candidates("graph transformers on rivers", null, client.config, TODAY)
    assert double.requests == []


# titles


def test_a_title_finds_the_one_paper_it_names(client: Client) -> None:
    found = candidates("message passing on ESTUARIES", client, client.config, TODAY)
    assert found.clear is not None and found.clear.doi == "10.5555/jih.2019.0042"
    assert found.found[0].score == 1.0
    assert found.found[0].sources == ("crossref", "openalex")


def test_a_title_without_its_subtitle_and_with_its_author_and_year(client: Client) -> None:
    short = candidates("Sparse Attention in Graph Transformers", client, client.config, TODAY)
    assert short.clear is not None and short.clear.doi == "10.5555/icg.2022.17"
    assert similarity(
        "message passing on estuaries bryl 2019",
        Paper(title="Message Passing on Estuaries", authors=("Bryl, Tomasz",), published="2019-07"),
    ) == 1.0  # fmt: skip


def test_words_that_name_no_paper_are_candidates_and_nothing_is_clear(client: Client) -> None:
    found = candidates("graph transformers", client, client.config, TODAY)
    assert found.clear is None and len(found.found) == 5
    assert all(each.score < 0.95 for each in found.found)
    assert [each.score for each in found.found] == sorted(
        (c.score for c in found.found), reverse=True
    )


def test_what_crossref_always_returns_is_not_believed(client: Client, double: Double) -> None:
    """The top row of a title query can be another paper altogether."""
    import json

    from story import BY_NUMBER, crossref_item

    item = crossref_item(BY_NUMBER[11])
    message = {"total-results": 4664899, "items": [item], "items-per-page": 5, "query": {}}
    body = json.dumps({"status": "ok", "message-type": "work-list", "message": message}).encode()
    double.fail("/at-crossref/*", Reply(200, body))
    found = candidates("A Theory of Sluices and Locks", client, client.config, TODAY)
    assert found.found == () and found.clear is None


def test_two_papers_of_one_title_are_for_a_person_to_choose(client: Client, double: Double) -> None:
    import json

    from story import BY_NUMBER, crossref_item

    twins = [{**crossref_item(BY_NUMBER[4]), "DOI": f"10.5555/twin.{n}"} for n in (1, 2)]
    message = {"total-results": 2, "items": twins, "items-per-page": 5, "query": {}}
    body = json.dumps({"status": "ok", "message-type": "work-list", "message": message}).encode()
    client.config = replace(client.config, sources=("crossref",))
    double.fail("/at-crossref/*", Reply(200, body))
    found = candidates("A Short History of Tide Tables", client, client.config, TODAY)
    assert len(found.found) == 2 and found.clear is None


def test_a_failing_source_of_titles_is_named(client: Client, double: Double) -> None:
    double.fail("/at-arxiv/*", UNAVAILABLE)
    found = candidates("message passing on estuaries", client, client.config, TODAY)
    assert found.clear is not None and list(found.failures) == ["arxiv"]
    double.fail("*", UNAVAILABLE)
    fresh = Client(client.config, refresh=True, sleep=lambda s: None)
    with pytest.raises(SourceDown, match="could not be had"):
        candidates("another title altogether", fresh, client.config, TODAY)


@pytest.mark.parametrize("words", ["", "Tides", "  ?!  "])
def test_one_word_is_no_title(client: Client, words: str) -> None:
    with pytest.raises(BadInput, match="too short for a title"):
        candidates(words, client, client.config, TODAY)


# merging


def test_each_field_comes_from_who_knows_it_best() -> None:
    crossref = Paper(
        title="Tides", authors=("Lee, A.",), published="2020", doi="10.5555/a", issn=("1",),
        cites=("doi:10.5555/b",), sources=("crossref:10.5555/a 2026-11-30",),
    )  # fmt: skip
    openalex = Paper(
        title="TIDES", authors=("Lee, A.", "Bryl, T."), published="2020-03-01", doi="10.5555/a",
        issn=("2",), notice="retracted", abstract="Long.", cites=("openalex:W1",),
        openalex="W99000000", sources=("openalex:W99000000 2026-11-30",),
    )  # fmt: skip
    both = merged([openalex, crossref])
    assert (both.title, both.published, both.openalex) == ("Tides", "2020-03-01", "W99000000")
    assert both.authors == ("Lee, A.", "Bryl, T.")
    assert both.issn == ("1", "2") and both.cites == ("doi:10.5555/b",)
    assert both.notice == "retracted" and both.abstract == "Long."
    assert len(both.sources) == 2
    assert merged([crossref]) == crossref


def test_a_journals_doi_stands_before_arxivs() -> None:
    preprint = Paper(
        title="Tides", doi="10.48550/arxiv.9801.00011", arxiv="9801.00011",
        sources=("arxiv:9801.00011v1 2026-11-30",),
    )  # fmt: skip
    journal = Paper(
        title="Tides", doi="10.5555/a", arxiv="9801.00011", sources=("openalex:W9 2026-11-30",)
    )
    assert groups([preprint, journal]) == [[0, 1]]
    assert merged([preprint, journal]).doi == "10.5555/a"


def test_a_preprint_and_an_article_of_one_title_are_two_works() -> None:
    same = {"title": "Tides", "authors": ("Lee, A.",), "published": "2020"}
    preprint = Paper(doi="10.48550/arxiv.9801.00011", arxiv="9801.00011", **same)  # type: ignore[arg-type]
    journal = Paper(doi="10.5555/a", **same)  # type: ignore[arg-type]
    assert groups([preprint, journal]) == [[0], [1]]
