"""Search by meaning: what is asked of OpenAlex, what is refused before, and the way to a text."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pressmark.config import Config
from pressmark.errors import BadInput, Configuration
from pressmark.http import with_params
from pressmark.record import Location, Paper
from pressmark.sources import FetchRoute, fetch_route, openalex
from pressmark.sources.query import Query

KEYED = Config(keys={"openalex": "a-key"})
QUERY = Query(words="how do eels find a branch of the river?", semantic=True)


def test_the_question_goes_as_it_is_and_the_key_in_a_header() -> None:
    limits = replace(QUERY, since="2020-01-01", until="2024-12-31", open_access=True)
    request = openalex.search_request(limits, KEYED, 0, 25)
    assert request.params == {
        "search.semantic": QUERY.words,
        "filter": "publication_year:>=2020,publication_year:<=2024,is_oa:true",
        "per_page": "25",
        "page": "1",
    }
    assert request.headers == {"Authorization": "Bearer a-key"}
    assert "a-key" not in request.sent and "key" not in request.sent


def test_nothing_narrows_where_nothing_was_asked() -> None:
    assert "filter" not in openalex.search_request(QUERY, KEYED, 0, 50).params


def test_signs_of_a_filter_stay_as_openalex_wants_them() -> None:
    url = with_params(
        "https://api.openalex.org/works",
        {"filter": "doi:https://doi.org/10.1/x,publication_year:>=2020"},
    )
    assert url.endswith("?filter=doi:https://doi.org/10.1/x,publication_year:%3E=2020")


def test_without_a_key_nothing_is_sent() -> None:
    with pytest.raises(Configuration, match="by meaning with a key only") as caught:
        openalex.search_request(QUERY, Config(), 0, 10)
    assert "PRESSMARK_OPENALEX_KEY" in (caught.value.next or "")


@pytest.mark.parametrize(
    ("query", "start", "rows"),
    [
        (QUERY, 0, 51),
        (QUERY, 50, 1),
        (replace(QUERY, journal="Journal of Invented Hydrology"), 0, 10),
        (replace(QUERY, sort="date"), 0, 10),
    ],
)
def test_what_it_cannot_be_asked_is_refused_before_the_call(
    query: Query, start: int, rows: int
) -> None:
    with pytest.raises(BadInput):
        openalex.search_request(query, KEYED, start, rows)


def pdf(version: str | None) -> Location:
    return Location(url=f"https://x.invalid/{version}.pdf", kind="pdf", source="s", version=version)


@pytest.mark.parametrize(
    ("paper", "route"),
    [
        (Paper(doi="10.48550/arxiv.2312.07559"),
         FetchRoute(kind="known_provider", provider="arxiv", identifier="2312.07559")),
        (Paper(doi="10.5555/x", pmcid="PMC990"),
         FetchRoute(kind="known_provider", provider="europepmc", identifier="PMC990")),
        (Paper(doi="10.5555/x", locations=(pdf("submitted"), pdf("published"), pdf("accepted"))),
         FetchRoute(kind="oa_link", pdf_url="https://x.invalid/published.pdf")),
        (Paper(doi="10.5555/x", locations=(pdf(None), pdf("accepted"))),
         FetchRoute(kind="oa_link", pdf_url="https://x.invalid/accepted.pdf")),
        (Paper(doi="10.5555/x"), FetchRoute(kind="manual_upload")),
    ],
)  # fmt: skip
def test_the_first_open_way_to_a_text(paper: Paper, route: FetchRoute) -> None:
    assert fetch_route(paper, paper.locations) == route
