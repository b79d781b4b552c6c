"""Which bibliography files a text names, and on which line."""

from __future__ import annotations

import pytest

from pressmark.links.bibliographies import named, root

CASES = [
    ("a.md", "---\ntitle: T\nbibliography: r.bib\n---\n", [("r.bib", 3)]),
    ("a.md", "---\r\nbibliography: 'my refs.bib'\r\n---\r\n", [("my refs.bib", 2)]),
    ("a.qmd", "---\nbibliography: [a.bib, ../b.json]\n---\n", [("a.bib", 2), ("../b.json", 2)]),
    ("a.md", "---\nbibliography:\n- a.bib\n- b.bib\ncsl: c.csl\n---\n", [("a.bib", 3), ("b.bib", 4)]),
    ("a.md", "---\nbibliography:\n  main: a.bib\n  own: b.bib\n---\n", [("a.bib", 3), ("b.bib", 4)]),
    ("a.Rmd", "---\nother: *alias\nbibliography: r.bib  # mine\n---\n", [("r.bib", 3)]),
    ("a.md", "Text.\n\n---\nbibliography: end.bib\n...\n", [("end.bib", 4)]),
    ("a.md", "---\nbibliography: *x\n---\n", []),
    ("a.md", "---\ntitle: open\n\nbibliography: r.bib\n", []),
    ("a.md", "The bibliography: r.bib is not named.\n\nbibliography: r.bib\n", []),
    ("a.md", "---\nbibliography:\n---\n", []),
    ("_quarto.yml", "project:\n  type: book\n\nbibliography: r.bib\n", [("r.bib", 4)]),
    ("a.tex", "\\bibliography{r, s.bib}", [("r.bib", 1), ("s.bib", 1)]),
    ("a.tex", "x\n% \\bibliography{no}\n\\addbibresource[label=l]{r.bib}", [("r.bib", 3)]),
    ("a.tex", "\\addbibresource[location=remote]{https://x.invalid/r.bib}", []),
    ("a.tex", "\\bibliographystyle{plain}\\nobibliography*\\nobibliography{r}", [("r.bib", 1)]),
    ("a.tex", "\\begin{verbatim}\n\\bibliography{no}\n\\end{verbatim}", []),
    ("a.tex", "\\newcommand{\\b}[1]{\\bibliography{#1}}", []),
    ("a.typ", '#bibliography("r.bib", title: "Works")', [("r.bib", 1)]),
    ("a.typ", '#bibliography(("a.bib", "b.yml"), style: "ieee")', [("a.bib", 1), ("b.yml", 1)]),
    ("a.typ", '// #bibliography("no.bib")\n', []),
    ("a.org", "#+BIBLIOGRAPHY: r.bib\nbibliography:a,b.bib\n", [("r.bib", 1), ("a.bib", 2), ("b.bib", 2)]),
    ("a.rst", ".. bibliography:: a.bib b.bib\n", [("a.bib", 1), ("b.bib", 1)]),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "files"), CASES)
def test_files_that_a_text_names(path: str, text: str, files: list[tuple[str, int]]) -> None:
    assert [(each.name, each.line) for each in named(text, path)] == files


def test_the_main_file_of_a_chapter() -> None:
    assert root("\n% !TeX root = ../thesis.tex \n", "ch/one.tex") == "../thesis.tex"
    assert root("\\documentclass[../thesis.tex]{subfiles}", "one.tex") == "../thesis.tex"
    assert root("% !TeX root = ../thesis.tex", "one.md") is None
    assert root("\\documentclass[a4paper]{book}", "one.tex") is None


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.md", "\n\n---\nbibliography: x.bib\n" * 50_000),
        ("a.yml", "bibliography: x\n\n" * 100_000),
        ("a.tex", "\\bibliography{" * 100_000),
        ("a.tex", "\\bibliography{x,y}" * 50_000),
        ("a.typ", "bibliography(" * 100_000),
        ("a.org", "bibliography:" * 100_000),
    ],
)
def test_no_text_names_without_end(path: str, text: str) -> None:
    assert len(named(text, path)) <= 100
