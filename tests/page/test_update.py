"""A change is spliced in at its own lines; every other byte stays."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pressmark import page
from pressmark.errors import BadInput, NotSpliceable, Unreadable
from pressmark.record import Note, Reference, Search, Topic

HAND = """\
---
# filed by hand
title:  Foo   # working title

# all of them
authors:
  - 'B, C'   # first
  # the second
  - "D, E"

tags: [a, "b"] # mine
mine: {x: 1}   # keep

venue: >-
  Journal of
  Examples
cites:
- doi:1
- doi:2
---
# Body

text
"""


def change(text: str, **fields: Any) -> str:
    """The file after a change of some fields, proved to mean it."""
    held = page.read(Reference, text.encode(), "k.md")
    wanted = replace(held, **fields)
    result = page.update(text.encode(), wanted, "k.md")
    again = page.read(Reference, result, "k.md")
    assert again == wanted
    return result.decode()


def swap(text: str, *pairs: tuple[str, str]) -> str:
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(
    ("fields", "pairs"),
    [
        ({"title": "Bar"}, [("Foo", "Bar")]),
        ({"title": "Bar: baz"}, [("Foo", "'Bar: baz'")]),
        ({"title": "no"}, [("Foo", "'no'")]),
        ({"title": "a\nb"}, [("Foo", '"a\\nb"')]),
        ({"authors": ("B, C", "N, W", "D, E")}, [("  # the", "  - N, W\n  # the")]),
        ({"authors": ("N, W", "B, C", "D, E")}, [("  - 'B", "  - N, W\n  - 'B")]),
        ({"authors": ("B, C", "D, E", "N, W")}, [('"D, E"\n', '"D, E"\n  - N, W\n')]),
        ({"authors": ("B, X", "D, E")}, [("'B, C'", "'B, X'")]),
        ({"authors": ("B, C", "D, X")}, [('"D, E"', '"D, X"')]),
        ({"authors": ("D, E",)}, [("  - 'B, C'   # first\n", "")]),
        ({"authors": ("B, C",)}, [('  - "D, E"\n', "")]),
        ({"authors": ()}, [("authors:\n  - 'B, C'   # first\n  # the second\n  - \"D, E\"\n", "")]),
        ({"tags": ("a", "b", "c")}, [('"b"]', '"b", c]')]),
        ({"tags": ("a", "aa", "b")}, [("a, ", "a, aa, ")]),
        ({"tags": ("b",)}, [("a, ", "")]),
        ({"tags": ("a",)}, [(', "b"', "")]),
        ({"tags": ("a", "x, y")}, [(', "b"', ", \"x, y\"")]),
        ({"tags": ()}, [('tags: [a, "b"] # mine\n', "")]),
        ({"venue": "Nature"}, [(">-\n  Journal of\n  Examples", "Nature")]),
        ({"venue": None}, [("venue: >-\n  Journal of\n  Examples\n", "")]),
        ({"cites": ("doi:1", "doi:3")}, [("doi:2", "doi:3")]),
        ({"cites": ("doi:2", "doi:1")}, [("- doi:1\n- doi:2\n", "- doi:2\n- doi:1\n")]),
        ({"published": "2017"}, [('"D, E"\n', "\"D, E\"\n\npublished: '2017'\n")]),
        ({"extra": {}}, [("mine: {x: 1}   # keep\n", "")]),
        ({"extra": {"mine": {"x": "2"}}}, [("mine: {x: 1}   # keep", "mine:   # keep\n  x: '2'")]),
        ({"extra": {"mine": {"x": "1"}, "new": "y"}}, [("- doi:2\n", "- doi:2\n\nnew: 'y'\n")]),
        ({"body": "# Body\n\nmore\n"}, [("text\n", "more\n")]),
        ({"body": ""}, [("# Body\n\ntext\n", "")]),
    ],
    ids=lambda value: str(value)[:40],
)  # fmt: skip
def test_a_change_by_hand_could_not_be_smaller(
    fields: dict[str, Any], pairs: list[tuple[str, str]]
) -> None:
    assert change(HAND, **fields) == swap(HAND, *pairs)


def test_several_changes_at_once() -> None:
    assert change(HAND, title="Bar", tags=("a", "c"), cites=(), doi="10.1/x", body="") == swap(
        HAND,
        ("Foo", "Bar"),
        ('"b"', '"c"'),
        ("cites:\n- doi:1\n- doi:2\n", "\ndoi: 10.1/x\n"),
        ("# Body\n\ntext\n", ""),
    )


CANONICAL = "---\ntitle: x\n\npublished: '2017'\n\ntags:\n- b\n\ncites:\n- doi:1\n---\nbody\n"


def test_a_canonical_file_stays_canonical() -> None:
    result = change(
        CANONICAL, authors=("A",), tags=("a", "b", "c"), stage="candidate", cites=(), published=None,
        conflicts=("title: y (crossref)",), extra={"mine": ["z"]},
    )  # fmt: skip
    assert result == (
        "---\ntitle: x\n\nauthors:\n- A\n\nstage: candidate\n\ntags:\n- a\n- b\n- c\n\n"
        "conflicts:\n- 'title: y (crossref)'\n\nmine:\n- z\n---\nbody\n"
    )
    assert page.is_canonical(result.encode(), Reference, "k.md")


@pytest.mark.parametrize("gone", ["published", "tags", "cites"])
def test_a_removed_field_takes_one_blank_line_with_it(gone: str) -> None:
    result = change(CANONICAL, **{gone: None if gone == "published" else ()})
    assert "\n\n\n" not in result
    assert page.is_canonical(result.encode(), Reference, "k.md")
    held = page.read(Reference, CANONICAL.encode(), "k.md")
    assert change(result, **{gone: getattr(held, gone)}) == CANONICAL


def test_a_file_without_blank_lines_gets_none() -> None:
    dense = "---\ntitle: x\ntags:\n  - b\n---\n"
    assert change(dense, doi="10.1/x", cites=("a", "b")) == (
        "---\ntitle: x\ndoi: 10.1/x\ntags:\n  - b\ncites:\n  - a\n  - b\n---\n"
    )


def test_comments_stay_with_the_field_they_touch() -> None:
    text = "---\ntitle: x\n# about the title\n\n# about tags\ntags:\n- b\n---\n"
    assert change(text, doi="1/x") == swap(text, ("title\n\n", "title\n\ndoi: 1/x\n\n"))
    text = "---\n# about tags\ntags: [b]\ntitle: x\n---\n"
    assert change(text, title="z", authors=("A",)) == swap(
        text, ("title: x\n", "title: z\nauthors:\n- A\n")
    )
    text = "---\nmine: 1\n\n# about tags\ntags: [b]\n\ntitle: x\n---\n"
    held = page.read(Note, text.encode(), "notes/n.md")
    result = page.update(text.encode(), replace(held, title=""), "notes/n.md").decode()
    assert result == swap(text, ("\n\ntitle: x\n", "\n"))
    again = page.update(result.encode(), replace(held, title="x"), "notes/n.md").decode()
    assert again == swap(result, ("# about", "title: x\n\n# about"))


def test_one_value_grows_into_a_list_and_an_empty_field_is_filled() -> None:
    assert change("---\ntitle: x\ntags: a # mine\n---\n", tags=("a", "b")) == (
        "---\ntitle: x\ntags: # mine\n- a\n- b\n---\n"
    )
    assert change("---\ntitle: x\ntags:\ndoi: # none\n---\n", tags=("a",), doi="10.1/x") == (
        "---\ntitle: x\ntags:\n- a\ndoi: 10.1/x # none\n---\n"
    )
    assert change("---\ntitle: x\ntags: []\n---\n", tags=("a", "b: c")) == (
        "---\ntitle: x\ntags: [a, 'b: c']\n---\n"
    )


def test_a_long_flow_list_keeps_its_lines() -> None:
    text = "---\ntitle: x\ntags: [\n  a, # first\n  c, # last\n]\n---\n"
    assert change(text, tags=("a", "b", "c")) == swap(text, ("  a,", "  a, b,"))
    assert change(text, tags=("c",)) == swap(text, ("  a, # first\n  c", "  c"))


def test_a_set_in_another_order_is_no_change() -> None:
    text = b"---\ntitle: x\ntags: [b, a]\nsources:\n- z:1\n- a:1\n---\n"
    held = page.read(Reference, text, "k.md")
    assert held.tags == ("b", "a")
    assert page.update(text, replace(held, tags=("a", "b"), sources=("a:1", "z:1")), "k.md") == text
    more = page.update(text, replace(held, sources=("a:1", "b:1", "z:1")), "k.md")
    assert more == text.replace(b"- z:1", b"- b:1\n- z:1")


def test_a_searchs_providers_change_one_by_one() -> None:
    text = (
        "---\nquery: q\ndate: d\nproviders:\n- platform: a  # one\n  sent: q\n- platform: b\n---\n"
    )
    held = page.read(Search, text.encode(), "s.md")
    a, b = held.providers
    wanted = replace(held, providers=(a, {"platform": "c", "sent": "no"}, b))
    result = page.update(text.encode(), wanted, "s.md").decode()
    assert result == swap(text, ("- platform: b", "- platform: c\n  sent: 'no'\n- platform: b"))
    wanted = replace(held, providers=(a, {"platform": "b", "sent": "x"}))
    result = page.update(text.encode(), wanted, "s.md").decode()
    assert result == swap(text, ("- platform: b", "- platform: b\n  sent: x"))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_newlines_and_the_byte_order_mark_stay(newline: str, bom: str) -> None:
    def spelled(text: str) -> bytes:
        return (bom + text.replace("\n", newline)).encode()

    held = page.read(Reference, spelled(HAND), "k.md")
    wanted = replace(held, authors=("B, C", "N, W", "D, E"), doi="10.1/x", body="# Body\n\nmore\nx")
    expected = change(HAND, authors=wanted.authors, doi="10.1/x", body=wanted.body)
    assert page.update(spelled(HAND), wanted, "k.md") == spelled(expected)


def test_mixed_newlines_stay_where_nothing_changed() -> None:
    data = b"---\r\ntitle: x\ndoi: y\r\n---\r\none\ntwo\r\nthree\nfour\r\n"
    held = page.read(Reference, data, "k.md")
    assert held.body == "one\ntwo\nthree\nfour\n"
    wanted = replace(held, venue="V", body="one\ntwo\nnew\nfour\n")
    assert page.update(data, wanted, "k.md") == (
        b"---\r\ntitle: x\nvenue: V\r\ndoi: y\r\n---\r\none\ntwo\r\nnew\r\nfour\r\n"
    )


def test_a_file_without_a_last_newline_keeps_that() -> None:
    text = "---\ntitle: x\n---"
    assert change(text, title="z") == "---\ntitle: z\n---"
    assert change(text, body="\nbody") == "---\ntitle: x\n---\n\nbody"
    assert change("---\ntitle: x\n---\nbody", doi="1/x") == "---\ntitle: x\n\ndoi: 1/x\n---\nbody"


def test_a_note_gets_front_matter_when_it_needs_some() -> None:
    for bom, newline in (("", "\n"), ("\ufeff", "\r\n")):
        data = f"{bom}# Hi{newline}text".encode()
        note = page.read(Note, data, "notes/n.md")
        result = page.update(data, replace(note, tags=("a",)), "notes/n.md")
        head = newline.join(["---", "tags:", "- a", "---", ""])
        assert result == f"{bom}{head}# Hi{newline}text".encode()
        assert page.update(data, replace(note, body="# Ho\n"), "notes/n.md") == (
            f"{bom}# Ho{newline}".encode()
        )


def test_a_notes_new_body_is_never_taken_for_front_matter() -> None:
    data = b"text\n"
    note = page.read(Note, data, "notes/n.md")
    for body in ("---\nx: y\n---\n", "---\nx: y\n", "a\r\nb\n", "\ufeffx"):
        result = page.update(data, replace(note, body=body), "notes/n.md")
        assert result == b"---\n---\n" + body.encode()


def test_no_second_front_matter_is_ever_put_before_a_broken_first() -> None:
    data = b"---\ntitle: a: b\n---\ntext\n"
    with pytest.raises(Unreadable, match="holds a colon"):
        page.update(data, Note(slug="n", title="x"), "notes/n.md")


@pytest.mark.parametrize(
    ("front", "says"),
    [
        ("{title: x, tags: [a]}", "flow mapping"),
        ("? title\n: x", "has a `?`"),
        ("title: x\n? mine\n: y", "has a `?`"),
        ("  title: x\n  mine: y", "beginning of its line"),
        ("title\n: x", None),
    ],
)
def test_an_odd_form_is_reported_and_never_rewritten(front: str, says: str | None) -> None:
    data = f"---\n{front}\n---\n".encode()
    with pytest.raises(Unreadable, match=says) as caught:
        page.update(data, Reference(key="k", title="new"), "k.md")
    if says:
        assert isinstance(caught.value, NotSpliceable)
        assert caught.value.next == "edit the file by hand"
        assert caught.value.line
        body_only = replace(page.read(Reference, data, "k.md"), body="new\n")
        assert page.update(data, body_only, "k.md") == data + b"new\n"


def test_what_could_not_be_read_back_is_refused() -> None:
    held = page.read(Reference, HAND.encode(), "k.md")
    for wrong in (
        replace(held, title=""),
        replace(held, published="soon"),
        replace(held, extra={"doi": "x"}),
    ):
        with pytest.raises(BadInput):
            page.update(HAND.encode(), wrong, "k.md")


def test_the_path_gives_the_key_whatever_the_record_says() -> None:
    held = page.read(Reference, HAND.encode(), "old.md")
    assert page.update(HAND.encode(), replace(held, key="new"), "old.md") == HAND.encode()


def test_a_topic_gets_its_last_run() -> None:
    data = b"---\ntitle: T\n\nquery: q\n---\nwhy\n"
    topic = page.read(Topic, data, "topics/t.md")
    result = page.update(
        data, replace(topic, last_run="2026-11-30", dropped=("doi:1 no",)), "topics/t.md"
    )
    assert result == (
        b"---\ntitle: T\n\nquery: q\n\nlast-run: '2026-11-30'\n\ndropped:\n- doi:1 no\n---\nwhy\n"
    )


MERGES = [
    ({"tags": ("a", "b", "m")}, {"tags": ("b", "m", "z")}, True),
    ({"doi": "10.1/x"}, {"url": "https://x.invalid"}, True),
    ({"pmid": "1"}, {"openalex": "W1"}, True),
    ({"title": "New"}, {"tags": ("b", "m", "n")}, True),
    ({"tags": ("b", "c", "m")}, {"tags": ("b", "c", "m")}, True),
    ({"tags": ("b", "m", "n")}, {"tags": ("b", "m", "o")}, False),
]


@pytest.mark.parametrize(("ours", "theirs", "clean"), MERGES)
def test_five_of_six_typical_pairs_of_edits_merge(
    ours: dict[str, Any], theirs: dict[str, Any], clean: bool, tmp_path: Path
) -> None:
    held = Reference(
        key="k", title="Old", authors=("A", "B"), published="2017", arxiv="1706.03762", pmcid="PMC1",
        isbn=("9780262035613",), tags=("b", "m"), sources=("arxiv:1",),
    )  # fmt: skip
    base = page.write(held)
    names = []
    for name, fields in (("ours", ours), ("base", {}), ("theirs", theirs)):
        (tmp_path / name).write_bytes(page.update(base, replace(held, **fields), "k.md"))
        names.append(str(tmp_path / name))
    done = subprocess.run(["git", "merge-file", "-p", *names], capture_output=True, check=False)
    assert (done.returncode == 0) == clean
    if clean:
        merged = page.read(Reference, done.stdout, "k.md")
        union = {**ours, **theirs}
        if "tags" in ours and "tags" in theirs:
            union["tags"] = tuple(sorted({*ours["tags"], *theirs["tags"]}))
        assert merged == replace(held, **union)
        assert page.is_canonical(done.stdout, Reference, "k.md")
    else:
        with pytest.raises(Unreadable, match="unfinished merge"):
            page.read(Reference, done.stdout, "k.md")
