"""Anybody's Markdown for a generator that we do not know: read as it was, with nothing live in it."""

from __future__ import annotations

import pytest

from pressmark.site.inert import inert, plainly
from pressmark.site.maths import protect, restore


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("p < 0.05 and a<5, *kept* [x](y.md) R&D", "p < 0.05 and a<5, *kept* [x](y.md) R&D"),
        ("a <b>bold</b> word", "a &lt;b>bold&lt;/b> word"),
        ("<https://example.org/a>", "<https://example.org/a>"),
        ('<https://example.org/"x>', '&lt;https://example.org/"x>'),
        ("`a < b` and `{x}`", "`a < b` and `{x}`"),
        ("`{{ x }}`", "<code>\\{\\{ x \\}\\}</code>"),
        ("\\{{ x }}", "\\{\\{ x }}"),
        ("`<b>_x_`", "<code>&#60;b&#62;\\_x\\_</code>"),
        ("``a ` <b>``", "<code>a \\` &#60;b&#62;</code>"),
        ("`a\nb` <b> `c`", "`a\nb<code>&#60;b&#62;</code>c`"),
        ("\\`<b>\\`", "\\`&lt;b>\\`"),
        ("[x](javascript:y)", "[x](#javascript:y)"),
        ("[x](< JaVa&#115;cript:y>)", "[x](< #JaVa&#115;cript:y>)"),
        ("[a]:\n  data:text/html,y", "[a]:\n  #data:text/html,y"),
        ("see [1]: data: from 3", "see [1]: data: from 3"),
        ("*x*{: onclick=y }", "*x*\\{: onclick=y }"),
        ("{{ config }} and {% raw %}", "\\{\\{ config }} and \\{% raw %}"),
        ("{x} and \\{: y}", "{x} and \\{: y}"),
        ("--8<-- '/etc/passwd'", "--8<-&#45; '/etc/passwd'"),
        ('<span id="block-a"></span> <span>', '<span id="block-a"></span> &lt;span>'),
    ],
)
def test_what_could_be_live_loses_its_first_sign(written: str, shown: str) -> None:
    assert inert(written) == shown


def test_a_fence_ends_in_the_same_place_for_every_program() -> None:
    assert inert("```html x y\n<b>{{ a }}\n```\n<b>") == "```html\n<b>{{ a }}\n```\n&lt;b>"
    # A longer fence ends it in CommonMark and not in Python-Markdown.
    assert inert("~~~\n<b>\n~~~~\n<b>\n") == "```\n<b>\n```\n&lt;b>\n"
    assert inert("```\n~~~~\n<b>\n```") == "`````\n~~~~\n<b>\n`````"
    # Where a fence in a list ends is anybody's guess.
    assert inert("  ```\n<b>\n```\n<b>\n```") == "  ```\n&lt;b>\n```\n&lt;b>\n```"
    assert inert("```\n--8<-- 'x'\n```") == "```\n--8<-\u2060- 'x'\n```"


def test_a_title_is_printed_raw_by_some_themes() -> None:
    assert plainly('</title><b> "5 < 6"') == "‹/title>‹b> ”5 < 6”"
    assert plainly("Maps & territories: $x^2$") == "Maps & territories: $x^2$"


def test_a_formula_begins_no_element_and_makes_no_link() -> None:
    def staged(text: str) -> str:
        return restore(protect(text))

    assert staged("$x^2$ and $a<b$ and $a < 5$") == "$x^2$ and $a< b$ and $a < 5$"
    assert staged("$\\text{<script>y</script>}$") == "$\\text{< script>y< /script>}$"
    assert staged("$\\href{javascript:y}{x}$") == "<code>\\\\href\\{javascript:y\\}\\{x\\}</code>"
