"""Rules about what records say: each finds what breaks it, and --fix mends what is certain."""

from __future__ import annotations

from pathlib import Path

import pytest

from pressmark.check import RULES, check, fix
from pressmark.check.bibliography import mended
from pressmark.library import Library, Write
from pressmark.record import Reference

from .conftest import Put

GUIDE = Path(__file__).resolve().parents[2] / "site" / "guide" / "checks.md"


def record(fields: str) -> str:
    return f"---\n{fields.strip()}\n---\n"


def findings(library: Library, code: str) -> list[tuple[str, int | None, str]]:
    return [(f.path, f.line, f.message) for f in check(library) if f.code == code]


def test_every_rule_is_in_the_guide() -> None:
    page = GUIDE.read_text("utf-8")
    assert [code for code in RULES if f"| `{code}` |" not in page] == []


def test_what_a_type_needs(put: Put, library: Library) -> None:
    put("library/2020/a2020.md", record("title: A\n\npublished: '2020'\n\ntype: article-journal"))
    put(
        "library/2020/b2020.md",
        record(
            "title: B\n\neditors:\n- Lee, A\n\npublished: '2020'\n\ntype: book\n\npublisher: Pan"
        ),
    )
    put("library/2020/c2020.md", record("title: C\n\ntype: thesis\n\nstage: candidate"))
    assert findings(library, "MISSING") == [
        ("library/2020/a2020.md", 1, "A reference of type article-journal without authors, venue.")
    ]


@pytest.mark.parametrize(
    ("title", "message", "better"),
    [
        ("The {DNA} of salt", "The title holds TeX.", "The DNA of salt"),
        ("M{\\\"u}ller's \\emph{law}", "The title holds TeX.", "Müller's law"),
        ("Salt &amp; <i>pepper</i>", "The title holds markup.", "Salt & pepper"),
        ("THE ROLE OF SALT IN SOUP", "The title is in capitals throughout.", None),
        ("On $\\alpha_{x}$ and soup", None, None),
        ("DNA", None, None),
        ("A < B and C > D", None, None),
    ],
)
def test_title_form(
    put: Put, library: Library, title: str, message: str | None, better: str | None
) -> None:
    put("library/2020/a2020.md", record(f"title: '{title.replace(chr(39), chr(39) * 2)}'"))
    found = findings(library, "TITLE-FORM")
    assert [each[2] for each in found] == ([message] if message else [])
    assert mended(Reference(key="a", title=title)).title == (better or title)


def test_a_title_that_fix_cannot_mend_is_for_its_person(put: Put, library: Library) -> None:
    put("library/2020/a2020.md", record("title: Listed under Knuth \\cite{book-full}"))
    put("library/2020/b2020.md", record("title: Listed \\emph{under} Knuth"))
    found = [each for each in check(library) if each.code == "TITLE-FORM"]
    assert [each.next for each in found] == [
        "pressmark edit a2020 --set title=…", "pressmark check --fix",
    ]  # fmt: skip


def test_names_pages_and_identifiers(put: Put, library: Library) -> None:
    put(
        "library/2020/a2020.md",
        record(
            "title: A\n\nauthors:\n- Lee, Ann\n- Kim, B.; Roe, C.\n- '{Salt and Soup; Inc.}'\n\n"
            "published: '2020'\n\npages: 120-12\n\ndoi: https://doi.org/10.1000/A"
        ),
    )
    put("library/2021/b2021.md", record("title: B\n\npages: 130-120"))
    assert findings(library, "ODD-NAME") == [
        ("library/2020/a2020.md", 4, "'Kim, B.; Roe, C.' in authors is no one name.")
    ]
    assert findings(library, "ODD-PAGES") == [
        ("library/2021/b2021.md", 4, "The pages 130-120 end before they begin.")
    ]
    assert findings(library, "IDENTIFIER-FORM") == [
        (
            "library/2020/a2020.md",
            13,
            "The doi https://doi.org/10.1000/A is written 10.1000/a everywhere else.",
        )
    ]


def test_an_identifier_whose_provider_has_another_title(put: Put, library: Library) -> None:
    put(
        "library/2020/a2020.md",
        record(
            "title: Salt in soup\n\ndoi: 10.1000/a\n\nconflicts:\n"
            "- 'title: Salt in Soup (openalex)'\n- 'title: Pepper on bread (crossref)'"
        ),
    )
    assert findings(library, "OTHER-TITLE") == [
        (
            "library/2020/a2020.md",
            6,
            "crossref has the title 'Pepper on bread' for this identifier.",
        )
    ]


def test_prose_that_cites_a_preprint_whose_publication_is_held(put: Put, library: Library) -> None:
    put(
        "library/2020/a2020.md",
        record(
            "title: Deep Soup\n\nauthors:\n- Lee, A\n\npublished: '2020'\n\narxiv: '2001.00001'"
        ),
    )
    put(
        "library/2021/b2021.md",
        record(
            "title: Deep soup\n\nauthors:\n- Lee, Ann\n\npublished: '2021'\n\nvenue: J\n\ndoi: 10.1000/b"
        ),
    )
    put("notes/n.md", "We follow [@a2020] and [@b2021].\n")
    assert findings(library, "SUPERSEDED") == [
        ("notes/n.md", 1, "a2020 is a preprint that has been published as b2021.")
    ]


def test_fix_mends_titles_and_spellings(put: Put, library: Library) -> None:
    put(
        "library/2020/a2020.md",
        record("title: The {DNA} of salt\n\ndoi: https://doi.org/10.1000/A"),
    )
    outcome = fix(library, write=Write(dry_run=True))
    (change,) = [c for c in outcome.changes if c.path.endswith("a2020.md")]
    assert change.after == b"---\ntitle: The DNA of salt\n\ndoi: 10.1000/a\n---\n"


def test_unknown_keys_in_latex_typst_and_org(put: Put, library: Library) -> None:
    put(
        "thesis/main.tex", "See \\citep[p.~5]{vaswani2017attention, gone2020}.\n% \\cite{not2020}\n"
    )
    put("thesis/main.typ", "As @vaswani2017attention and @gone2021 say.\n")
    put("thesis/main.org", "[cite:@gone2022; @vaswani2017attention]\n")
    found = [
        (f.path, f.line, f.column)
        for f in check(library, ["thesis/main.tex", "thesis/main.typ", "thesis/main.org"])
        if f.code == "UNCITED"
    ]
    assert found == [
        ("thesis/main.org", 1, 8),
        ("thesis/main.tex", 1, 40),
        ("thesis/main.typ", 1, 31),
    ]
