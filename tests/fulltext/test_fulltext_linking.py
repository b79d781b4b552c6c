"""Citations in running text: by author and year, by number, and what only looks like one."""

from __future__ import annotations

import re

import pytest
from articles import jats, latexml, prose
from printed import BOLD, Text, column, pdf

from pressmark.fulltext import html
from pressmark.fulltext import jats as jats_converter
from pressmark.fulltext.citing import citing_sentences
from pressmark.fulltext.linking import link
from pressmark.fulltext.pdf import to_markdown
from pressmark.fulltext.years import AuthorYears

ENTRIES = (
    "Ines Aldermoor, Tom Bryl, and Lu Wen. 2019. Marshes and their channels. In Tides, pages 1–9.",
    "Bryl, T. & Penhallow, R. (2018a). A history of tide tables. Brass Press.",
    "Bryl, T. & Penhallow, R. (2018b). More of the same. Brass Press.",
    "Bryl T (2011) Gauges. J Inv Hydrol 12:101–119",
    "L. van der Moss, A. Ito, and T. Quist. Sparse nets. In Proc. Nets, 2020.",
    "Šimić J, Ito A, Quist T, Zell P. Old channels. Water 2015;12:1.",
    "Ito, A. 2015. On nothing.",
)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("as shown (Aldermoor et al., 2019).", [1]),
        ("Aldermoor et al. (2019) show", [1]),
        ("Aldermoor and colleagues (2019) show", [1]),
        ("(see Bryl and Penhallow, 2018a,b; Bryl, 2011)", [2, 3, 4]),
        ("Bryl & Penhallow (2018b)", [3]),
        ("Bryl and Penhallow’s (2018a) tables", [2]),
        ("(Bryl 2011, 2018)", [4]),  # two works of 2018 answer, so neither does
        ("van der Moss et al. (2020) and Simic et al. 2015", [5, 6]),
        ("[Aldermoor et al., 2019; Ito, 2015]", [1, 7]),
        ("In March 2019 the marsh froze, and in 2015 again.", []),
        ("between 2018 and 2020; DOI 10.1/2019", []),
        ("Nobody (2019)", []),
    ],
)
def test_author_and_year(text: str, numbers: list[int]) -> None:
    assert [number for _, _, number in AuthorYears(ENTRIES).find(text)] == numbers


def test_the_place_of_a_mark_is_its_year() -> None:
    text = "as Bryl (2011) says"
    assert [text[a:b] for a, b, _ in AuthorYears(ENTRIES).find(text)] == ["2011"]


def test_bare_words_of_a_page_are_linked_and_what_is_marked_up_stays() -> None:
    blocks = ["# T 2019", "Bryl (2011) and [Ito, 2015](#ref-7), $x_{Ito, 2015}$ `Bryl (2011)`."]
    assert link(blocks, ENTRIES) == [
        "# T 2019",
        "Bryl ([2011](#ref-4)) and [Ito, 2015](#ref-7), $x_{Ito, 2015}$ `Bryl (2011)`.",
    ]


def test_numbers_are_linked_only_where_nothing_else_is() -> None:
    entries = ["A. 2001.", "B. 2002.", "C. 2003."]
    assert link(["So [1], [2–3] but [7] and [0, 1]."], entries) == [
        "So [[1](#ref-1)], [[2](#ref-2)–[3](#ref-3)] but [7] and [0, 1]."
    ]
    marked = ["So [[1](#ref-1)] in [2, 3]."]
    assert link(marked, entries) == marked


def test_an_article_whose_publisher_marks_nothing_up() -> None:
    body = "<sec><title>Use</title><p>It was so (Bryl et al., 2019).</p></sec>"
    found = jats_converter.to_markdown(jats(body=body))
    assert [(one.number, one.text) for one in citing_sentences(found.body)] == [
        (1, "It was so (Bryl et al., 2019).")
    ]


def test_ends_of_a_range_stand_for_what_is_between() -> None:
    body = (
        '<sec><title>Use</title><p>It was so [<xref ref-type="bibr" rid="r1">1</xref>–'
        '<xref ref-type="bibr" rid="r3">3</xref>].</p></sec>'
    )
    found = citing_sentences(jats_converter.to_markdown(jats(body=body)).body)
    assert [one.number for one in found] == [1, 2, 3]


