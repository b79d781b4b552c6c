"""A git folder in which a writer died in, the same change finished or undone out."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from pressmark import disk
from pressmark.disk import Tree, replace
from pressmark.errors import Busy, PressmarkError
from pressmark.history import branches, committing, journal, locate, stale
from pressmark.history.journal import File, Journal

if TYPE_CHECKING:
    from pressmark.history.repository import Repository


def recover(repo: Repository) -> list[str]:
    """Clear dead locks and finish the change of a dead writer; sentences about it."""
    left = journal.load(repo.git_dir)
    ours_died = left is not None or bool(branches.left(repo))
    if ours_died:
        _wait_for_orphans(repo)
        committing.sweep(repo.git_dir)
    stale.clear(repo.place, ours_died=ours_died)
    branches.sweep(repo)
    with Tree(repo.git_dir) as folder:
        folder.sweep("", age=0)
    if left is None:
        journal.drop(repo.git_dir)
        return []
    if locate.under_way(repo.place):
        # Writers refuse now; the journal waits for the next one.
        return []
    with Tree(repo.top) as tree:
        ready = _finish(tree, left)
    note = _commit(repo, left, ready)
    journal.drop(repo.git_dir)
    return [note] if note else []


def _wait_for_orphans(repo: Repository) -> None:
    """A git that outlived its Pressmark may still be at the commit."""
    deadline = time.monotonic() + stale.PATIENCE
    while worker := stale.git_at_work(repo.place, os.getuid(), index=True):
        if time.monotonic() > deadline:
            raise Busy(f"Git is at work in this repository ({worker}).", next="wait until it ends")
        time.sleep(0.05)


def _finish(tree: Tree, left: Journal) -> list[str]:
    """Complete the renames if any was made, else drop what was staged; the paths as planned."""
    now = {file.path: _hash(tree, file.path) for file in left.files}
    if any(now[file.path] == file.new for file in left.files):
        for file in left.files:
            if now[file.path] == file.old and _go_on(tree, file):
                now[file.path] = file.new
    for file in left.files:
        _tidy(tree, file)
    tree.sync()
    return [f.path for f in left.files if f.commit and now[f.path] == f.new]


def _hash(tree: Tree, path: str) -> str | None:
    try:
        there = replace.current(tree, path)
    except PressmarkError:
        return "something else"
    return disk.sha256(there[0]) if there else None


def _beside(file: File) -> str:
    folder = file.path.rpartition("/")[0]
    return f"{folder}/{file.temporary}" if folder else f"{file.temporary}"


def _go_on(tree: Tree, file: File) -> bool:
    """Take the step that the dead writer did not come to."""
    if file.temporary is None:
        tree.remove(file.path)
        tree.prune(file.path)
        return True
    if _hash(tree, _beside(file)) != file.new:
        return False
    tree.put(file.path, file.temporary)
    return True


def _tidy(tree: Tree, file: File) -> None:
    if file.temporary is not None:
        tree.remove(_beside(file))
    if file.old is None or file.new is None:
        tree.prune(file.path)


def _commit(repo: Repository, left: Journal, paths: list[str]) -> str | None:
    """Commit what is as planned; on another branch than then, leave it to the user."""
    if not paths:
        return None
    if locate.symbolic_head(repo.place) != left.ref:
        return f"{len(paths)} files of an interrupted command were left uncommitted."
    # The commit may be there with an index that never heard of it.
    before = repo.head()
    output = committing.commit(repo, paths, left.message)
    if output.status:
        return f"{len(paths)} files of an interrupted command stay uncommitted: {output.words}"
    if repo.head() == before:
        return None
    return f"An interrupted command was finished: {left.message.splitlines()[0]}"
