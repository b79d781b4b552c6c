"""References as biblatex entries: the very text, what each type needs, what pdfLaTeX can set."""

from __future__ import annotations

import re

import pytest

from pressmark.formats import biblatex
from pressmark.formats.bibtex.latex import Letters
from pressmark.record import Reference


def fields(**given: object) -> dict[str, str]:
    written = biblatex.entry(Reference(**{"key": "k", "title": "Salt", **given}))  # type: ignore[arg-type]
    head = re.search(r"^@(\w+)\{(.*),$", written, re.M)
    assert head
    return {
        "@": head[1],
        "key": head[2],
        **dict(re.findall(r"^  (\w+) = \{(.*)\},$", written, re.M)),
    }


def test_the_very_text_of_an_article() -> None:
    ref = Reference(
        key="garcia2018salt", title="The taste of DNA & β-carotene in Paris", type="article-journal",
        authors=("García Márquez, Gabriel", "{World Health Organization}"), published="2018-07-03",
        venue="Journal of Soup", volume="12", issue="3", pages="1-9", doi="10.1000/a_b",
        issn=("1234-5678", "1234-5679"), keywords=("salt", "soup, hot"), extra={"note": "See 100 %"},
    )  # fmt: skip
    assert biblatex.write([ref]) == (
        f"{biblatex.MARK}\n\n"
        "@article{garcia2018salt,\n"
        "  author = {García Márquez, Gabriel and {World Health Organization}},\n"
        "  title = {The taste of {DNA} \\& {$\\beta$}-carotene in {Paris}},\n"
        "  journaltitle = {Journal of Soup},\n"
        "  volume = {12},\n"
        "  number = {3},\n"
        "  pages = {1--9},\n"
        "  date = {2018-07-03},\n"
        "  issn = {1234-5679},\n"
        "  doi = {10.1000/a_b},\n"
        "  keywords = {salt, soup hot},\n"
        "  note = {See 100 \\%},\n"
        "}\n"
    )


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ({"type": "article-journal", "authors": ("A, B",), "venue": "J"}, "article"),
        ({"type": "article-journal", "authors": ("A, B",)}, "misc"),
        ({"type": "article-journal", "venue": "J"}, "misc"),
        ({"type": "book", "authors": ("A, B",)}, "book"),
        ({"type": "book", "editors": ("A, B",)}, "collection"),
        ({"type": "book"}, "misc"),
        (
            {"type": "chapter", "authors": ("A, B",), "editors": ("C, D",), "venue": "B"},
            "incollection",
        ),
        ({"type": "chapter", "authors": ("A, B",), "venue": "B"}, "inbook"),
        ({"type": "chapter", "authors": ("A, B",)}, "misc"),
        ({"type": "paper-conference", "authors": ("A, B",), "event": "E"}, "inproceedings"),
        ({"type": "thesis", "authors": ("A, B",), "publisher": "U"}, "thesis"),
        ({"type": "thesis", "authors": ("A, B",)}, "misc"),
        ({"type": "report", "authors": ("A, B",), "publisher": "U"}, "report"),
        ({"type": "webpage", "url": "https://x.example"}, "online"),
        ({"type": "webpage"}, "misc"),
        ({"type": "article", "venue": "arXiv", "arxiv": "1706.03762"}, "online"),
        ({"type": "dataset"}, "dataset"),
        ({"type": "software"}, "software"),
        ({"type": "song"}, "misc"),
        ({"type": None}, "misc"),
        ({"type": "document", "extra": {"bibtex-type": "manual"}}, "manual"),
        ({"type": "document", "extra": {"bibtex-type": "nonsense"}}, "misc"),
    ],
)
def test_types_with_what_they_need(given: dict[str, object], kind: str) -> None:
    assert fields(**given)["@"] == kind


def test_letters_that_pdflatex_lacks_are_commands_unless_every_letter_may_stand() -> None:
    ref = Reference(key="k", title="Salt", authors=("Nguyễn, Thị", "Šimić, Ö.", "山田, 太郎"))
    assert (
        "author = {Nguy{\\~{{\\^e}}}n, Th{\\dotbelow{i}} and Šimić, Ö. and ShanTian, TaiLang}"
        in (biblatex.entry(ref))
    )
    assert biblatex.entry(ref).startswith(
        '@preamble{"\\providecommand{\\dotbelow}[1]{\\d{#1}}"}\n\n'
    )
    whole = biblatex.write([ref], Letters.ALL)
    assert "author = {Nguyễn, Thị and Šimić, Ö. and 山田, 太郎}" in whole
    assert "@preamble" not in whole


def test_keys_of_every_script_stand_and_an_unknown_date_is_said() -> None:
    found = fields(cite_as="凯撒2013")
    assert (found["key"], found["date"]) == ("凯撒2013", "..")
    assert fields(cite_as="O'Neill, 2013")["key"] == "k"


def test_a_word_that_a_person_protected_keeps_its_capitals() -> None:
    assert fields(title="Learning With Bayes Nets", extra={"keep-case": ["Bayes"]})["title"] == (
        "Learning With {Bayes} Nets"
    )
