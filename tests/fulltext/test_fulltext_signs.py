"""PDF: titles over columns, raised marks in one face, signs that a font names in its own way."""

from __future__ import annotations

from articles import prose
from printed import BOLD, Text, column, pdf, wrapped
from test_fulltext_floats import _places, between, page, row, rule

from pressmark.fulltext.pdf import lines, to_markdown

LOW = [rule(72, 580, 400)]


def test_the_lines_of_a_title_are_one_and_a_hyphen_before_a_capital_is_its_own() -> None:
    table = [
        rule(72, 652, 400), *row(640, {72: "Gauge", 200: "Level over", 300: "TIDE-"}),
        *row(629, {200: "the lowest", 300: "WAVE"}), rule(72, 622, 400),
        *row(610, {72: "North", 200: "1.24", 300: "0.63"}),
        *row(598, {72: "South", 200: "0.91", 300: "0.37"}),
        *row(586, {72: "Mouth", 200: "2.15", 300: "1.00"}), *LOW,
    ]  # fmt: skip
    assert between(page(column(["Table 1. Levels."], y=668), table))[1] == (
        "| Gauge | Level over the lowest | TIDE-WAVE |\n| --- | --- | --- |\n"
        "| North | 1.24 | 0.63 |\n| South | 0.91 | 0.37 |\n| Mouth | 2.15 | 1.00 |"
    )


def test_a_narrow_title_over_the_gutter_names_both_columns() -> None:
    table = [
        rule(72, 652, 460), *row(640, {72: "Gauge", 243: "Sea", 330: "Stream"}),
        *row(628, {72: "Level", 200: "spring", 280: "neap", 340: "at noon"}), rule(72, 622, 460),
        *row(610, {72: "North", 200: "1.2400", 280: "0.3500", 340: "0.9700"}),
        *row(598, {72: "South", 200: "1.3100", 280: "0.3000", 340: "0.9900"}), rule(72, 592, 460),
    ]  # fmt: skip
    found = between(page(column(["Table 2. Tides."], y=668), table))[1].splitlines()
    assert found[0] == "| Gauge / Level | Sea / spring | Sea / neap | Stream / at noon |"


def test_the_one_title_of_a_group_and_a_total_name_no_columns() -> None:
    table = [
        *row(652, {90: "Floods:"}, BOLD), rule(72, 648, 300),
        *row(638, {90: "Recorded", 220: "36 (75%)"}), *row(626, {90: "Missed", 220: "12"}),
        rule(72, 622, 300), *row(612, {90: "Ebbs:"}, BOLD), rule(72, 608, 300),
        *row(598, {90: "Recorded", 220: "118 (73%)"}), *row(586, {90: "Missed", 220: "43"}),
        rule(72, 580, 300),
    ]  # fmt: skip
    assert between(page(table, column(["Table 3. What was recorded."], y=562)))[1] == (
        "|  |  |\n| --- | --- |\n| Floods: |  |\n| Recorded | 36 (75%) |\n| Missed | 12 |\n"
        "| Ebbs: |  |\n| Recorded | 118 (73%) |\n| Missed | 43 |"
    )


def test_a_title_over_columns_without_rules_stays_with_its_table() -> None:
    table = [
        *row(640, {230: "Number of gauges"}, BOLD),
        *row(626, {72: "River", 200: "Left shore", 300: "Right shore"}, BOLD),
        *row(612, {72: "Marsh", 200: "354,823", 300: "774,030"}),
        *row(600, {72: "Weir", 200: "786,432", 300: "147,456"}),
        *row(588, {72: "Mouth", 200: "270,336", 300: "337,920"}),
    ]  # fmt: skip
    found = between(page(table, column(["Table 4: Gauges."], y=566)))
    assert found[1].splitlines()[0] == (
        "| River | Number of gauges / Left shore | Number of gauges / Right shore |"
    )


def test_a_sentence_that_names_a_table_at_a_lines_start_is_no_caption() -> None:
    text = wrapped(prose(1)[0], 86)
    named = [*text[:-1], "and what the gauges said of it in the months of that year is shown in"]
    more = ["Table 4. On the average the levels of both shores were the same as those", "before."]
    body = to_markdown(pdf([column([*named, *more], y=740)])).body
    assert "is shown in Table 4. On the average" in body
    assert "**Table 4.**" not in body


def test_raised_marks_in_the_face_of_the_text_are_raised() -> None:
    """One font, another size and height: pypdf tells a visitor of one run."""
    first = Text(72, 640, "It was measured by the gauge.", 10)
    mark = Text(207, 644, "12", 6.7)
    rest = Text(216, 640, "So it was again in the year after, and the tides were as they had been.")
    again = column(["Nobody has read the gauges since, and no one can say what they would tell."],
                   y=628)  # fmt: skip
    body = to_markdown(pdf([[first, mark, rest, *again]])).body
    assert "by the gauge.¹² So it was again" in body


def test_places_are_worked_out_where_there_is_something_to_place() -> None:
    needed = _places().is_needed
    assert needed("prose\n Table 2: Levels", ["/Times"], [])
    assert needed("prose\nF IG. 1", ["/Times"], [])
    assert needed("prose", ["/ABCDEF+CMTT10"], [])
    assert needed("prose", ["/Times"], [[72, 600, 400], [72, 500, 400]])
    assert not needed("prose that names Table 2", ["/Times"], [[72, 600, 400]])


def test_names_of_signs_are_signs() -> None:
    def shown(text: str) -> str:
        return "".join(span[0] for line in lines._unslashed([[[text]]]) for span in line)

    assert shown("x /minus y /lessequal /infinity and /Gamma(x)") == "x − y ≤ ∞ and Γ(x)"
    assert shown("E /BnZr m") == "E − m"
    assert shown("/BnZr/(p") == "Γ/(p"
    assert (
        shown("and/minus or /usr/minus/x and /minuses") == "and/minus or /usr/minus/x and /minuses"
    )


def test_letters_of_a_font_of_signs_are_signs() -> None:
    fonts = ["/ABCDEF+AdvTT5bf2ac07", "/ABCDEF+AdvPS44A44B"]

    def shown(*spans: tuple[str, int]) -> str:
        made = [[text, 0.0, 0.0, 9.0, font] for text, font in spans]
        return "".join(span[0] for span in lines._pi(made, fonts))

    assert shown(("aged 10", 0), ("e", 1), ("17", 0)) == "aged 10–17"
    assert shown(("y", 1), ("Chen", 0)) == "†Chen"
    assert shown(("the ", 0), ("e", 1), ("nd", 0)) == "the end"
    assert shown(("10", 0), ("e", 0), ("17", 0)) == "10e17"


def test_places_of_texs_fonts_are_their_signs() -> None:
    fonts = ["/Times", "/ABCDEF+CMSY8", "/TeX_CM_Maths_Symbols", "/ABCDEF+CMMI10"]

    def shown(*spans: tuple[str, int]) -> str:
        made = [[text, 0.0, 0.0, 9.0, font] for text, font in spans]
        return "".join(span[0] for span in lines._spelled(made, fonts))

    assert shown(("0.55", 0), ("\x03\x03\x03", 2)) == "0.55∗∗∗"
    assert (
        shown(("a ", 0), ("\x00", 1), (" b ", 0), ("\x14", 1), (" ", 0), ("\x0b", 3)) == "a − b ≤ α"
    )
    assert shown(("e\x0ecient", 0)) == "efficient"
