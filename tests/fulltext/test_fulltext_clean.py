"""Characters, hyphens, running heads: what a printed line becomes."""

from __future__ import annotations

import pytest

from pressmark.fulltext.clean import Words, joined, line, parted, running
from pressmark.fulltext.garbled import too_poor


@pytest.mark.parametrize(
    ("printed", "clean", "dropped"),
    [
        ("The eﬃcient workﬂow of the ﬁrst oﬃce", "The efficient workflow of the first office", 0),
        ("con\u00adsidered trans\u00ad", "considered trans-", 0),
        ("broken\ufffe", "broken-", 0),
        ("Zero\u200bwidth bi\u202edi\u202c", "Zerowidth bidi", 3),
        ("non\u00a0breaking \u2009 space", "non breaking space", 0),
        ("Gy ¨ongyi and Garcı́a", "Gyöngyi and Garcı́a", 0),
        ("x\x00y\x07", "xy", 0),
    ],
)
def test_a_line(printed: str, clean: str, dropped: int) -> None:
    assert line(printed) == (clean, dropped)


TEXT = [
    "state-of-the-art systems and multi-head attention for long paragraphs",
    "a multilingual system, the representation of long term storage, one term",
    "national parks, and the head of the art school",
]


@pytest.mark.parametrize(
    ("left", "right", "whole"),
    [
        ("a repre-", "sentation of", "a representation of"),  # the word stands elsewhere
        ("the multi-", "head case", "the multi-head case"),  # the compound stands elsewhere
        ("a long-", "term view", "a long-term view"),  # both halves are words
        ("the inter-", "national law", "the international law"),  # neither is known: one word
        ("state-of-the-", "art", "state-of-the-art"),
        ("with Trans-", "Former", "with Trans-Former"),
        ("the SCI-", "DOCS set", "the SCIDOCS set"),
        ("pages 1–", "20", "pages 1–20"),
        ("see a/", "b", "see a/b"),
        ("one", "two", "one two"),
        ("x -", "y", "x - y"),
        ("the COVID-", "19 case", "the COVID-19 case"),
    ],
)
def test_a_line_end(left: str, right: str, whole: str) -> None:
    assert joined([left, right], Words(TEXT)) == whole


def test_half_words_at_line_ends_are_no_evidence() -> None:
    lines = ["powerful to-", "wards token", "known to all"]
    assert joined(lines[:2], Words(lines)) == "powerful towards token"


def test_glued_words_come_apart_where_all_are_known() -> None:
    words = Words(["of clustering on their data", "of clustering on their data"])
    assert (
        parted("kind ofclusteringontheirdata. End", words)
        == "kind of clustering on their data. End"
    )
    two = Words(["over parameterised over parameterised"])
    assert parted("an overparameterised net", two) == "an overparameterised net"


def test_running_heads_feet_and_page_numbers_go() -> None:
    pages = [
        ["Journal of Marsh 12 (2024)", f"Part {n} of 5", *(c * n for c in "abcde"), str(n)]
        for n in range(1, 6)
    ]
    assert running(pages) == [{0, 1, 7}] * 5
    assert running([["Only page", "with text"]]) == [set()]
    assert running([["Short", "page"], ["Short", "page"]]) == [set(), set()]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("words and more words " * 10, "fewer than 2,000"),
        ("12 34 +- 5.6 word " * 200, "only 20 % of it are words"),
        ("many words and 1 number " * 200, ""),
        ("這是一個 句子 " * 400, ""),
    ],
)
def test_what_is_too_poor_to_keep(text: str, said: str) -> None:
    assert said in too_poor(text)
    assert bool(too_poor(text)) == bool(said)


def test_the_words_of_a_language_decide_where_the_document_is_silent() -> None:
    words = Words(["The marsh drains and that is all of it."], "en")
    assert words.join("a re-", "action of it") == "a reaction of it"
    assert words.join("a token-", "level view") == "a token-level view"
    assert words.join("pair-", "wise") == "pairwise"
    assert Words([""], "xx").join("re-", "action") == "reaction"  # no list: as before
