"""A reference list by author and year under no heading: taken whole or not at all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from articles import prose

from pressmark.fulltext.clean import Words
from pressmark.fulltext.pdf import references, unheaded
from pressmark.fulltext.pdf.lines import Line, read_pages
from pressmark.fulltext.pdf.process import pages

ENTRIES = [
    ("Aldermoor, I. and Bryl, T. 2019. Message", "passing on estuaries. Journal of", "Tides, 12."),
    ("Bryl, T. 2017. Gauges of brass and", "of wood. River Press."),
    ("De Vos, Q. 2020. Salinity forecasts with", "quantile forests."),
    ("Farrow, H. (2017). Tidal memory", "withdrawn. Annals, 4."),
    ("Marsh Collaboration. 2015. A map of forty", "marshes."),
    ("Penhallow, R. 2008. A short history of", "tide tables. Brass Press."),
    ("Reed, A. 2001a. A book of reeds. In", "Wet Places, pages 1-9."),
    ("Reed, A. 2001b. More reeds.", "Wet Places."),
    ("Wen, L. 2023. Positional encodings on", "rivers."),
]


def body(count: int = 60) -> list[Line]:
    """Paragraphs with an indented first line, as prose is set; some of it cites."""
    words = " ".join(prose(count)).split()
    texts = [" ".join(words[at : at + 8]) for at in range(0, count * 8, 8)]
    texts[4] = "Bryl, who was there first (2017), says so"
    return [
        Line(text, 1, 72 if at % 6 else 84, 700 - at, 10) for at, text in enumerate(texts)
    ]  # fmt: skip


def listed(entries: list[tuple[str, ...]], *, indent: float = 11, x: float = 72) -> list[Line]:
    """Entries with a hanging indent."""
    return [
        Line(text, 2, x + (indent if at else 0), 700, 10)
        for entry in entries
        for at, text in enumerate(entry)
    ]


def cut(lines: list[Line]) -> references.Cut | None:
    return references.cut(lines, Words([line.text for line in lines], "en"), 10)


def test_all_its_marks_together_tell_a_list() -> None:
    lines = [*body(), *listed(ENTRIES)]
    found = cut(lines)
    assert found is not None
    assert (min(found.lines), max(found.lines)) == (60, len(lines) - 1)
    assert len(found.entries) == 9
    assert found.entries[0] == (
        "Aldermoor, I. and Bryl, T. 2019. Message passing on estuaries. Journal of Tides, 12."
    )
    assert found.entries[-1] == "Wen, L. 2023. Positional encodings on rivers."


def test_given_names_first_and_two_columns() -> None:
    turned = [("Ines Aldermoor. 2019. Message", "passing."), ("Tomasz Bryl. 2017. Gauges of", "brass."),
              ("Hugo Farrow and Li Wen. 2017. Memory", "of tides."), ("Ruth Penhallow. 2008. Tables",
              "of tides.")]  # fmt: skip
    right = [("Ada Reed. 2001. A book of", "reeds."), ("Quentin Vos. 2020. Salinity", "again."),
             ("Li Wen. 2023. Encodings on", "rivers."), ("Li Wen. 2024. Encodings on", "seas.")]  # fmt: skip
    assert unheaded.start([*body(), *listed(turned), *listed(right, x=310)]) == 60


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (listed(ENTRIES[:7]), "fewer than eight"),
        (listed(ENTRIES, indent=0), "no hanging indent"),
        (listed([(one[0].replace("20", "x"), *one[1:]) for one in ENTRIES]), "without years"),
        (listed([*ENTRIES[::-1]]), "in no order"),
        ([*listed(ENTRIES), *body(12)], "prose behind it"),
        (listed(ENTRIES[:2])
         + [replace(line, x=72.0) for line in listed([("and so on in the text",)])]
         + listed(ENTRIES[2:]), "prose between its first entries"),
        (body(12), "prose alone"),
    ],
)  # fmt: skip
def test_where_one_mark_lacks_nothing_is_taken(lines: list[Line], why: str) -> None:
    assert unheaded.start([*body(), *lines]) is None, why


def test_early_in_the_document_it_is_a_list_of_the_texts_own() -> None:
    assert unheaded.start([*body(10), *listed(ENTRIES), *body(60)]) is None


@pytest.mark.parametrize(
    ("name", "count"),
    [("naacl2006-shinyama", 10), ("emnlp2004-mono", 24), ("peerj-2017", 24),
     ("naacl2018-s2lit", None), ("acl2020-specter", None), ("vicksburg-ocr", None)],
)  # fmt: skip
def test_real_papers_without_their_heading(corpus: Path, name: str, count: int | None) -> None:
    """All of the list or nothing; a paper whose list an appendix follows is left as it is."""
    read, _ = read_pages(pages((corpus / "pdf" / f"{name}.pdf").read_bytes()).pages)
    lines = [line for page in read for line in page.lines]
    kept = [line for line in lines if not references.HEADING.match(line.text)]
    found = cut(kept)
    assert (len(found.entries) if found else None) == count
    if found and (headed := cut(lines)):
        assert found.entries == headed.entries
