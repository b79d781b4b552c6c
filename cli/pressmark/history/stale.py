"""A git folder in; out of it go the `*.lock` files of a git that died, and of no other.

A lock goes only when nobody has it open, no git works in this tree, and it is ten seconds old or
a dead writer of ours left its journal: an editor that waits in `git commit` keeps a lock that
no process has open.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from pressmark import disk
from pressmark.errors import Busy
from pressmark.history.locate import Place

PROC = Path("/proc")
OLD_ENOUGH = 10.0
PATIENCE = 15.0
"""Seconds: how old a lock must be, and how long we wait for it."""
HARMLESS = frozenset({
    "blame", "cat-file", "credential-cache--daemon", "diff", "fsmonitor--daemon", "grep", "log",
    "ls-files", "rev-list", "shortlog", "show",
})  # fmt: skip
"""Git commands that take no lock, or have it open while they do."""
SHARED = ("config.lock", "packed-refs.lock", "shallow.lock")
"""Locks in the git folder that all work trees share; its index is the main one's."""
KEEPERS = frozenset({
    "commit-graph", "gc", "maintenance", "multi-pack-index", "pack-objects", "prune",
    "prune-packed", "repack",
})  # fmt: skip
"""Git's housekeeping, which never takes the index."""


KEPT_ALONGSIDE = frozenset({"gc.log.lock", "gc.pid.lock"})
"""Locks of housekeeping, which may go on while somebody commits."""


def locks(place: Place) -> list[Path]:
    """Every lock file that could stop a commit in this work tree."""
    shared = (place.common / name for name in SHARED)
    found = [*_named(place.git_dir), *shared, *_below(place.common / "refs")]
    return [lock for lock in dict.fromkeys(found) if lock.exists()]


def _named(folder: Path) -> Iterator[Path]:
    for entry in os.scandir(folder):
        if entry.name.endswith(".lock") and not entry.name.startswith("pressmark."):
            yield Path(entry.path)


def _below(folder: Path) -> Iterator[Path]:
    for path, _, names in os.walk(folder):
        yield from (Path(path, name) for name in names if name.endswith(".lock"))


def clear(place: Place, *, ours_died: bool, mine: Collection[Path] = ()) -> None:
    """Remove the locks of the dead, and wait a while for the living to remove theirs.

    `mine` are the locks that the caller itself holds.
    """
    deadline = time.monotonic() + PATIENCE
    while blocking := [lock for lock in locks(place) if lock not in mine]:
        reason = ""
        for lock in blocking:
            why = _remove_if_dead(place, lock, ours_died)
            reason = (None if lock.name in KEPT_ALONGSIDE else why) or reason
        if not reason:
            return
        if time.monotonic() >= deadline:
            raise Busy(reason, next=f"finish it; if no git is running, delete {blocking[0]}")
        time.sleep(0.1)


def _remove_if_dead(place: Place, lock: Path, ours_died: bool) -> str | None:
    """None when the lock is gone, else why it stays."""
    try:
        state = lock.stat()
    except FileNotFoundError:
        return None
    if not PROC.joinpath("self").exists():
        return f"{lock.name} in the git folder says that git is at work."
    worker = git_at_work(place, state.st_uid, index=lock.name == "index.lock") or _opened(state)
    if worker:
        return f"Git is at work in this repository ({worker})."
    if not ours_died and time.time() - state.st_mtime < OLD_ENOUGH:
        return f"{lock.name} in the git folder is fresh, so git may be at work."
    with suppress(FileNotFoundError):
        if not os.path.samestat(lock.stat(), state):
            return f"{lock.name} in the git folder is new, so git is at work."
    disk.remove_file(lock)
    return None


def _processes() -> Iterator[Path]:
    return (path for path in PROC.iterdir() if path.name.isdigit())


def _opened(state: os.stat_result) -> str | None:
    """Who has the file open."""
    for process in _processes():
        with suppress(OSError):
            for link in (process / "fd").iterdir():
                with suppress(OSError):
                    if os.path.samestat(link.stat(), state):
                        return f"process {process.name}"
    return None


def git_at_work(place: Place, uid: int, *, index: bool) -> str | None:
    """A git process in this work tree that may take locks."""
    idle = HARMLESS | KEEPERS if index else HARMLESS
    for process in _processes():
        with suppress(OSError):
            if not (process / "comm").read_text(errors="replace").startswith("git"):
                continue
            words = (process / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
            command = _subcommand(words[1:])
            # A zombie has no words: it died and nobody asked for it.
            if words != [""] and command not in idle and _is_here(process, place, uid):
                return f"process {process.name}: git {command}"
    return None


def _subcommand(words: list[str]) -> str:
    words = list(words)
    while words:
        word = words.pop(0)
        if word in ("-C", "-c"):
            words[:1] = []
        elif not word.startswith("-"):
            return word
    return "…"


def _is_here(process: Path, place: Place, uid: int) -> bool:
    folders = (place.top, place.git_dir, place.common)
    try:
        where = (process / "cwd").readlink()
        told = (process / "environ").read_bytes() + (process / "cmdline").read_bytes()
    except PermissionError:
        # We cannot look: it may be here when it belongs to the owner of the lock.
        return process.stat().st_uid == uid
    if any(where.is_relative_to(folder) for folder in folders):
        return True
    return any(os.fsencode(folder) in told for folder in (place.git_dir, place.common))
