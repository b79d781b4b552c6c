"""A rename changes the targets and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pressmark.config import load
from pressmark.library import Library
from pressmark.links import Resolver, parse, rename_edits
from pressmark.links.moves import Moves, Renamed, relinked
from pressmark.links.prose import Prose

RENAMES = {"old2017key": "new2018key", "plain": "trailing-"}
FILES = {"old2017key": "library/2017/old2017key", "plain": "library/nd/plain"}
MOVED = {"new2018key": "library/2018/new2018key", "trailing-": "library/nd/trailing-"}
ENDINGS = (".md", ".fulltext.md", ".pdf")

Rewrite = Callable[[str], str]


def renaming(
    root: Path, files: dict[str, str], renames: dict[str, str], new: dict[str, str]
) -> Rewrite:
    """A library of these references on disk, and what a rename makes of a note's text in it."""
    for place in (*files.values(), "notes/other"):
        for ending in ENDINGS:
            (root / place).parent.mkdir(parents=True, exist_ok=True)
            (root / f"{place}{ending}").write_text("---\ntitle: T\n---\n")
    (root / "pressmark.toml").write_text("format = 1\n")
    before = Resolver(Library(root, load(root, {})))
    paths = {files[o] + end: new[n] + end for o, n in renames.items() for end in ENDINGS}
    moves = Moves(paths, renames)
    after = Renamed(before, moves)
    return lambda text: relinked(Prose("notes/mine.md", "note", text), before, after, moves)


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Rewrite:
    return renaming(tmp_path_factory.mktemp("old"), FILES, RENAMES, MOVED)


@pytest.fixture(scope="module")
def back(tmp_path_factory: pytest.TempPathFactory) -> Rewrite:
    renames = {new: old for old, new in RENAMES.items()}
    return renaming(tmp_path_factory.mktemp("new"), MOVED, renames, FILES)


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
        ("[[2017/old2017key]]", "[[new2018key]]"),
        (
            "[x](../library/2017/old2017key.md#a 'old2017key')",
            "[x](../library/2018/new2018key.md#a 'old2017key')",
        ),
        (
            "[x](<../library/2017/old2017key.fulltext.md>)",
            "[x](<../library/2018/new2018key.fulltext.md>)",
        ),
        (
            "[x][r]\n\n[r]: ../library/2017/old2017key.md",
            "[x][r]\n\n[r]: ../library/2018/new2018key.md",
        ),
        (
            "[r]: ../library/2017/old2017key.md\r\n",
            "[r]: ../library/2018/new2018key.md\r\n",
        ),
    ],
)
def test_what_is_renamed(there: Rewrite, before: str, after: str) -> None:
    assert there(before) == after


@pytest.mark.parametrize(
    "text",
    [
        "old2017key", "`@old2017key`", "    [@old2017key]", "a@old2017key.test", "\\@old2017key",
        "@old2017keys", "@my-old2017key", "[[another-old2017key]]", "[[old2017key.notes]]",
        "https://x.org/old2017key.md", "[x](https://x.org/old2017key.md)", "#old2017key",
        "text ^old2017key", "[old2017key](other.md)", "---\nkey: '[@old2017key]'\n---\n", "$@old2017key$",
    ],
)  # fmt: skip
def test_what_is_left_alone(there: Rewrite, text: str) -> None:
    assert there(text) == text


PIECES = st.lists(
    st.sampled_from([
        "[@old2017key]", "[[old2017key]]", "`", "```\n", "\r\n", "\n\n", "text ", "[x](../library/2017/old2017key.md)",
        "    ", "> ", "@old2017key", "<!--", "-->", "$", "[", "]", "(", ")", "é",
    ]), max_size=30,
).map("".join)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(PIECES)
def test_a_rename_and_back_gives_the_same_bytes(there: Rewrite, back: Rewrite, text: str) -> None:
    new = there(text)
    assert back(new) == text
    assert [k.kind for k in parse(new)] == [k.kind for k in parse(text)]


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
