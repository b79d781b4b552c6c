"""The shapes that scripts, agents and pages rely on."""

from __future__ import annotations

import json

import pytest

from pressmark import render
from pressmark.check import Finding
from pressmark.errors import BadInput
from pressmark.record import Paper, Reference

REF = Reference(
    key="vaswani2017attention",
    title="Attention Is All You Need",
    authors=("Vaswani, Ashish", "Shazeer, Noam", "{Google Brain}"),
    published="2017-06-12",
    type="paper-conference",
    venue="Advances in Neural Information Processing Systems",
    arxiv="1706.03762",
    tags=("transformers",),
    sources=("arxiv:1706.03762v7 2026-11-30",),
    cites=("arxiv:1409.0473", "doi:10.1162/neco.1997.9.8.1735"),
    extra={"mine": "yes"},
    body="\n## Abstract\n\nThe dominant models.\n",
)
PATH = "library/2017/vaswani2017attention.md"


def test_the_json_shape_of_a_reference_is_pinned() -> None:
    assert render.reference_json(REF, PATH) == {
        "key": "vaswani2017attention",
        "path": "library/2017/vaswani2017attention.md",
        "title": "Attention Is All You Need",
        "authors": ["Vaswani, Ashish", "Shazeer, Noam", "{Google Brain}"],
        "editors": [],
        "published": "2017-06-12",
        "type": "paper-conference",
        "venue": "Advances in Neural Information Processing Systems",
        "publisher": None,
        "place": None,
        "event": None,
        "volume": None,
        "issue": None,
        "number": None,
        "pages": None,
        "edition": None,
        "series": None,
        "doi": None,
        "arxiv": "1706.03762",
        "arxiv-class": None,
        "pmid": None,
        "pmcid": None,
        "openalex": None,
        "s2": None,
        "isbn": [],
        "issn": [],
        "url": None,
        "language": None,
        "keywords": [],
        "license": None,
        "oa": None,
        "notice": None,
        "notice-note": None,
        "related": [],
        "stage": None,
        "cite-as": None,
        "tags": ["transformers"],
        "topics": [],
        "fulltext": None,
        "aliases": [],
        "sources": ["arxiv:1706.03762v7 2026-11-30"],
        "conflicts": [],
        "cites": ["arxiv:1409.0473", "doi:10.1162/neco.1997.9.8.1735"],
        "extra": {"mine": "yes"},
        "abstract": "The dominant models.",
    }


def test_the_order_of_the_json_is_that_of_the_file() -> None:
    names = list(render.reference_json(REF, PATH))
    assert names == ["key", "path", *Reference.FIELDS, "extra", "abstract"]


def test_the_envelope_has_six_names_always() -> None:
    assert json.loads(render.envelope({"a": 1}, warnings=["slow"])) == {
        "ok": True, "data": {"a": 1}, "warnings": ["slow"], "code": None, "error": None, "next": None,
    }  # fmt: skip
    failed = render.answer(None, code="not_found", error="No such thing.", next="pressmark list")
    assert failed == {
        "ok": False, "data": None, "warnings": [], "code": "not_found", "error": "No such thing.",
        "next": "pressmark list",
    }  # fmt: skip


def test_json_is_safe_to_print_and_loses_nothing() -> None:
    value = {"t": "é 𝛼 \x1b]0;x\x07 \x9b \u202e \ud800 \ufeff \u2028"}
    text = render.to_json(value)
    assert "é 𝛼" in text
    assert "\n" not in text
    assert not set(text) & set("\x1b\x07\x9b\u202e\ud800\ufeff\u2028")
    assert json.loads(text) == value


@pytest.mark.parametrize(
    ("authors", "editors", "label"),
    [
        (("Vaswani, Ashish",), (), "Vaswani 2017"),
        (("Vaswani, Ashish", "Shazeer, Noam"), (), "Vaswani & Shazeer 2017"),
        (("A, B", "C, D", "E, F"), (), "A et al. 2017"),
        (("{World Health Organization}",), (), "World Health Organization 2017"),
        ((), ("Šimić, Ana",), "Šimić 2017"),
        ((), (), "Deep Nets 2017"),
    ],
)
def test_labels(authors: tuple[str, ...], editors: tuple[str, ...], label: str) -> None:
    work = Paper(title="Deep Nets", authors=authors, editors=editors, published="2017-06")
    assert render.label(work) == label


def test_a_long_title_is_cut_in_a_label() -> None:
    label = render.label(Paper(title="word " * 20))
    assert label == "word word word word word word word word word word word word… n.d."


def test_citation_lines() -> None:
    line = "Vaswani et al. 2017 — Attention Is All You Need. Advances in Neural Information Processing Systems."
    assert render.citation(REF) == line
    marked = Reference(
        key="x",
        title="Is it so?",
        authors=("A, B",),
        notice="expression-of-concern",
        stage="candidate",
    )
    assert render.citation(marked) == "[EXPRESSION OF CONCERN] A n.d. — Is it so? (candidate)"
    bare = Reference(key="x2020y", title="", notice="retracted", published="2020", venue="J.")
    assert render.citation(bare) == "[RETRACTED] x2020y 2020. J."
    assert render.citation(Paper(title="Deep Nets", venue="Nature")) == "Deep Nets n.d. Nature."


