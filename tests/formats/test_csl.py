"""Citations in the styles of CSL: the very lines, in three forms, and what is no style."""

from __future__ import annotations

import pytest

from pressmark.errors import BadInput, NotFound
from pressmark.formats import csl
from pressmark.record import Reference

BOOK = Reference(
    key="unal1999salt", title="Salt <b>&</b> *pepper*", type="book", authors=("Ünal, Öz",),
    published="1999", publisher="Pan", place="Bern",
)  # fmt: skip
PAPER = Reference(
    key="lee2018soup", cite_as="Lee:2018", title="Soup", type="article-journal", venue="Journal of Soup",
    authors=("Lee, Ann", "{World Soup Council}"), published="2018-07", volume="12", issue="3",
    pages="1-9", doi="10.1000/a_b",
)  # fmt: skip


def test_apa_as_text() -> None:
    assert csl.cite([BOOK, PAPER], "apa") == [
        csl.Cited("unal1999salt", "(Ünal, 1999)", "Ünal, Ö. (1999). Salt <b>&</b> *pepper*. Pan."),
        csl.Cited(
            "Lee:2018",
            "(Lee & World Soup Council, 2018)",
            "Lee, A., & World Soup Council. (2018). Soup. Journal of Soup, 12(3), 1–9. "
            "https://doi.org/10.1000/a_b",
        ),
    ]


def test_markdown_and_html_are_escaped() -> None:
    (markdown,) = csl.cite([BOOK], "apa", "markdown")
    assert markdown.line == ("Ünal, Ö. (1999). *Salt &#60;b&#62;&&#60;/b&#62; \\*pepper\\**. Pan.")
    (html,) = csl.cite([BOOK], "apa", "html")
    assert html.line == "Ünal, Ö. (1999). <i>Salt &lt;b&gt;&amp;&lt;/b&gt; *pepper*</i>. Pan."


def test_a_numbered_style_parts_the_number_from_the_line() -> None:
    lines = [each.line for each in csl.cite([BOOK, PAPER], "ieee")]
    assert lines[0].startswith("[1] Ö. Ünal, Salt")
    assert [each.mark for each in csl.cite([BOOK, PAPER], "ieee")] == ["[1]", "[2]"]


def test_short_names_dependent_styles_and_a_file_of_the_users() -> None:
    assert csl.cite([BOOK], "Chicago")[0].mark == "(Ünal 1999)"
    assert csl.cite([BOOK], "2d-materials")[0].line
    own = (
        b'<style xmlns="http://purl.org/net/xbiblio/csl" version="1.0" class="in-text"><info>'
        b"<title>t</title><id>t</id><updated>2020-01-01T00:00:00+00:00</updated></info>"
        b'<citation><layout><text variable="title"/></layout></citation>'
        b'<bibliography><layout suffix="!"><text variable="title"/></layout></bibliography></style>'
    )
    assert csl.cite([PAPER], own) == [csl.Cited("Lee:2018", "Soup", "Soup!")]


@pytest.mark.parametrize("style", [b"", b"<html/>", b"\x00\xff", b"<!DOCTYPE a><style/>"])
def test_what_is_no_style(style: bytes) -> None:
    with pytest.raises(BadInput, match="CSL style"):
        csl.cite([BOOK], style)


def test_unknown_styles_and_forms() -> None:
    with pytest.raises(NotFound) as error:
        csl.cite([BOOK], "ieeee")
    assert "ieee" in str(error.value.next)
    with pytest.raises(NotFound):
        csl.cite([BOOK], "../../etc/passwd")
    with pytest.raises(BadInput):
        csl.cite([BOOK], "apa", "pdf")


@pytest.mark.parametrize(
    "style", ["apa", "ieee", "nature", "vancouver", "mla", "harvard", "acm", "ama"]
)
def test_any_record_can_be_cited(style: str) -> None:
    from pressmark.record import TYPES

    records = [Reference(key=f"k{n}", title="T", type=kind) for n, kind in enumerate(TYPES)]
    assert [each.key for each in csl.cite(records, style)] == [each.key for each in records]
