"""What was marked in a PDF becomes a note whose quotations stand in the full text."""

from __future__ import annotations

from pathlib import Path

import pytest

from marked import marked_pdf
from pressmark.errors import BadInput, PressmarkError
from pressmark.fulltext.pdf.annotations import read_marks
from shell import Inside

PAGES = [
    ["How Rivers Branch", "Rivers branch where they can, and meet where they must."],
    ["We walked along twelve rivers, each of them twice,", "and counted every branch by hand."],
]
MARKS = [(1, "branch where they can", ""), (2, "counted every branch", "Really by hand?")]


@pytest.fixture
def marked(shell: Inside) -> Inside:
    data = marked_pdf(PAGES, MARKS, [(2, "See [@nobody] #tag\nfor more.")])
    (shell.root / "library/2021/wen2021river.pdf").write_bytes(data)
    return shell


def test_the_words_under_a_mark_are_read() -> None:
    marks, problems = read_marks(marked_pdf(PAGES, MARKS, [(2, "See this.")]))
    assert [(m.page, m.kind, m.words, m.comment) for m in marks] == [
        (1, "highlight", "branch where they can", ""),
        (2, "highlight", "counted every branch", "Really by hand?"),
        (2, "comment", "", "See this."),
    ]
    assert problems == []


def test_highlights_become_an_anchored_note(marked: Inside) -> None:
    done = marked("note", "highlights", "wen2021river")
    (path,) = [line.split()[-1] for line in done.lines]
    text = (marked.root / path).read_text()
    assert "title: Highlights of How Rivers Branch\n" in text
    assert "about:\n- wen2021river\n" in text
    assert "  exact: branch where they can\n" in text
    assert "  page: '2'\n  section: Method\n" in text
    assert "> counted every branch [@wen2021river, p. 2]\n\nReally by hand?\n" in text
    # Words from outside cite and tag nothing.
    assert "[@nobody]" not in text.split("---")[-1]
    assert marked("check").status == 0


def test_a_second_run_takes_new_marks_only(marked: Inside) -> None:
    marked("note", "highlights", "wen2021river")
    again = marked("note", "highlights", "wen2021river", status=1)
    assert again.err.startswith(
        "pressmark: Every mark of the PDF of wen2021river stands in a note already."
    )
    more = marked_pdf(PAGES, [*MARKS, (1, "meet where they must", "")])
    (marked.root / "library/2021/wen2021river.pdf").write_bytes(more)
    done = marked("note", "highlights", "wen2021river")
    text = (marked.root / done.lines[0].split()[-1]).read_text()
    assert "meet where they must" in text
    assert "counted every branch" not in text


def test_without_a_pdf_or_without_marks_it_says_so(marked: Inside) -> None:
    assert "has no PDF here" in marked("note", "highlights", "bryl2019message", status=2).err
    (marked.root / "library/2021/wen2021river.pdf").write_bytes(marked_pdf(PAGES))
    assert "holds no highlights" in marked("note", "highlights", "wen2021river", status=1).err
    (marked.root / "library/2021/wen2021river.pdf").write_bytes(b"no pdf at all")
    assert "is no PDF" in marked("note", "highlights", "wen2021river", status=2).err


def test_documents_of_every_kind_are_borne(corpus: Path) -> None:
    for path in sorted((corpus / "pdf").glob("*.pdf"))[::6]:
        try:
            marks, _ = read_marks(path.read_bytes())
        except PressmarkError as error:
            assert str(error)
        else:
            assert all(mark.page > 0 for mark in marks)
    with pytest.raises(BadInput, match="password"):
        read_marks((corpus / "pdf" / "password-1234.pdf").read_bytes())
