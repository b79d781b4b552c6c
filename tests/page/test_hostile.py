"""Files made to hurt: refused at once, in one sentence."""

from __future__ import annotations

import time

import pytest

from pressmark import page
from pressmark.errors import Unreadable
from pressmark.page import nodes
from pressmark.record import Note, Reference

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join([f'*{old}'] * 9)}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
HOSTILE = {
    "3,000 brackets": "title: x\nmine: " + "[" * 3000,
    "3,000 braces": "title: x\nmine: " + "{a: " * 3000,
    "100,000 brackets": "title: " + "[" * 100_000,
    "a list of 3,000 levels": "title: x\nmine:\n" + "- " * 3000 + "x",
    "21 levels": "title: x\nmine:\n  " + "- " * 20 + "x",
    "a bomb of aliases": "title: x\n" + BOMB,
    "an alias to itself": "title: x\nmine: &a [*a]",
    "a merge key's alias": "title: x\n<<: *default",
    "a tag that runs code": "title: !!python/object/apply:os.system ['true']",
    "100,000 question marks": "title: x\n" + "? " * 100_000,
    "100,000 ampersands": "title: x\nmine: " + "& " * 100_000,
    "an endless quote": 'title: x\nmine: "' + "a\n" * 100_000,
    "a long key": "title: x\n" + "k" * 5000 + ": y",
    "100,000 exclamation marks": "title: x\nmine: " + "!" * 100_000,
}


@pytest.mark.parametrize("front", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("parser", ["libyaml", "python"])
def test_it_is_refused_at_once(front: str, parser: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if parser == "python":
        monkeypatch.setattr(nodes, "EventParser", nodes.PythonParser)
    began = time.process_time()
    with pytest.raises(Unreadable) as caught:
        page.read(Reference, f"---\n{front}\n---\n".encode(), "x.md")
    assert time.process_time() - began < 2
    assert caught.value.line and len(str(caught.value)) < 300
    assert len(caught.value.next or "") < 300


def test_front_matter_and_files_have_a_largest_size() -> None:
    front = "title: x\nmine: " + "a" * 1024 * 1024
    with pytest.raises(Unreadable, match="larger than 1 MiB"):
        page.read(Reference, f"---\n{front}\n---\n".encode(), "x.md")
    with pytest.raises(Unreadable, match="larger than 64 MiB"):
        page.read(Note, b"x" * (64 * 1024 * 1024 + 1), "notes/x.md")


def test_the_largest_front_matter_is_read_in_reasonable_time() -> None:
    front = "title: x\ncites:\n" + "- doi:10.1000/abcdefgh\n" * 45_000
    began = time.process_time()
    reference = page.read(Reference, f"---\n{front}---\n".encode(), "x.md")
    assert len(reference.cites) == 45_000
    assert time.process_time() - began < 5


def test_a_change_in_a_long_list_of_citations_is_quick() -> None:
    front = "title: x\ncites:\n" + "".join(f"- doi:10.1000/{n}\n" for n in range(5_000))
    data = f"---\n{front}---\n".encode()
    held = page.read(Reference, data, "x.md")
    cites = (*held.cites[:2000], "doi:10.1000/new", *held.cites[2001:])
    began = time.process_time()
    result = page.update(data, Reference(key="x", title="x", cites=cites), "x.md")
    assert time.process_time() - began < 2
    assert result == data.replace(b"- doi:10.1000/2000\n", b"- doi:10.1000/new\n")


@pytest.mark.parametrize(
    "junk",
    [
        b"",
        b"\x00" * 100,
        b"---",
        b"---\n",
        b"---\n---",
        b"\xef\xbb\xbf",
        b"---\r---\r",
        b"\xff\xfe-\0-\0-\0",
    ],
)
def test_junk_is_reported_or_is_a_note(junk: bytes) -> None:
    with pytest.raises(Unreadable):
        page.read(Reference, junk, "x.md")
    try:
        assert page.read(Note, junk, "notes/x.md").title == ""
    except Unreadable as error:
        assert error.message
