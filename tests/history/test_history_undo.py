"""Undo: a new commit that takes an old one back, and refuses where that would lose something."""

from __future__ import annotations

from pathlib import Path

import pytest
from scratch import KEY, PAPER, Lib

from pressmark.errors import BadInput, NotFound, Unavailable
from pressmark.history import Repository

TWO = b"---\ntitle: Two\n---\n"


def test_undo_takes_back_the_last_command_then_the_one_before(lib: Lib) -> None:
    lib.change(("library/2018/a.md", TWO), subject="add: a")
    lib.write("notes/mine.md", "mine")
    lib.git("add", "notes/mine.md")
    lib.git("commit", "--quiet", "-m", "my own commit")
    lib.change((KEY, TWO), ("library/2018/a.md", None), subject="edit: smith")
    lib.write("notes/draft.md", "staged")
    lib.git("add", "notes/draft.md")
    done = lib.repo.revert()
    assert lib.read(KEY) == PAPER
    assert lib.read("library/2018/a.md") == TWO
    assert done.sha == lib.git("rev-parse", "HEAD")
    assert lib.git("log", "-1", "--format=%s") == 'Revert "edit: smith"'
    assert "This reverts commit" in lib.git("log", "-1", "--format=%b")
    lib.repo.revert()
    assert not (lib.root / "library/2018/a.md").exists()
    assert lib.status() == ["A  notes/draft.md"]
    with pytest.raises(NotFound, match="left to undo"):
        lib.repo.revert()
    lib.repo.revert("HEAD")
    assert lib.read("library/2018/a.md") == TWO
    lib.repo.revert()
    assert not (lib.root / "library/2018/a.md").exists()
    lib.tidy()


def test_undo_of_an_older_commit_is_merged_by_git(lib: Lib) -> None:
    text = "".join(f"line {n}\n" for n in range(30))
    lib.change((KEY, text.encode()), subject="edit: long")
    lib.change((KEY, text.replace("line 3\n", "third\n").encode()), subject="edit: third")
    sha = lib.git("rev-parse", "HEAD")
    lib.change(
        (KEY, text.replace("line 3\n", "third\n").replace("line 25\n", "twenty\n").encode()),
        subject="edit: twenty",
    )
    lib.write("notes/draft.md", "staged")
    lib.git("add", "notes/draft.md")
    done = lib.repo.revert(sha[:12])
    assert lib.read(KEY) == text.replace("line 25\n", "twenty\n").encode()
    assert done.paths == (KEY,)
    assert lib.status() == ["A  notes/draft.md"]
    assert lib.git("worktree", "list").count("\n") == 0
    lib.tidy()


def test_undo_that_conflicts_leaves_everything(lib: Lib) -> None:
    lib.change((KEY, b"second\n"), subject="edit: 2")
    lib.change((KEY, b"third\n"), subject="edit: 3")
    before = (lib.files(), lib.status(), lib.git("rev-parse", "HEAD"))
    with pytest.raises(Unavailable, match="Later changes touch the same lines"):
        lib.repo.revert("HEAD^")
    assert (lib.files(), lib.status(), lib.git("rev-parse", "HEAD")) == before
    assert lib.git("worktree", "list").count("\n") == 0
    lib.tidy()


def test_undo_refuses_over_uncommitted_edits(lib: Lib) -> None:
    lib.change((KEY, TWO), subject="edit: x")
    lib.write(KEY, TWO + b"mine\n")
    with pytest.raises(Unavailable, match="uncommitted edits"):
        lib.repo.revert()
    assert lib.read(KEY) == TWO + b"mine\n"


def test_undo_refuses_merges_the_first_commit_and_nonsense(lib: Lib) -> None:
    with pytest.raises(Unavailable, match="first commit"):
        lib.repo.revert("HEAD")
    lib.git("switch", "--quiet", "-c", "side")
    lib.change(("library/2018/a.md", TWO))
    lib.git("switch", "--quiet", "main")
    lib.change(("library/2018/b.md", TWO))
    lib.git("merge", "--quiet", "--no-edit", "side")
    with pytest.raises(BadInput, match="merge"):
        lib.repo.revert("HEAD")
    with pytest.raises(NotFound):
        lib.repo.revert("0123456789")
    assert lib.status() == []


def test_undo_in_a_repository_without_commits(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no commit yet"):
        Repository.init(tmp_path / "new").revert()


def test_undo_is_shown_before_it_is_done(lib: Lib) -> None:
    lib.change((KEY, TWO), ("library/2018/a.md", TWO), subject="edit: two files")
    before = (lib.files(), lib.status(), lib.git("rev-parse", "HEAD"))
    shown = lib.repo.undoing()
    assert {edit.path: edit.data for edit in shown.edits} == {KEY: PAPER, "library/2018/a.md": None}
    assert shown.sha == lib.git("rev-parse", "HEAD")
    assert (lib.files(), lib.status(), lib.git("rev-parse", "HEAD")) == before


def test_undo_on_another_branch_and_without_a_commit(lib: Lib) -> None:
    lib.change((KEY, TWO), subject="edit: x")
    done = lib.repo.revert(branch="back", subject="never mind")
    assert lib.git("rev-parse", "back") == done.sha
    assert lib.git("log", "-1", "--format=%s", "back") == "never mind"
    assert lib.read(KEY) == TWO
    done = lib.repo.revert(commit=False)
    assert (done.sha, done.left_uncommitted) == (None, (KEY,))
    assert lib.read(KEY) == PAPER
    assert lib.status() == [f" M {KEY}"]
