"""JATS: one fixture a point of what the converter must handle, and the real files' counts."""

from __future__ import annotations

import csv
import re
import unicodedata
from pathlib import Path
from xml.etree import ElementTree

import pytest
from articles import TITLE, jats, prose

from pressmark.fulltext import markdown as md
from pressmark.fulltext.jats import to_markdown


def body(xml: str, **more: str) -> str:
    """What an addition to the body becomes: everything between the first section and the end."""
    text = to_markdown(jats(body=xml, paragraphs=1, **more)).body
    return text.split(prose(1)[0], 1)[1].split("## References")[0].strip()


def test_an_article_from_front_to_back() -> None:
    found = to_markdown(jats(back="<ack><p>Thanks to the marsh.</p></ack>"))
    assert (found.state, found.title, found.license) == ("ok", TITLE, "CC BY 4.0")
    assert found.identifiers == ("doi:10.5555/marsh.2024.7",)
    assert found.version == "published"
    blocks = found.body.split("\n\n")
    assert blocks[:6] == [
        f"# {TITLE}", "## Abstract", "### Background", "Marshes drain.", "## 1 Introduction",
        prose(1)[0],
    ]  # fmt: skip
    assert blocks[-4:-2] == ["## Acknowledgements", "Thanks to the marsh."]
    assert blocks[-2:] == [
        "## References",
        '1. <a id="ref-1"></a>Bryl T, et al (2019). Message passing on estuaries. J Inv Hydrol. '
        "12(3): 101–119. doi:10.5555/jih.2019.0042\n"
        '2. <a id="ref-2"></a>Penhallow R. A short history of tide tables. Brass Press; 2008.\n'
        '3. <a id="ref-3"></a>Unpublished letter.\n',
    ]
    assert found.references[1] == "Penhallow R. A short history of tide tables. Brass Press; 2008."


def test_unseen_characters_are_dropped_and_counted() -> None:
    found = to_markdown(jats(body="<p>Zero\u200bwidth and bi\u202edi.</p>"))
    assert "Zerowidth and bidi." in found.body
    assert found.hidden == 2


def test_same_bytes_same_markdown() -> None:
    assert to_markdown(jats()) == to_markdown(jats())


def test_paragraphs_without_a_section_and_sections_without_a_title() -> None:
    assert body("<p>Led in.</p><sec><p>Untitled.</p></sec>") == "Led in.\n\nUntitled."


def test_deep_sections_stay_at_six_levels() -> None:
    xml = "<p>Deep.</p>"
    for level in range(7, 0, -1):
        xml = f"<sec><title>L{level}</title>{xml}</sec>"
    headings = re.findall(r"^(#+) (L\d)", body(xml), re.M)
    assert headings == [
        ("##", "L1"), ("###", "L2"), ("####", "L3"), ("#####", "L4"), ("######", "L5"),
        ("######", "L6"), ("######", "L7"),
    ]  # fmt: skip


def test_mixed_content_in_document_order() -> None:
    xml = "<p>A <italic>b <bold>c</bold></italic> d<sub>2</sub> 10<sup>−3</sup> <sc>E</sc> f.</p>"
    assert body(xml) == "A b **c** d₂ 10⁻³ E f."  # emphasis inside emphasis: the inner one stays


def test_citations_link_to_the_list() -> None:
    xml = (
        '<p>Seen <xref ref-type="bibr" rid="r1">[1]</xref> and '
        '[<xref ref-type="bibr" rid="r2">2</xref>–<xref ref-type="bibr" rid="r3">3</xref>] and '
        'before.<sup><xref ref-type="bibr" rid="r2">2</xref></sup> Done '
        '(<xref ref-type="bibr" rid="r1">Bryl 2019</xref>).</p>'
    )
    assert body(xml) == (
        "Seen [[1](#ref-1)] and [[2](#ref-2)–[3](#ref-3)] and before.[[2](#ref-2)] Done "
        "([Bryl 2019](#ref-1))."
    )
    assert md.plain(body(xml)) == "Seen [1] and [2–3] and before.[2] Done (Bryl 2019)."


