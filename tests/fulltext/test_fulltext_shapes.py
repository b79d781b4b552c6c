"""Odd shapes of JATS, HTML and TEI, one a case: what a reader must find in the Markdown."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from articles import jats, latexml, prose

from pressmark.fulltext import html, tei
from pressmark.fulltext import jats as jats_converter
from pressmark.fulltext.grid import Cell, table
from pressmark.fulltext.mathml import to_tex


def xml(extra: str, **more: str) -> str:
    """What an addition to the body of an article becomes."""
    text = jats_converter.to_markdown(jats(body=extra, paragraphs=1, **more)).body
    return text.split(prose(1)[0], 1)[1].split("## References")[0].strip()


def page(extra: str) -> str:
    """What an addition to a page's first section becomes."""
    text = html.to_markdown(latexml(extra=extra, paragraphs=1)).body
    return text.split(prose(1)[0], 1)[1].split("## Appendix")[0].strip()


@pytest.mark.parametrize("convert", [xml, page], ids=["jats", "html"])
@pytest.mark.parametrize(
    ("markup", "shown"),
    [
        ("<p>10<sup>-3</sup> H<sub>2</sub>O Ca<sup>2+</sup></p>", "10⁻³ H₂O Ca²⁺"),
        ("<p>x<sup>n</sup> A<sup>T</sup> 5<sup>th</sup></p>", "xⁿ Aᵀ 5th"),
        ("<p>0.01<sup>a,b</sup> 0.02<sup>c</sup></p>", "0.01ᵃ,ᵇ 0.02ᶜ"),
        ("<p>m<sup>x+1</sup> t<sub>i+1</sub> (a)<sub>i,j</sub> N<sub>max</sub></p>",
         r"m^(x+1) t_(i+1) (a)\_(i,j) Nmax"),
        ("<p><b>(A)</b>text and <b>a.</b>b</p>", "(**A**)text and **a**.b"),
        ("<p>See [N] and [M]: so.</p>", r"See [N] and [M\]: so."),
    ],
)  # fmt: skip
def test_inline(convert: object, markup: str, shown: str) -> None:
    assert convert(markup) == shown  # type: ignore[operator]


@pytest.mark.parametrize(
    ("markup", "shown"),
    [
        ('<p>So <xref ref-type="bibr" rid="r1 r2">[1,2]</xref>, '
         '<xref ref-type="bibr" rid="r1 r2 r3">1–3</xref>, '
         '<xref ref-type="bibr" rid="r1 r2">Bryl 2019; Moss 2008</xref>, '
         '<xref ref-type="bibr" rid="r1">Ray-Do 2019</xref>.</p>',
         "So [[1](#ref-1),[2](#ref-2)], [1](#ref-1)–[3](#ref-3), "
         "[Bryl 2019](#ref-1); [Moss 2008](#ref-2), [Ray-Do 2019](#ref-1)."),
        ('<p><ext-link xlink:href="https://a.invalid/x">a] b [3</ext-link></p>',
         r"[a\] b \[3](https://a.invalid/x)"),
        ("<code>def f(x):\n    return `x`\n\n&lt;!-- page 3 --&gt;</code>",
         "```\ndef f(x):\n    return `x`\n\n< !-- page 3 -->\n```"),
        ("<preformat>```\n\tx</preformat>", "````\n```\n    x\n````"),
        ("<verse-group><title>Song</title><verse-line>One,</verse-line><verse-line>two.</verse-line>"
         "<attrib>Anon</attrib></verse-group>", "> **Song**\n>\n> One,<br>two.\n>\n> Anon"),
        ("<disp-quote><title>T</title><p>Said<fn><p>n</p></fn>.</p><list><list-item><p>a</p>"
         "</list-item></list></disp-quote>", "> **T**\n>\n> Said[^1].\n>\n> - a\n\n[^1]: n"),
        ("<def-list><def-item><term>x</term><def><p>y</p><def-list><def-item><term>in</term><def>"
         "<p>ner</p></def></def-item></def-list></def></def-item></def-list>",
         "- **x**: y\n    - **in**: ner"),
        ("<chem-struct-wrap><label>1</label><caption><p>A salt.</p></caption><chem-struct>"
         "NaCl</chem-struct></chem-struct-wrap>", "**1.** A salt.\n\nNaCl"),
        ("<boxed-text><sec><title>Key points</title><p>One.</p></sec></boxed-text>",
         "## Key points\n\nOne."),
        ("<p>N<fn>bare</fn>.</p>", "N[^1].\n\n[^1]: bare"),
        ("<p>N<fn><label>1</label><p>One.</p><p>Two.</p></fn>.</p>", "N[^1].\n\n[^1]: One. Two."),
        ("<question-wrap><question><p>Why?</p></question><answer><p>So.</p></answer>"
         "</question-wrap>", "Why?\n\nSo."),
        ("<array><tbody><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></tbody></array>",
         "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ("<disp-formula-group><label>(1)</label><disp-formula><tex-math>a</tex-math></disp-formula>"
         "<disp-formula><tex-math>b</tex-math></disp-formula></disp-formula-group>",
         "$$a \\tag{1}$$\n\n$$b$$"),
        ("<fig><label>Fig. 1</label><caption><p>A map</p></caption><disp-formula><tex-math>x"
         "</tex-math></disp-formula></fig>", "**Fig. 1.** A map.\n\n$$x$$"),
        ("<graphic><caption><p>Alone.</p></caption></graphic>", "Alone."),
        ("<p>A <ruby><rb>漢</rb><rt>kan</rt></ruby> x<break/>y</p>", "A 漢(kan) x y"),
        ('<p>Data: <element-citation publication-type="data"><person-group><name><surname>Moss'
         "</surname><given-names>G</given-names></name></person-group><year>2019</year><data-title>Raw"
         '</data-title><source>Bank</source><pub-id pub-id-type="accession">SE1</pub-id>'
         "</element-citation></p>", "Data:\n\nMoss G (2019). Raw. Bank. SE1"),
        ("<p>Deep <bold>x</bold><bold>y</bold> 🧪 שלום $5 *a* &lt;b&gt;</p>",
         r"Deep **xy** 🧪 שלום \$5 \*a\* &lt;b>"),
    ],
)  # fmt: skip
def test_jats(markup: str, shown: str) -> None:
    assert xml(markup) == shown


