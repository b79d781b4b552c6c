"""A revision in, a new commit that takes its changes back out."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pressmark import disk
from pressmark.disk import Edit, Tree, replace
from pressmark.errors import BadInput, NotFound, Unavailable
from pressmark.history import branches, reading, run, transaction
from pressmark.text import clean

if TYPE_CHECKING:
    from pressmark.history.repository import Commit, Repository

REVERTS = re.compile(r"This reverts commit ([0-9a-f]{40,64})")


@dataclass(frozen=True, slots=True)
class Change:
    """One path of a commit: object ids before and after, None where there is no file."""

    path: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Undoing:
    """The way back from a commit: edits from the top of the tree, and their commit's subject."""

    sha: str
    subject: str
    edits: list[Edit]


def plan(repo: Repository, rev: str | None) -> Undoing:
    """What takes a commit back; refuses where that would lose something."""
    with repo.lock():
        transaction.refuse(repo)
        sha, parent, subject = _target(repo, rev)
        changes, plain = _changes(repo, parent, sha)
        dirty = reading.status(repo, [change.path for change in changes])
        mine = sorted(path for path, mark in dirty.items() if mark != "!!")
        if mine:
            raise Unavailable(
                f"{mine[0]} has uncommitted edits, so the commit cannot be undone.",
                next="commit them, or put them aside with git stash",
            )
        edits = (_inverse(repo, changes) if plain else None) or _by_git(repo, sha, changes)
        return Undoing(sha, f'Revert "{subject}"', edits)


def revert(
    repo: Repository,
    rev: str | None,
    *,
    subject: str | None = None,
    commit: bool = True,
    branch: str | None = None,
) -> Commit:
    """Take a commit back by a new one."""
    with repo.lock():
        undoing = plan(repo, rev)
        done = repo.transact(
            repo.top,
            undoing.edits,
            subject or undoing.subject,
            body=f"This reverts commit {undoing.sha}.",
            trailers={"Pressmark": "undo"},
            commit=commit,
            branch=branch,
        )
        if done is None:
            raise BadInput(f"{undoing.sha[:10]} is undone already: nothing would change.")
        return done


def _target(repo: Repository, rev: str | None) -> tuple[str, str, str]:
    """The commit to undo, its parent and its subject."""
    if repo.head() is None:
        raise NotFound("There is no commit yet to undo.")
    name = run.revision(rev) if rev is not None else _last(repo)
    output = run.read(
        repo.top,
        "log",
        "-1",
        "-z",
        "--format=%H%n%P%n%s",
        "--end-of-options",
        name,
        "--",
        quiet=True,
    )
    if output.status:
        raise NotFound(f"{name} is no commit of this repository.", next="git log --oneline")
    sha, parents, subject = output.stdout.decode("utf-8", "replace").rstrip("\0\n").split("\n", 2)
    if len(parents.split()) > 1:
        raise BadInput(
            f"{sha[:10]} is a merge, which has no single state to go back to.",
            next=f"git revert -m 1 {sha[:10]}",
        )
    if not parents:
        raise _no_parent(repo, sha)
    return sha, parents.split()[0], clean(subject)


def _no_parent(repo: Repository, sha: str) -> Unavailable:
    if repo.is_shallow():
        return Unavailable(
            f"The history was cut at {sha[:10]}, and undoing it would delete every file.",
            next="git fetch --unshallow, then run the command again",
        )
    return Unavailable(
        f"{sha[:10]} is the first commit: there is nothing before it to go back to.",
        next="remove what you do not want",
    )


def _last(repo: Repository) -> str:
    """The newest commit of Pressmark's in this library that is neither an undo nor undone."""
    output = run.read(
        repo.top,
        "log",
        "-z",
        "--max-count=1000",
        "--format=%H%x1f%(trailers:key=Pressmark,valueonly,unfold)%x1f%b",
        "--grep=^Pressmark: ",
        "--end-of-options",
        "HEAD",
        "--",
        *([repo.prefix] if repo.prefix else []),
    )
    undone: set[str] = set()
    for row in output.stdout.decode("utf-8", "replace").split("\0"):
        sha, _, rest = row.strip("\n").partition("\x1f")
        trailer, _, body = rest.partition("\x1f")
        if not trailer.strip() or sha in undone:
            continue
        back = REVERTS.search(body) if trailer.strip() == "undo" else None
        if back is None:
            return sha
        undone.add(back[1])
    raise NotFound("No commit of Pressmark's is left to undo.", next="pressmark undo REV")


def _changes(repo: Repository, parent: str, sha: str) -> tuple[list[Change], bool]:
    """What the commit did, and whether all of it is regular files with unchanged modes."""
    output = run.read(
        repo.top, "diff-tree", "-r", "-z", "--no-renames", "--end-of-options", parent, sha
    )
    fields = output.stdout.split(b"\0")
    changes, plain = [], True
    for about, name in zip(fields[::2], fields[1::2], strict=False):
        modes, oids = about[1:].split()[:2], about.split()[2:4]
        plain = plain and {m for m in modes if m.strip(b"0")} <= {b"100644"}
        before, after = (o.decode("ascii") if o.strip(b"0") else None for o in oids)
        changes.append(Change(os.fsdecode(name), before, after))
    return changes, plain


def _inverse(repo: Repository, changes: list[Change]) -> list[Edit] | None:
    """The edits back, when every file is still as the commit left it; else None."""
    blobs = reading.read_blobs(repo, [c.before for c in changes if c.before])
    edits = []
    with Tree(repo.top) as tree:
        for change in changes:
            there = replace.current(tree, change.path)
            now = there[0] if there else None
            if change.before is not None and change.before not in blobs:
                return None
            if (None if now is None else _oid(now, change.after)) != change.after:
                return None
            data = blobs[change.before] if change.before else None
            edits.append(Edit(change.path, data, None if now is None else disk.sha256(now)))
    return edits


def _oid(data: bytes, like: str | None) -> str:
    """The object id of these bytes, by the hash that the repository uses."""
    name = "sha256" if like and len(like) == 64 else "sha1"
    head = b"blob %d\0" % len(data)
    return hashlib.new(name, head + data, usedforsecurity=False).hexdigest()


def _by_git(repo: Repository, sha: str, changes: list[Change]) -> list[Edit]:
    """Let git merge the way back in a temporary checkout, and take the files from there."""
    with branches.worktree(repo, "--detach", at="HEAD") as other:
        output = other.git("revert", "--no-commit", "--no-edit", "--end-of-options", sha)
        if output.status:
            raise Unavailable(
                f"Later changes touch the same lines as {sha[:10]}, so it cannot be undone alone.",
                next="undo the later ones first, or edit the files",
            )
        return [_taken(repo.top, other.top, change.path) for change in changes]


def _taken(top: Path, other: Path, path: str) -> Edit:
    with Tree(top) as here, Tree(other) as there:
        now, then = replace.current(here, path), replace.current(there, path)
    return Edit(path, then[0] if then else None, disk.sha256(now[0]) if now else None)
