"""Any tree of the elements that are known: no error, no lost word, one output, links that resolve."""

from __future__ import annotations

import re
from collections import Counter
from xml.sax.saxutils import escape

import pytest
from articles import jats, latexml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pressmark.fulltext import html, tei
from pressmark.fulltext import jats as jats_converter
from pressmark.fulltext import markdown as md
from pressmark.fulltext.extracted import Extracted
from pressmark.fulltext.reading import sections, window

SIGNS = ["*", "_", "[", "]", "](", "<b>", "&amp;", "$", "`", "|", "#", "1.", "- x", "~~", "^", "\\",
         "🧪", "שלום", "  ", "(A)", "[^1]", "<!-- page 3 -->", "$$", ":", "{", "```"]  # fmt: skip


@st.composite
def words(draw: st.DrawFn) -> str:
    """Words that no other piece has, with signs that Markdown might obey between them."""
    parts = []
    for _ in range(draw(st.integers(1, 2))):
        parts.append(f"w{draw(st.integers(0, 10**6))}q")
        parts += draw(st.lists(st.sampled_from(SIGNS), max_size=2))
    return escape(draw(st.sampled_from([" ", ""])).join(parts))


def tree(inline: list[str], blocks: list[str], row: str, cell: str) -> st.SearchStrategy[str]:
    """Markup of inline elements in block elements, both in each other as the forms allow."""

    def within(frames: list[str], inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        parts = st.lists(inner, min_size=1, max_size=3).map("".join)
        return st.builds(str.format, st.sampled_from(frames), parts)

    line = st.recursive(words(), lambda inner: within(inline, inner), max_leaves=5)
    cells = st.lists(line.map(f"<{cell}>{{}}</{cell}>".format), min_size=1, max_size=3)
    table = cells.map("".join).map(f"<table><{row}>{{}}</{row}></table>".format)
    base = st.one_of(line.map("<p>{}</p>".format), line, table)
    return st.recursive(base, lambda inner: within(blocks, inner), max_leaves=6)


JATS = tree(
    ["<italic>{}</italic>", "<bold>{}</bold>", "<sup>{}</sup>", "<sub>{}</sub>", "<sc>{}</sc>",
     '<xref ref-type="bibr" rid="r1">{}</xref>', '<xref ref-type="bibr" rid="r1 r2">{}</xref>',
     '<ext-link xlink:href="https://a.invalid/x">{}</ext-link>', "<named-content>{}</named-content>",
     "<fn><p>{}</p></fn>", "{}<break/>", "<odd-one>{}</odd-one>"],
    ["<sec><title>s</title>{}</sec>", "<sec>{}</sec>", "<p>{}</p>", "<disp-quote>{}</disp-quote>",
     "<list><list-item>{}</list-item></list>", "<boxed-text>{}</boxed-text>",
     "<fig><label>Fig 1</label>{}</fig>", "<statement><title>Lemma</title>{}</statement>",
     "<def-list><def-item><term>t</term><def>{}</def></def-item></def-list>", "<div>{}</div>"],
    "tr", "td",
)  # fmt: skip
HTML = tree(
    ["<i>{}</i>", "<b>{}</b>", "<em>{}</em>", "<sup>{}</sup>", "<sub>{}</sub>", "<u>{}</u>",
     '<a href="#bib.bib1">{}</a>', '<a href="https://a.invalid/x">{}</a>', "<span>{}</span>",
     '<span class="ltx_text ltx_font_bold">{}</span>', "<cite>{}</cite>", "{}<br>", "<q>{}</q>",
     '<span class="ltx_note"><span class="ltx_note_content">{}</span></span>'],
    ["<section><h3>s</h3>{}</section>", "<div>{}</div>", "<blockquote>{}</blockquote>",
     "<ul><li>{}</li></ul>", "<ol><li>{}</li><li>z</li></ol>", "<figure>{}</figure>",
     "<dl><dt>t</dt><dd>{}</dd></dl>", "<details><summary>m</summary>{}</details>"],
    "tr", "td",
)  # fmt: skip
TEI = tree(
    ['<hi rend="italic">{}</hi>', '<hi rend="bold">{}</hi>', '<hi rend="superscript">{}</hi>',
     '<ref type="bibr" target="#b0">{}</ref>', '<note place="foot">{}</note>', "<s>{}</s>"],
    ["<div><head>s</head>{}</div>", "<div>{}</div>", "<quote>{}</quote>", "<p>{}</p>",
     "<list><item>{}</item></list>", '<figure><label>1</label><figDesc>{}</figDesc></figure>'],
    "row", "cell",
)  # fmt: skip
TEI_PAGE = (
    "<TEI><teiHeader/><text><body>{}</body><back><listBibl><biblStruct id='b0'><note "
    "type='raw_reference'>Bryl. One. 2019.</note></biblStruct></listBibl></back></text></TEI>"
)
quick = settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


def check(convert: object, data: bytes, source: str) -> Extracted:
    """What holds of every tree."""
    found: Extracted = convert(data)  # type: ignore[operator]
    assert found.state == "ok", found.warnings
    assert convert(data) == found  # type: ignore[operator]
    stated = Counter(re.findall(r"w\d+q", source))
    shown = Counter(re.findall(r"w\d+q", found.body))
    assert not stated - shown, "lost"
    assert not {word for word in stated if shown[word] > stated[word]}, "twice"
    plain = Counter(re.findall(r"w\d+q", md.plain(found.body)))
    assert not stated - plain, "lost in plain"
    targets = set(re.findall(r'<a id="(ref-\d+)">', found.body))
    assert set(re.findall(r"\]\(#([^)]*)\)", found.body)) <= targets
    marks = re.findall(r"(?<!\\)\[\^([\w-]+)\](?!:)", found.body)
    defined = re.findall(r"^\[\^([\w-]+)\]: ", found.body, re.M)
    assert set(defined) <= set(marks)
    assert len(set(defined)) == len(defined)
    assert not re.search(r"<(?!a id=\"ref-|/a>|br>)[A-Za-z/!]", re.sub(r"`[^`]*`", "", found.body))
    for one in sections(found.body):
        assert found.body[one.start :].startswith("#" * one.level + " ")
    begin: int | None = 0
    parts = []
    while begin is not None:
        part = window(found.body, begin, 1000)
        parts.append(part.text)
        begin = part.next_offset
    assert "".join(parts) == found.body
    return found


@quick
@given(JATS)
def test_any_article(markup: str) -> None:
    check(jats_converter.to_markdown, jats(body=f"<sec>{markup}</sec>", paragraphs=1), markup)


@quick
@given(HTML)
def test_any_page(markup: str) -> None:
    check(html.to_markdown, latexml(extra=markup, paragraphs=1), markup)


@quick
@given(TEI)
def test_any_document(markup: str) -> None:
    check(tei.to_markdown, TEI_PAGE.format(f"<p>Led in.</p>{markup}").encode(), markup)


@quick
@given(JATS)
def test_its_markdown_is_what_a_markdown_reader_reads(markup: str) -> None:
    """Python-Markdown finds the words of every paragraph, and no markup of its own in them."""
    markdown = pytest.importorskip("markdown")
    body = jats_converter.to_markdown(jats(body=f"<sec>{markup}</sec>", paragraphs=1)).body
    shown = markdown.markdown(body, extensions=["tables", "footnotes", "attr_list", "md_in_html"])
    stated = Counter(re.findall(r"w\d+q", markup))
    assert not stated - Counter(re.findall(r"w\d+q", re.sub(r"<[^>]*>", "", shown)))
    assert not re.search(r"<(?:script|img|b|html)\b|<!--", shown)
