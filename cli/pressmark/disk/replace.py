"""Edits in, files replaced out: each checked against what was read, all staged before a rename."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pressmark.disk.paths import check_name, linked, split
from pressmark.disk.reasons import explained
from pressmark.disk.sync import synced
from pressmark.disk.tree import Tree, temporary_name
from pressmark.errors import BadInput, Changed, Unavailable, Unreadable

MANY = 500
"""From so many files on, the whole file system is synced at once: a third of the CPU."""


def sha256(data: bytes) -> str:
    """The hash by which an edit names the bytes it was made from."""
    return hashlib.sha256(data).hexdigest()


@dataclass(frozen=True, slots=True)
class Edit:
    """What a path shall hold: new bytes, or None to delete it.

    `expected` is the sha256 of what was read there; None: nothing may be there.
    """

    path: str
    data: bytes | None
    expected: str | None


@dataclass(frozen=True, slots=True)
class Replacement:
    """An edit that passed its check: what is there now, and where the new bytes are staged."""

    edit: Edit
    before: bytes | None
    state: os.stat_result | None
    temporary: str | None

    @property
    def path(self) -> str:
        """Relative to the root."""
        return self.edit.path

    @property
    def after(self) -> bytes | None:
        """The bytes to come; None when the file goes."""
        return self.edit.data


def current(tree: Tree, path: str) -> tuple[bytes, os.stat_result] | None:
    """The bytes at the path and their state; None when nothing is there."""
    with explained(path, "read"):
        state = tree.stat(path)
    if state is None:
        return None
    if stat.S_ISLNK(state.st_mode):
        raise linked(path, read=True)
    if not stat.S_ISREG(state.st_mode):
        raise Unreadable("it is not a regular file.", path=path)
    return tree.read(path)


def check(
    tree: Tree, edits: Iterable[Edit], absent: dict[str, bytes] | None = None
) -> list[Replacement]:
    """Compare every edit with the disk; those that change nothing are left out.

    `absent` holds files of HEAD that a sparse checkout leaves out.
    """
    seen: set[str] = set()
    found = []
    for edit in edits:
        if edit.path in seen:
            raise BadInput(f"{edit.path} is given twice in one change.")
        seen.add(edit.path)
        replacement = _check(tree, edit, absent or {})
        if replacement is not None:
            found.append(replacement)
    return found


def _check(tree: Tree, edit: Edit, absent: dict[str, bytes]) -> Replacement | None:
    split(edit.path)
    there = current(tree, edit.path)
    before, state = there if there else (absent.get(edit.path), None)
    if (None if before is None else sha256(before)) != edit.expected:
        raise changed(edit.path, before, edit.expected)
    if before == edit.data:
        return None
    if before is None:
        check_name(edit.path)
    if state is not None and not state.st_mode & 0o222:
        raise Unavailable(
            f"{edit.path} is write-protected.", next=f"allow it: chmod u+w {edit.path}"
        )
    return Replacement(edit, before, state, None if edit.data is None else temporary_name())


def changed(path: str, before: bytes | None, expected: str | None) -> Changed:
    """The error for a file that is not what the edit was made from."""
    if expected is None:
        what = "is already there"
    elif before is None:
        what = "was deleted meanwhile"
    else:
        what = "changed since it was read"
    return Changed(f"{path} {what}; nothing was written.", next="run the command again")


def stage(tree: Tree, replacements: Sequence[Replacement]) -> None:
    """Write and sync all new bytes beside their paths; on any failure none of them stays."""
    try:
        if len(replacements) < MANY:
            _stage(tree, replacements, sync=True)
        else:
            with synced(tree.root) as whole:
                _stage(tree, replacements, sync=not whole)
        for item in replacements:
            _same_as_checked(tree, item)
    except BaseException:
        discard(tree, replacements)
        raise


def _stage(tree: Tree, replacements: Sequence[Replacement], *, sync: bool) -> None:
    for item in replacements:
        if item.temporary and item.after is not None:
            mode = item.state.st_mode if item.state else None
            tree.stage(item.path, item.after, item.temporary, mode)
    if sync:
        tree.sync_files([(item.path, item.temporary) for item in replacements if item.temporary])


def _same_as_checked(tree: Tree, item: Replacement) -> None:
    """An editor may have saved since the check."""
    with explained(item.path, "read"):
        now = tree.stat(item.path)
    if _signature(now) != _signature(item.state):
        raise changed(item.path, b"" if now else None, item.edit.expected)


def _signature(state: os.stat_result | None) -> tuple[int, int, int, int] | None:
    return state and (state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)


def promote(tree: Tree, replacements: Sequence[Replacement]) -> None:
    """Rename what was staged, delete what shall go, and sync each touched folder once."""
    for item in replacements:
        if item.temporary:
            tree.put(item.path, item.temporary)
        else:
            tree.remove(item.path)
    for item in replacements:
        if item.after is None:
            tree.prune(item.path)
    tree.sync()


def discard(tree: Tree, replacements: Iterable[Replacement]) -> None:
    """Delete what was staged and not renamed, and folders made for it."""
    for item in replacements:
        if item.temporary:
            folder = item.path.rpartition("/")[0]
            with suppress(OSError):
                os.unlink(item.temporary, dir_fd=tree.folder(folder))
            if item.before is None:
                tree.prune(item.path)


def restore(tree: Tree, replacements: Iterable[Replacement]) -> None:
    """Put back what was there before, wherever our own bytes still are."""
    back = []
    for item in replacements:
        there = current(tree, item.path)
        if (there[0] if there else None) == item.after:
            edit = Edit(item.path, item.before, None)
            name = None if item.before is None else temporary_name()
            back.append(Replacement(edit, item.after, item.state or (there and there[1]), name))
    for item in back:
        if item.temporary and item.after is not None:
            tree.stage(item.path, item.after, item.temporary, item.state and item.state.st_mode)
            tree.sync_file(item.path, item.temporary)
    promote(tree, back)


def apply(root: Path, edits: Iterable[Edit]) -> list[Replacement]:
    """Check, stage and rename, without git; the list of what changed."""
    with Tree(root) as tree:
        replacements = check(tree, edits)
        stage(tree, replacements)
        promote(tree, replacements)
    return replacements
