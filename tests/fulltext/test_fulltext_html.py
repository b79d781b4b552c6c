"""LaTeXML pages and plain ones: the same Markdown as from XML, without the site around it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from articles import TITLE, latexml, prose
from bs4 import BeautifulSoup

from pressmark.fulltext import markdown as md
from pressmark.fulltext.html import to_markdown


def body(extra: str) -> str:
    """What an addition to the first section becomes."""
    text = to_markdown(latexml(extra=extra, paragraphs=1)).body
    return text.split(prose(1)[0], 1)[1].split("## Appendix")[0].strip()


def test_a_page_from_its_head_to_its_references() -> None:
    found = to_markdown(latexml(paragraphs=1))
    assert (found.state, found.title, found.license, found.version) == (
        "ok", TITLE, "CC BY-SA 4.0", "v2",
    )  # fmt: skip
    assert found.identifiers == ("arxiv:2404.01234",)
    assert found.body.split("\n\n") == [
        f"# {TITLE}", "## Abstract", "Marshes drain.", "## 1 Introduction", prose(1)[0],
        "## Appendix A Gauges", "They were of brass.", "## References",
        '1. <a id="ref-1"></a>T. Bryl. Message passing on estuaries. 2019.\n',
    ]  # fmt: skip


def test_same_bytes_same_markdown() -> None:
    assert to_markdown(latexml()) == to_markdown(latexml())


@pytest.mark.parametrize(
    ("html", "shown"),
    [
        ('<p>Mass <math alttext="E=mc^{2}"><mi>E</mi></math>.</p>', "Mass $E=mc^{2}$."),
        ('<p>No alt <math><msub><mi>x</mi><mn>1</mn></msub></math>.</p>', "No alt $x_1$."),
        ('<p>See <cite class="ltx_cite">[<a class="ltx_ref" href="#bib.bib1">1</a>]</cite>.</p>',
         "See [[1](#ref-1)]."),
        ('<p>Bad <span class="ltx_ERROR">\\foo</span>macro, <b>bold</b>, <em>thin</em>.</p>',
         "Bad macro, **bold**, *thin*."),
        ('<p>A<span class="ltx_note ltx_role_footnote"><sup class="ltx_note_mark">1</sup><span '
         'class="ltx_note_outer"><span class="ltx_note_content"><sup class="ltx_note_mark">1</sup>'
         '<span class="ltx_tag ltx_tag_note">1</span>Foot.</span></span></span> b.</p>',
         "A[^1] b.\n\n[^1]: Foot."),
        ('<ul class="ltx_itemize"><li><span class="ltx_tag ltx_tag_item">•</span><div '
         'class="ltx_para"><p>one</p></div></li><li><p>two</p><ol><li>in</li></ol></li></ul>',
         "- one\n- two\n    1. in"),
        ('<figure><img src="x.png" alt="run"><figcaption><span class="ltx_tag">Figure 1: </span>A map.'
         "</figcaption></figure>", "**Figure 1.** A map."),
        ("<table><thead><tr><th>a</th><th>b|c</th></tr></thead><tr><td>1</td><td>2</td></tr></table>",
         "| a | b\\|c |\n| --- | --- |\n| 1 | 2 |"),
        ('<div class="ltx_theorem"><h6 class="ltx_title ltx_runin ltx_title_theorem">Theorem 1</h6>'
         "<p>So.</p></div>", "**Theorem 1.** So."),
        ("<p>one\n  line <code>x_y</code></p>", "one line `x_y`"),
    ],
)  # fmt: skip
def test_elements(html: str, shown: str) -> None:
    assert body(html) == shown


def test_an_equation_keeps_its_number() -> None:
    row = (
        '<table class="ltx_equation ltx_eqn_table"><tr class="ltx_eqn_row"><td></td><td><math '
        'alttext="a=b" display="block"><mi>a</mi></math></td><td class="ltx_eqn_eqno"><span '
        'class="ltx_tag ltx_tag_equation">(3)</span></td></tr></table>'
    )
    assert body(row) == "$$a=b \\tag{3}$$"


def test_hidden_and_active_elements_are_dropped() -> None:
    html = (
        '<p style="display:none">IGNORE</p><p>Seen<span style="font-size:0">IGNORE</span>.</p>'
        '<script>x()</script><p hidden>IGNORE</p><iframe src="http://x.invalid"></iframe>'
        '<p onclick="x()"><a href="javascript:x()">text</a> &lt;script&gt;</p>'
    )
    assert body(html) == "Seen.\n\ntext &lt;script>"
    assert to_markdown(latexml(extra=html)).hidden == 2 * len("IGNORE")


def test_a_plain_page_with_a_reference_list() -> None:
    data = b"""<html><head><meta name="citation_doi" content="10.5555/Plain.1"></head><body>
    <nav>menu</nav><main><h1>Plain</h1><p>Words <i>here</i>.</p><h2>References</h2>
    <ol><li id="c1">First.</li><li>Second.</li></ol></main></body></html>"""
    found = to_markdown(data)
    assert found.identifiers == ("doi:10.5555/plain.1",)
    assert found.references == ("First.", "Second.")
    assert found.body.startswith("# Plain\n\nWords *here*.\n\n## References")


@pytest.mark.parametrize("data", [b"", b"\x00\xff\xfe", b"<div>" * 4000, b"<html></html>"])
def test_what_is_no_paper_says_so(data: bytes) -> None:
    assert to_markdown(data).state in ("damaged", "empty")


# The corpus

FORMULAS = {
    "latexml-0106220.html": 2104, "latexml-1706.03762.html": 142, "latexml-2305.03393.html": 0,
    "latexml-2310.06825.html": 41, "latexml-9802040.html": 373, "self-arxiv-chrome.html": 2,
}  # fmt: skip
REFERENCES = {"latexml-0106220.html": 42, "latexml-1706.03762.html": 40, "latexml-9802040.html": 30}


def dollars(corpus: Path) -> tuple[int, list[str]]:
    """How many formulas of the real pages stand in dollars, and those that do not."""
    total, missing = 0, []
    for name, count in FORMULAS.items():
        data = (corpus / "html" / name).read_bytes()
        found = to_markdown(data)
        spans = re.findall(r"\$\$[^$]+\$\$|(?<!\\)\$[^$]+?(?<!\\)\$", found.body)
        shown = {_tex(span) for span in spans}
        rows = [_tex(re.sub(r" \\tag\{([^{}]*)\}", r"(\1)", one)) for one in spans]
        stated = [_alt(one) for one in re.findall(rb'<math[^>]*?alttext="([^"]*)"', data)]
        lost = [
            one for one in stated if one not in shown and not any(one in row for row in rows)
        ]  # fmt: skip
        total += count - len([one for one in lost if one])
        missing += [one for one in lost if one]
        assert len(spans) >= count - _joined(data), name  # a spanning cell repeats its own
        assert len(found.references) == REFERENCES.get(name, len(found.references))
    return total, missing


def test_every_formula_of_the_real_pages_stands_in_dollars(corpus: Path) -> None:
    assert sum(FORMULAS.values()) == 2662
    assert dollars(corpus) == (2662, [])


def _joined(data: bytes) -> int:
    """How many formulas share the one of their row: an equation's cells are aligned parts of it."""
    rows = BeautifulSoup(data, "html.parser").select(".ltx_eqn_table tr")
    return sum(max(len(row.find_all("math")) - 1, 0) for row in rows)


def _alt(raw: bytes) -> str:
    import html

    text = html.unescape(raw.decode())
    return _tex(re.sub(r"(?<!\\)%[^\n]*\n", "", text))


def _tex(value: str) -> str:
    value = re.sub(r" \\tag\{[^{}]*\}|\\displaystyle(?![A-Za-z])", "", value)
    return re.sub(r"[\s$]|\\[()]", "", value).replace("`", "'").rstrip("\\")


def test_headings_and_paragraphs_of_a_real_page(corpus: Path) -> None:
    found = to_markdown((corpus / "html" / "latexml-1706.03762.html").read_bytes())
    headings = re.findall(r"^#+ .*", found.body, re.M)
    assert len(headings) == 1 + 1 + 8 + 12 + 3 + 5 + 1  # title, abstract, sections …, references
    assert "## 3 Model Architecture" in headings
    assert "#### 3.2.1 Scaled Dot-Product Attention" in headings
    assert "vaswani" not in md.plain(found.body).split("## References")[0][:200].lower()