def test_rows_are_aligned_and_marked() -> None:
    chinese = Reference(
        key="li2020x", title="深度学习", authors=("李, 明",), published="2020", notice="retracted"
    )
    assert render.rows([REF, chinese]) == [
        "vaswani2017attention  2017  Vaswani et al.  Attention Is All You Need",
        "li2020x               2020  李              [RETRACTED] 深度学习",
    ]
    assert render.rows([REF], width=50) == ["vaswani2017attention  2017  Vaswani et al.  Atten…"]
    assert render.rows([chinese], width=39) == ["li2020x  2020  李  [RETRACTED] 深度学习"]
    assert render.rows([chinese], width=36) == ["li2020x  2020  李  [RETRACTED] 深度…"]
    assert render.rows([]) == []


def test_tables_count_columns_as_a_terminal_does() -> None:
    assert render.columns("é") == 1 and render.columns("e\u0301") == 1
    assert render.columns("深a") == 3
    assert render.table([("a", "b"), ("深度", "c", "d")], header=("x", "y")) == [
        "x     y", "a     b", "深度  c  d",
    ]  # fmt: skip
    assert render.table([("a\x1b[31m\nb", "c")]) == ["a b  c"]


def test_details_show_what_there_is() -> None:
    lines = render.details(REF, PATH)
    assert lines[0] == render.citation(REF)
    assert "arxiv      1706.03762" in lines
    assert "mine       yes" in lines
    assert "Cites 2 works." in lines
    assert lines[-1] == "The dominant models."
    assert not any(line.startswith("doi") for line in lines)


@pytest.mark.parametrize(
    ("form", "line"),
    [
        ("{key}\\t{title}", "vaswani2017attention\tAttention Is All You Need"),
        ("{key}\t{year}", "vaswani2017attention\t2017"),
        ("{authors}", "Vaswani, Ashish; Shazeer, Noam; {Google Brain}"),
        ("{people} {{x}} \\n", "Vaswani et al. {x} \n"),
        ("{label}: {abstract} {doi}", "Vaswani et al. 2017: The dominant models. "),
        ("{cite-as}{arxiv-class}|", "|"),
        ("{path}", PATH),
        ("", ""),
    ],
)
def test_templates(form: str, line: str) -> None:
    assert render.fill(form, REF, PATH) == line


@pytest.mark.parametrize(
    ("form", "next_"),
    [("{titel}", "did you mean {title}?"), ("{key", "write {{ for one"), ("key}", "write }} for one"),
     ("{zzzzz}", "the names are key, path")],
)  # fmt: skip
def test_templates_that_name_no_field(form: str, next_: str) -> None:
    with pytest.raises(BadInput) as caught:
        render.fill(form, REF)
    assert (caught.value.next or "").startswith(next_)


ERROR = Finding(
    code="UNCITED", severity="error", path="notes/a,b: c%.md", line=3, column=7,
    message="No reference has the key x%\ny.", next="write @z",
)  # fmt: skip
WARNING = Finding(code="LAYOUT", severity="warning", path="library/a.md", message="Odd: layout.")
WHOLE = Finding(code="FORMAT", severity="error", path="", message="Newer.")


def test_findings_as_text() -> None:
    assert render.findings([ERROR, WARNING, WHOLE]) == (
        "notes/a,b: c%.md:3:7: UNCITED No reference has the key x% y. (write @z)\n"
        "library/a.md: LAYOUT warning: Odd: layout.\n"
        "FORMAT Newer."
    )
    assert render.findings([]) == ""


def test_findings_as_annotations_of_github() -> None:
    assert render.findings([ERROR, WARNING, WHOLE], "github") == (
        "::error file=notes/a%2Cb%3A c%25.md,line=3,col=7,title=UNCITED::"
        "No reference has the key x%25%0Ay. (write @z)\n"
        "::warning file=library/a.md,title=LAYOUT::Odd: layout.\n"
        "::error title=FORMAT::Newer."
    )


def test_findings_as_json() -> None:
    found = json.loads(render.findings([ERROR, WARNING], "json"))
    assert (found["ok"], found["code"], found["error"]) == (
        False, "integrity", "The library has 1 error.",
    )  # fmt: skip
    assert (found["data"]["errors"], found["data"]["warnings"]) == (1, 1)
    assert found["data"]["findings"][1] == {
        "code": "LAYOUT", "severity": "warning", "path": "library/a.md", "line": None, "column": None,
        "message": "Odd: layout.", "next": None,
    }  # fmt: skip
    assert json.loads(render.findings([WARNING], "json"))["ok"] is True
    with pytest.raises(BadInput):
        render.findings([], "xml")


def test_numbers_and_nouns_agree() -> None:
    assert render.counted(1, "entry", "entries") == "1 entry"
    assert render.counted(1204, "entry", "entries") == "1,204 entries"
    assert render.counted(0, "error") == "0 errors"
