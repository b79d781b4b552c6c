"""PDF: tables, words of figures, listings and pseudo-code, apart from the text around them."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from articles import prose
from printed import BOLD, MONO, PLAIN, Text, column, pdf, wrapped

from pressmark.fulltext import pdf as reader
from pressmark.fulltext.pdf import to_markdown
from pressmark.index import passages
from pressmark.index.passage import FULLTEXT


def rule(x: float, y: float, end: float) -> Text:
    """A level line, drawn as a flat box."""
    return Text(x, y, "", before=f"{x} {y} {end - x} 0.5 re f")


def row(y: float, cells: dict[float, str], font: int = PLAIN) -> list[Text]:
    """Cells by where they start."""
    return [Text(x, y, text, 9, font) for x, text in cells.items()]


def page(*parts: Sequence[Text], upper: float = 740, lower: float = 300) -> bytes:
    """Two paragraphs of prose with something between them."""
    above, below = (
        column(wrapped(prose(1)[0], 86), y=upper),
        column(wrapped(prose(2)[1], 86), y=lower),
    )
    return pdf([[*above, *(text for part in parts for text in part), *below]])


def between(data: bytes) -> list[str]:
    """The blocks between the two paragraphs, which must be whole."""
    blocks = to_markdown(data).body.strip().split("\n\n")
    assert blocks[-1] == prose(2)[1]
    return blocks[blocks.index(prose(1)[0]) + 1 : -1]


LEVELS = [
    rule(72, 640, 400), *row(628, {72: "Gauge", 200: "Level", 300: "Share"}, BOLD),
    rule(72, 622, 400),
    *row(610, {72: "North branch", 200: "1.24", 300: "63%"}),
    *row(598, {72: "South|branch", 200: "0.91", 300: "*37%"}),
    *row(586, {72: "Mouth", 200: "2.15", 300: "100%"}), rule(72, 580, 400),
]  # fmt: skip
TABLE = """\
| Gauge | Level | Share |
| --- | --- | --- |
| North branch | 1.24 | 63% |
| South\\|branch | 0.91 | \\*37% |
| Mouth | 2.15 | 100% |"""


@pytest.mark.parametrize("at", [656, 562])
def test_a_table_between_rules_under_or_over_its_caption(at: float) -> None:
    caption = column(["Table 1. Levels of the gauges."], y=at)
    for parts in ((caption, LEVELS), (LEVELS, caption)):
        assert between(page(*parts)) == ["**Table 1.** Levels of the gauges.", TABLE]


def test_a_caption_that_ends_its_label_with_nothing_stands_by_its_table() -> None:
    """`TABLE II` alone on its line, and a label in bold with the title behind it."""
    alone = [Text(180, 668, "TABLE II"), Text(140, 656, "LEVELS OF THE GAUGES")]
    assert between(page(alone, LEVELS)) == ["**TABLE II.** LEVELS OF THE GAUGES", TABLE]
    bold = [Text(72, 656, "Table 2", 9, BOLD), Text(110, 656, "Levels of the gauges.", 9)]
    assert between(page(bold, LEVELS)) == ["**Table 2.** Levels of the gauges.", TABLE]


def test_a_table_without_rules() -> None:
    lines = [text for text in LEVELS if text.text]
    caption = column(["Tab. 3: Levels of the gauges."], y=562)
    assert between(page(lines, caption)) == ["**Tab. 3.** Levels of the gauges.", TABLE]


def test_titles_over_several_columns_stand_over_each_of_them() -> None:
    head = [
        rule(72, 652, 460), *row(640, {222: "Spring tide", 362: "Neap tide"}),
        rule(195, 635, 310), rule(335, 635, 450),
        *row(624, {72: "Gauge", 200: "high", 280: "low", 340: "high", 420: "low"}),
        rule(72, 618, 460),
    ]  # fmt: skip
    body = [
        *row(606, {72: "North", 200: "1.24", 280: "0.35", 340: "0.97", 420: "0.51"}),
        *row(594, {72: "South", 200: "1.31", 280: "0.30", 340: "0.99", 420: "0.48"}),
        rule(72, 588, 460), *row(576, {72: "Levels in metres over the lowest of the year."}),
    ]  # fmt: skip
    caption = column(["Table 4. Tides at two gauges."], y=668)
    assert between(page(caption, head, body)) == [
        "**Table 4.** Tides at two gauges.",
        "| Gauge | Spring tide / high | Spring tide / low | Neap tide / high | Neap tide / low |\n"
        "| --- | --- | --- | --- | --- |\n"
        "| North | 1.24 | 0.35 | 0.97 | 0.51 |\n"
        "| South | 1.31 | 0.30 | 0.99 | 0.48 |",
        "Levels in metres over the lowest of the year.",
    ]


def test_a_label_in_the_middle_of_its_group_names_each_row_between_the_rules() -> None:
    table = [
        rule(72, 640, 400), *row(628, {72: "Shore", 200: "Gauge", 300: "Level"}, BOLD),
        rule(72, 622, 400), *row(610, {200: "North", 300: "1.24"}),
        *row(598, {72: "Left", 200: "Middle", 300: "0.91"}), *row(586, {200: "Mouth", 300: "2.15"}),
        rule(72, 580, 400), *row(568, {72: "Right", 200: "Weir", 300: "0.44"}), rule(72, 562, 400),
    ]  # fmt: skip
    assert between(page(column(["Table 5. Levels by shore."], y=656), table))[1] == (
        "| Shore | Gauge | Level |\n| --- | --- | --- |\n| Left | North | 1.24 |\n"
        "| Left | Middle | 0.91 |\n| Left | Mouth | 2.15 |\n| Right | Weir | 0.44 |"
    )


def test_lines_of_a_cell_are_one_where_rules_part_the_rows() -> None:
    table = [
        rule(72, 640, 400), *row(628, {72: "Phase", 160: "What is done"}, BOLD), rule(72, 622, 400),
        *row(610, {72: "1", 160: "The gauges are set up on the main-"}),
        *row(600, {160: "land and read once."}), rule(72, 594, 400),
        *row(582, {72: "2", 160: "They are read for a year."}), rule(72, 576, 400),
        *row(564, {72: "3", 160: "They are taken down."}), rule(72, 558, 400),
    ]  # fmt: skip
    caption = column(["Table 6. The phases, and what is done on the mainland."], y=656)
    assert between(page(caption, table))[1] == (
        "| Phase | What is done |\n| --- | --- |\n"
        "| 1 | The gauges are set up on the mainland and read once. |\n"
        "| 2 | They are read for a year. |\n| 3 | They are taken down. |"
    )


def test_a_table_that_is_not_sure_keeps_one_row_a_line() -> None:
    """Cells of two lines, with nothing that tells whose the second line is."""
    table = [
        rule(72, 640, 400), *row(628, {72: "Gauge", 160: "Keeper", 300: "Remarks"}),
        rule(72, 622, 400), *row(610, {72: "North", 160: "Aldermoor and", 300: "read by"}),
        *row(598, {160: "her brother", 300: "lamplight"}),
        *row(586, {72: "South", 160: "Fenn", 300: "``never``"}), rule(72, 580, 400),
    ]  # fmt: skip
    assert between(page(column(["Table 7. Keepers."], y=656), table)) == [
        "**Table 7.** Keepers.",
        "```\nGauge              Keeper                         Remarks\n"
        "North              Aldermoor and                  read by\n"
        "                   her brother                    lamplight\n"
        "South              Fenn                           ``never``\n```",
    ]


def test_columns_that_stand_too_near_to_part_are_left_as_rows() -> None:
    """Two numbers in one cell of every row: a column was not told from its neighbour."""
    table = [
        rule(72, 640, 400), *row(628, {72: "Gauge", 200: "High Low"}), rule(72, 622, 400),
        *row(610, {72: "North", 200: "1.24 0.35"}), *row(598, {72: "South", 200: "1.31 0.30"}),
        *row(586, {72: "Mouth", 200: "2.15 0.12"}), rule(72, 580, 400),
    ]  # fmt: skip
    shown = between(page(column(["Table 8. Tides."], y=656), table))[1]
    assert shown.startswith("```\nGauge ")
    assert "\nNorth" in shown
    assert "|" not in shown


def test_two_columns_of_prose_are_no_table() -> None:
    """Printed line by line across both columns, next to a caption."""
    left, right = wrapped(prose(3)[1], 44), wrapped(prose(4)[3], 44)
    lines = [
        text for at, pair in enumerate(zip(left, right, strict=False))
        for text in (Text(72, 640 - 12 * at, pair[0]), Text(320, 640 - 12 * at, pair[1]))
    ]  # fmt: skip
    body = to_markdown(page(column(["Table 9. Nothing."], y=660), lines)).body
    assert "|" not in body
    assert "```" not in body
    assert left[3] in body


def test_a_table_without_a_caption_stands_where_it_is_printed() -> None:
    assert between(page(LEVELS)) == [TABLE]


def test_a_caption_of_the_text_around_a_table_is_no_part_of_it() -> None:
    """Two tables under one another, each with its caption under it."""
    second = [Text(one.x, one.y - 130, one.text, one.size, one.font,
                   one.before.replace("640", "510").replace("622", "492").replace("580", "450"))
              for one in LEVELS]  # fmt: skip
    first = column(["Table 1. Levels of the gauges."], y=562)
    last = column(["Table 2. The same in June."], y=432)
    assert between(page(LEVELS, first, second, last)) == [
        "**Table 1.** Levels of the gauges.", TABLE, "**Table 2.** The same in June.", TABLE,
    ]  # fmt: skip


def test_words_of_a_figure_stand_under_its_caption() -> None:
    """Neither headings nor paragraphs, though one of them is large and bold."""
    words = [
        Text(100, 640, "Sluice", 14, BOLD), Text(250, 640, "Weir", 8), Text(100, 600, "Mouth", 8),
        Text(250, 600, "Sea", 8), Text(170, 570, "0.2", 7), Text(220, 570, "0.4", 7),
    ]  # fmt: skip
    caption = column(["Figure 1. The way of the water."], y=540)
    assert between(page(words, caption)) == [
        "**Figure 1.** The way of the water.",
        "```\nSluice                             Weir\n"
        "Mouth                              Sea\n                0.2         0.4\n```",
    ]


def test_a_formula_and_a_paragraph_over_a_caption_are_no_words_of_a_figure() -> None:
    above = [*column(["h = a + b sin t"], y=640, x=250), *column(wrapped(prose(3)[2], 86), y=610)]
    shown = between(page(above, column(["Figure 2. A picture."], y=500)))
    assert shown == ["h = a + b sin t", prose(3)[2], "**Figure 2.** A picture."]


CODE = ["for gauge in gauges:", "    if gauge.level > limit:", "        # tell the kee-",
        "        ring(gauge, `bell`)", "print('done <!-- x')"]  # fmt: skip


def test_a_listing_keeps_its_lines_and_indents() -> None:
    lines = [Text(90 + 6 * (len(one) - len(one.lstrip())), 640 - 12 * at, one.strip(), 10, MONO)
             for at, one in enumerate(CODE)]  # fmt: skip
    caption = column(["Listing 1. Ringing the bell."], y=560)
    assert between(page(lines, caption)) == [
        "```\n" + "\n".join(CODE).replace("<!--", "< !--") + "\n```",
        "**Listing 1.** Ringing the bell.",
    ]
    between(page(lines))


def test_words_of_one_width_inside_a_paragraph_stay_in_it() -> None:
    """A name of a program in a sentence, a line of a paragraph full of them, and an address."""
    lines = [
        Text(72, 640, "The keepers call"), Text(150, 640, "ring", 10, MONO),
        Text(180, 640, "with all of its options, which are"),
        Text(72, 628, "bell=1, lamp=0, drum=None, horn=2,", 10, MONO),
        Text(72, 616, "flag=3, gull=4, rope=5, oar=6,", 10, MONO),
        Text(72, 604, "and they do so every night of the year."),
    ]  # fmt: skip
    shown = " ".join(between(page(lines)))
    assert "```" not in shown
    assert "bell=1, lamp=0, drum=None, horn=2, flag=3" in shown
    address = column(["https://marsh.example/gauges/", "of/the/north"], y=600, font=MONO)
    assert "```" not in " ".join(between(page(address)))


def test_pseudo_code_keeps_its_lines() -> None:
    """With rules around it or without."""
    steps = [(72, "Input: the gauges G"), (80, "1: for all g in G do"), (92, "2: read(g)"),
             (80, "3: end for"), (80, "4: return the levels")]  # fmt: skip
    lines = [Text(x, 640 - 12 * at, text) for at, (x, text) in enumerate(steps)]
    title = [Text(72, 656, "Algorithm 1", 10, BOLD), Text(134, 656, "Reading the gauges")]
    rules = [rule(72, 668, 300), rule(72, 651, 300), rule(72, 586, 300)]
    for parts in ((title, lines), (rules, title, lines)):
        name, code = between(page(*parts))
        assert name == "**Algorithm 1.** Reading the gauges"
        assert [one.strip() for one in code.splitlines()[1:-1]] == [text for _, text in steps]
        assert len(code.splitlines()[3]) - len(code.splitlines()[3].lstrip()) >= 3


def test_passages_leave_out_tables_and_listings() -> None:
    caption = column(["Table 1. Levels of the gauges."], y=656)
    code = [Text(90, 540 - 12 * at, one.strip(), 10, MONO) for at, one in enumerate(CODE)]
    body = to_markdown(page(caption, LEVELS, code)).body
    texts = [one.text for one in passages.split("aldermoor2024", body, FULLTEXT)]
    assert texts == [prose(1)[0], prose(2)[1]]


def test_without_the_private_part_of_pypdf_the_text_is_read_as_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    places = _places()
    from pypdf import _page

    monkeypatch.setattr(_page, "TextExtraction", SimpleNamespace())
    places.watch(places.Places(lambda matrix: matrix))
    assert isinstance(_page.TextExtraction, SimpleNamespace)


def test_only_long_level_strokes_are_rules() -> None:
    places = _places().Places(lambda matrix: matrix)
    unit = (1, 0, 0, 1, 0, 0)
    places.drawn(b"m", [10, 50], unit)
    places.drawn(b"l", [90, 50], unit)
    places.drawn(b"l", [90, 90], unit)
    places.drawn(b"l", [95, 90], unit)
    places.drawn(b"re", [10, 20, 200, 0.4], unit)
    places.drawn(b"re", [10, 20, 200, 40], unit)
    places.drawn(b"re", [b"x", None], unit)
    assert places.rules == [[10, 50, 90], [10, 20, 210]]


def test_tables_of_real_papers(corpus: Path) -> None:
    """Cells as they are read on the printed pages."""
    body = _body(corpus, "naacl2018-s2lit")
    assert (
        "| Approach | CS / prec. | CS / yield | Bio / prec. | Bio / yield |\n"
        "| --- | --- | --- | --- | --- |\n| Statistical | 98.4 | 712 | 94.4 | 928 |\n"
        "| Hybrid | 91.5 | 1990 | 92.1 | 3126 |\n| Off-the-shelf | 97.4 | 873 | 77.5 | 1206 |\n"
    ) in body
    body = _body(corpus, "acl2020-specter")
    table = body.partition("|  | CLS | USR | CITE | REC | Avg. |\n")[2].splitlines()
    assert table[1:4] == [
        "| SPECTER | 84.2 | 88.4 | 91.5 | 36.9 | 80.0 |",
        "| − abstract | 82.2 | 72.2 | 73.6 | 34.5 | 68.1 |",
        "| + venue | 84.5 | 88.0 | 91.2 | 36.7 | 79.9 |",
    ]
    assert "| User activity prediction / Co-View / nDCG |" in body
    assert (
        "| SGC (2019a) | 76.8 | 82.7 | 77.2 | 88.0 | 75.7 | 87.5 | 91.6 | 96.2 | 84.1 | 92.5 | "
        "52.7 | 18.2 | 76.9 |"
    ) in body.replace("([2019a](", "(2019a(")


def test_listings_of_a_real_paper(corpus: Path) -> None:
    body = _body(corpus, "tracemonkey")
    assert (
        "```\n1 for (var i = 2; i < 100; ++i) {\n2   if (!primes[i])\n3     continue;\n"
        "4   for (var k = i + i; i < 100; k += i)\n5     primes[k] = false;\n6 }\n```\n"
    ) in body
    assert "\n      st sp[0], v0      // store primes to interpreter stack\n" in body


def _body(corpus: Path, name: str) -> str:
    return to_markdown((corpus / "pdf" / f"{name}.pdf").read_bytes()).body


def _places() -> ModuleType:
    path = Path(reader.__file__).with_name("_places.py")
    spec = importlib.util.spec_from_file_location("_places", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
