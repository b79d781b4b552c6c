"""The parsed question: how a provider with operators writes it, and what one cannot be told."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from pressmark.config import Config
from pressmark.errors import BadInput
from pressmark.ids import Identifier
from pressmark.sources import arxiv, crossref, europepmc, openalex, pubmed, query
from pressmark.sources.language import (
    Language,
    boolean,
    lucene_days,
    lucene_ids,
    lucene_term,
    lucene_years,
    must_know,
    stripped_term,
    unsaid,
)
from pressmark.sources.query import Group, Query, Term, parse

TODAY = "2026-11-30"
LUCENE = Language(
    fields=frozenset({"title", "author", "abstract"}), boolean=True, phrases=True,
    sorts=frozenset({"relevance", "date", "cited"}),
)  # fmt: skip
WORDS_ONLY = Language()


def asked(words: str, **more: object) -> Query:
    return query(words, today=TODAY, **more)  # type: ignore[arg-type]


def written(words: str, without: str = " NOT ") -> str:
    tree = parse(words)
    assert tree is not None
    return boolean(tree, lambda t: f'"{t.words}"' if t.phrase else t.words, without=without)


def test_a_question_is_a_tree_of_terms_and_groups() -> None:
    assert parse('ti:"tidal networks" (eels OR au:bryl) -salmon') == Group(
        "and",
        (
            Term("tidal networks", "title", phrase=True),
            Group("or", (Term("eels"), Term("bryl", "author"))),
            Group("not", (Term("salmon"),)),
        ),
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("tides", "tides"),
        ("tides rivers", "tides AND rivers"),
        ('"tides"', '"tides"'),
        ("tides OR rivers", "tides OR rivers"),
        ("a b OR c d", "(a AND b) OR (c AND d)"),
        ("-salmon eels", "eels NOT salmon"),
        ("eels NOT (salmon OR trout)", "eels NOT (salmon OR trout)"),
        ('(tides OR "low water") eels', '(tides OR "low water") AND eels'),
        ("eels (tides (a OR b -c))", "eels AND tides AND (a OR (b NOT c))"),
    ],
)
def test_operators_as_most_providers_write_them(words: str, said: str) -> None:
    assert written(words) == said


def test_each_provider_has_its_own_word_for_not() -> None:
    assert written("eels -salmon", " ANDNOT ") == "eels ANDNOT salmon"
    assert written("eels -salmon", " AND NOT ") == "eels AND NOT salmon"


def test_who_knows_operators_is_told_everything() -> None:
    assert unsaid(asked('ti:tides OR (au:bryl "low water") -x y', sort="cited"), LUCENE) == ()


@pytest.mark.parametrize(
    ("words", "lost"),
    [
        ("tides rivers", ()),
        ('"low water"', ("phrases searched as words",)),
        ("tides OR rivers", ("OR not kept",)),
        ("tides -salmon", ("NOT salmon not kept",)),
        ("ti:tides abs:rivers", ("abs:, ti: searched everywhere",)),
        (
            'au:bryl ("low water" OR tides) -x',
            ("au: searched everywhere", "phrases searched as words", "OR not kept",
             "NOT x not kept"),
        ),
    ],
)  # fmt: skip
def test_what_a_provider_of_words_cannot_be_told_is_said(words: str, lost: tuple[str, ...]) -> None:
    assert unsaid(asked(words), WORDS_ONLY) == lost


def test_an_order_that_a_provider_does_not_give_is_said() -> None:
    assert unsaid(asked("tides", sort="date"), WORDS_ONLY) == ("not sorted by date",)
    assert unsaid(asked("tides", sort="cited"), arxiv.language) == ("not sorted by cited",)


def test_what_the_first_providers_cannot_be_told() -> None:
    asking = asked('ti:"low water" abs:eels -salmon')
    assert unsaid(asking, arxiv.language) == ()
    assert unsaid(asking, openalex.language) == ()
    assert unsaid(asking, crossref.language) == (
        "abs: searched everywhere", "phrases searched as words", "NOT salmon not kept",
    )  # fmt: skip


def test_openalex_keeps_a_field_beside_words_and_loses_it_in_a_group() -> None:
    assert unsaid(asked("ti:tides (rivers OR eels)"), openalex.language) == ()
    assert unsaid(asked("ti:tides OR rivers"), openalex.language) == ("ti: searched everywhere",)
    assert unsaid(asked("au:bryl (ti:tides OR eels)"), openalex.language) == (
        "au:, ti: searched everywhere",
    )


def test_a_search_by_meaning_has_no_operators_to_lose() -> None:
    assert unsaid(asked('"low water" -x y', semantic=True), WORDS_ONLY) == ()


def test_lucenes_terms_are_quoted_and_escaped_where_they_are_more_than_a_plain_word() -> None:
    assert lucene_term(Term("net*")) == "net*"
    assert lucene_term(Term("net*"), whole=True) == r'"net\*"'
    assert lucene_term(Term("graph  nets (2)", phrase=True)) == r'"graph nets \(2\)"'
    assert stripped_term(Term("net*")) == "net*"
    assert stripped_term(Term("net*"), wildcards=False) == '"net*"'
    assert stripped_term(Term('say "a:b"')) == '"say a b"'


def test_lucenes_years_days_and_identifiers() -> None:
    asked_ = asked("x", since="2019-03-04")
    assert lucene_years(asked_) == "[2019 TO 2999]"
    assert lucene_days(asked_) == "[2019-03-04T00:00:00Z TO *]"
    wanted = [Identifier("doi", "10.5555/a(1)"), Identifier("arxiv", "9801.00011")]
    assert lucene_ids(wanted, {"doi": "doi", "arxiv": "arxivId"}) == (
        r'doi:"10.5555\/a\(1\)" OR arxivId:"9801.00011"'
    )


@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        (("doi",), "HAL knows DOIs only."),
        (("doi", "arxiv"), "HAL knows DOIs and arXiv ids only."),
        (("doi", "arxiv", "pmcid"), "HAL knows DOIs, arXiv ids and PMCIDs only."),
    ],
)
def test_an_identifier_of_another_kind_is_refused_in_words(
    kinds: tuple[str, ...], said: str
) -> None:
    must_know("HAL", kinds, [Identifier("doi", "10.5555/a")])
    with pytest.raises(BadInput) as caught:
        must_know("HAL", kinds, [Identifier("doi", "10.5555/a"), Identifier("pmid", "1")])
    assert caught.value.message == said


@pytest.mark.parametrize(("words", "search", "limits"), [
    ("ti:attention NOT survey", "attention NOT survey", "title.search:attention"),
    ('abs:tides -"field study"', 'tides NOT "field study"', "abstract.search:tides"),
    ("au:penhallow NOT survey", "NOT survey", "raw_author_name.search:penhallow"),
])  # fmt: skip
def test_openalex_takes_what_is_excluded_from_something(
    words: str, search: str, limits: str
) -> None:
    params = openalex.search_request(asked(words), Config(), 0, 10).params
    assert (params["search"], params["filter"]) == (search, limits)


STRATEGY = " OR ".join(f'"invented phrase number {n}"[tiab]' for n in range(200))


def test_a_strategy_of_pages_is_sent_as_a_form_and_quoted_word_for_word() -> None:
    config = Config(contact="ada@reader.test", keys={"ncbi": "the-key"})
    own = query("", today="2026-01-01", verbatim={"pubmed": STRATEGY, "europepmc": STRATEGY})
    long = pubmed.search_request(own, config, 0, 10)
    assert long.form and quote(STRATEGY, safe=":,/*|=") in long.sent
    assert "the-key" not in long.sent and "ada" not in long.sent
    assert not pubmed.search_request(asked("tides"), config, 0, 10).form
    posted = europepmc.search_request(own, config, 0, 10)
    assert posted.form and posted.url.endswith("/rest/searchPOST")
    assert europepmc.cannot(own) is None
    short = europepmc.search_request(asked("tides"), config, 0, 10)
    assert not short.form and short.url.endswith("/rest/search")
