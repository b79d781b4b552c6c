"""Citations in round brackets, and headings that begin with a sign or name what stands behind."""

from __future__ import annotations

import re

import pytest
from articles import prose
from printed import BOLD, Text, column, pdf

from pressmark.fulltext.pdf import to_markdown
from pressmark.fulltext.pdf.headings import is_heading
from pressmark.fulltext.pdf.lines import Line

LISTED = ["[1] T. Bryl. Message passing on estuaries. 2019.",
          "[2] R. Penhallow. A short history of tide tables. 2008.",
          "[3] L. Wen. Sparse attention. 2022.",
          "[4] O. Fenn. Gauges of brass. 1999."]  # fmt: skip
CITING = ["The tide was measured before (1), and its tables are old (2, 4). Few had seen",
          "the channels (3), as is told by others (2). Gauges were of brass (4) and of",
          "iron (1). In the third step (3) we walked, in step (2) we rowed, with n = (4)."]  # fmt: skip


def body(*texts: Text) -> str:
    lines = [prose(1)[0][at : at + 70] for at in range(0, 350, 70)]
    found = to_markdown(pdf([[
        Text(72, 740, "1 Results", 12, BOLD), *column(lines), *texts,
        Text(72, 400, "References", 12, BOLD), *column(LISTED, y=380),
    ]]))  # fmt: skip
    return found.body.partition("## References")[0]


def test_round_marks_that_name_the_list_are_links() -> None:
    shown = body(*column(CITING, y=600))
    assert "measured before ([1](#ref-1)), and its tables are old ([2](#ref-2), [4](#ref-4))" in (
        " ".join(shown.split())
    )
    assert re.findall(r"#ref-(\d)", shown) == ["1", "2", "4", "3", "2", "4", "1"]
    assert "third step (3) we walked, in step (2) we rowed, with n = (4)." in shown


@pytest.mark.parametrize(
    "more",
    [
        [Text(150, 556, "h = 2z + w"), Text(400, 556, "(1)")],
        column(["It is so [1]. It was so [2], and more [3]."], y=520),
        column(["There were gauges (17), boats (23), poles (31) and leads (45) of ours."], y=520),
    ],
    ids=["equations", "square", "counts"],
)
def test_round_numbers_that_may_be_something_else_are_left(more: list[Text]) -> None:
    shown = body(*column(CITING, y=600), *more)
    assert "before (1), and its tables are old (2, 4)." in shown


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("V. k-Means of Gauge Levels", True), ("IV. pH Along the Channels", True),
        ("V. and then", False), ("Acknowledgments and disclaimer", True),
        ("Authors’ contributions", True), ("Competing interests", True),
        ("VII. Conclusions and future work", True), ("Competing interests of two towns", False),
    ],
)  # fmt: skip
def test_titles_in_the_type_of_the_text(text: str, is_one: bool) -> None:
    before = Line("It rained.", 1, 72, 500, 10)
    assert is_heading(Line(text, 1, 72, 480, 10), before, 10, plain=True) is is_one