def test_blocks_in_a_paragraph_are_lifted_and_the_sentence_made_whole() -> None:
    figure = "<fig><label>Figure 1</label><caption><p>A map</p></caption></fig>"
    assert body(f"<p>The marsh, {figure} as mapped, drains.</p>") == (
        "The marsh, as mapped, drains.\n\n**Figure 1.** A map."
    )
    assert body(f"<p>It drains.{figure}Then it fills.</p>") == (
        "It drains.\n\n**Figure 1.** A map.\n\nThen it fills."
    )


def test_a_table_with_spans_bars_and_a_foot() -> None:
    xml = """<table-wrap><label>Table 1</label><caption><title>Counts</title></caption><table>
    <thead><tr><th rowspan="2">a</th><th colspan="2">both</th></tr>
    <tr><th>b|c</th><th>d</th></tr></thead>
    <tbody><tr><td rowspan="2">4</td><td>5</td><td>6</td></tr><tr><td>7</td><td/></tr>
    <tr><td colspan="3">all</td></tr></tbody></table>
    <table-wrap-foot><fn><label>a</label><p>Foot.</p></fn></table-wrap-foot></table-wrap>"""
    assert body(xml).split("\n") == [
        "**Table 1.** Counts.", "",
        "| a | both / b\\|c | both / d |", "| --- | --- | --- |",
        "| 4 | 5 | 6 |", "| 4 | 7 |  |", "| all |  |  |", "",
        "a Foot.",
    ]  # fmt: skip


def test_a_huge_span_costs_little() -> None:
    cells = '<td colspan="99999999" rowspan="99999999">x</td>' * 300
    assert len(body(f"<table-wrap><table><tr>{cells}</tr></table></table-wrap>")) < 400_000


@pytest.mark.parametrize(
    ("xml", "shown"),
    [
        (r"<tex-math>\documentclass{x}\begin{document}$$x_1^2$$\end{document}</tex-math>", "$x_1^2$"),
        ("<mml:math><mml:msub><mml:mi>x</mml:mi><mml:mn>1</mml:mn></mml:msub></mml:math>", "$x_1$"),
        (
            "<mml:math><mml:mfrac><mml:mi>a</mml:mi><mml:mrow><mml:mi>b</mml:mi><mml:mo>+</mml:mo>"
            "<mml:mi>log</mml:mi><mml:mi>n</mml:mi></mml:mrow></mml:mfrac></mml:math>",
            r"$\frac{a}{b+\log n}$",
        ),
        (
            '<mml:math><mml:mover><mml:mi>x</mml:mi><mml:mo>^</mml:mo></mml:mover><mml:mfenced '
            'separators=""><mml:mi>y</mml:mi></mml:mfenced></mml:math>',
            r"$\hat{x}\left(y\right)$",
        ),
        (
            "<mml:math><mml:mtable><mml:mtr><mml:mtd><mml:mn>1</mml:mn></mml:mtd><mml:mtd>"
            "<mml:mn>2</mml:mn></mml:mtd></mml:mtr></mml:mtable></mml:math>",
            r"$\begin{matrix} 1 & 2 \end{matrix}$",
        ),
    ],
)  # fmt: skip
def test_formulas(xml: str, shown: str) -> None:
    assert body(f"<p>Where <inline-formula>{xml}</inline-formula> is.</p>") == f"Where {shown} is."


def test_a_displayed_formula_keeps_its_place_and_number() -> None:
    formula = "<disp-formula><label>(3)</label><tex-math>$$a=b$$</tex-math></disp-formula>"
    assert body(f"<p>We have {formula} where a is b.</p>") == (
        "We have $$a=b \\tag{3}$$ where a is b."
    )
    assert body(f"<sec><title>T</title>{formula}</sec>") == "## T\n\n$$a=b \\tag{3}$$"


