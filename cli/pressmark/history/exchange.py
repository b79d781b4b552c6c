"""A branch and its remote in; fetched, rebased and pushed, with no local commit lost, out."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pressmark.errors import Busy, NotFound, Unavailable
from pressmark.history import branches, reading, run

if TYPE_CHECKING:
    from pressmark.history.repository import Repository


PLAIN = ("-c", "rebase.autoStash=false", "-c", "rebase.updateRefs=false")
"""A rebase that does what it says, whatever else the user's settings make of one."""


class Conflict(Busy):
    """Two histories that only a person can bring together; nothing was changed."""

    def __init__(self, message: str, paths: Sequence[str], *, next: str | None = None) -> None:
        super().__init__(message, next=next)
        self.paths = tuple(paths)


class Rejected(Unavailable):
    """The remote has commits that we have not."""


@dataclass(frozen=True, slots=True)
class Apart:
    """How far two commits are from each other."""

    ahead: int
    behind: int


def remotes(repo: Repository) -> list[str]:
    """The names of the remotes."""
    return run.read(repo.top, "remote").stdout.decode("utf-8", "replace").split()


def remote(repo: Repository, branch: str) -> str:
    """The remote that a branch follows, else `origin`, else the only one."""
    followed = repo.setting(f"branch.{branch}.remote")
    names = remotes(repo)
    if followed in names:
        return str(followed)
    if "origin" in names:
        return "origin"
    if len(names) == 1:
        return names[0]
    if not names:
        raise NotFound("This repository has no remote.", next="git remote add origin URL")
    raise NotFound(
        f"The branch {branch} follows none of the remotes ({', '.join(names)}).",
        next=f"git branch --set-upstream-to=REMOTE/{branch}",
    )


def upstream(repo: Repository, branch: str) -> str | None:
    """The commit of the branch that a branch follows; None where it follows none."""
    ref = repo.setting(f"branch.{branch}.merge")
    name = repo.setting(f"branch.{branch}.remote")
    if not ref or not name or name not in remotes(repo):
        return None
    return commit(repo, f"refs/remotes/{name}/{ref.removeprefix('refs/heads/')}")


def commit(repo: Repository, name: str) -> str | None:
    """The id of the commit that a name stands for; None when there is none."""
    output = run.read(
        repo.top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}",
        quiet=True,
    )  # fmt: skip
    return output.stdout.decode("ascii", "replace").strip() or None if not output.status else None


def merge_base(repo: Repository, one: str, two: str) -> str | None:
    """The newest commit that both have; None when they share none, or the history is cut."""
    output = run.read(repo.top, "merge-base", one, two, quiet=True)
    return output.stdout.decode("ascii", "replace").strip() or None if not output.status else None


def apart(repo: Repository, ours: str, theirs: str) -> Apart:
    """How many commits each has that the other has not."""
    output = run.read(repo.top, "rev-list", "--left-right", "--count", f"{ours}...{theirs}")
    ahead, behind = output.stdout.split()
    return Apart(int(ahead), int(behind))


def count(repo: Repository, head: str) -> int:
    """How many commits lead to one."""
    return int(run.read(repo.top, "rev-list", "--count", head).stdout)


def symbolic(repo: Repository, ref: str) -> str | None:
    """The ref that a symbolic ref stands for."""
    output = run.read(repo.top, "symbolic-ref", "--quiet", ref, quiet=True)
    return output.stdout.decode("utf-8", "replace").strip() or None


def fetch(repo: Repository, name: str) -> None:
    """Bring the remote's branches up to date; nothing of ours changes."""
    output = run.exchange(
        repo.top, "fetch", "--quiet", "--prune", "--no-recurse-submodules", "--end-of-options", name
    )
    if output.status:
        raise Unavailable(
            f"{name} cannot be reached: {output.words.rstrip('.')}.", next="git remote -v"
        )


