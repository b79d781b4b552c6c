"""Citations in LaTeX, Typst and Org: the keys and their places, and what is none."""

from __future__ import annotations

import pytest

from pressmark.links import latex, org, typst
from pressmark.links.link import Link


def keys(found: list[Link]) -> list[str]:
    return [each.target for each in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\cite{a2020}", ["a2020"]),
        (r"\cite{ a2020 , b:2021,c/d }", ["a2020", "b:2021", "c/d"]),
        (r"\citep[see][p.~5]{a}", ["a"]),
        (r"\citet*{a} \Citealt{b} \citeauthor{c} \citeyearpar{d}", ["a", "b", "c", "d"]),
        (r"\autocite[5]{a}\textcite{b}\parencite[][]{c}\footcite{d}\smartcite{e}", list("abcde")),
        (r"\cites(pre)(post)[1]{a}[2][3]{b}{c} {d}", ["a", "b", "c", "d"]),
        (r"\textcites{a}[4]{b}", ["a", "b"]),
        (r"\volcite{2}[17]{a}", ["a"]),
        (r"\nocite{*}\nocite{a}", ["a"]),
        ("\\citep\n  [see]\n  {a,\n   b}", ["a", "b"]),
        (r"\cite[see {[}x] and \cite{b}", ["b"]),
        (r"\shortciteA{a} \fullcite{b} \citefield{c}{title} \supercite{d}", list("abcd")),
        ("50\\% \\cite{a} % \\cite{b}\n\\cite{c}", ["a", "c"]),
        ("\\\\% \\cite{b}\n\\cite{c}", ["c"]),
        (r"\begin{verbatim}\cite{a}\end{verbatim}\cite{b}", ["b"]),
        (r"\verb|\cite{a}| \lstinline!\cite{b}! \cite{c}", ["c"]),
        (r"\iffalse \cite{a} \fi \cite{b}", ["b"]),
        (r"\bibcite{a}{1}\citestyle{nature}\setcitestyle{round}\DeclareCiteCommand{\x}{}", []),
        (r"\newcommand{\see}[1]{\cite{#1}}", []),
        (r"recite{a} \excited{b}", []),
        (r"\cite{a", []),
    ],
)  # fmt: skip
def test_latex(text: str, expected: list[str]) -> None:
    assert keys(latex.parse(text)) == expected


def test_latex_places() -> None:
    text = "One\n  see \\citep{a, bé}.\n"
    first, second = latex.parse(text)
    assert (first.line, first.column, text[first.target_start : first.target_end]) == (2, 14, "a")
    assert (second.line, second.column, second.target) == (2, 17, "bé")
    assert text[slice(*first.group)] == "\\citep{a, bé}"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("As @a2020 and @b:c-d. show", ["a2020", "b:c-d"]),
        ("@a2020[p. 7]; see (@b).", ["a2020", "b"]),
        ('#cite(<a>, form: "prose") #cite(label("b/c"))', ["a", "b/c"]),
        ("#figure() <fig-one>\nIn @fig-one and @a", ["a"]),
        ("mail me@example.org or \\@name; https://x.example/@user @a", ["a"]),
        ("`@a` and ```typ @b``` // @c\n/* @d */ @e", ["e"]),
        ('#link("mailto:x@y.example")[@a]', ["a"]),
        ("no key", []),
    ],
)
def test_typst(text: str, expected: list[str]) -> None:
    assert keys(typst.parse(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[cite:@a]", ["a"]),
        ("[cite/t:see @a p. 5; also @b:c]", ["a", "b:c"]),
        ("[cite:@a,] [cite:no key]", ["a"]),
        ("cite:a,b and citep:c.", ["a", "b", "c"]),
        ("[[cite:see &a p. 3;&b][text]]", ["a", "b"]),
        ("cite:&a;&b", ["a", "b"]),
        ("\\cite{a} and \\citep[1]{b}", ["a", "b"]),
        ("#+begin_src tex\n\\cite{a}\n#+end_src\n[cite:@b]", ["b"]),
        ("# [cite:@a]\n: [cite:@b]\n=[cite:@c]= ~[cite:@d]~ [cite:@e]", ["e"]),
        ("* Heading\n#+title: [cite:@a]\nme@example.org cite: none", ["a"]),
    ],
)
def test_org(text: str, expected: list[str]) -> None:
    assert keys(org.parse(text)) == expected


@pytest.mark.parametrize("parse", [latex.parse, typst.parse, org.parse])
def test_a_long_text_is_read_in_linear_time(parse: object) -> None:
    for bad in ("\\cite[", "\\cite{", "[cite:", "@a", "`", "\\begin{verbatim}", "=x", "/*", "%"):
        parse(bad * 20_000)  # type: ignore[operator]
