"""Retractions, corrections and links between versions, from every place where providers keep them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pressmark.record import Paper
from pressmark.sources import LOOKUPS, REGISTRY
from providers import datacite, doaj_item, epmc, medline, osf
from story import BY_NUMBER

TODAY = "2026-11-30"


def read(source: str, body: object) -> Paper:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    (paper,) = LOOKUPS[source].parse_lookup(raw, 200, "", today=TODAY).papers
    return paper


def pubmed(links: dict[str, str], *kinds: str) -> Paper:
    listed = "".join(
        f'<CommentsCorrections RefType="{kind}"><RefSource>J Inv. 2025;1:1.</RefSource>'
        f'<PMID Version="1">{pmid}</PMID></CommentsCorrections>'
        for kind, pmid in links.items()
    )
    types = "".join(f"<PublicationType>{kind}</PublicationType>" for kind in kinds)
    record = medline(BY_NUMBER[6])
    record = record.replace(
        "</Article></MedlineCitation>",
        f"</Article><CommentsCorrectionsList>{listed}</CommentsCorrectionsList></MedlineCitation>",
    ).replace("<PublicationTypeList>", f"<PublicationTypeList>{types}")
    return read("pubmed", f"<PubmedArticleSet>{record}</PubmedArticleSet>".encode())


@pytest.mark.parametrize(
    ("links", "kinds", "notice", "note", "related"),
    [
        ({"RetractionIn": "990000099"}, (), "retracted", "pmid:990000099", ("pmid:990000099",)),
        ({}, ("Retracted Publication",), "retracted", None, ()),
        ({"ErratumIn": "990000098"}, (), "corrected", "pmid:990000098", ()),
        ({"ExpressionOfConcernIn": "990000097", "ErratumIn": "990000098"}, (),
         "expression-of-concern", "pmid:990000097", ()),
        ({"UpdateIn": "990000096"}, ("Preprint",), None, None, ("pmid:990000096",)),
        ({"CommentIn": "990000095"}, (), None, None, ()),
    ],
)  # fmt: skip
def test_pubmed_says_it_in_links_and_in_types(
    links: dict[str, str], kinds: tuple[str, ...], notice: str, note: str, related: tuple[str, ...]
) -> None:
    paper = pubmed(links, *kinds)
    assert (paper.notice, paper.notice_note, paper.related) == (notice, note, related)
    assert paper.type == ("article" if "Preprint" in kinds else "article-journal")


@pytest.mark.parametrize(
    ("kind", "row", "notice", "related"),
    [
        ("Retraction in", {"id": "990000099", "source": "MED"}, "retracted", ("pmid:990000099",)),
        ("Erratum in", {"id": "990000098", "source": "MED"}, "corrected", ()),
        ("Preprint of", {"id": "990000007", "source": "MED"}, None, ("pmid:990000007",)),
        ("Preprint in", {"id": "PPR990001", "source": "PPR", "reference":
                         "bioRxiv. doi: 10.1101/2024.99.99.990001"}, None,
         ("doi:10.1101/2024.99.99.990001",)),
        ("Comment in", {"id": "990000095", "source": "MED"}, None, ()),
    ],
)  # fmt: skip
def test_europe_pmc_says_it_in_comments(
    kind: str, row: dict[str, str], notice: str | None, related: tuple[str, ...]
) -> None:
    result = epmc(BY_NUMBER[6]) | {
        "commentCorrectionList": {"commentCorrection": [{**row, "type": kind}]}
    }
    paper = read("europepmc", {"hitCount": 1, "resultList": {"result": [result]}})
    assert (paper.notice, paper.related) == (notice, related)


def test_osf_says_what_was_withdrawn_and_what_a_preprint_became() -> None:
    row = osf(replace(BY_NUMBER[9], doi="10.5555/iel.2025.1"))
    paper = read("osf", {"data": row})
    assert paper.doi == "10.31235/osf.io/w0009" and paper.related == ("doi:10.5555/iel.2025.1",)
    assert paper.license == "CC BY" and paper.locations[0].kind == "pdf"
    row["attributes"] |= {  # type: ignore[operator]
        "date_withdrawn": "2025-01-01T00:00:00", "withdrawal_justification": "An error in the data."
    }  # fmt: skip
    gone = read("osf", {"data": row})
    assert (gone.notice, gone.notice_note) == ("withdrawn", "An error in the data.")
    assert gone.locations == ()


def test_biorxiv_says_what_was_withdrawn_and_what_a_preprint_became() -> None:
    row = {
        "doi": "10.64898/2026.01.01.990001", "title": "An Invented Preprint", "server": "bioRxiv",
        "authors": "Wen, L.; Mensah, K.", "date": "2026-01-01", "version": "2",
        "type": "WITHDRAWN", "license": "cc_by", "published": "10.5555/iel.2026.1", "jatsxml": "NA",
    }  # fmt: skip
    answer = {"messages": [{"status": "ok", "count": 1}], "collection": [row]}
    paper = read("biorxiv", answer)
    assert (paper.notice, paper.related) == ("withdrawn", ("doi:10.5555/iel.2026.1",))
    assert paper.authors == ("Wen, L.", "Mensah, K.") and paper.locations == ()


def test_datacite_and_zenodo_link_versions() -> None:
    row = datacite(BY_NUMBER[1])
    row["attributes"]["relatedIdentifiers"] = [  # type: ignore[index]
        {"relationType": "IsVersionOf", "relatedIdentifier": "10.5281/zenodo.1",
         "relatedIdentifierType": "DOI"},
        {"relationType": "References", "relatedIdentifier": "10.5555/jih.2019.0042",
         "relatedIdentifierType": "DOI"},
    ]  # fmt: skip
    paper = read("datacite", {"data": row})
    assert paper.related == ("doi:10.5281/zenodo.1",)
    assert paper.cites == ("doi:10.5555/jih.2019.0042",)
    record = {
        "id": 2, "doi": "10.5281/zenodo.2", "conceptdoi": "10.5281/zenodo.1",
        "metadata": {"title": "Gauge Readings", "access_right": "open",
                     "resource_type": {"type": "dataset"}},
    }  # fmt: skip
    assert read("zenodo", record).related == ("doi:10.5281/zenodo.1",)


def test_openalex_says_it_in_a_flag() -> None:
    work = {"id": "https://openalex.org/W99", "title": "Invented", "is_retracted": True}
    assert read("openalex", work).notice == "retracted"


@pytest.mark.parametrize("source", ["doaj", "hal", "core", "openaire", "plos", "ads"])
def test_others_say_it_in_a_title(source: str) -> None:
    title = "RETRACTED ARTICLE: Withdrawn Claims about Tidal Memory"
    bodies: dict[str, object] = {
        "doaj": doaj_item(replace(BY_NUMBER[6], title=title)),
        "hal": {"response": {"numFound": 1, "docs": [{"halId_s": "hal-1", "title_s": [title]}]}},
        "core": {"totalHits": 1, "results": [{"id": 1, "title": title}]},
        "openaire": {"header": {"numFound": 1}, "results": [{"id": "x", "mainTitle": title}]},
        "plos": {"response": {"numFound": 1, "docs": [
            {"id": "10.1371/journal.pone.0099001", "title_display": title}]}},
        "ads": {"response": {"numFound": 1, "docs": [{"bibcode": "2017Inv", "title": [title]}]}},
    }  # fmt: skip
    assert read(source, bodies[source]).notice == "retracted"
    assert source in REGISTRY
