"""Edits for another branch in, a commit there out; the user's checkout never moves."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from pressmark import disk
from pressmark.errors import BadInput, Changed, Unavailable
from pressmark.history import locate, run

if TYPE_CHECKING:
    from pressmark.history.repository import Commit, Repository

NAME = re.compile(r"pressmark-worktree-([0-9]+)-[0-9a-f]{8}")
"""Our temporary checkouts, by the number of the process."""

Merge = Callable[[str, bytes, bytes, bytes], bytes | None]
"""A path and three versions of its file (base, ours, theirs) in; the merged one, if it is clean."""


def transact(
    repo: Repository,
    root: Path,
    edits: Sequence[disk.Edit],
    text: str,
    name: str,
    merged: Merge | None = None,
) -> Commit | None:
    """Commit the edits on the branch, which starts at HEAD when it is new.

    An edit of a file that the branch has changed since it left the checkout is carried over by
    `merged`; where that is not to be had, or finds no clean answer, Changed is raised.
    """
    from pressmark.history import transaction

    run.branch(name)
    below = root.resolve().relative_to(repo.top)
    with repo.lock():
        fresh = not _exists(repo, name)
        if fresh and repo.head() is None:
            raise Unavailable(
                "The library has no commit yet to start a branch from.",
                next="make the first commit without --branch",
            )
        if fresh:
            _refuse_a_folder_of_that_name(repo, name)
        done = False
        start = ("-b", name) if fresh else ()
        try:
            with worktree(repo, *start, at="HEAD" if fresh else name) as other:
                there = other.top / below
                if merged is not None and not fresh:
                    edits = [_carried(edit, root, there, merged) for edit in edits]
                result = transaction.transact(other, there, edits, text, commit=True)
                done = result is not None and result.sha is not None
        except Changed as problem:
            if fresh:  # it would begin at HEAD, and the file here is not what HEAD has
                raise Changed(
                    f"{problem.message.partition(' changed ')[0]} has edits that are in no commit, "
                    f"so {name} cannot begin with it; nothing was written.",
                    next="git commit them first, or run the command without --branch",
                ) from problem
            raise Changed(
                f"The branch {name} holds another version: {problem.message}",
                next=f"git switch {name}, and run the command there",
            ) from problem
        finally:
            if fresh and not done:
                repo.arrange("branch", "--quiet", "-D", "--end-of-options", name)
        return result


def _refuse_a_folder_of_that_name(repo: Repository, name: str) -> None:
    """Git keeps branches as files, so that `a` and `a/b` cannot both be."""
    parts = name.split("/")
    for end in range(1, len(parts)):
        if _exists(repo, above := "/".join(parts[:end])):
            raise BadInput(
                f"The branch {above} stands in the way of one named {name}.",
                next=f"git branch -m {quote(above)} NEW-NAME",
            )


def _carried(edit: disk.Edit, here: Path, there: Path, merged: Merge) -> disk.Edit:
    """The edit as it is to be made on the branch."""
    held = disk.read_bytes(there, edit.path) if disk.exists(there, edit.path) else None
    found = None if held is None else disk.sha256(held)
    if held is None or edit.data is None or found == edit.expected:
        return edit
    if held == edit.data:
        return disk.Edit(edit.path, edit.data, found)
    base = b"" if edit.expected is None else disk.read_bytes(here, edit.path)
    if edit.expected is not None and disk.sha256(base) != edit.expected:
        return edit
    both = merged(edit.path, base, held, edit.data)
    return edit if both is None else disk.Edit(edit.path, both, found)


def _exists(repo: Repository, name: str) -> bool:
    ref = f"refs/heads/{name}"
    return not run.read(repo.top, "show-ref", "--verify", "--quiet", ref, quiet=True).status


def checked_out(repo: Repository) -> frozenset[str]:
    """The branches that somebody's checkout is on, here or in another work tree; not our own."""
    listed = run.read(repo.top, "worktree", "list", "--porcelain").stdout.decode("utf-8", "replace")
    found = set()
    for entry in listed.split("\n\n"):
        lines = dict(line.partition(" ")[::2] for line in entry.splitlines())
        if "branch" in lines and not NAME.fullmatch(Path(lines["worktree"]).name):
            found.add(lines["branch"].removeprefix("refs/heads/"))
    return frozenset(found)


@contextmanager
def worktree(repo: Repository, *options: str, at: str) -> Iterator[Repository]:
    """A checkout in a temporary folder, gone afterwards."""
    from pressmark.history.repository import Repository

    folder = _folder(f"pressmark-worktree-{os.getpid()}-{os.urandom(4).hex()}")
    output = repo.arrange("worktree", "add", "--quiet", *options, "--", str(folder), at)
    try:
        if output.status:
            raise run.explain(output)
        place = locate.find(folder)
        if place is None:
            raise Unavailable("git made no worktree.", next="git worktree list")
        yield Repository(place, folder / repo.prefix, repo.patience)
    finally:
        remove(repo, folder)


def remove(repo: Repository, folder: Path) -> None:
    """Delete a temporary checkout and git's record of it, also one that git had not finished."""
    if folder.is_dir():
        disk.remove_tree(folder.parent, folder.name)
    records = repo.place.common / "worktrees"
    if (records / folder.name).is_dir():
        disk.remove_tree(records, folder.name)


def left(repo: Repository) -> list[Path]:
    """The temporary checkouts of writers that died."""
    try:
        records = list((repo.place.common / "worktrees").iterdir())
    except OSError:
        return []
    return [_checkout(r) for r in records if (name := NAME.fullmatch(r.name)) and not _alive(name)]


def _checkout(record: Path) -> Path:
    """Where the checkout of a record of git's is, or was to be."""
    try:
        there = Path((record / "gitdir").read_text(encoding="utf-8").strip()).parent
    except OSError:
        return _folder(record.name)
    return there if there.name == record.name else _folder(record.name)


def _alive(name: re.Match[str]) -> bool:
    """Whether its process is there: a writer in another work tree has another lock."""
    try:
        os.kill(int(name[1]), 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True


def _folder(name: str) -> Path:
    import tempfile  # slow to import, and every writer looks whether a checkout was left

    return Path(tempfile.gettempdir()).resolve() / name


def sweep(repo: Repository) -> None:
    """Remove the temporary checkouts of dead writers."""
    for folder in left(repo):
        remove(repo, folder)
