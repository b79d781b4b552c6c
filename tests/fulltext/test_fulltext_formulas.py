"""Displayed formulas: one block each, the sentence around them whole, the rows they cut too."""

from __future__ import annotations

import pytest
from articles import prose
from printed import Text, column, pdf

from pressmark.fulltext.pdf import to_markdown
from pressmark.fulltext.pdf.formulas import is_piece

BODY = [prose(1)[0][at : at + 70] for at in range(0, 350, 70)]


def body(*texts: Text) -> list[str]:
    """The paragraphs after the prose that begins the page."""
    shown = to_markdown(pdf([[*column(BODY), *texts]])).body
    return [one.strip() for one in shown.split("\n\n")][2:]


def test_a_formula_in_the_middle_of_a_sentence() -> None:
    """A fraction's parts, a sum's limit and the number stand on lines of their own."""
    found = body(
        Text(72, 600, "The level of the tide in a channel follows from its depth and its width as"),
        Text(150, 580, "h = c"), Text(185, 587, "2z"), Text(185, 573, "w"),
        Text(200, 580, "+ max"), Text(205, 571, "t<n", 6), Text(400, 580, "(4)"),
        Text(72, 555, "where z is the depth at the mouth and c does not depend on the branch."),
    )  # fmt: skip
    assert found == [
        "The level of the tide in a channel follows from its depth and its width as h = c 2z w "
        "+ max t&lt;n (4) where z is the depth at the mouth and c does not depend on the branch."
    ]


def test_a_formula_after_which_a_sentence_begins_is_a_block() -> None:
    found = body(
        Text(72, 600, "The level of the tide in a channel follows from its depth and its width:"),
        Text(150, 580, "h = 2z"), Text(200, 587, "w"), Text(200, 573, "v"),
        Text(72, 555, "Gauges of brass wrote it down once in ten minutes, day and night."),
    )  # fmt: skip
    assert found == [
        "The level of the tide in a channel follows from its depth and its width:",
        "h = 2z w v",
        "Gauges of brass wrote it down once in ten minutes, day and night.",
    ]


def test_a_row_that_a_root_cuts_in_two_is_one_row() -> None:
    found = body(
        Text(72, 600, "The mean of the levels is zero and their deviation from it is"),
        Text(350, 606, "3", 6), Text(360, 600, "z, which no gauge could tell from"),
        Text(72, 588, "nothing at all, neither by day nor by night, neither at the mouth"),
        Text(72, 576, "of the channel nor at its head, where no boat went."),
    )  # fmt: skip
    assert "deviation from it is 3 z, which no gauge could tell from nothing at all," in found[0]
    assert len(found) == 1


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("E = mc²", True), ("2", True), ("sin x + log y", True), ("1 if p ∈ S,", True),
        ("1/2 otherwise,", True), ("= c [t − tB(r)], (8)", True), ("where z is the depth", False),
        ("of α = 0.85.", False), ("and", False), ("var i = 0;", False), ("3: F ← ∅", False),
        ("Levels of the gauges", False), ("[4] T. Bryl", False),
    ],
)  # fmt: skip
def test_what_may_be_a_part_of_a_formula(text: str, is_one: bool) -> None:
    assert is_piece(text) is is_one
