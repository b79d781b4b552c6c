"""Quotations are found where they stand, however the text was extracted, and lost ones are said."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pressmark.index.markup import words as plain
from pressmark.notes import Anchor, Text
from shell import Inside

from .conftest import TEXT

PAPERS = (
    "acl2020-s2orc", "acl2020-specter", "aimag2010", "arxiv-0908.0054", "arxiv-1504.06236v2",
    "arxiv-2202.00535v1", "arxiv-pasa", "bmc-dvt-review", "chemrxiv-explanations", "eacl2023-121",
    "emnlp2004-mono", "hep-ph-9412269", "hindawi-rerp-2010", "ida-hpylori", "ieee-tifs-2016",
    "jcap-0807.3577", "naacl2006-shinyama", "naacl2018-s2lit", "peerj-2017", "plos-wheat",
    "stoc2007-smooth", "tracemonkey", "vldb2004-trustrank",
)  # fmt: skip
"""Documents of the corpus that are papers in English with a text layer."""

FULL = bool(os.environ.get("PRESSMARK_FULL"))

SPELLINGS = [
    ("Rivers branch where they can, and meet", 100, "1", "Introduction", "1"),
    ("rivers BRANCH where they can – and meet", 100, "1", "Introduction", "1"),
    ("A branch that is first becomes the last.", 100, "1", "Introduction", "1"),
    ("the stream until nothing changes", 100, "1", "Introduction", "2"),
    ("counted every branch by hand", 100, "2", "Method", "1"),
    (
        "We walked along twelve rivers, each of them thrice, and counted every branch",
        0,
        "2",
        "Method",
        "1",
    ),
]


@pytest.mark.parametrize(("words", "score", "page", "section", "paragraph"), SPELLINGS)
def test_words_are_found_whatever_their_typography(
    words: str, score: int, page: str, section: str, paragraph: str
) -> None:
    (place,) = Text(TEXT).places(words)
    assert (place.page, place.section, place.paragraph) == (page, section, paragraph)
    assert place.score == score if score else 90 < place.score < 100


def test_its_context_decides_between_two_places() -> None:
    text = Text(TEXT)
    twice = text.places("Rivers branch where they can")
    assert [place.page for place in twice] == ["1", "2"]
    for place in twice:
        assert text.find(place.anchor()) == place
    ferryman = text.find(Anchor(exact="Rivers branch where they can", suffix=", said the ferryman"))
    assert ferryman and ferryman.page == "2"
    by_page = text.find(Anchor(exact="Rivers branch where they can", page="2"))
    assert by_page and by_page.page == "2"


@pytest.mark.parametrize(
    "words", ["", "  ", "?!", "art", "an entirely different sentence of many words", "rive"]
)
def test_what_is_not_there_is_not_found(words: str) -> None:
    assert Text(TEXT).places(words) == []


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=300), st.text(max_size=80))
def test_any_text_and_any_words_are_borne(body: str, words: str) -> None:
    for place in Text(body).places(words):
        assert 0 <= place.start < place.end <= len(body)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_what_was_taken_from_a_text_is_found_in_it(data: st.DataObject) -> None:
    body = TEXT.split("# How Rivers Branch")[1]
    body = re.sub(r"<!--.*?-->", "", body)
    start = data.draw(st.integers(0, len(body) - 60))
    words = body[start : start + data.draw(st.integers(50, 90))]
    assert Text(body).places(words)


def test_a_quotation_is_verified_on_the_command_line(shell: Inside) -> None:
    done = shell("note", "quote", "wen2021river", "until nothing changes")
    assert done.lines[0] == "wen2021river, p. 1, Introduction, ¶ 2: word for word"
    assert "«until noth" in done.lines[1] or "«until nothing changes»" in done.lines[1]
    near = shell("note", "quote", "10.5555/r.1",
                 "we walked along twelve rivers each of them once and counted every branch by hand")  # fmt: skip
    assert "not word for word (9" in near.lines[0]
    lost = shell(
        "note", "quote", "wen2021river", "the sea is quite another matter altogether", status=1
    )
    assert lost.err.startswith("pressmark: The words are not in the full text of wen2021river.")
    without = shell("note", "quote", "bryl2019message", "anything", status=2)
    assert "has no full text to look in" in without.err


def test_a_lost_quotation_is_an_error_and_a_found_one_is_none(shell: Inside) -> None:
    path = shell.root / "library/2021/wen2021river.fulltext.md"
    shell(
        "note", "new", "Kept", "--about", "wen2021river", "--quote", "counted every branch by hand"
    )
    # Extracted anew: other lines, other letters.
    path.write_text(
        TEXT.replace("counted every branch by hand", "counte d ev-\nery bran ch by hand")
    )
    assert shell("check", "--json").data["findings"] == []
    path.write_text(TEXT.replace("counted every branch by hand", "saw little"))
    (finding,) = shell("check", "--json", status=3).data["findings"]
    assert (finding["code"], finding["path"], finding["severity"]) == (
        "LOST-QUOTE", "notes/kept.md", "error",
    )  # fmt: skip
    assert finding[
        "message"
    ] == "The full text of wen2021river does not hold 'counted every branch by hand.'." or (
        "counted every branch by hand" in finding["message"]
    )
    path.unlink()
    assert "LOST-QUOTE" not in shell("check", "--json", status=None).out


def test_sentences_of_real_papers_are_found_in_another_extraction(corpus: Path) -> None:
    pypdfium2 = pytest.importorskip("pypdfium2")
    from pressmark.fulltext import pdf

    rng = random.Random(5)
    papers = PAPERS if FULL else PAPERS[::4]
    looked, lost = 0, []
    for name in papers:
        data = (corpus / "pdf" / f"{name}.pdf").read_bytes()
        body = pdf.to_markdown(data).body
        document = pypdfium2.PdfDocument(data)
        pages = (
            f"<!-- page {number} -->\n\n{page.get_textpage().get_text_range()}"
            for number, page in enumerate(document, 1)
        )
        ours, theirs = Text(body), Text("\n\n".join(pages).replace("\r\n", "\n"))
        for sentence in rng.sample(_sentences(body), 5):
            place = ours.find(Anchor(exact=sentence))
            assert place is not None, (name, sentence)
            looked += 1
            if theirs.find(place.anchor()) is None:
                lost.append((name, sentence))
    assert looked == 5 * len(papers)
    assert looked >= 100 or not FULL
    assert lost == []


def test_a_sentence_of_another_paper_is_not_taken_for_it(corpus: Path) -> None:
    from pressmark.fulltext import pdf

    names = PAPERS if FULL else ("naacl2006-shinyama", "peerj-2017", "stoc2007-smooth")
    bodies = {
        name: pdf.to_markdown((corpus / "pdf" / f"{name}.pdf").read_bytes()).body.split(
            "## References"
        )[0]
        for name in names
    }
    texts = {name: Text(body) for name, body in bodies.items()}
    rng = random.Random(6)
    for name, body in bodies.items():
        for sentence in rng.sample(_sentences(body), 4):
            for other, text in texts.items():
                assert other == name or text.find(Anchor(exact=sentence)) is None, (name, other)


def _sentences(body: str) -> list[str]:
    """Whole sentences of the running text."""
    lines = (line for line in body.split("\n") if len(line) > 300 and line[0] not in "#|<$-")
    found = (each for line in lines for each in re.split(r"(?<=[a-z)]\.)\s+(?=[A-Z])", line))
    return [plain(each) for each in found if 60 < len(each) < 400]
