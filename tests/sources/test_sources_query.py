"""What a person types, and what each source is sent for it."""

from __future__ import annotations

import pytest

from pressmark.config import Config
from pressmark.errors import BadInput
from pressmark.ids import Identifier
from pressmark.sources import arxiv, crossref, openalex, query
from pressmark.sources.query import Query, day, parse, plain_words

TODAY = "2026-11-30"
CONFIG = Config()


def asked(words: str = "", **more: object) -> Query:
    return query(words, today=TODAY, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("value", "first", "last"),
    [
        ("2020", "2020-01-01", "2020-12-31"),
        ("2020-05", "2020-05-01", "2020-05-31"),
        ("2020-02", "2020-02-01", "2020-02-29"),
        ("2021-2", "2021-02-01", "2021-02-28"),
        ("2020-05-17", "2020-05-17", "2020-05-17"),
        ("90d", "2026-09-01", "2026-09-01"),
        ("2w", "2026-11-16", "2026-11-16"),
        ("1y", "2025-11-30", "2025-11-30"),
    ],
)
def test_days(value: str, first: str, last: str) -> None:
    assert day(value, TODAY, first=True) == first
    assert day(value, TODAY, first=False) == last


@pytest.mark.parametrize(
    "value",
    ["yesterday", "20", "2020-13", "2020-02-30", "2020-05-17-1", "0000", "99999y", "-3d", ""],
)
def test_what_is_no_day_is_refused(value: str) -> None:
    with pytest.raises(BadInput):
        day(value, TODAY, first=True)


TRANSLATED = [
    (
        "graph transformers",
        "all:graph AND all:transformers",
        "graph transformers",
        "graph AND transformers",
    ),
    (
        '"message passing" river',
        'all:"message passing" AND all:river',
        "message passing river",
        '"message passing" AND river',
    ),
    (
        "tides OR rivers",
        "all:tides OR all:rivers",
        "tides rivers",
        "tides OR rivers",
    ),
    (
        "(tides OR rivers) eels -salmon",
        "(all:tides OR all:rivers) AND all:eels ANDNOT all:salmon",
        "tides rivers eels",
        "(tides OR rivers) AND eels NOT salmon",
    ),
    (
        "-salmon eels",
        "all:eels ANDNOT all:salmon",
        "eels",
        None,
    ),
    (
        "state-of-the-art don't",
        'all:"state-of-the-art" AND all:"don\'t"',
        "state-of-the-art don t",
        "state-of-the-art AND don't",
    ),
    (
        'a "stray quote (and paren',
        "all:a AND all:stray AND all:quote AND all:and AND all:paren",
        "a stray quote and paren",
        "a AND stray AND quote AND and AND paren",
    ),
    (
        "BERT: pre-training, cs:CL",
        'all:BERT AND all:"pre-training," AND all:"cs CL"',
        "BERT: pre-training, cs CL",
        '"BERT:" AND "pre-training," AND "cs CL"',
    ),
]  # fmt: skip


@pytest.mark.parametrize(("words", "atom", "plain", "boolean"), TRANSLATED)
def test_words_in_each_sources_language(
    words: str, atom: str, plain: str, boolean: str | None
) -> None:
    made = asked(words)
    assert arxiv.search_request(made, CONFIG, 0, 10).params["search_query"] == atom
    assert crossref.search_request(made, CONFIG, 0, 10).params["query.bibliographic"] == plain
    if boolean is not None:
        assert openalex.search_request(made, CONFIG, 0, 10).params["search"] == boolean


def test_fields_go_where_each_source_has_them() -> None:
    made = asked('ti:"tidal networks" au:bryl salinity')
    assert arxiv.translate(made) == 'ti:"tidal networks" AND au:bryl AND all:salinity'
    assert crossref.search_request(made, CONFIG, 0, 10).params == {
        "query.bibliographic": "salinity",
        "query.title": "tidal networks",
        "query.author": "bryl",
        "rows": "10",
        "offset": "0",
    }
    assert openalex.search_request(made, CONFIG, 0, 10).params == {
        "search": "salinity",
        "filter": 'title.search:"tidal networks",raw_author_name.search:bryl',
        "per_page": "10",
        "page": "1",
    }