def test_footnotes() -> None:
    xml = '<p>Noted<xref ref-type="fn" rid="n1">a</xref> here<fn><p>Inline.</p></fn>.</p>'
    groups = (
        '<fn-group><fn id="n1"><label>a</label><p>Far.</p></fn><fn><p>Alone.</p></fn></fn-group>'
    )
    assert body(xml, back=groups) == (
        "Noted[^1] here[^2].\n\n[^1]: Far.\n\n[^2]: Inline.\n\n## Notes\n\nAlone."
    )


def test_nested_lists() -> None:
    xml = """<list list-type="order"><list-item><p>one</p><list list-type="bullet"><list-item>
    <p>nested</p></list-item></list></list-item><list-item><p>two</p><p>more</p></list-item></list>"""
    assert body(xml) == "1. one\n    - nested\n2. two more"


def test_a_box_does_not_swallow_what_follows_it() -> None:
    xml = (
        "<sec><title>T</title><boxed-text><caption><title>Box 1</title></caption><p>In.</p>"
        "</boxed-text><p>After.</p><sec><title>U</title></sec></sec>"
    )
    assert body(xml) == "## T\n\nAfter.\n\n### Box 1\n\nIn.\n\n### U"


def test_floats_theorems_quotes_definitions() -> None:
    xml = (
        "<sec><title>T</title><statement><label>Theorem 1</label><p>So it is.</p></statement>"
        "<disp-quote><p>Said.</p></disp-quote><def-list><def-item><term>x</term><def><p>y</p></def>"
        "</def-item></def-list></sec>"
    )
    assert body(xml) == "## T\n\n**Theorem 1.** So it is.\n\n> Said.\n\n- **x**: y"


def test_other_articles_inside_stay_out() -> None:
    letter = (
        '<sub-article article-type="decision-letter"><front-stub/><body><p>Reviewer words.</p>'
        "</body></sub-article>"
    )
    found = to_markdown(jats(after=letter))
    assert "Reviewer" not in found.body
    assert found.warnings == ("left out: decision-letter",)


def test_a_wrapped_article_is_found() -> None:
    inner = re.sub(rb"<\?xml.*?\?>|<!DOCTYPE.*?>", b"", jats(), flags=re.S)
    wrapped = inner.replace(b"<article ", b'<article xmlns="https://jats.nlm.nih.gov/ns" ', 1)
    data = b"<OAI-PMH><record><metadata>" + wrapped + b"</metadata></record></OAI-PMH>"
    assert to_markdown(data).body == to_markdown(jats()).body


@pytest.mark.parametrize(
    ("data", "state", "said"),
    [
        (b"<article><front/></article>", "empty", ""),
        (b"<html><body>Just a moment</body></html>", "damaged", "root element is <html>"),
        (b"<article><body>", "damaged", "not well-formed"),
        (b"", "damaged", "not well-formed"),
        (b'<!DOCTYPE a [<!ENTITY x "y">]><article><body><p>&x;</p></body></article>', "damaged",
         "declares entities"),
        (b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><article>&x;</article>', "damaged",
         "declares entities"),
        (b"<article><body>" + b"<sec>" * 5000 + b"</sec>" * 5000 + b"</body></article>", "damaged",
         "nested more than"),
    ],
)  # fmt: skip
def test_what_is_no_article_says_so(data: bytes, state: str, said: str) -> None:
    found = to_markdown(data)
    assert found.state == state
    assert said in " ".join(found.warnings)


def test_a_retraction_is_named() -> None:
    found = to_markdown(jats(kind="retraction"))
    assert found.notice
    assert found.warnings == ("the article is a retraction",)


def test_hostile_text_never_becomes_markup() -> None:
    found = to_markdown(
        jats(
            title="&lt;img src=x onerror=alert(1)&gt;",
            body="<p>&lt;script&gt;alert(1)&lt;/script&gt; [x](javascript:y) # no</p>"
            '<p># Not a heading</p><p>---</p><p><ext-link xlink:href="javascript:x">t</ext-link></p>'
            "<p>&lt;!-- page 3 --&gt;</p>",
        )
    )
    assert not re.search(r"<[A-Za-z/!]", re.sub(r'<a id="ref-\d+"></a>', "", found.body))
    assert not re.search(r"(?<!\\)\]\(javascript", found.body)
    assert "\n# Not" not in found.body
    assert "\n---\n" not in found.body