def test_a_list_of_references_anywhere_has_one_numbering() -> None:
    body = (
        '<sec><title>Box</title><p>See <xref ref-type="bibr" rid="x1">1</xref> and '
        '<xref ref-type="bibr" rid="r1">2</xref>.</p><ref-list><ref id="x1"><mixed-citation>Moss. '
        "Early. 1999.</mixed-citation></ref></ref-list></sec>"
    )
    found = jats_converter.to_markdown(jats(body=body))
    assert found.references[0] == "Moss. Early. 1999."
    assert "See [1](#ref-1) and [2](#ref-2)." in found.body


@pytest.mark.parametrize(
    ("citation", "shown"),
    [
        ("<person-group><name><surname>Moss</surname><given-names>A</given-names></name>"
         "</person-group><year>2010</year><article-title>Salt</article-title>"
         "<source>J Tides</source>(accepted)", "Moss A 2010 Salt J Tides(accepted)"),
        ('Moss A. Salt. 2010. <ext-link xlink:href="https://doi.org/10.5555%2Ftides.7">Crossref'
         "</ext-link>", "Moss A. Salt. 2010. Crossref doi:10.5555/tides.7"),
        ("<collab>Gene Bank</collab><year>2008</year><source>Overview</source><date-in-citation>"
         "[accessed 4 May 2008]</date-in-citation>",
         "Gene Bank (2008). Overview. [accessed 4 May 2008]."),
    ],
)  # fmt: skip
def test_entries(citation: str, shown: str) -> None:
    refs = f'<ref-list><ref id="q"><mixed-citation>{citation}</mixed-citation></ref></ref-list>'
    assert jats_converter.to_markdown(jats(back=refs)).references[0] == shown


