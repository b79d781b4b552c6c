"""The one-line form of a topic: what it means, its title, and every refusal with what is right."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pressmark.errors import BadInput
from pressmark.sources import REGISTRY
from pressmark.topics.address import Asked, FeedError, address, feed_address, parse_topic


def test_clients_query_and_journal_are_read() -> None:
    asked = parse_topic("research:openalex,crossref?q=force+fields&journal=Nature%20Methods")
    assert asked == Asked(
        clients=("openalex", "crossref"), query="force fields", journal="Nature Methods"
    )
    assert asked.title == "openalex, crossref: force fields in Nature Methods"


def test_categories_are_read_in_order_and_once() -> None:
    asked = parse_topic("research:arxiv?cat=cs.CL,cs.LG,cs.CL&not=cs.CV")
    assert (asked.categories, asked.not_categories) == (("cs.CL", "cs.LG"), ("cs.CV",))
    assert asked.title == "arxiv: cs.CL AND cs.LG -cs.CV"


@pytest.mark.parametrize(
    ("url", "said", "advised"),
    [
        ("research:arxive?q=x", "no search client 'arxive'", "research:"),
        ("research:?q=x", "names no search client", "crossref"),
        ("research:arxiv?q=", "asks for nothing", "q="),
        ("research:arxiv?q=%20%20", "asks for nothing", "q="),
        ("research:arxiv", "asks for nothing", "q="),
        ("research:arxiv?q=x&journal=Nature", "arXiv cannot be searched by journal", "crossref"),
        ("research:crossref?cat=cs.CL", "no arXiv categories", "arxiv"),
        ("research:arxiv?cat=", "names no category", "cat="),
        ("research:arxiv?not=cs.CV", "only leaves categories out", "cat="),
        ("research:arxiv?cat=computer%20science", "is no arXiv category", "categories"),
        ("research:arxiv?q=x&since=2020", "no field 'since'", "journal"),
        ("research:arxiv?q=x&q=y", "names q twice", "once"),
        ("https://a.invalid/x", "no research: address", "research:"),
        ("", "no research: address", "research:"),
    ],
)
def test_what_stands_for_no_topic_is_refused_with_what_would(
    url: str, said: str, advised: str
) -> None:
    with pytest.raises(FeedError) as refused:
        parse_topic(url)
    assert said in refused.value.message and advised in (refused.value.next or "")
    assert isinstance(refused.value, BadInput) and refused.value.code == "invalid_request"


def test_an_unknown_client_is_answered_with_all_the_valid_ones() -> None:
    with pytest.raises(FeedError) as refused:
        parse_topic("research:gopher?q=x")
    assert all(name in refused.value.message for name in REGISTRY)


@given(
    st.lists(st.sampled_from(["arxiv", "crossref", "openalex"]), min_size=1, unique=True),
    st.text("abcäß &=+?%,#;/", min_size=1, max_size=30).map(lambda words: f"{words}x"),
)
def test_an_address_reads_back_as_what_it_was_made_from(names: list[str], words: str) -> None:
    asked = Asked(clients=tuple(names), query=" ".join(words.split()))
    assert parse_topic(address(asked)) == asked


@given(st.text(max_size=80))
def test_any_text_is_a_topic_or_a_refusal(text: str) -> None:
    try:
        asked = parse_topic(f"research:{text}")
    except BadInput:
        return
    assert asked.clients and (asked.query or asked.categories)


@pytest.mark.parametrize("url", ["ftp://a.invalid/x", "feed.xml", "https://", "https://a b/", ""])
def test_an_address_that_can_be_no_feed_is_refused(url: str) -> None:
    with pytest.raises(FeedError, match="no address of a feed"):
        feed_address(url)