def push(repo: Repository, name: str, branch: str) -> None:
    """Send a branch; Rejected when the remote has commits that we have not."""
    output = run.exchange(
        repo.top, "push", "--quiet", "--set-upstream", "--no-recurse-submodules",
        "--end-of-options", name, f"refs/heads/{branch}:refs/heads/{branch}",
    )  # fmt: skip
    if not output.status:
        return
    words = output.words
    if "non-fast-forward" in words or "fetch first" in words or "cannot lock ref" in words:
        raise Rejected(f"{name} has commits of {branch} that are not here.")
    raise Unavailable(
        f"{name} did not take {branch}: {words.rstrip('.')}.", next=f"git push {name} {branch}"
    )


def rebased(repo: Repository, onto: str) -> str:
    """The commit that HEAD's own commits become on top of another; the checkout stays as it is.

    Worked out in a temporary checkout: when it cannot be, nothing was touched.
    """
    with branches.worktree(repo, "--detach", at="HEAD") as other:
        output = other.git(*PLAIN, "rebase", "--quiet", onto)
        if output.status:
            paths = conflicted(other)
            other.git("rebase", "--abort")
            if not paths:
                raise run.explain(output)
            raise Conflict(
                f"Two versions of {', '.join(paths[:5])} only a person can bring together; "
                "nothing was changed.",
                paths,
                next="git pull --rebase, resolve them, git rebase --continue; then pressmark sync",
            )
        made = other.head()
        assert made is not None
        return made


def move(repo: Repository, branch: str, to: str) -> None:
    """Take the checked-out branch to another commit; uncommitted work stays, or nothing moves."""
    output = repo.git("checkout", "--quiet", "--no-track", "-B", branch, to)
    if output.status:
        raise Unavailable(
            f"Your uncommitted work is in the way: {output.words.rstrip('.')}.",
            next="commit it, or put it aside with git stash; then run the command again",
        )


def merge(repo: Repository, other: str, text: str) -> bool:
    """Merge another commit into the checked-out branch, with the driver; whether that did."""
    output = repo.git("-c", "merge.ff=true", "merge", "--quiet", "-m", text, other)
    if not output.status:
        return True
    repo.git("merge", "--abort")
    return False


def conflicted(repo: Repository) -> list[str]:
    """The paths that git could not merge, from the top."""
    output = run.read(repo.top, "diff", "--name-only", "-z", "--diff-filter=U", quiet=True)
    return [os.fsdecode(name) for name in output.stdout.split(b"\0") if name]


def refs(repo: Repository, pattern: str, *, not_merged_into: str | None = None) -> list[str]:
    """The names of refs below a prefix."""
    options = [f"--no-merged={not_merged_into}"] if not_merged_into else []
    output = run.read(repo.top, "for-each-ref", "--format=%(refname)", *options, "--", pattern)
    return output.stdout.decode("utf-8", "replace").split()


def empty_tree(repo: Repository) -> str:
    """The id of the tree without files, in this repository's kind of hash."""
    output = run.read(repo.top, "hash-object", "-t", "tree", "--stdin")
    return output.stdout.decode("ascii").strip()


def before(repo: Repository, day: str, head: str = "HEAD") -> str | None:
    """The last commit before a day begins; None when every commit is younger."""
    output = run.read(repo.top, "rev-list", "-1", f"--before={day}T00:00:00", head)
    return output.stdout.decode("ascii").strip() or None


def files(repo: Repository, rev: str, folder: str) -> list[tuple[str, bytes]]:
    """Path and bytes of every file of a commit below a folder of the library."""
    blobs = reading.tree(repo, rev, [repo.prefix + folder])
    contents = reading.read_blobs(repo, list(blobs.values()))
    return [(path.removeprefix(repo.prefix), contents[oid]) for path, oid in blobs.items()]


def names(repo: Repository, since: str | None, until: str, folder: str) -> list[tuple[str, str]]:
    """What differs below a folder of the library: `A`, `M` or `D`, and the path."""
    start = since or empty_tree(repo)
    output = run.read(
        repo.top, "diff", "--name-status", "-z", "--no-renames", "--end-of-options", start, until,
        "--", (repo.prefix + folder) or ".",
    )  # fmt: skip
    fields = [os.fsdecode(each) for each in output.stdout.split(b"\0")]
    pairs = zip(fields[::2], fields[1::2], strict=False)
    return [(mark[0], path.removeprefix(repo.prefix)) for mark, path in pairs if mark]
