"""Untrusted strings of every provider and of nobody in; what `text` promises of them, held."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pressmark import text

ANY = st.text(st.characters(exclude_categories=()), max_size=200)
"""Every code point, lone surrogates too."""

HIDDEN = re.compile(
    "[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f\ud800-\udfff\u2028\u2029\x85\ufffe\uffff]"
)


def controls(value: str) -> set[str]:
    return {sign for sign in value if unicodedata.category(sign) == "Cc"}


@given(ANY)
def test_plain_holds_no_control_but_the_newline_and_nothing_hidden(value: str) -> None:
    shown = text.plain(value)
    assert controls(shown) <= {"\n"}
    assert not HIDDEN.search(shown)
    assert text.plain(shown) == shown
    shown.encode("utf-8")


@given(ANY)
def test_clean_is_one_safe_line_in_nfc(value: str) -> None:
    line = text.clean(value)
    assert not controls(line)
    assert not HIDDEN.search(line)
    assert line == line.strip() and "  " not in line
    assert unicodedata.is_normalized("NFC", line)
    assert text.clean(line) == line


@given(ANY)
def test_clean_with_newlines_keeps_lines_and_nothing_else_of_control(value: str) -> None:
    lines = text.clean(value, newlines=True)
    assert controls(lines) <= {"\n"}
    assert not HIDDEN.search(lines)
    assert text.clean(lines, newlines=True) == lines


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("  two \t words\r\nthree\u2028four\x85five ", "two words three four five"),
        ("a\u202eb\u2066c", "abc"),
        ("pay\u200bload\U000e0041", "payload"),
        ("\x1b[31mred\x1b[0m \x1b]8;;http://x\x07link\x1b]8;;\x07", "red link"),
        ("e\u0301", "é"),
        ("\ud83d\ude00 and \ud83d", "😀 and \ufffd"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("क्\u200dष", "क्\u200dष"),
        ("lat\u200cin \u200d", "latin"),
        ("葛\U000e0100城", "葛\U000e0100城"),
        ("a\U000e0100b\ufe0fc", "abc"),
        ("❤\ufe0f", "❤\ufe0f"),
        ("no\u00a0break", "no break"),
    ],
)
def test_clean(value: str, expected: str) -> None:
    assert text.clean(value) == expected


def test_clean_with_newlines_keeps_indentation_and_drops_carriage_returns() -> None:
    assert text.clean("\n a\r\n\r\n  b  c\rd\n", newlines=True) == " a\n\n  b  c\nd"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("R&amp;D", "R&D"),
        ("A &amp;amp; B", "A & B"),
        ("&amp;amp;amp;", "&amp;"),
        ("AT&T &copy 2020 a?b=1&para=2", "AT&T &copy 2020 a?b=1&para=2"),
        ("&#8211; &#x3b1; &eacute; &nosuch;", "– α é &nosuch;"),
    ],
)
def test_unescape(value: str, expected: str) -> None:
    assert text.unescape(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("ecology and<i>Functional Ecology</i>", "ecology and Functional Ecology"),
        ("during &lt;i&gt;C. elegans&lt;/i&gt; development.", "during C. elegans development"),
        ("The p<i>K</i>a of H<sub>2</sub>O", "The pKa of H2O"),
        ("Over 10<sup>-3</sup> Ca<sup>2+</sup> PL<sup>pro</sup>", "Over 10⁻³ Ca²⁺ PLpro"),
        ("Emissions &amp;amp; immunity", "Emissions & immunity"),
        ("What is <GlcNAc> when x<y and p < 0.05?", "What is <GlcNAc> when x<y and p < 0.05?"),
        ("$a<b$ and $\\alpha$", "$a<b$ and $\\alpha$"),
        ("Smith v. Jones Inc.", "Smith v. Jones Inc."),
        ("Health in the U.S.", "Health in the U.S."),
        ("And then...", "And then..."),
        ("A new Salmonella sp.", "A new Salmonella sp."),
        ("<b>One</b><br/>Two", "One Two"),
        ("0", "0"),
        ("[A translated title].", "[A translated title]"),
        ("<mml:math><mml:mi>x</mml:mi></mml:math>-rays", "x-rays"),
    ],
)
def test_title(value: str, expected: str) -> None:
    assert text.title(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("<jats:title>Abstract</jats:title><jats:p>Just this.</jats:p>", "Just this."),
        (
            "<jats:p>\n   targeting<jats:italic>SMARCB1</jats:italic>for editing</jats:p>",
            "targeting *SMARCB1* for editing",
        ),
        ("<p>p &amp;lt; 0.05 &amp;amp; p&lt;x</p>", "p < 0.05 & p&lt;x"),
        ("<p>10<sup>3</sup> H<sub>2</sub>O <i>p</i>-value</p>", "10³ H2O *p*-value"),
        ("<h4>Aims</h4>To see. <h4>Results:</h4>Seen.", "**Aims**. To see.\n\n**Results**: Seen."),
        (
            "<jats:sec><jats:title>Aims</jats:title><jats:p>One.</jats:p><jats:p>Two.</jats:p></jats:sec>",
            "**Aims**. One.\n\nTwo.",
        ),
        ("<p>a&nbsp;b &eacute; AT&T</p>", "a b é AT&T"),
        ("<ul><li>one</li><li>two</li></ul>", "- one\n\n- two"),
        ("first\n\nsecond", "first\n\nsecond"),
        ("&lt;p&gt;escaped once&lt;/p&gt;", "escaped once"),
        ("unclosed <i>and <b>wrong</i> nesting</b>", "unclosed and **wrong nesting**"),
        (
            "# not a *heading* [x](y) <script>alert(1)</script>",
            "\\# not a \\*heading\\* \\[x\\](y) ",
        ),
        ("1. not a list", "1\\. not a list"),
        ("snake_case and _this_", "snake_case and \\_this\\_"),
        (
            "<p>of <inline-formula><alternatives><tex-math>\\documentclass{a}\\begin{document}$$a^2$$"
            "\\end{document}</tex-math><mml:math><mml:mi>a</mml:mi></mml:math></alternatives>"
            "</inline-formula> here</p>",
            "of $a^2$ here",
        ),
        ("<p>a<!-- hidden -->b</p>", "ab"),
        ("", ""),
    ],
)
def test_from_jats(value: str, expected: str) -> None:
    assert text.from_jats(value) == expected.strip()


@given(ANY)
def test_from_jats_never_raises_and_lets_no_tag_through(value: str) -> None:
    shown = text.from_jats(f"<p>{value}</p>")
    assert not re.search(r"<[A-Za-z/!]", shown)
    assert controls(shown) <= {"\n"}


@given(st.text(alphabet="<>/&;pib \n*_\\[]#-1.x=\"'", max_size=80))
def test_from_jats_never_raises_on_tag_soup(value: str) -> None:
    assert not re.search(r"<[A-Za-z/!]", text.from_jats(value))


@given(st.text(alphabet="ab .,*_\\<&-#1é\n", max_size=80))
def test_an_abstract_goes_out_as_html_and_comes_back_as_it_was(value: str) -> None:
    abstract = text.from_jats(f"<h4>Aims</h4>{value}<i>see</i> <b>this</b>")
    assert text.from_jats(text.to_html(abstract)) == abstract


def test_entities_of_an_attacker_are_not_expanded() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]><p>&b;</p>'
    assert "aaaaaaaaaa" not in text.from_jats(bomb).replace('"aaaaaaaaaa"', "")


def test_every_crossref_abstract_of_the_corpus_becomes_plain_paragraphs(corpus: Path) -> None:
    abstracts = [
        work["abstract"]
        for path in sorted((corpus / "providers" / "crossref").glob("*.json"))
        for work in works(path)
        if "abstract" in work
    ]
    shown = [text.from_jats(abstract) for abstract in abstracts]
    assert len(shown) >= 57
    assert all(shown)
    assert not [each for each in shown if re.search(r"</?(?:jats:)?[a-z]+>|&amp;", each)]
    assert not [each for each in shown if each.startswith(("Abstract", "**Abstract"))]
    assert any("targeting *SMARCB1* for editing" in each for each in shown)


def works(path: Path) -> list[dict[str, str]]:
    try:
        message = json.loads(path.read_bytes())["message"]
    except (ValueError, KeyError, TypeError):
        return []
    listed = message.get("items", [message]) if isinstance(message, dict) else []
    return [work for work in listed if isinstance(work, dict)]


def test_every_europe_pmc_abstract_of_the_corpus_keeps_its_section_titles(corpus: Path) -> None:
    found = []
    for path in sorted((corpus / "providers" / "europepmc").glob("*.json")):
        try:
            results = json.loads(path.read_bytes())["resultList"]["result"]
        except (ValueError, KeyError, TypeError):
            continue
        found += [result["abstractText"] for result in results if "abstractText" in result]
    shown = [text.from_jats(abstract) for abstract in found]
    assert len(shown) >= 21
    assert not [each for each in shown if re.search(r"</?[a-z]\w*>", each)]
    headed = [each for each, raw in zip(shown, found, strict=True) if "<h4>" in raw]
    assert headed and all(each.count("**") >= 2 for each in headed)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (r"{\'\i}", "í"),
        (r"Garc{\'{\i}}a", "García"),
        (r"\v{S}imi\'c", "Šimić"),
        (r"{\L}ukasz", "Łukasz"),
        (r"Nguy{\~{\^e}}n", "Nguyễn"),
        (r"Nguy\~\^en", "Nguyễn"),
        (r"Th{\'{\u a}}ng", "Thắng"),
        (r"Stra\ss e", "Straße"),
        (r"{\c C}elik", "Çelik"),
        (r"Erd\H{o}s and R\'enyi", "Erdős and Rényi"),
        (r"na\"{\i}ve", "naïve"),
        (r"\AA ngstr\"om", "Ångström"),
        (r"pages 10--20, and so on --- ``quoted''", "pages 10–20, and so on — “quoted”"),
        (r"K.~A. {DNA} \& RNA", "K. A. DNA & RNA"),
        (r"A $\alpha_{1}$ of \emph{E. coli}", r"A $\alpha_{1}$ of E. coli"),
        (r"\ensuremath{\beta}-catenin", r"$\beta$-catenin"),
        (r"\unknown{x} stays", r"\unknown{x} stays"),
        (r"\href{http://x.org}{a link}", "a link"),
        (r"costs \$5", "costs $5"),
        ("nothing to do", "nothing to do"),
        ("trailing \\", "trailing \\"),
    ],
)
def test_from_tex(value: str, expected: str) -> None:
    assert text.from_tex(value) == expected


@given(st.text(alphabet="\\{}$~'`^\"-abHcv i", max_size=300))
def test_from_tex_never_raises(value: str) -> None:
    assert isinstance(text.from_tex(value), str)


def test_from_tex_survives_deep_nesting() -> None:
    assert text.from_tex("{" * 50_000 + "x").endswith("x")
    assert text.from_tex("\\'" * 50_000).count("́") <= 50_000


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Šimić", "simic"),
        ("STRAßE", "strasse"),
        ("Łódź Ørsted Đorđe Ħ ı", "lodz orsted dorde h i"),
        ("O’Neil", "o'neil"),
        ("ﬁne", "fine"),
        ("Æsir œuvre", "aesir oeuvre"),
        ("ガ か が", "ガ か が"),
        ("한글", "한글"),
        ("İstanbul", "istanbul"),
        ("dé\u0301ja", "deja"),
    ],
)
def test_fold(value: str, expected: str) -> None:
    assert text.fold(value) == expected


@given(st.text(max_size=60))
def test_fold_does_not_care_for_normal_form_case_or_being_done_twice(value: str) -> None:
    folded = text.fold(value)
    assert text.fold(folded) == folded
    assert text.fold(unicodedata.normalize("NFD", value)) == folded


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("O'Neil’s X-ray", ["oneils", "x", "ray"]),
        ("山田 太郎", ["shantian", "tailang"]),
        ("Łukasz Šimić", ["lukasz", "simic"]),
        ("Привет мир", ["privet", "mir"]),
        ("!?", []),
    ],
)
def test_ascii_words(value: str, expected: list[str]) -> None:
    assert text.ascii_words(value) == expected


def test_escape_markdown_shows_literally() -> None:
    assert text.escape_markdown("a *b* _c_ <x> [y](z) `k` | $m$") == (
        "a \\*b\\* \\_c\\_ &#60;x&#62; \\[y\\](z) \\`k\\` &#124; &#36;m&#36;"
    )
    assert text.escape_markdown("# one\n2. two\n- three\nfour - five 6. seven") == (
        "&#35; one\n2&#46; two\n&#45; three\nfour - five 6. seven"
    )
    assert text.escape_markdown("AT&T &amp; @key a@b.c :smile: 12:30:00") == (
        "AT&#38;T &#38;amp; &#64;key a@b.c &#58;smile: 12&#58;30:00"
    )


@given(st.text(alphabet="ab *_`[]()<>&#;!-+=.1~|$^:@{}\\\n\t", max_size=60))
def test_escaped_markdown_renders_as_the_text_itself(value: str) -> None:
    markdown = pytest.importorskip("markdown")
    import html

    value = text.clean(value, newlines=False)
    rendered = markdown.markdown(text.escape_markdown(value), extensions=["extra"])
    shown = html.unescape(re.sub(r"</?p>", "", rendered))
    assert text.clean(shown) == value


def test_importing_text_and_ids_imports_nothing_heavy() -> None:
    program = (
        "import sys, pressmark.text, pressmark.ids; print(sorted({'anyascii', 'defusedxml', "
        "'xml.etree.ElementTree', 'httpx', 'yaml', 'urllib.parse', 'json'} & set(sys.modules)))"
    )
    package = Path(text.__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONPATH": str(package)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
