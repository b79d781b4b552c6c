"""Paths that are written and a message in, one commit of just these paths out.

What `git commit --only` does, for any number of paths: the index is locked, a copy of it takes the
paths, the commit is made from the copy (without what else the user has staged), and the copy
becomes the index. Until then the user's index is not touched. Hooks and signing are git's.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from pressmark import disk
from pressmark.errors import Busy, Unavailable
from pressmark.history import authorship, reading, run, stale

if TYPE_CHECKING:
    from pressmark.history.repository import Repository

COPY = "pressmark.index"
"""The index as it will be: the user's, with our paths."""
BARE = "pressmark.bare.index"
"""The same without what else is staged; only made when something is."""
MANY = 500
"""From so many paths on, their blobs are synced all at once."""


def commit(repo: Repository, paths: Sequence[str], text: str) -> run.Output:
    """Commit the paths as they are on the disk; status 0 also when HEAD has them already."""
    with _locked_index(repo) as index:
        copy = repo.git_dir / COPY
        if index.exists():
            disk.copy_file(index, copy)
        output = _take(repo, paths, copy)
        if output.status:
            return output
        ours, others = _staged(repo, copy, set(paths))
        gone = [path for path in paths if path not in ours or not ours[path].strip("0")]
        _refuse_overlooked(repo, gone)
        if ours:
            said = authorship.signed(text, repo.prefix, ours.items())
            output = _make(repo, copy, others, said)
            if output.status:
                return output
        disk.move_file(copy, index)
    return output


def _take(repo: Repository, paths: Sequence[str], copy: Path) -> run.Output:
    """Put the paths, as they are on the disk, into the copy of the index."""
    names = b"".join(os.fsencode(path) + b"\0" for path in paths)
    take = ("update-index", "--add", "--remove", "-z", "--stdin")
    if len(paths) < MANY:
        return repo.git(*take, stdin=names, index=copy)
    with disk.synced(repo.place.common / "objects") as whole:
        unsynced = ("-c", "core.fsync=none") if whole else ()
        return repo.git(*unsynced, *take, stdin=names, index=copy)


def _make(repo: Repository, copy: Path, others: list[bytes], text: str) -> run.Output:
    """The commit itself."""
    source = copy
    if others:
        source = repo.git_dir / BARE
        disk.copy_file(copy, source)
        put_back = ("update-index", "-z", "--index-info")
        output = repo.git(*put_back, stdin=b"".join(others), index=source)
        if output.status:
            return output
    options = ("--quiet", "--cleanup=whitespace", f"--message={text}")
    return repo.git("commit", *options, index=source)


@contextmanager
def _locked_index(repo: Repository) -> Iterator[Path]:
    """Hold git's own lock of the index, as every git that commits does."""
    index = repo.git_dir / "index"
    lock = repo.git_dir / "index.lock"
    for _ in range(5):
        if disk.claim(lock):
            break
        stale.clear(repo.place, ours_died=False)
    else:
        raise Busy("Git is at work in this repository.", next="run the command again")
    repo.held.add(lock)
    try:
        yield index
    finally:
        sweep(repo.git_dir)
        disk.remove_file(lock)
        repo.held.remove(lock)


def sweep(git_dir: Path) -> None:
    """Remove our copies of the index, and the locks of a git that died on them."""
    for name in (COPY, BARE):
        disk.remove_file(git_dir / name)
        disk.remove_file(git_dir / f"{name}.lock")


def _refuse_overlooked(repo: Repository, paths: Sequence[str]) -> None:
    """Raise where git was told to overlook a file of ours: it would not see it, or take it away."""
    here = [path for path in paths if (repo.top / path).exists()]
    for path in reading.overlooked(repo, here):
        raise Unavailable(
            f"Git was told to overlook changes of {path}, so it cannot be committed.",
            next=f"git update-index --no-assume-unchanged {quote(path)} and the same with "
            "--no-skip-worktree, or use --no-commit",
        )


def _staged(repo: Repository, index: Path, paths: set[str]) -> tuple[dict[str, str], list[bytes]]:
    """Our paths that the index changes, with their objects, and lines that put the others back."""
    head = repo.head() or _first(repo)
    output = run.read(
        repo.top, "diff-index", "--cached", "--raw", "-z", "--no-renames", head, "--", index=index
    )
    ours: dict[str, str] = {}
    others = []
    for about, name in _pairs(output.stdout.split(b"\0")):
        mode, _, oid, new, kind = about[1:].split()
        if kind == b"U":
            raise Busy(
                f"{os.fsdecode(name)} is in conflict; nothing was committed.",
                next="resolve it and git add it, then run the command again",
            )
        if os.fsdecode(name) in paths:
            ours[os.fsdecode(name)] = new.decode("ascii")
        else:
            others.append(b"%s %s\t%s\0" % (mode, oid, name))
    return ours, others


def _pairs(fields: list[bytes]) -> Iterable[tuple[bytes, bytes]]:
    return zip(fields[::2], fields[1::2], strict=False)


def _first(repo: Repository) -> str:
    """What a first commit is compared with; git has the last word on whether it is the first."""
    known = run.read(repo.top, "rev-parse", "--verify", "--quiet", "HEAD", quiet=True)
    if known.stdout.strip():
        return known.stdout.decode("ascii").strip()
    output = run.read(repo.top, "hash-object", "-t", "tree", "--stdin")
    return output.stdout.decode("ascii").strip()
