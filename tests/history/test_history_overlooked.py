"""Odd repositories: files that git was told to overlook, and branches that are other names."""

from __future__ import annotations

import pytest
from scratch import KEY, PAPER, Lib

from pressmark.errors import Unavailable


@pytest.mark.parametrize("flag", ["assume-unchanged", "skip-worktree"])
def test_a_file_that_git_overlooks_is_not_committed_and_not_lost(lib: Lib, flag: str) -> None:
    lib.change((KEY, PAPER))
    lib.git("update-index", f"--{flag}", KEY)
    head, more = lib.git("rev-parse", "HEAD"), PAPER + b"More.\n"
    with pytest.raises(Unavailable) as caught:
        lib.change((KEY, more))
    assert str(caught.value) == (
        f"Git was told to overlook changes of {KEY}, so it cannot be committed."
    )
    assert caught.value.next is not None and f"--no-assume-unchanged {KEY}" in caught.value.next
    assert lib.read(KEY) == PAPER and lib.git("rev-parse", "HEAD") == head
    other = "library/2018/lee2018two.md"
    assert lib.change((other, PAPER)) is not None
    assert lib.in_commit() == [f"A {other}"]
    lib.git("update-index", f"--no-{flag}", KEY)
    lib.change((KEY, more))
    assert lib.in_commit() == [f"M {KEY}"]
    lib.tidy()


def test_a_branch_that_is_another_name_of_one_is_not_taken_for_empty(lib: Lib) -> None:
    """`git symbolic-ref refs/heads/main refs/heads/master` is how a branch gets a second name."""
    lib.change((KEY, PAPER))
    before = lib.git("rev-parse", "HEAD")
    lib.git("branch", "--move", "trunk")
    lib.git("symbolic-ref", "refs/heads/alias", "refs/heads/trunk")
    lib.git("checkout", "--quiet", "alias")
    assert (lib.repo.state(), lib.repo.head()) == ("clean", before)
    lib.change((KEY, PAPER + b"More.\n"))
    assert lib.in_commit() == [f"M {KEY}"]
    assert lib.git("rev-parse", "trunk^") == before
    lib.tidy()
