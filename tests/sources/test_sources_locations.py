"""Open copies asked for in the small world: which are named, in which order, what failed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from double import HTML, UNAVAILABLE, Double
from pressmark.config import SOURCES, Config
from pressmark.errors import Offline
from pressmark.http import Client, NullClient
from pressmark.record import Paper
from pressmark.sources import OpenCopy, edges, locate, located
from story import story_routes

TODAY = "2026-11-30"


@pytest.fixture
def double() -> Iterator[Double]:
    with Double(story_routes()) as started:
        yield started


@pytest.fixture
def client(double: Double, tmp_path: Path) -> Client:
    (tmp_path / "library").mkdir()
    config = Config(
        root=tmp_path / "library",
        cache_dir=tmp_path / "cache",
        state_dir=tmp_path / "state",
        base_urls={name: f"{double.base_url}/at-{name}" for name in SOURCES},
        pace=dict.fromkeys(SOURCES, 0.0),
        timeout=2.0,
    )
    return Client(config, sleep=lambda seconds: None)


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
