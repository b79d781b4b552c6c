"""Open copies asked for in the small world: which are named, in which order, what failed."""

from __future__ import annotations

import json

import pytest

from double import HTML, UNAVAILABLE, Double, Reply
from pressmark.errors import Offline
from pressmark.http import Client, NullClient
from pressmark.record import Paper
from pressmark.sources import OpenCopy, edges, locate, located, openalex
from pressmark.sources.locations import best

TODAY = "2026-11-30"


def test_a_published_copy_stands_before_a_manuscript(client: Client) -> None:
    paper = Paper(title="Graph Transformers Predict Eel Migration", doi="10.5555/iel.2024.99")
    copies = locate(paper, client, client.config, TODAY, sources=["openalex"])
    assert copies == [
        OpenCopy(
            url="https://doi.org/10.5555/iel.2024.99",
            kind="landing",
            source="openalex",
            version="published",
            license="CC BY",
            host_type="publisher",
        )
    ]


def test_a_failing_provider_is_named_and_costs_no_other(client: Client, double: Double) -> None:
    double.fail("/at-openalex/*", HTML)
    paper = Paper(title="x", doi="10.5555/tpn.2024.5", arxiv="9805.00031")
    found = located(paper, client, client.config, TODAY, sources=["openalex", "arxiv"])
    assert [copy.url for copy in found.copies] == [
        "https://arxiv.org/html/9805.00031",
        "https://arxiv.org/pdf/9805.00031",
    ]
    assert {name: error.code for name, error in found.failures.items()} == {
        "openalex": "provider_broken"
    }


def test_nothing_is_asked_offline(client: Client) -> None:
    off = NullClient(client.config)
    paper = Paper(title="x", doi="10.5555/tpn.2024.5")
    with pytest.raises(Offline):
        located(paper, off, client.config, TODAY)
    with pytest.raises(Offline):
        edges(paper, off, client.config, TODAY)


def test_edges_say_who_could_not_be_asked(client: Client, double: Double) -> None:
    double.fail("/at-openalex/works?filter=*", UNAVAILABLE)
    paper = Paper(title="x", doi="10.5555/tpn.2024.5")
    found = edges(paper, client, client.config, TODAY, sources=["openalex"])
    assert found.cites == ()
    assert [(row.source, row.status) for row in found.reports] == [("openalex", "unavailable")]


def test_the_copy_of_another_work_is_not_this_ones(client: Client, double: Double) -> None:
    other = {
        "id": "https://openalex.org/W9900000099", "doi": "https://doi.org/10.5555/another",
        "title": "Another", "best_oa_location": {
            "is_oa": True, "pdf_url": "https://x.invalid/another.pdf", "version": "publishedVersion",
        },
    }  # fmt: skip
    double.fail("/at-openalex/*", Reply(200, json.dumps(other).encode()))
    paper = Paper(title="x", doi="10.5555/iel.2024.99")
    assert locate(paper, client, client.config, TODAY, sources=["openalex"]) == []


def test_a_defect_of_ours_costs_one_provider_only(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def defect(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(openalex, "parse_lookup", defect)
    paper = Paper(title="x", doi="10.5555/iel.2024.99", arxiv="9801.00011")
    found = located(paper, client, client.config, TODAY, sources=["openalex", "arxiv"])
    assert str(found.failures["openalex"]) == "ZeroDivisionError in our own code."
    assert len(found.copies) == 2


def test_the_forms_of_one_manuscript_share_the_licence_that_is_known_of_one() -> None:
    copies = [
        OpenCopy(url="https://arxiv.org/html/9801.00011", kind="html", source="arxiv"),
        OpenCopy(
            url="http://arxiv.org/pdf/9801.00011", kind="pdf", source="openalex", license="CC BY"
        ),
        OpenCopy(url="https://x.invalid/a.pdf", kind="pdf", source="core"),
    ]
    assert [(copy.kind, copy.license) for copy in best(copies)] == [
        ("html", "CC BY"), ("pdf", "CC BY"), ("pdf", None),
    ]  # fmt: skip
