"""Passages: exact places, sizes, sections, and what is no prose left out."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pressmark.index.markup import words
from pressmark.index.passage import FULLTEXT, NOTE, REFERENCE
from pressmark.index.passages import LEAST, MOST, TARGET, indexed, split

SENTENCE = "The heron stands in the shallows and waits for what the river brings to it. "


def texts(text: str, kind: str = FULLTEXT) -> list[str]:
    return [each.text for each in split("k", text, kind)]


def test_a_passage_is_its_place_in_the_file() -> None:
    text = f"---\ntitle: x\n---\n\n## Methods\n\n{SENTENCE * 3}\n\n## Results\n\n{SENTENCE * 40}\n"
    found = split("heron2001", text, FULLTEXT, text.index("\n\n## Methods"), "library/2001/h.md")
    assert [each.section for each in found] == ["Methods"] + ["Results"] * (len(found) - 1)
    assert all(text[each.start : each.end] == each.text for each in found)
    assert all(each.path == "library/2001/h.md" for each in found)
    assert "".join(each.text + " " for each in found[1:]) == SENTENCE * 40


def test_ids_name_the_key_the_number_and_the_text() -> None:
    text = f"## A\n\n{SENTENCE * 2}\n\n## B\n\n{SENTENCE * 3}\n"
    first, second = split("heron2001", text, FULLTEXT)
    assert re.fullmatch(r"heron2001#p1-[0-9a-f]{8}", first.id)
    assert re.fullmatch(r"heron2001#p2-[0-9a-f]{8}", second.id)
    moved = split("heron2001", f"## New\n\n{SENTENCE * 2}Another.\n\n{text}", FULLTEXT)
    assert [each.hash for each in moved[1:]] == [first.hash, second.hash]
    assert split("heron2001", text, REFERENCE)[0].id.startswith("heron2001#b1-")
    assert split("note", text, NOTE)[0].id.startswith("note#n1-")


def test_long_paragraphs_are_cut_between_sentences_into_even_parts() -> None:
    found = texts(SENTENCE * 40)
    assert all(each.endswith(".") for each in found)
    assert all(TARGET / 2 < len(each) <= MOST for each in found)


def test_no_cut_after_an_abbreviation() -> None:
    text = "As Smith et al. Describe in Fig. 3 and Eq. 4 of it, e.g. Herons wait long here. " * 30
    assert all(each.endswith("here.") for each in texts(text))


def test_a_text_without_blanks_or_sentences_is_cut_all_the_same() -> None:
    found = texts("A" * 10_000)
    assert "".join(found) == "A" * 10_000
    assert max(map(len, found)) <= MOST


def test_chinese_is_cut_after_its_full_stops() -> None:
    found = texts("苍鹭站在浅水中等待河流带来的东西。" * 200)
    assert all(each.endswith("。") and len(each) <= MOST for each in found)


def test_short_neighbours_of_one_section_are_merged() -> None:
    text = "## A\n\n" + f"{SENTENCE}\n\n" * 5 + "## B\n\n" + f"{SENTENCE}\n\n" * 2
    found = split("k", text, FULLTEXT)
    assert [each.section for each in found] == ["A", "B"]
    assert found[0].text.count("heron") == 5


def test_fragments_of_a_printed_page_are_dropped_but_not_a_persons_words() -> None:
    assert texts("## A\n\nSee below.\n") == []
    assert texts("Read this again!\n", NOTE) == ["Read this again!"]
    assert texts("## Abstract\n\nShort.\n", REFERENCE) == ["Short."]
    assert len("See below.") < LEAST


@pytest.mark.parametrize(
    "block",
    [
        "**Figure 1.** The heron in the shallows, seen from the bank on a clear morning in the spring of that year.",
        "Fig. 12: The heron in the shallows, seen from the bank on a clear morning in the spring of that year here.",
        "Table 2. Counts of herons by month and by river, with the standard errors of the mean in brackets behind.",
        "| month | herons |\n| --- | --- |\n| May | 12 seen in the shallows by the bridge and then on the far bank too |",
        "```python\nprint('a heron waits in the shallows for what the river will bring to it on a clear day')\n```",
        "[^3]: A heron is a bird, and the authors thank the river for letting them watch it for so many mornings.",
        "![The heron in the shallows, seen from the bank on a clear morning in the spring of that year](heron.png)",
        "© 2001 The Authors. Published by the River Society. All rights reserved. See the terms for the conditions.",
        "<!-- The heron in the shallows, seen from the bank\non a clear morning in the spring of that very year -->",
        '<figure>The heron in the shallows, seen from the bank on a clear morning in the spring of that year</figure>',
        "**Figure 3—figure supplement 2.** The heron in the shallows, seen from the bank on a clear morning in spring.",
        "**Figure 1—source data 1.** The heron in the shallows, seen from the bank on a clear morning in that spring.",
        "Figure 1 Overview of the heron in the shallows, seen from the bank on a clear morning in the spring of the year.",
        "Table II Counts of herons by month and by river, with the standard errors of the mean in brackets behind them.",
        "Figure 2 (. . . continued) The heron in the shallows, seen from the bank on a clear morning in the same spring.",
        "Ardea 4.8 9.4 25.2 51.6 25.6 51.9 25.1 51.5 24.9 51.4 51.3 16.8 32.5 Egretta 66.2 69.2 67.8 82.9 64.9 81.6 65.3",
        "https://doi.org/10.5555/journal.heron.0197919.g0060123456789012345678901234567890123456789012345678901234567",
        "doi:10.5555/1752-2897-4-1 Cite this article as: Reed et al.: Herons in the shallows: a systematic review. 2010.",
    ],
)  # fmt: skip
def test_what_is_no_prose_is_left_out_and_parts_passages(block: str) -> None:
    around = SENTENCE * 2
    assert texts(f"{around}\n\n{block}\n\n{around}\n") == [around.strip()] * (
        1 if block.startswith("<!--") else 2
    ) or texts(f"{around}\n\n{block}\n\n{around}\n")[0].startswith(around.strip())
    assert texts(f"{block}\n") == []


@pytest.mark.parametrize(
    "opening", ["Table 1 shows", "Figure 3A revealed", "Table IV tells us", "Fig. 8 makes it plain"]
)
def test_a_sentence_about_a_table_is_no_caption(opening: str) -> None:
    text = f"{opening} that herons wait longer in the morning than they do at any other time."
    assert texts(text) == [text]


def test_numbers_in_a_sentence_make_no_table() -> None:
    text = (
        "In 2010 we counted 12 herons (F[1,12] = 8.42, p = 0.01) and in 2011 another 14, of which "
        "3 of 5 at $x_1$ $x_2$ $x_3$ $x_4$ $x_5$ $x_6$ $x_7$ $x_8$ were seen again."
    )
    assert texts(text) == [text]


def test_the_signs_of_a_figure_are_no_passage_and_part_none() -> None:
    signs = "\n\n".join(["0.6 0.7 0.8 0.9 1.0", "&-.789:;#3%4,56#", "10", "T0(p) = 1/2"] * 8)
    assert texts(signs) == []
    (found,) = texts(f"{SENTENCE}\n\n10\n\n1/x = 0.1 · 10²\n\n{SENTENCE}")
    assert found.strip().startswith(SENTENCE.strip()) and found.strip().endswith(SENTENCE.strip())
    assert texts(signs, NOTE) != []  # what a person wrote is kept


def test_a_short_paragraph_is_not_judged_by_the_one_behind_it() -> None:
    behind = "https://doi.org/10.5555/heron.0197919.g006\n\n" + SENTENCE * 2
    assert texts(behind) == [SENTENCE * 2]


@pytest.mark.parametrize(
    "heading",
    ["References", "Acknowledgements", "7. Acknowledgment", "Funding", "Author Contributions",
     "Conflict of interest", "Data availability", "Supplementary Material", "Bibliography",
     "Competing interests", "Ethics statement", "**References**"],
)  # fmt: skip
def test_back_matter_is_left_out_with_its_subsections(heading: str) -> None:
    text = f"## {heading}\n\n{SENTENCE * 3}\n\n### More\n\n{SENTENCE * 3}\n\n## Appendix\n\n{SENTENCE * 3}\n"
    assert [each.section for each in split("k", text, FULLTEXT)] == ["Appendix"]
    assert len(split("k", text, NOTE)) == 3


def test_pages_are_counted_and_their_marks_are_not_read() -> None:
    text = f"<!-- page 3 -->\n\n{SENTENCE * 2}\n\n<!-- page 4 -->\n\n{SENTENCE * 30}\n"
    first, *_, last = split("k", text, FULLTEXT)
    assert (first.page, last.page) == ("3", "4")
    assert "page" not in words(" ".join(each.text for each in split("k", text, FULLTEXT)))


def test_a_formula_may_stand_inside_a_passage_and_is_not_read() -> None:
    text = f"{SENTENCE}\n\n$$\nE = mc^2\n$$\n\n{SENTENCE}\n"
    (found,) = split("k", text, FULLTEXT)
    assert "mc^2" in found.text
    assert words(found.text) == (SENTENCE * 2).strip()


@pytest.mark.parametrize(
    "line",
    [
        "We have $$a=b$$ where the heron stands in the shallows and waits for what the river brings.",
        "$$a=b$$ where the heron stands in the shallows and waits for all that the river will bring.",
        "$a=b$ holds where the heron stands in the shallows and waits for all that the river brings.",
    ],
)
def test_a_sentence_with_a_formula_is_prose(line: str) -> None:
    assert texts(f"{line}\n\n## B\n\n{line}\n") == [line, line]
    assert words(line) == line


def test_what_is_indexed_carries_title_and_section() -> None:
    assert indexed("Herons", "Results", "They *wait*.") == "Herons | Results | They wait."
    assert indexed("Herons", "", "They wait.") == "Herons | They wait."


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("**bold** and *soft* and `code`", "bold and soft and code"),
        ("see [the paper](https://example.org/a_(b)) now", "see the paper now"),
        ("as [[12]](#ref-12) says", "as [12] says"),
        ("[[vaswani2017attention|Vaswani]] wrote [@key]", "Vaswani wrote [@key]"),
        ("> [!note] Remember\n> the heron", "Remember the heron"),
        ("- one\n- two\n3. three", "one two three"),
        ("a\\*b &amp; c &lt; d", "a*b & c < d"),
        ("x_i and snake_case _soft_", "x_i and snake_case soft"),
        ("p < 0.05 and a > b", "p < 0.05 and a > b"),
        ("note[^1] and <sub>2</sub>", "note and 2"),
        ("![[picture.png]] shown", "shown"),
    ],
)  # fmt: skip
def test_words_are_what_a_reader_sees(markdown: str, expected: str) -> None:
    assert words(markdown) == expected


PIECES = st.sampled_from([
    "# A", "## References", "### B *c*", "```", "$$", "<!-- page 2 -->", "<!--", "-->", "| a | b |",
    "---", "", "", "", "> quote", "- item", "Fig. 1. x", "word " * 60, "Sentence one. Two! Three? " * 20,
    "é" * 500, "。" * 90, "[^1]: n", "\u2028", "\ttab", "plain",
])  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(st.lists(PIECES, max_size=30), st.sampled_from([REFERENCE, FULLTEXT, NOTE]))
def test_whatever_the_markdown_places_are_exact_and_in_order(lines: list[str], kind: str) -> None:
    text = "\n".join(lines)
    found = split("k", text, kind)
    assert all(text[each.start : each.end] == each.text and each.text for each in found)
    assert all(each.end - each.start <= MOST for each in found)
    ends = [0] + [each.end for each in found]
    assert all(end <= each.start for end, each in zip(ends, found, strict=False))
