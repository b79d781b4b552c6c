"""Which indexes this user's own processes wrote: folders in, whether they may be opened out.

An index holds pickles, so opening one that somebody else wrote would run their code. What we
wrote is recorded in the user's state folder, outside every library: of each file its size, inode
and change time (no ordinary program can set that), and its hash, by which a file is known again
after a backup was restored.
"""

from __future__ import annotations

import hashlib
import json
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from pressmark import disk
from pressmark.errors import PressmarkError


class Mark(NamedTuple):
    """What is recorded of a file."""

    size: int
    inode: int
    ctime_ns: int
    sha256: str

    @property
    def place(self) -> tuple[int, int, int]:
        """What `stat` says."""
        return self[:3]


class Trust:
    """The records of the folders at one place: a file each, so that no two writers meet."""

    def __init__(self, state: Path, place: Path) -> None:
        name = hashlib.sha256(str(place.absolute()).encode("utf-8", "surrogatepass")).hexdigest()
        self._records = state / "indexes" / name[:32]

    def vouch(self, folder: Path) -> bool:
        """Record the files of a folder that we just wrote; False if it cannot be recorded."""
        known = {
            mark[:2]: mark.sha256
            for path in self._old(folder.parent)
            for mark in self._load(path.stem).values()
        }
        try:
            marks = {path.name: _mark(path, known) for path in sorted(folder.iterdir())}
            data = json.dumps(marks, sort_keys=True).encode()
            disk.write_file(self._records / f"{folder.name}.json", data, 0o600)
        except (PressmarkError, OSError):
            return False
        return True

    def trusted(self, folder: Path) -> bool:
        """Whether every file of a folder is one we wrote, and none was added."""
        marks = self._load(folder.name)
        try:
            if not marks or {path.name for path in folder.iterdir()} != marks.keys():
                return False
            moved = [name for name in marks if _stat(folder / name) != marks[name].place]
            if any(_mark(folder / name, {}).sha256 != marks[name].sha256 for name in moved):
                return False
        except OSError:
            return False
        if moved:
            self.vouch(folder)
        return True

    def withdraw(self, folder: Path) -> None:
        """Trust a folder no longer: it is gone, or what is in it turned out to be damaged."""
        with suppress(PressmarkError, OSError):
            disk.remove_file(self._records / f"{folder.name}.json")

    def _old(self, place: Path) -> list[Path]:
        """The records of folders that are still there."""
        try:
            return [path for path in self._records.iterdir() if (place / path.stem).is_dir()]
        except OSError:
            return []

    def _load(self, name: str) -> dict[str, Mark]:
        try:
            data: Any = json.loads((self._records / f"{name}.json").read_bytes())
            return {file: Mark(*mark) for file, mark in data.items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}


def _stat(path: Path) -> tuple[int, int, int]:
    state = path.lstat()
    if not stat.S_ISREG(state.st_mode):
        raise OSError(f"{path} is not a regular file")
    return state.st_size, state.st_ino, state.st_ctime_ns


def _mark(path: Path, known: Mapping[tuple[int, int], str]) -> Mark:
    """A file's mark; a second name of a file we wrote and never write again needs no reading."""
    place = _stat(path)
    sha256 = known.get(place[:2])
    if sha256 is None:
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    return Mark(*place, sha256)