@pytest.mark.parametrize(
    ("markup", "shown"),
    [
        ('<p>A <span class="ltx_text ltx_font_italic">word</span> and <span class="ltx_text '
         'ltx_font_typewriter">a_b</span>.</p>', "A *word* and `a_b`."),
        ('<p><span class="ltx_text ltx_font_italic">All of it is so.</span></p>', "All of it is so."),
        ('<div class="ltx_proof"><h6 class="ltx_title ltx_runin ltx_title_proof">Proof.</h6>'
         '<div class="ltx_para"><p>By it.</p></div></div>', "**Proof.** By it."),
        ('<table class="ltx_equationgroup ltx_eqn_table"><tr><td><math alttext="\\displaystyle a">'
         '<mi>a</mi></math></td><td><math alttext="\\displaystyle=b"><mi>b</mi></math></td><td>'
         '<span class="ltx_tag ltx_tag_equation">(1)</span></td></tr><tr><td></td><td><math '
         'alttext="=c"><mi>c</mi></math></td></tr></table>', "$$a =b \\tag{1}$$\n\n$$=c$$"),
        ("<pre>def f(x):\n    return x\n\nend</pre>", "```\ndef f(x):\n    return x\n\nend\n```"),
        ('<div class="ltx_listing"><div class="ltx_listing_data"><a href="data:x">⬇</a></div>'
         '<div class="ltx_listingline"><span class="ltx_tag ltx_tag_listingline">1</span>for x</div>'
         '<div class="ltx_listingline"><span class="ltx_tag ltx_tag_listingline">2</span><span '
         'class="ltx_text ltx_lst_space">    </span>y</div></div>', "```\nfor x\n    y\n```"),
        ('<figure class="ltx_algorithm"><figcaption><span class="ltx_tag"><span class="ltx_text '
         'ltx_font_bold">Algorithm 1</span> </span> Sort</figcaption><div class="ltx_listing"><div '
         'class="ltx_listingline"><b>if</b> <math alttext="x>0"><mi>x</mi></math></div></div>'
         "</figure>", "**Algorithm 1.** Sort\n\n- **if** $x>0$"),
        ('<p>We <ol class="ltx_inline-enumerate"><li class="ltx_inline-item"><span class="ltx_tag '
         'ltx_tag_inline-item">(i)</span> go</li></ol> now.</p>', "We (i) go now."),
        ('<p><span class="ltx_tabular"><span class="ltx_tr"><span class="ltx_td ltx_th '
         'ltx_th_column">a</span><span class="ltx_td ltx_th ltx_th_column">b</span></span><span '
         'class="ltx_tr"><span class="ltx_td">1</span><span class="ltx_td">2</span></span></span></p>',
         "| a | b |\n| --- | --- |\n| 1 | 2 |"),
        ("<ul><li>one<pre>a\n  b</pre></li><li>two<table><tr><th>x</th></tr><tr><td>y</td></tr>"
         "</table></li></ul>", "- one\n- two\n\n```\na\n  b\n```\n\n| x |\n| --- |\n| y |"),
        ('<ol start="4"><li>four<ul><li>in</li></ul>tail</li></ol>', "4. four tail\n    - in"),
        ("<blockquote><p>One.</p><ul><li>x</li></ul></blockquote>", "> One.\n>\n> - x"),
        ("<dl><dt>T</dt><dd><p>D1</p><p>D2</p></dd><dt>U</dt><dd>E<ul><li>i</li></ul></dd></dl>",
         "- **T**: D1 D2\n- **U**: E\n    - i"),
        ('<p><span style="display:none"><math alttext="E"><mi>E</mi></math></span><img alt="E"></p>',
         "$E$"),
        ('<p>S<span class="ltx_note ltx_role_margin"><span class="ltx_note_outer"><span '
         'class="ltx_note_content">Side.</span></span></span>.</p>', "S[^1].\n\n[^1]: Side."),
        ('<p><a href="https://a.invalid/ok">ok [1]</a></p>', r"[ok \[1\]](https://a.invalid/ok)"),
        ("<h1>A second h1</h1><p>x <del>y</del></p>", "## A second h1\n\nx y"),
    ],
)  # fmt: skip
def test_html(markup: str, shown: str) -> None:
    assert page(markup) == shown


ARTICLE = "".join(f"<p>{one}</p>" for one in prose(6))
SITE = f"""<!DOCTYPE html><html><head><title>x</title></head><body>
<div id="onetrust-banner-sdk"><p>We use cookies. Accept all.</p></div>
<header class="site-header"><ul><li>Log in</li></ul></header>
<main><div class="c-breadcrumbs"><ol><li>Home</li></ol></div><article>
<h1>Marshes<sup>*</sup></h1><ul class="share-links"><li>Share this</li></ul>
<section><h2>Introduction</h2>{ARTICLE}
<p>So<sup><a href="#CR1">1</a>,<a href="#CR2">2</a></sup> <span class="mathjax-tex">\\(x &lt; 3\\)</span>,
noted<sup><a href="#fn1">1</a></sup>.</p></section>
<section class="related-work"><h2>Related work</h2><p>Others.</p></section>
<ol class="footnotes"><li id="fn1">A note. <a href="#fnref1">↩</a></li></ol>
<h2>References</h2><ol class="references"><li id="CR1">Bryl, T. Passing. 2019.
<a href="https://doi.org/10.5555%2Fjih.1">Article</a> <a href="https://x.invalid/s?q=1">Google Scholar</a>
</li><li id="CR2">Moss, A. Salt. 2010.</li></ol></article>
<aside class="recommended"><article><h3><a href="/b">Another paper</a></h3></article></aside></main>
<footer>Imprint</footer></body></html>"""