def test_a_page_that_links_its_citations() -> None:
    extra = '<p class="ltx_p">Seen before <cite>[<a href="#bib.bib1">1</a>]</cite>. Not now.</p>'
    found = citing_sentences(html.to_markdown(latexml(extra=extra)).body)
    assert [(one.number, one.text) for one in found] == [(1, "Seen before [1].")]


def wrapped(text: str, width: int = 70) -> list[str]:
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def paper(text: list[str], entries: list[str], raised: dict[int, str] | None = None) -> str:
    """A page that cites, and its list; `raised` are small numbers behind lines of the text."""
    lines = column([line for part in text for line in wrapped(part)], y=700)
    marks = [
        Text(72 + 4.9 * len(lines[at].text), lines[at].y + 4, mark, 6)
        for at, mark in (raised or {}).items()
    ]
    shown = [one for at, line in enumerate(lines)
             for one in [line, *(marks[k] for k, r in enumerate(raised or {}) if r == at)]]  # fmt: skip
    list_ = [Text(72, 400, "References", 12, BOLD), *column(entries, y=380)]
    return to_markdown(
        pdf([[Text(72, 740, "On Marshes and Tides", 17, BOLD), *shown, *list_]])
    ).body


def test_a_pdf_that_cites_by_author_and_year() -> None:
    entries = [
        "Aldermoor, I., Bryl, T. and Wen, L. (2019). Marshes and channels. Tides 3.",
        "Bryl, T. (2011). Gauges. Hydrology 12, 101-119.",
        "Penhallow, R. (2008). A short history of tide tables. Brass Press.",
    ]
    text = [
        *prose(2),
        "Channels move (Aldermoor et al., 2019; Penhallow, 2008). Bryl (2011) saw it.",
    ]
    found = citing_sentences(paper(text, entries))
    assert [(one.number, one.text) for one in found] == [
        (1, "Channels move (Aldermoor et al., 2019; Penhallow, 2008)."),
        (3, "Channels move (Aldermoor et al., 2019; Penhallow, 2008)."),
        (2, "Bryl (2011) saw it."),
    ]


def test_numbers_in_brackets_of_a_listing_are_no_citations() -> None:
    entries = [f"[{n}] A. Moss. Work number {n}. 20{n + 10}." for n in range(1, 5)]
    text = [*prose(2), "We follow others [1, 3] here.", "st sp[2], v1", "st sp[4], v0"]
    assert re.findall(r"#ref-(\d)\)", paper(text, entries)) == ["1", "3"]


def test_raised_numbers_cite_where_they_name_the_list() -> None:
    entries = [f"{n}. Moss A. Work number {n}. 20{n + 10}." for n in range(1, 4)]
    text = ["Marshes drain along the old channels.", "Gauges stood in all of them for years."]
    body = paper(text, entries, {0: "1,2", 1: "3"})
    assert [one.number for one in citing_sentences(body)] == [1, 2, 3]


def test_a_list_without_a_heading_takes_eight_dated_numbers_at_the_end() -> None:
    def references(count: int, first: int = 1, year: str = "2019", after: int = 0) -> int:
        lines = [f"[{n}] A. Moss, Work number {n}, {year}." for n in range(first, first + count)]
        pages = [
            [Text(72, 740, "On Marshes and Tides", 17, BOLD),
             *column([line for part in prose(8) for line in wrapped(part)], y=700)],
            [*column(wrapped(prose(3)[2]), y=740), *column(lines, y=600, step=14)],
            *[[*column([line for part in prose(6) for line in wrapped(part)], y=700)]] * after,
        ]  # fmt: skip
        return len(to_markdown(pdf(pages)).references)

    assert references(8) == 8
    assert references(7) == 0  # short
    assert references(9, first=3) == 0  # does not begin at 1
    assert references(9, year="n. d.") == 0  # without years
    assert references(9, after=3) == 0  # far from the end


def test_a_heading_in_the_first_third_is_of_a_contents_page() -> None:
    contents = [Text(72, 700, "References", 12, BOLD), *column(["Moss 1", "Bryl 2"], y=680)]
    pages = [
        [Text(72, 740, "On Marshes and Tides", 17, BOLD), *contents],
        *[column([line for part in prose(6) for line in wrapped(part)], y=700)] * 2,
    ]
    assert to_markdown(pdf(pages)).references == ()
