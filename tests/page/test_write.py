"""A new file: the canonical layout, byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from pressmark import page
from pressmark.errors import BadInput
from pressmark.page.dump import scalar
from pressmark.record import Collection, FullText, Note, Reference, Search, Topic

REFERENCE = """\
---
title: Attention Is All You Need

authors:
- Vaswani, Ashish
- Shazeer, Noam

published: '2017-06-12'

type: paper-conference

venue: Advances in Neural Information Processing Systems

doi: 10.48550/arxiv.1706.03762

arxiv: '1706.03762'

openalex: W2963403868

tags:
- transformers

topics:
- sequence-models

sources:
- arxiv:1706.03762v7 2026-11-30
- crossref:10.5555/3295222.3295349 2026-11-30

cites:
- arxiv:1409.0473
- doi:10.1162/neco.1997.9.8.1735
---

## Abstract

...
"""


def test_the_designs_example_comes_out_byte_for_byte() -> None:
    reference = Reference(
        key="vaswani2017attention",
        title="Attention Is All You Need",
        authors=("Vaswani, Ashish", "Shazeer, Noam"),
        published="2017-06-12",
        type="paper-conference",
        venue="Advances in Neural Information Processing Systems",
        doi="10.48550/arxiv.1706.03762",
        arxiv="1706.03762",
        openalex="W2963403868",
        tags=("transformers",),
        topics=("sequence-models",),
        sources=("crossref:10.5555/3295222.3295349 2026-11-30", "arxiv:1706.03762v7 2026-11-30"),
        cites=("arxiv:1409.0473", "doi:10.1162/neco.1997.9.8.1735"),
        body="\n## Abstract\n\n...\n",
    )
    assert page.write(reference).decode() == REFERENCE
    assert page.is_canonical(REFERENCE.encode(), Reference, "vaswani2017attention.md")


@pytest.mark.parametrize(
    ("value", "spelled"),
    [
        ("Attention Is All You Need", "Attention Is All You Need"),
        ("10.48550/arxiv.1706.03762", "10.48550/arxiv.1706.03762"),
        ("W2963403868", "W2963403868"),
        ("Šimić, Ján", "Šimić, Ján"),
        ("漢字 😀", "漢字 😀"),
        ("https://doi.org/10.1/x#y", "https://doi.org/10.1/x#y"),
        ("C# and F#", "C# and F#"),
        ("it's", "it's"),
        ("(un)known", "(un)known"),
        ("2101.00010", "'2101.00010'"),
        ("no", "'no'"),
        ("NO", "'NO'"),
        ("0123", "'0123'"),
        ("1e3", "'1e3'"),
        ("2017-06-12", "'2017-06-12'"),
        ("12:30", "'12:30'"),
        ("1_000", "'1_000'"),
        ("~", "'~'"),
        ("=", "'='"),
        ("<<", "'<<'"),
        ("", "''"),
        ("a: b", "'a: b'"),
        ("a:", "'a:'"),
        ("a #b", "'a #b'"),
        ("- a", "'- a'"),
        ("-a", "'-a'"),
        ("{World Health Organization}", "'{World Health Organization}'"),
        ("[Retracted] x", "'[Retracted] x'"),
        ('"x" it\'s', "'\"x\" it''s'"),
        (" edge ", "' edge '"),
        ("\u00a0edge", "'\u00a0edge'"),
        ("a\nb", '"a\\nb"'),
        ("a\tb\\", '"a\\tb\\\\"'),
        ("a\u2028b\x85c\ufeff", '"a\\u2028b\\x85c\\ufeff"'),
        ("\0\x1b", '"\\0\\x1b"'),
        ("a\u202eb", '"a\\u202eb"'),
    ],
)
def test_a_value_stands_bare_only_where_every_yaml_reads_the_same_string(
    value: str, spelled: str
) -> None:
    assert scalar(value) == spelled


def test_fields_of_the_users_stand_last_with_all_they_hold() -> None:
    extra = {
        "b": "1",
        "a": ["x", ["y"], {"k": "v", "l": []}],
        "m": {"n": {"o": ""}, "p": {}},
        "e": [],
    }
    data = page.write(Reference(key="k", title="x", extra=extra))
    assert data.decode() == (
        "---\ntitle: x\n\nb: '1'\n\na:\n- x\n- - 'y'\n- k: v\n  l: []\n\n"
        "m:\n  'n':\n    o: ''\n  p: {}\n\ne: []\n---\n"
    )


def test_a_search_has_one_mapping_a_provider() -> None:
    search = Search(
        slug="s", query="a: b", date="2026-11-30",
        providers=({"platform": "arxiv", "sent": "all:x", "limits": ""}, {"platform": "doaj"}),
        body="\narxiv:1 → k\n",
    )  # fmt: skip
    assert page.write(search).decode() == (
        "---\nquery: 'a: b'\n\ndate: '2026-11-30'\n\nproviders:\n- platform: arxiv\n  sent: all:x\n"
        "  limits: ''\n- platform: doaj\n---\n\narxiv:1 → k\n"
    )


def test_the_other_kinds_of_file() -> None:
    assert page.write(Collection(slug="c", title="T", members=("b", "a"))) == (
        b"---\ntitle: T\n\nmembers:\n- a\n- b\n---\n"
    )
    assert page.write(FullText(slug="k.fulltext", reference="k", pages="12", body="# T\n")) == (
        b"---\nreference: k\n\npages: '12'\n---\n# T\n"
    )
    assert page.write(Topic(slug="t", title="T", query="q", added_by="ada")) == (
        b"---\ntitle: T\n\nquery: q\n\nadded-by: ada\n---\n"
    )


def test_a_note_without_fields_is_its_body() -> None:
    assert page.write(Note(slug="n", body="# Hi\n")) == b"# Hi\n"
    for body in ("---\nx: y\n---\n", "\ufeffx", "a\r\nb"):
        data = page.write(Note(slug="n", body=body))
        assert data == b"---\n---\n" + body.encode()
        assert page.read(Note, data, "notes/n.md").body == body


@pytest.mark.parametrize(
    ("reference", "says"),
    [
        (Reference(key="k"), "needs a title"),
        (Reference(key="k", title="x", published="2017-02-30"), "YYYY-MM-DD"),
        (Reference(key="k", title="x", notice="gone"), "one of retracted"),
        (Reference(key="k", title="x", stage="kept"), "candidate"),
        (Reference(key="k", title="x", extra={"doi": "y"}), "field of its own"),
        (Reference(key="k", title="x", extra={"n": 1}), "a file holds texts"),  # type: ignore[dict-item]
        (Reference(key="k", title="x", extra={"n" * 161: "y"}), "at most 160"),
        (Reference(key="k", title="x", pages=12), "one text"),  # type: ignore[arg-type]
        (Reference(key="k", title="x", tags=(1,)), "not a text"),  # type: ignore[arg-type]
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_could_not_be_read_back_is_never_written(reference: Reference, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        page.write(reference)


def nest(depth: int) -> dict[str, object]:
    value: object = "x"
    for _ in range(depth):
        value = [value]
    return {"n": value}


def test_fields_of_the_users_may_nest_as_deep_as_can_be_read() -> None:
    deep = Reference(key="k", title="x", extra=nest(19))  # type: ignore[arg-type]
    assert page.read(Reference, page.write(deep), "k.md") == deep
    with pytest.raises(BadInput, match="deeper than 20"):
        page.write(Reference(key="k", title="x", extra=nest(20)))  # type: ignore[arg-type]


def test_writing_is_deterministic(tmp_path: Path) -> None:
    one = Reference(key="k", title="x", tags=("b", "a"), isbn=("2", "1"))
    two = Reference(key="k", title="x", isbn=("1", "2"), tags=("a", "b"))
    assert page.write(one) == page.write(two)
