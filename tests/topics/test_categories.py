"""arXiv's categories from its sets: the leaves alone, their codes, sorted, asked for once."""

from __future__ import annotations

import pytest

from double import Double, Reply
from pressmark.errors import SourceBroken, SourceDown
from pressmark.http import Client, open_client
from pressmark.library import Library
from pressmark.topics.categories import Category, categories, leaves, parse
from story import list_sets


def test_only_leaves_are_categories_sorted_by_code() -> None:
    assert [each.code for each in parse(list_sets(), 200)] == [
        "astro-ph.CO", "cs.CL", "hep-th", "math.AG", "physics.ao-ph",
    ]  # fmt: skip
    assert parse(list_sets(), 200)[1] == Category("cs.CL", "Computation and Language")


@pytest.mark.parametrize(
    ("spec", "code"),
    [("physics:astro-ph:CO", "astro-ph.CO"), ("physics:hep-th", "hep-th"), ("cs:cs:LG", "cs.LG")],
)
def test_the_code_drops_the_outermost_segment(spec: str, code: str) -> None:
    assert [each.code for each in leaves({spec: "Name"})] == [code]


@pytest.mark.parametrize("body", [b"", b"<html></html>", b"<a", b"<OAI-PMH/>"])
def test_an_answer_without_sets_is_broken(body: bytes) -> None:
    with pytest.raises(SourceBroken, match="categories"):
        parse(body, 200)


def test_they_are_asked_for_once(library: Library, client: Client, double: Double) -> None:
    first = categories(client, today="2026-11-30")
    again = categories(open_client(library.config), today="2026-12-30")
    assert first == again and len(first) == 5
    assert [seen.target for seen in double.requests] == ["/at-arxiv/oai?verb=ListSets"]
    categories(client, today="2026-12-30", refresh=True)
    assert len(double.requests) == 2


def test_when_arxiv_is_down_it_says_so(library: Library, double: Double) -> None:
    double.fail("*", Reply(503, b"", "text/plain"))
    with pytest.raises(SourceDown, match="not working"):
        categories(open_client(library.config), today="2026-11-30")
