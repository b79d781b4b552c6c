"""A change in, its record in the git folder out: what a writer was about to do when it died."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from pressmark import disk
from pressmark.errors import PressmarkError
from pressmark.history import run

NAME = "pressmark.journal"


@dataclass(frozen=True, slots=True)
class File:
    """One path from the top of the work tree: sha256 before and after, the staged file's name."""

    path: str
    old: str | None
    new: str | None
    temporary: str | None
    commit: bool


@dataclass(frozen=True, slots=True)
class Journal:
    """A change that was begun: on which branch, from which commit, with which message."""

    ref: str | None
    message: str
    files: tuple[File, ...]

    def save(self, git_dir: Path) -> None:
        """On the disk before anything else happens."""
        data = json.dumps({"version": 1, **asdict(self)}).encode("ascii")
        disk.write_file(git_dir / NAME, data, root=git_dir)


def _ours(file: File) -> bool:
    """Whether we can have written it: a received repository may bring a journal of its own."""
    run.check_path(file.path)
    return file.temporary is None or bool(disk.TEMPORARY.fullmatch(file.temporary))


def load(git_dir: Path) -> Journal | None:
    """What the last writer left; None when it finished."""
    try:
        data = json.loads(disk.read_bytes(git_dir, NAME))
        files = tuple(File(**entry) for entry in data["files"])
        if not all(_ours(file) for file in files):
            return None
        return Journal(data["ref"], str(data["message"]), files)
    except (PressmarkError, ValueError, KeyError, TypeError, AttributeError):
        return None


def drop(git_dir: Path) -> None:
    """The change is finished, or undone."""
    disk.remove_file(git_dir / NAME)