def test_what_would_be_syntax_in_a_filter_is_taken_out_of_its_value() -> None:
    made = asked('ti:"rivers, tides: a|b"')
    params = openalex.search_request(made, CONFIG, 0, 10).params
    assert params["filter"] == 'title.search:"rivers tides a b"'
    assert openalex.title_request("Rivers, tides: a study", CONFIG).params["filter"] == (
        "title.search:Rivers tides a study"
    )


def test_limits_in_each_sources_language() -> None:
    made = asked("tides", since="2020", until="2021-06", sort="date")
    assert arxiv.translate(made) == ("all:tides AND submittedDate:[202001010000 TO 202106302359]")
    assert arxiv.search_request(made, CONFIG, 20, 10).params["sortBy"] == "submittedDate"
    params = crossref.search_request(made, CONFIG, 20, 10).params
    assert params["filter"] == "from-pub-date:2020-01-01,until-pub-date:2021-06-30"
    assert (params["sort"], params["order"], params["offset"]) == ("published", "desc", "20")
    params = openalex.search_request(made, CONFIG, 20, 10).params
    assert params["filter"] == "from_publication_date:2020-01-01,to_publication_date:2021-06-30"
    assert (params["sort"], params["page"]) == ("publication_date:desc", "3")


@pytest.mark.parametrize(
    ("words", "since", "until"),
    [
        ("tides year:2018..2020", "2018-01-01", "2020-12-31"),
        ("year:2018 tides", "2018-01-01", "2018-12-31"),
        ("tides year:2018..", "2018-01-01", None),
        ("tides year:..2020", None, "2020-12-31"),
        ("tides", None, None),
    ],
)
def test_years_among_the_words(words: str, since: str | None, until: str | None) -> None:
    made = asked(words)
    assert (made.words, made.since, made.until) == ("tides", since, until)
    assert asked("tides year:2018", since="2017").since == "2017-01-01"


def test_a_year_in_a_phrase_or_in_prose_is_no_limit() -> None:
    for words in ('"the year:2018 flood"', "the lost year: tides"):
        made = asked(words)
        assert (made.words, made.since, made.until) == (words, None, None)


def test_the_quotes_of_word_processors_are_quotes() -> None:
    assert parse(asked("“message passing” rivers").words) == parse('"message passing" rivers')


def test_categories_are_arxivs_alone() -> None:
    made = asked(categories=("cs.LG", "math.*"), not_categories=("cs.CV",))
    assert arxiv.translate(made) == "cat:cs.LG AND cat:math.* ANDNOT cat:cs.CV"
    assert crossref.cannot(made) and openalex.cannot(made) and arxiv.cannot(made) is None
    with pytest.raises(BadInput, match="is no arXiv category"):
        arxiv.translate(asked(categories=("cs.LG) OR (all:x",)))


def test_open_access_is_asked_of_who_knows() -> None:
    made = asked("tides", open_access=True)
    assert openalex.search_request(made, CONFIG, 0, 10).params["filter"] == "is_oa:true"
    assert crossref.cannot(made) == "Crossref does not say which works are open access"


def test_a_verbatim_query_is_sent_as_it_is() -> None:
    made = asked("tides", verbatim={"arxiv": "all:electron AND cat:x", "openalex": "a|b"})
    assert arxiv.translate(made) == "all:tides"
    assert (
        arxiv.search_request(made, CONFIG, 0, 1).params["search_query"] == "all:electron AND cat:x"
    )
    assert openalex.search_request(made, CONFIG, 0, 1).params["search"] == "a|b"