# The corpus


def manifest(corpus: Path) -> list[dict[str, str]]:
    with (corpus / "jats" / "MANIFEST.tsv").open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def letters(value: str) -> str:
    return re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", value)).casefold()


def own(element: ElementTree.Element, tag: str) -> list[ElementTree.Element]:
    """Descendants by local name, without sub-articles."""
    found = []
    for child in element:
        name = child.tag.rpartition("}")[2]
        if name in ("sub-article", "response"):
            continue
        found += ([child] if name == tag else []) + own(child, tag)
    return found


_APART = {
    "fig", "table-wrap", "disp-formula", "inline-formula", "fn", "xref", "list", "media", "math",
    "supplementary-material", "boxed-text", "fig-group", "disp-quote", "ext-link", "object-id",
}  # fmt: skip


def stretches(element: ElementTree.Element) -> list[str]:
    """The running words of a paragraph, cut where something else stands in it."""
    cut = [element.text or ""]
    for child in element:
        if child.tag.rpartition("}")[2] in _APART:
            cut.append(child.tail or "")
        else:
            first, *rest = stretches(child)
            cut[-1] += first
            cut += rest
            cut[-1] += child.tail or ""
    return cut


def kept(corpus: Path) -> tuple[dict[str, int], list[str]]:
    """How much the real articles hold, and what of it their Markdown lost."""
    lost: list[str] = []
    counts = {"p": 0, "heading": 0, "ref": 0, "damaged": 0}
    for row in manifest(corpus):
        data = (corpus / "jats" / row["file"]).read_bytes()
        found = to_markdown(data)
        if found.state == "damaged":
            counts["damaged"] += 1
            continue
        root = ElementTree.fromstring(data)
        root = root if root.tag.rpartition("}")[2] == "article" else own(root, "article")[0]
        shown = letters(md.plain(found.body))
        headings = [letters(md.plain(one)) for one in found.body.split("\n") if one.startswith("#")]
        for text in own(root, "body")[:1]:
            for paragraph in own(text, "p"):
                counts["p"] += 1
                lost += [
                    f"{row['file']}: {part[:60]}"
                    for part in stretches(paragraph)
                    if len(letters(part)) > 3 and letters(part) not in shown
                ]
            for section in own(text, "sec"):
                for title in (one for one in section if one.tag.rpartition("}")[2] == "title"):
                    name = letters("".join(title.itertext()))
                    counts["heading"] += bool(name)
                    if name and not any(one.endswith(name) for one in headings):
                        lost.append(f"{row['file']}: heading {name}")
        refs = own(root, "ref")
        counts["ref"] += len(refs)
        assert len(found.references) == len(refs), row["file"]
        stated = re.search(
            r"refs=(\d+)", row["counts (xpath over lxml; refs = back//ref, secs = body//sec)"]
        )
        assert stated is None or int(stated[1]) == len(found.references), row["file"]
    return counts, lost


def test_every_real_paragraph_heading_and_reference_is_kept(corpus: Path) -> None:
    counts, lost = kept(corpus)
    assert lost == []
    assert counts == {"p": 1120, "heading": 302, "ref": 1242, "damaged": 4}


def test_licences_of_the_real_files_are_read(corpus: Path) -> None:
    read = {
        row["file"]: to_markdown((corpus / "jats" / row["file"]).read_bytes()).license
        for row in manifest(corpus)
    }
    assert read["pmc-mds526.xml"] == "CC BY-NC 3.0"
    assert read["plos-pone.0234687.xml"] == "CC0"
    assert read["pmc-1471-2180-11-174.xml"] == "CC BY 2.0"
    assert read["pmc-ehp-116-1694.xml"] == "public domain"
    assert sum(bool(value) for value in read.values()) >= 26
