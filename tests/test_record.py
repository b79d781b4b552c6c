"""Names, sections, filing a paper, and what a further source may change of a reference."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pressmark.record import (
    NOTICES,
    Author,
    Note,
    Paper,
    Reference,
    Work,
    attribute,
    merge,
    reference,
    section,
)


@pytest.mark.parametrize(
    ("name", "author"),
    [
        ("Vaswani, Ashish", Author("Vaswani", "Ashish")),
        ("van der Berg, Jan, Jr.", Author("van der Berg", "Jan", "Jr.")),
        ("Plato", Author("Plato")),
        ("{World Health Organization}", Author("World Health Organization", group=True)),
        ("{Barnes and Noble, Inc.}", Author("Barnes and Noble, Inc.", group=True)),
    ],
)
def test_names_are_read_and_written_alike(name: str, author: Author) -> None:
    assert Author.parse(f" {name} ") == author
    assert str(author) == name


def test_readable_names() -> None:
    assert Author.parse("King, Martin Luther, Jr.").readable == "Martin Luther King Jr."
    assert Author.parse("{CERN}").readable == "CERN"


def test_empty_text_is_none_and_lists_become_tuples() -> None:
    work = Work(title="", venue="", authors=["Lee, A"])  # type: ignore[arg-type]
    assert (work.title, work.venue, work.authors) == ("", None, ("Lee, A",))
    assert Work(published="2017-06").year == "2017" and Work().year is None
    assert Note(slug="a").title == ""


def test_attributes_are_field_names() -> None:
    assert attribute("notice-note") == "notice_note"
    held = {each.name for each in fields(Reference)}
    assert {attribute(name) for name in Reference.FIELDS} | {"key", "extra", "body"} == held
    assert Reference.LISTS >= Reference.SORTED


def test_section() -> None:
    body = "\n## Abstract ##\n\nOne.\n\n### Aims\n\nTwo.\n\n## Notes\n\nThree.\n"
    assert section(body, "abstract") == "One.\n\n### Aims\n\nTwo."
    assert section(body, "Notes") == "Three."
    assert section(body, "Methods") is None
    assert section("## Abstract\n\n## Notes\n", "Abstract") is None


def paper(**changes: object) -> Paper:
    base = Paper(title="Salt and water", authors=("Lee, A.", "Kim, B."), published="2017",
                 doi="10.1000/x", sources=("crossref:10.1000/x 2026-11-30",))  # fmt: skip
    return replace(base, **changes)  # type: ignore[arg-type]


def test_filing_a_paper() -> None:
    filed = reference(
        paper(abstract=" On salt. ", keywords=("b", "a"), tags=("t", "s", "t"), extra={"x": "1"}),
        "lee2017salt",
        stage="candidate",
    )
    assert filed.key == "lee2017salt" and filed.stage == "candidate"
    assert filed.body == "\n## Abstract\n\nOn salt.\n" and filed.abstract == "On salt."
    assert filed.keywords == ("a", "b") and filed.tags == ("s", "t")
    assert filed.extra == {"x": "1"} and filed.sources == ("crossref:10.1000/x 2026-11-30",)
    assert reference(paper(), "k").body == ""


HELD = reference(paper(), "lee2017salt")


def test_the_same_paper_again_changes_nothing() -> None:
    assert merge(HELD, paper()) == HELD
    assert merge(HELD, paper(sources=("crossref:10.1000/x 2027-01-01",))) == HELD


def test_an_empty_field_is_filled_and_a_filled_one_keeps_its_value() -> None:
    merged = merge(
        HELD,
        paper(title="Salt & water!", venue="Soup", doi="10.1000/y", volume="3",
              sources=("openalex:W1 2026-12-01",)),
    )  # fmt: skip
    assert (merged.venue, merged.volume, merged.doi) == ("Soup", "3", "10.1000/x")
    assert merged.title == "Salt and water"
    assert merged.conflicts == ("doi: 10.1000/y (openalex)", "title: Salt & water! (openalex)")
    assert merged.sources == ("crossref:10.1000/x 2026-11-30", "openalex:W1 2026-12-01")
    again = merge(merged, paper(title="Salt & water!", doi="10.1000/y",
                                sources=("openalex:W1 2026-12-09",)))  # fmt: skip
    assert again == merged


@pytest.mark.parametrize(
    ("field", "have", "offer"),
    [
        ("title", "Salt and Water", "salt and water"),
        ("title", "Théorème – un", "Theoreme: un"),
        ("pages", "1-9", "1–9"),
        ("authors", ("Šimić, Ana",), ("SIMIC, A.",)),
        ("type", "article", "article-journal"),
        ("url", "http://a.example", "https://a.example/"),
        ("cites", ("doi:10.1/a",), ("doi:10.1/b",)),
    ],
)
def test_spelling_is_no_conflict(field: str, have: object, offer: object) -> None:
    held = replace(HELD, **{field: have})  # type: ignore[arg-type]
    assert merge(held, paper(**{field: offer})) == held


def test_a_longer_author_list_fills_when_it_continues_the_held_one() -> None:
    longer = ("Lee, Ann", "Kim, Bo", "Park, C.")
    assert merge(HELD, paper(authors=longer)).authors == longer
    shorter = merge(HELD, paper(authors=("Lee, Ann",)))
    assert (shorter.authors, shorter.conflicts) == (HELD.authors, ())
    other = merge(HELD, paper(authors=("Kim, B.", "Lee, A.", "Park, C.")))
    assert other.authors == HELD.authors
    assert other.conflicts == ("authors: Kim, B.; Lee, A.; Park, C. (crossref)",)


def test_dates_grow_more_exact_but_do_not_change() -> None:
    assert merge(HELD, paper(published="2017-06-12")).published == "2017-06-12"
    exact = replace(HELD, published="2017-06-12")
    assert merge(exact, paper(published="2017")) == exact
    other = merge(exact, paper(published="2018"))
    assert (other.published, other.conflicts) == ("2017-06-12", ("published: 2018 (crossref)",))


def test_lists_without_order_are_united() -> None:
    held = replace(HELD, keywords=("salt",), issn=("1234-5678",))
    merged = merge(held, paper(keywords=("water", "salt"), issn=("1234-5678",), tags=("t",)))
    assert merged.keywords == ("salt", "water")
    assert merged.issn == ("1234-5678",) and merged.tags == ("t",)
    assert merged.conflicts == ()


def test_the_graver_notice_is_taken_with_its_note() -> None:
    corrected = replace(HELD, notice="corrected", notice_note="doi:10.1000/c")
    gone = merge(corrected, paper(notice="retracted", notice_note="doi:10.1000/r"))
    assert (gone.notice, gone.notice_note) == ("retracted", "doi:10.1000/r")
    assert merge(gone, paper(notice="corrected", notice_note="doi:10.1000/c")) == gone
    assert merge(gone, paper()) == gone
    assert gone.conflicts == ()
    bare = replace(HELD, notice="retracted")
    assert merge(bare, paper(notice="retracted", notice_note="n")).notice_note == "n"


def test_a_notice_in_a_persons_own_words_is_no_trouble() -> None:
    odd = replace(HELD, notice="under a cloud")
    assert merge(odd, paper(notice="retracted")).notice == "retracted"
    assert merge(HELD, paper(notice="unheard of")).notice == "unheard of"
    assert [merge(odd, paper(notice=each)).notice for each in NOTICES] == list(NOTICES)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("", "\n## Abstract\n\nNew.\n"),
        ("\n## Notes\n\nMine.\n", "\n## Notes\n\nMine.\n\n## Abstract\n\nNew.\n"),
        ("\n## Notes\n\nMine.", "\n## Notes\n\nMine.\n\n## Abstract\n\nNew.\n"),
        ("\n## Abstract\n\n## Notes\n", "\n## Abstract\n\nNew.\n\n## Notes\n"),
        ("\n## Abstract\n", "\n## Abstract\n\nNew.\n"),
        ("\n## abstract\n\nMine.\n", "\n## abstract\n\nMine.\n"),
    ],
)
def test_the_abstract_is_filled_only_where_there_is_none(body: str, expected: str) -> None:
    merged = merge(replace(HELD, body=body), paper(abstract="New."))
    assert merged.body == expected
    assert merge(merged, paper(abstract="Newer.")) == merged


def test_fields_that_are_not_ours_are_added_but_never_changed() -> None:
    held = replace(HELD, extra={"note": "mine"})
    assert merge(held, paper(extra={"note": "theirs", "genre": "x"})).extra == {
        "note": "mine",
        "genre": "x",
    }


def test_the_persons_own_fields_are_left_alone() -> None:
    held = replace(HELD, stage="candidate", cite_as="Lee:17", topics=("salt",), aliases=("lee17",))
    merged = merge(held, paper(venue="Soup"))
    assert replace(merged, venue=None) == held


WORDS = st.sampled_from(
    ["salt", "Salt", "water", "2017", "2017-06", "Lee, A", "Kim, B", "Lee, Ann"]
)
PAPERS = st.builds(
    Paper,
    title=WORDS,
    authors=st.lists(WORDS, max_size=3).map(tuple),
    published=st.none() | WORDS,
    venue=st.none() | WORDS,
    doi=st.none() | WORDS,
    notice=st.none() | st.sampled_from([*NOTICES, "odd"]),
    notice_note=st.none() | WORDS,
    keywords=st.lists(WORDS, max_size=3).map(tuple),
    abstract=st.none() | WORDS,
    sources=st.sampled_from([("a:1 2026-01-01",), ("b:1 2026-01-01",), ("c:x",), ()]),
)


@given(PAPERS, PAPERS)
def test_merging_twice_is_merging_once_and_loses_nothing(first: Paper, second: Paper) -> None:
    held = reference(first, "key")
    merged = merge(held, second)
    assert merge(merged, second) == merged == merge(merged, first)
    assert merge(held, first) == held
    for name in ("title", "venue", "doi"):
        assert getattr(merged, name) == (getattr(held, name) or getattr(second, name))
    assert set(held.keywords) | set(second.keywords) == set(merged.keywords)
    assert len(merged.authors) >= len(held.authors)
    assert {line.split()[0] for line in (*held.sources, *second.sources)} == {
        line.split()[0] for line in merged.sources
    }
