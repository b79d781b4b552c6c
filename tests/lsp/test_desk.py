"""The shelf behind a language server: ready at once, renewed in a thread, never waited for."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

pytest.importorskip("pygls")

from pressmark.config import load
from pressmark.library import Library
from pressmark.lsp import desk as desks
from pressmark.lsp.desk import Desk
from pressmark.lsp.shelf import build


def until(ready: object, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not ready():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.02)


def test_while_a_new_shelf_is_made_the_old_one_answers(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Desk] = []
    desk = Desk(root, told.append, offline=True)
    try:
        desk.look(now=True)
        until(lambda: desk.shelf is not None)
        old = desk.shelf
        assert old is not None
        go, began = threading.Event(), threading.Event()

        def slow(*given: object) -> object:
            began.set()
            go.wait(20)
            return build(*given)  # type: ignore[arg-type]

        monkeypatch.setattr(desks, "build", slow)
        (root / "library/2020/new2020work.md").write_text("---\ntitle: New Work\n---\n")
        start = time.monotonic()
        desk.look(now=True)
        assert began.wait(20)
        # Whatever the thread does, a question is answered from what is there.
        assert desk.shelf is old
        assert [each.name for each in old.look("rivers", ("reference",))] == ["simic2017rivers"]
        assert time.monotonic() - start < 20
        desk.look(now=True)  # one that comes meanwhile is done once more afterwards
        go.set()
        until(lambda: desk.shelf is not old and len(told) >= 2)
        assert desk.shelf is not None
        assert [each.name for each in desk.shelf.look("new work")] == ["new2020work"]
        assert [each.name for each in old.look("new work")] == []
    finally:
        desk.close()


def test_a_look_that_fails_leaves_the_old_shelf_and_the_next_one_mends_it(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = Desk(root, lambda _: None, offline=True)
    try:
        desk.look(now=True)
        until(lambda: desk.shelf is not None)
        old = desk.shelf

        def broken(*_: object) -> object:
            raise OSError("the disk is away")

        monkeypatch.setattr(desks, "build", broken)
        desk.look(now=True)
        until(lambda: desk.problem is not None)
        assert (desk.shelf is old, desk.problem) == (True, "the disk is away")
        monkeypatch.setattr(desks, "build", build)
        desk.look(now=True)
        until(lambda: desk.problem is None and desk.shelf is not old)
    finally:
        desk.close()


RANKS = [
    ("simic", ["simic2017rivers"]), ("ŠIMIĆ", ["simic2017rivers"]),
    ("wen", ["bryl2019message", "simic2017rivers"]), ("rivers wen", ["simic2017rivers"]),
    ("hydrology", ["simic2017rivers"]), ("water", ["simic2017rivers"]),
    ("2019 estuaries", ["bryl2019message"]), ("ssage", ["bryl2019message"]), ("zzz", []),
    ("spare", ["nd2020odd"]),
]  # fmt: skip


@pytest.mark.parametrize(("typed", "keys"), RANKS)
def test_every_word_counts_whatever_its_accents(root: Path, typed: str, keys: list[str]) -> None:
    shelf = build(Library.open(root, load(root, os.environ, offline=True)))
    assert [each.name for each in shelf.look(typed, ("reference",))] == keys


def test_a_shelf_reads_no_record_again_whose_tags_it_knows(root: Path) -> None:
    library = Library.open(root, load(root, os.environ, offline=True))
    known: dict[str, tuple[str, ...]] = {}
    first = build(library, known)
    assert first.tags == {"water/river": 1, "method": 1, "method/graph": 1}
    known.update(dict.fromkeys(known, ("kept",)))
    assert build(library, known).tags == {"water/river": 1, "kept": 2}
