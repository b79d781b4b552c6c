"""Outside text stays text: in our plain form, in CommonMark and in Python-Markdown."""

from __future__ import annotations

import html
import re

import pytest

from pressmark.fulltext import markdown as md

HOSTILE = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "a <b>bold</b> c", "p < 0.05 > q",
    "[x](javascript:alert(1))", "![x](http://tracker.invalid/a.png)", "[[vaswani2017attention]]",
    "[@vaswani2017attention]", "[^1] and [^1]: a note", "[a]: http://evil.invalid 'x'",
    "# heading", "> quote", "- item", "+ item", "1. item", "12) item", "---", "***", "===", "```",
    "~~~", "~~gone~~", "==marked==", "*emphasis* _under_ __strong__ a_b_c", "`code`", "$x$ costs $5",
    "a | b", "| a | b |", ": definition", "!!! note", "??? note", "/// html", "--8<-- \"secrets\"",
    "text {: onclick=alert(1) }", "{{ config.site_url }}", "<!-- page 9 -->", "&lt;script&gt;",
    "&amp; &copy; &#60;", "back\\slash \\* \\", "title: x", "http://a.invalid/(x)_[y]", "[ ] task",
    "[x] done", "![", "[", "]", "](", "](http://x.invalid)", "<a id=\"ref-1\"></a>", "**", "*", "_",
    "<https://a.invalid>", "a\u202eb", "zero\u200bwidth", "%%hidden%%", "Ünïcödé — “quotes”",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE)
def test_plain_gives_back_what_was_escaped(text: str) -> None:
    clean = md.clean(text).strip()
    assert md.plain(md.paragraph(md.escape(md.clean(text)))) == clean


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_shows_literally_on_the_site(text: str) -> None:
    markdown = pytest.importorskip("markdown")
    block = md.paragraph(md.escape(md.clean(text)))
    extensions = [
        "tables",
        "footnotes",
        "attr_list",
        "def_list",
        "admonition",
        "md_in_html",
        "abbr",
    ]
    page = markdown.markdown(f"First.\n\n{block}\n\nLast.", extensions=extensions)
    body = page.removeprefix("<p>First.</p>\n").removesuffix("\n<p>Last.</p>")
    assert re.fullmatch(r"<p>[^<>]*</p>", body), body
    shown = html.unescape(body[3:-4]).replace("\\$", "$")  # the site's math extension unescapes it
    assert " ".join(shown.split()) == md.clean(text).strip()


def test_pieces_that_meet_make_no_link() -> None:
    pieces = ["[see", "]", "(http://x.invalid)"]
    assert "".join(md.escape(one) for one in pieces) == "[see\\](http://x.invalid)"


def test_only_what_means_something_is_escaped() -> None:
    assert md.escape("p < 0.05, a_b, 3 > 2, [4], f(x), 50% & more") == (
        "p < 0.05, a_b, 3 > 2, [4], f(x), 50% & more"
    )


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        ("E=mc^{2}", "$E=mc^{2}$"),
        ("a<b", "$a< b$"),
        ("x % a comment\n+ y", "$x + y$"),
        (r"5\% of \$3", r"$5\% of \$3$"),
        (r"\mbox{$x$} y", r"$\mbox{\(x\)} y$"),
        ("a $ b", "$a b$"),
        ("<script>alert(1)</script>", "$< script>alert(1)< /script>$"),
        ("[x](y)", "$[x] (y)$"),
        ("  ", ""),
    ],
)
def test_math(tex: str, shown: str) -> None:
    assert md.math(tex) == shown


def test_a_cell_keeps_bars_in_text_and_in_math() -> None:
    assert md.table([["a|b", "$|x|$"], ["1"]]) == (
        "| a\\|b | $\\vert x\\vert $ |\n| --- | --- |\n| 1 |  |"
    )


def test_references_are_one_line_each_with_anchors() -> None:
    assert md.references([("ref-1", "A.\nB."), ("ref-2", "C.")]) == [
        "## References",
        '1. <a id="ref-1"></a>A. B.\n2. <a id="ref-2"></a>C.',
    ]


def test_links_go_to_references_and_the_web_only() -> None:
    assert md.link("3", "#ref-3") == "[3](#ref-3)"
    assert md.link("x", "https://a.invalid/b") == "[x](https://a.invalid/b)"
    assert md.link("x", "javascript:alert(1)") == "x"
    assert md.link("x", "https://a.invalid/)![y](z") == "x"
    assert md.link("x", "#top") == "x"


def test_italics_that_touch_become_one() -> None:
    assert md.join("*k*", "*true*") == "*ktrue*"
    assert md.join("**k**", "*true*") == "**k***true*"


def test_a_block_never_begins_with_a_display_and_goes_on() -> None:
    assert md.paragraph("$$x$$ where x is") == "$x$ where x is"
    assert md.paragraph("$$x$$") == "$$x$$"