def test_a_publishers_page_gives_its_article_and_not_its_site() -> None:
    found = html.to_markdown(SITE.encode())
    assert found.title == "Marshes"
    assert found.references == ("Bryl, T. Passing. 2019. doi:10.5555/jih.1", "Moss, A. Salt. 2010.")
    blocks = found.body.split("\n\n")
    assert blocks[:2] == ["# Marshes", "## Introduction"]
    assert blocks[8:12] == [
        "So[[1](#ref-1),[2](#ref-2)] $x < 3$, noted[^end1].", "[^end1]: A note.",
        "## Related work", "Others.",
    ]  # fmt: skip
    assert blocks[12].startswith("## References")
    for word in ("cookies", "Log in", "Home", "Share", "Another", "Imprint", "Scholar", "↩"):
        assert word not in found.body


def test_teasers_of_other_papers_are_no_article() -> None:
    teaser = '<article><h2><a href="/a">Paper A</a></h2><p>Short.</p></article>'
    found = html.to_markdown(
        f"<html><body>{teaser * 3}<div><h1>Marshes</h1>{ARTICLE}</div></body></html>".encode()
    )
    assert found.body.startswith("# Marshes\n\nMarshes that were cut")
    assert "Paper A" not in found.body


def test_references_set_as_paragraphs_end_with_the_next_heading() -> None:
    found = html.to_markdown(
        f"<html><body><h1>M</h1>{ARTICLE}<h2>References</h2><p>[1] Bryl. One. 2019.</p><p>[2] Moss. "
        "Two. 2020.</p><h2>About</h2><ul><li>Contact</li><li>Press</li></ul></body></html>".encode()
    )
    assert found.references == ("Bryl. One. 2019.", "Moss. Two. 2020.")
    assert "- Contact\n- Press" in found.body


def test_the_scripts_of_mathjax_are_the_formulas() -> None:
    found = html.to_markdown(
        f'<html><body><h1>M</h1>{ARTICLE}<p>So <span class="MathJax_Preview">x2</span><span '
        'class="MathJax">x2</span><script type="math/tex">x^2</script>.</p><script type="math/tex; '
        'mode=display">y</script></body></html>'.encode()
    )
    assert found.body.endswith("So $x^2$.\n\n$$y$$\n")


def test_lists_in_lists_are_read_once() -> None:
    deep = 60
    text = page("<ul><li>x" * deep + "</li></ul>" * deep)
    assert len(re.findall("- x", text)) == deep


@pytest.mark.parametrize(
    ("rows", "first"),
    [
        ([["gauge", "level"], ["a", "2"]], "| gauge | level |"),
        ([["", "level"], ["a", "2"]], "|  |  |"),
        ([["", "level", "$h$"], ["a", "2", "3"]], "|  | level | $h$ |"),
        ([["1", "2"], ["3", "4"]], "|  |  |"),
        ([["a", "b"]], "|  |  |"),
        ([["", ""], ["gauge", "level"], ["", ""], ["a", "2"]], "| gauge | level |"),
    ],
)
def test_which_row_names_the_columns(rows: list[list[str]], first: str) -> None:
    text = table([[Cell(value) for value in row] for row in rows], 0)
    assert text.split("\n")[0] == first
    assert not re.search(r"^\|(?:  \|)+$", "\n".join(text.split("\n")[2:]), re.M)