@pytest.mark.parametrize(
    ("words", "more"),
    [
        ("", {}),
        ("   \x00 ", {}),
        ("-excluded", {}),
        ("tides", {"sort": "beauty"}),
        ("tides", {"limit": 0}),
        ("tides", {"page": 0}),
        ("tides", {"since": "2021", "until": "2020"}),
        ("(" * 50 + "deep", {}),
        ("tides year:2018 OR year:2020", {}),
        ("tides -year:2018", {}),
        ("tides year:soon", {}),
        ("x" * 10_000, {}),
        ("tides", {"since": "2026-02-30"}),
    ],
)
def test_a_query_that_asks_nothing_is_refused(words: str, more: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        asked(words, **more)


def test_no_words_that_a_person_can_type_raise() -> None:
    import random

    chance = random.Random(7)
    pieces = ['"', "(", ")", "AND", "OR", "NOT", "-", "ti:", "au:x", "a", "b c", ":", "'", "é", "*"]
    for _ in range(2000):
        words = " ".join(chance.choices(pieces, k=chance.randint(1, 12)))
        try:
            made = asked(words)
        except BadInput:
            continue
        for source in (arxiv, crossref, openalex):
            sent = source.search_request(made, CONFIG, 0, 10).sent
            assert sent.startswith("https://")
        said = arxiv.translate(made)
        assert said.count("(") == said.count(")") and said.count('"') % 2 == 0
        assert not said.startswith("ANDNOT")


def test_limits_are_said_in_words() -> None:
    made = asked(
        "x", since="2020", journal="Tides", open_access=True, sort="cited", page=2, limit=5
    )
    assert made.limits == (
        "published 2020-01-01..; journal Tides; open access; sorted by cited; 5 records, page 2"
    )
    assert asked("x").limits == "10 records"


def test_identifiers_become_paths() -> None:
    def url(source: object, kind: str, value: str) -> str:
        return source.lookup_request([Identifier(kind, value)], CONFIG).sent  # type: ignore[attr-defined]

    doi = "10.1002/(sici)1097<1661::aid>3.0.co;2-2#x?&"
    assert url(crossref, "doi", doi) == (
        "https://api.crossref.org/works/10.1002%2F%28sici%291097%3C1661%3A%3Aaid%3E3.0.co%3B2-2%23x%3F%26"
    )
    assert url(openalex, "doi", "10.5555/a&b") == "https://api.openalex.org/works/doi:10.5555/a%26b"
    assert url(openalex, "pmid", "990000006") == "https://api.openalex.org/works/pmid:990000006"
    assert url(openalex, "openalex", "W99") == "https://api.openalex.org/works/W99"
    assert url(openalex, "arxiv", "9801.00011") == (
        "https://api.openalex.org/works/doi:10.48550/arxiv.9801.00011"
    )
    assert url(crossref, "isbn", "9780000000002").endswith(
        "works?filter=isbn:9780000000002&rows=20"
    )
    many = [Identifier("arxiv", "9801.00011"), Identifier("arxiv", "hep-th/9901001")]
    assert arxiv.lookup_request(many, CONFIG).sent == (
        "https://export.arxiv.org/api/query?id_list=9801.00011,hep-th/9901001&max_results=2"
    )


def test_a_key_goes_into_a_header_and_no_contact_into_a_url() -> None:
    config = Config(keys={"openalex": "k3y"}, contact="ada@reader.test")
    request = openalex.search_request(asked("x"), config, 0, 10)
    assert request.headers == {"Authorization": "Bearer k3y"}
    assert "k3y" not in request.sent and "k3y" not in repr(request)
    for source in (arxiv, crossref, openalex):
        assert "ada" not in source.search_request(asked("x"), config, 0, 10).sent
    assert openalex.search_request(asked("x"), CONFIG, 0, 10).headers == {}


def test_words_are_parsed_into_a_tree_once() -> None:
    assert parse("") is None
    assert plain_words(parse('"a b" c -d ti:e')) == "a b c e"
    assert plain_words(parse('"a b" c -d ti:e'), "title") == "e"
