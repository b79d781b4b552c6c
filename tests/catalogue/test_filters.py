"""What the words after a command mean."""

from __future__ import annotations

import pytest

from pressmark.catalogue import filters
from pressmark.catalogue.filters import Query, Term
from pressmark.errors import BadInput


def test_no_words_ask_for_everything() -> None:
    assert filters.parse([]) == Query()
    assert not filters.parse(["", "  "])


@pytest.mark.parametrize(
    ("word", "term"),
    [
        ("author:simic", Term("author", ("simic",))),
        ("author:ŠIMIĆ", Term("author", ("simic",))),
        ("Author:Šimić,Vaswani", Term("author", ("simic", "vaswani"))),
        ("author:Šimić, Marko", Term("author", ("simic marko",))),
        ('author:"Šimić,Marko"', Term("author", ("simic marko",))),
        ("venue:nature methods", Term("venue", ("nature methods",))),
        ('venue:"Nature Methods"', Term("venue", ("nature methods",))),
        ("year:2018..2020", Term("year", ("2018..2020",))),
        ("year:2018,2020", Term("year", ("2018", "2020"))),
        ("year:ND", Term("year", ("nd",))),
        ("-tag:Graph-Networks", Term("tag", ("graph networks",), True)),
        ("topic:sequence-models", Term("topic", ("sequence-models",))),
        ("source:arXiv", Term("source", ("arxiv",))),
        ("type:article-journal", Term("type", ("article-journal",))),
        ("notice:retracted", Term("notice", ("retracted",))),
        ("stage:any", Term("stage", ("any",))),
        ("has:fulltext", Term("has", ("fulltext",))),
        ("missing:doi,arxiv", Term("missing", ("doi", "arxiv"))),
        ("cited:Thesis/", Term("cited", ("Thesis/",))),
        ("key:Vaswani2017", Term("key", ("vaswani2017",))),
        ("Attention", Term("words", ("attention",))),
        ("-Attention", Term("words", ("attention",), True)),
        ("all you need", Term("words", ("all you need",))),
        ("Attention: a review", Term("words", ("attention a review",))),
        ("graph-based", Term("words", ("graph based",))),
        ("https://example.org/x", Term("words", ("https example org x",))),
        ("注意力", Term("words", ("注意力",))),
    ],
)
def test_one_word(word: str, term: Term) -> None:
    assert filters.parse([word]).terms == (term,)


def test_several_words_keep_their_order() -> None:
    query = filters.parse(["tag:a", "tag:b", "deep"])
    assert query.terms == (Term("tag", ("a",)), Term("tag", ("b",)), Term("words", ("deep",)))
    assert query.names("tag") and not query.names("stage")


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("autor:x", "There is no filter 'autor'. Did you mean 'author'?"),
        ("zzz:x", "There is no filter 'zzz'."),
        ("year:20x", "year:20x is not a year or a range of years."),
        ("year:..", "year:.. is not a year or a range of years."),
        ("year:2020..2018", "year:2020..2018 ends before it begins."),
        ("stage:candidat", "stage:candidat is not known. Did you mean 'candidate'?"),
        (
            "type:journal-article",
            "type:journal-article is not known. Did you mean 'article-journal'?",
        ),
        ("has:pdf", "has:pdf is not known."),
        ("author:,", "author: has no value."),
        ("...", "'...' holds no word to look for."),
    ],
)
def test_bad_words_are_named(word: str, message: str) -> None:
    with pytest.raises(BadInput) as caught:
        filters.parse([word])
    assert str(caught.value).startswith(message.split(" Did you")[0])
    if "Did you" in message and "journal" not in word:
        assert str(caught.value) == message
    assert caught.value.next


def test_the_unknown_field_is_told_which_are_valid() -> None:
    with pytest.raises(BadInput) as caught:
        filters.parse(["colection:x"])
    assert "collection" in str(caught.value)
    for field in filters.FIELDS:
        assert field in (caught.value.next or "")


@pytest.mark.parametrize(
    ("value", "bounds"),
    [
        ("2020", (2020, 2020)),
        ("2018..2020", (2018, 2020)),
        ("2018..", (2018, None)),
        ("..2010", (None, 2010)),
        ("800", (800, 800)),
    ],
)
def test_year_ranges(value: str, bounds: tuple[int | None, int | None]) -> None:
    assert filters.year_range(value) == bounds


def test_split_respects_double_quotes() -> None:
    line = 'author:simic venue:"nature methods" "all you" -tag:x'
    assert filters.split(line) == ["author:simic", "venue:nature methods", "all you", "-tag:x"]
    assert filters.split('say "unclosed words') == ["say", "unclosed words"]
    assert filters.split("") == []


@pytest.mark.parametrize("word", ["year:2020", "-tag:x", "Author:y"])
def test_is_filter(word: str) -> None:
    assert filters.is_filter(word)


@pytest.mark.parametrize("word", ["attention", "doi:10.1000/x", "https://a.b/c", "foo: bar"])
def test_is_no_filter(word: str) -> None:
    assert not filters.is_filter(word)