def test_a_head_goes_as_deep_as_its_cells() -> None:
    rows = [[Cell("Model", down=2), Cell("Score", across=2)], [Cell("A"), Cell("B")],
            [Cell("x"), Cell("1"), Cell("2")]]  # fmt: skip
    assert table(rows, 0).split("\n") == [
        "| Model | Score / A | Score / B |", "| --- | --- | --- |", "| x | 1 | 2 |",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("mathml", "tex"),
    [
        ("<mmultiscripts><mi>C</mi><mn>6</mn><none/><mprescripts/><none/><mn>14</mn></mmultiscripts>",
         "{}^{14}C_6"),
        ("<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover>", "∑_i^n"),
        ("<munderover><mrow><mi>A</mi><mi>B</mi></mrow><mi>i</mi><mi>n</mi></munderover>",
         r"\underset{i}{\overset{n}{AB}}"),
        ("<munder><mi>lim</mi><mi>x</mi></munder>", r"\lim_x"),
        ("<munder><mi>x</mi><mo>_</mo></munder>", r"\underline{x}"),
        ("<munder><mrow><mi>a</mi><mi>b</mi></mrow><mo>⏟</mo></munder>", r"\underbrace{ab}"),
        ("<mover><mrow><mi>a</mi><mi>b</mi></mrow><mo>^</mo></mover>", r"\widehat{ab}"),
        ("<mover><mi>p</mi><mo/></mover>", "p"),
        ('<mfenced open="[" close="" separators=";,"><mi>a</mi><mi>b</mi><mi>c</mi></mfenced>',
         r"\left[a; b, c\right."),
        ('<menclose notation="box"><mi>a</mi></menclose>', r"\boxed{a}"),
        ('<menclose notation="updiagonalstrike"><mi>a</mi></menclose>', r"\cancel{a}"),
        ("<mrow><mi>a</mi><mphantom><mi>b</mi></mphantom></mrow>", "a"),
        ('<mrow><mi>a</mi><mspace width="-0.2em"/><mi>b</mi><mspace width="1em"/><mi>c</mi></mrow>',
         r"ab\quad c"),
        ("<mtable><mlabeledtr><mtd><mtext>(1)</mtext></mtd><mtd><mi>a</mi></mtd></mlabeledtr></mtable>",
         r"\begin{matrix} a & \text{(1)} \end{matrix}"),
        ("<msup><mi>f</mi><mo>′</mo></msup>", r"f^{\prime }"),
        ("<msup><mi>f</mi><mo>'</mo></msup>", r"f^{\prime }"),
        ('<mi mathvariant="double-struck">R</mi>', r"\mathbb{R}"),
        ('<mi mathvariant="normal">d</mi>', r"\mathrm{d}"),
        ('<maction selection="2"><mi>a</mi><mi>b</mi></maction>', "b"),
        ("<msubsup><mi>x</mi><mn>10</mn><mn>2</mn></msubsup>", "x_{10}^2"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", r"\sqrt[3]{x}"),
        ("<mrow><mtext>if \u200b</mtext><mi>α</mi></mrow>", r"\text{if}α"),
    ],
)  # fmt: skip
def test_mathml(mathml: str, tex: str) -> None:
    assert to_tex(ElementTree.fromstring(f"<math>{mathml}</math>")) == tex


TEI = """<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>T</title>
</titleStmt></fileDesc></teiHeader><text><body>{}</body><back><listBibl><biblStruct xml:id="b0">
<note type="raw_reference">Bryl. One. 2019.</note></biblStruct><biblStruct xml:id="b1">
<note type="raw_reference">Moss. Two. 2020.</note></biblStruct></listBibl></back></text></TEI>"""


@pytest.mark.parametrize(
    ("markup", "shown"),
    [
        ('<p>x<hi rend="superscript">2</hi>, y<hi rend="subscript">i</hi></p>', "x², yᵢ"),
        ('<p>A<note place="foot">noted</note> b.</p>', "A[^1] b.\n\n[^1]: noted"),
        ('<p>A<ref type="foot" target="#f1">1</ref>.</p><note place="foot" xml:id="f1" n="1">N.</note>',
         "A[^1].\n\n[^1]: N."),
        ("<p>See:<list><item>one</item><item>two</item></list></p>", "See:\n\n- one\n- two"),
        ('<list type="ordered"><item>one</item><item>two<list><item>in</item></list></item></list>',
         "1. one\n2. two\n    - in"),
        ('<figure type="table"><label>2</label><figDesc>Table 2. D.</figDesc><table><row>'
         '<cell cols="2">a</cell><cell>b</cell></row><row><cell>1</cell><cell>2</cell><cell>3</cell>'
         "</row></table><note>Foot.</note></figure>",
         "**Table 2.** D.\n\n| a | a | b |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n\nFoot."),
        ('<p><ref type="bibr" target="#b0 #b1">[1, 2]</ref> <ref type="url" '
         'target="https://a.invalid/x">here</ref></p>',
         "[[1](#ref-1), [2](#ref-2)] [here](https://a.invalid/x)"),
        ("<quote>Said.</quote>", "> Said."),
        ('<div><head>S</head><div><head n="2.1">N</head><p>q</p></div></div>',
         "## S\n\n### 2.1 N\n\nq"),
        ("<p>A<lb/>b <choice><sic>teh</sic><corr>the</corr></choice></p>", "A b the"),
    ],
)  # fmt: skip
def test_tei(markup: str, shown: str) -> None:
    body = tei.to_markdown(TEI.format(f"<p>Led in.</p>{markup}").encode()).body
    assert body.split("Led in.")[1].split("## References")[0].strip() == shown
