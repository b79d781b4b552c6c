"""A rename changes the targets and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pressmark.library import Library
from pressmark.links import parse, rename_edits, rewrite

RENAMES = {"old2017key": "new2018key", "plain": "trailing-"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[@old2017key, p. 5]", "[@new2018key, p. 5]"),
        ("[see -@Old2017Key; @other]", "[see -@new2018key; @other]"),
        ("@{old2017key} @old2017key.", "@{new2018key} @new2018key."),
        ("@plain says", "@{trailing-} says"),
        ("@{plain}", "@{trailing-}"),
        ("[[old2017key]] [[old2017key#H|text]]", "[[new2018key]] [[new2018key#H|text]]"),
        ("![[old2017key.pdf]] [[@old2017key]]", "![[new2018key.pdf]] [[@new2018key]]"),
        ("[[2017/old2017key]]", "[[2018/new2018key]]"),
        (
            "[x](../library/2017/old2017key.md#a 'old2017key')",
            "[x](../library/2018/new2018key.md#a 'old2017key')",
        ),
        ("[x](<old2017key.fulltext.md>)", "[x](<new2018key.fulltext.md>)"),
        ("[x][r]\n\n[r]: old2017key.md", "[x][r]\n\n[r]: new2018key.md"),
        ("[r]: old2017key.md\r\n", "[r]: new2018key.md\r\n"),
    ],
)
def test_what_is_renamed(before: str, after: str) -> None:
    assert rewrite(before, RENAMES) == after


@pytest.mark.parametrize(
    "text",
    [
        "old2017key", "`@old2017key`", "    [@old2017key]", "a@old2017key.test", "\\@old2017key",
        "@old2017keys", "@my-old2017key", "[[another-old2017key]]", "[[old2017key.notes]]",
        "https://x.org/old2017key.md", "[x](https://x.org/old2017key.md)", "#old2017key",
        "text ^old2017key", "[old2017key](other.md)", "---\nkey: '[@old2017key]'\n---\n", "$@old2017key$",
    ],
)  # fmt: skip
def test_what_is_left_alone(text: str) -> None:
    assert rewrite(text, RENAMES) == text


PIECES = st.lists(
    st.sampled_from([
        "[@old2017key]", "[[old2017key]]", "`", "```\n", "\r\n", "\n\n", "text ", "[x](old2017key.md)",
        "    ", "> ", "@old2017key", "<!--", "-->", "$", "[", "]", "(", ")", "é",
    ]), max_size=30,
).map("".join)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(PIECES)
def test_a_rename_and_back_gives_the_same_bytes(text: str) -> None:
    there = rewrite(text, {"old2017key": "new2018key"})
    assert rewrite(there, {"new2018key": "old2017key"}) == text
    assert [k.kind for k in parse(there)] == [k.kind for k in parse(text)]


def test_every_file_that_names_the_reference_follows(library: Library, root: Path) -> None:
    edits = rename_edits(library, "vaswani2017attention", "vaswani2018attention")
    assert sorted(edits) == [
        "notes/Ideas/Second Thoughts.md",
        "notes/attention-vs-recurrence.md",
        "topics/collections/chapter-2.md",
    ]
    for path, data in edits.items():
        before = (root / path).read_bytes()
        expected = before.replace(b"2017/vaswani2017attention", b"2018/vaswani2018attention")
        expected = expected.replace(b"vaswani2017attention", b"vaswani2018attention")
        assert data == expected.replace(b"Vaswani2017Attention", b"vaswani2018attention")


def test_a_note_of_the_same_name_keeps_its_links(library: Library, root: Path) -> None:
    (root / "notes/vaswani2017attention.md").write_text("Mine.\n")
    (root / "notes/x.md").write_bytes(
        b"[mine](vaswani2017attention.md) [@vaswani2017attention] \xff\n"
    )
    edits = rename_edits(library, "vaswani2017attention", "v2017a")
    assert edits["notes/x.md"] == b"[mine](vaswani2017attention.md) [@v2017a] \xff\n"


def test_lists_keep_their_order_and_signs(library: Library, root: Path) -> None:
    (root / "notes/n.md").write_text("---\nabout: ['[[hochreiter1997long]]', other]\n---\n")
    edits = rename_edits(library, "hochreiter1997long", "zz1997lstm")
    assert edits["topics/collections/chapter-2.md"] == (
        b"---\ntitle: Chapter 2\n\nmembers:\n- vaswani2017attention\n- zz1997lstm\n---\n"
    )
    assert b"[[zz1997lstm]]" in edits["notes/n.md"]
    assert b"[[zz1997lstm]]" in edits["library/2017/vaswani2017attention.md"]
