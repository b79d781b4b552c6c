"""The blanks between words of files that set them in a way pypdf does not see."""

from __future__ import annotations

import io
from typing import Any

import pypdf
import pytest
from articles import prose
from printed import Text, column, pdf
from pypdf.generic import ArrayObject, FloatObject, NameObject, NumberObject

from pressmark.fulltext.pdf import second, to_markdown


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pypdf reads by itself: another program would know the blanks."""
    monkeypatch.setattr(second, "_BACKENDS", {})


def shown(operators: str) -> str:
    """The text of a page of prose, then these operators at the foot of it."""
    lines = [prose(1)[0][at : at + 70] for at in range(0, 350, 70)]
    body = to_markdown(pdf([[*column(lines), Text(72, 100, "", before=operators)]])).body
    return body.partition("<!-- page 1 -->")[2]


def test_letters_set_apart_and_taken_back_inside_words() -> None:
    """`er` is one string of two letters with a gap between them that nothing takes back."""
    text = shown(
        "BT /F0 1 Tf 0.39 Tc 10 0 0 10 72 300 Tm "
        "[(t) 390 (h) 392 (e) -2 (t) 391 (i) 389 (d) 390 (er) 391 (a) 390 (n)] TJ ET"
    )
    assert text.rstrip().endswith("the tide ran")


def test_a_title_whose_letters_are_set_apart_is_not_parted() -> None:
    text = shown("BT /F0 1 Tf 0.39 Tc 10 0 0 10 72 300 Tm [(T) 10 (I) -4 (D) 0 (E) 0 (S)] TJ ET")
    assert text.rstrip().endswith("TIDES")


def test_a_tight_line_in_a_font_with_a_wide_space() -> None:
    """Courier's space is 600 of 1,000; these gaps are 230, and the kerning is 30."""
    tight = "(Consider) -231 (a) -230 (distri) 28 (bu) -29 (tion) -232 (with) -231 (tides)"
    body = whole(_font(f"BT /F0 10 Tf 1 0 0 1 72 300 Tm [{tight}] TJ ET", {"space": 600}))
    assert body.rstrip().endswith("Consider a distribution with tides")


def test_bitmap_fonts_state_widths_in_a_scale_of_their_own() -> None:
    """Letters of 20 dots at 0.24 points a dot; 12 dots part words, 1 dot does not."""
    text = (
        "BT /F0 0.24 Tf 1 0 0 1 72 300 Tm [(the) -12000 (mo) -999 (del)] TJ "
        "44.4 0 Td (sh) Tj 9.8 0 Td (ows) Tj 17.5 0 Td (tides) Tj ET"
    )
    assert whole(_font(text, {"matrix": 1, "width": 20})).rstrip().endswith("the model shows tides")


@pytest.mark.parametrize(
    ("turn", "matrix"), [(90, "0 1 -1 0"), (270, "0 -1 1 0"), (180, "-1 0 0 -1")]
)
def test_words_one_by_one_on_a_turned_page(turn: int, matrix: str) -> None:
    """Pypdf measures gaps to the right and upwards only."""
    said = "The water rose in every branch of the marsh before noon"
    words = said.split()
    placed = f"BT /F0 10 Tf {matrix} 300 300 Tm " + " ".join(
        f"({word}) Tj {len(word) * 5.6 + 3:.1f} 0 Td" for word in words
    )
    data = pypdf.PdfWriter(clone_from=io.BytesIO(pdf([[Text(0, -50, "", before=f"{placed} ET")]])))
    data.pages[0].rotate(turn)
    assert whole(data).rstrip().endswith(said)


def whole(writer: pypdf.PdfWriter) -> str:
    out = io.BytesIO()
    writer.write(out)
    return to_markdown(out.getvalue()).body


def _font(operators: str, how: dict[str, Any]) -> pypdf.PdfWriter:
    """A page with these operators in a font of given widths."""
    lines = [prose(1)[0][at : at + 70] for at in range(0, 350, 70)]
    page = [*column(lines, font=1), Text(72, 100, "", font=1, before=operators)]
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(pdf([page])))
    font = writer.pages[0]["/Resources"]["/Font"]["/F0"].get_object()  # type: ignore[index]
    width = how.get("width", 600)
    font[NameObject("/FirstChar")] = NumberObject(33 if "matrix" in how else 32)
    count = 90 if "matrix" in how else 91
    font[NameObject("/Widths")] = ArrayObject([NumberObject(width)] * count)
    if "matrix" in how:
        font[NameObject("/Subtype")] = NameObject("/Type3")
        del font["/BaseFont"]
        font[NameObject("/FontMatrix")] = ArrayObject([FloatObject(n) for n in (1, 0, 0, -1, 0, 0)])
    return writer
