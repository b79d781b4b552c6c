"""Pages that can be made again at any time in, a folder of them out: written plainly, swapped in.

A site is thousands of files that nobody edits: none is synced, but the folder in which it is read
is replaced as a whole, and only by one that is complete.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from pressmark.disk.paths import is_link
from pressmark.disk.reasons import explained
from pressmark.disk.tree import write_all
from pressmark.errors import BadInput


class Output:
    """A folder to write pages to, by paths relative to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._made: set[str] = set()

    def write(self, relative: str, data: bytes) -> None:
        """One file; a link that stands in its place is not followed."""
        parent, _, name = relative.rpartition("/")
        place = f"{self.folder}/{parent}" if parent else str(self.folder)
        if ".." in relative.split("/") or not name:
            raise ValueError(relative)
        with explained(relative):
            if parent not in self._made:
                Path(place).mkdir(parents=True, exist_ok=True)
                self._made.add(parent)
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
            descriptor = os.open(f"{place}/{name}", flags, 0o644)
            try:
                write_all(descriptor, data)
            finally:
                os.close(descriptor)

    def remove(self, relative: str) -> None:
        """A file that is not wanted after all."""
        with explained(relative, "removed"):
            (self.folder / relative).unlink(missing_ok=True)


def beside(place: Path) -> Path:
    """A new empty folder next to a place, for what shall take it; remains of others are removed."""
    with explained(str(place)):
        place.parent.mkdir(parents=True, exist_ok=True)
        prefix = f".{place.name}.part-"
        for old in place.parent.glob(f"{prefix}*"):
            if not _alive(old.name.removeprefix(prefix)):
                shutil.rmtree(old, ignore_errors=True)
        made = place.parent / f"{prefix}{os.getpid()}"
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir()
        return made


def swap(made: Path, place: Path) -> None:
    """Put a finished folder where another one is, which is then removed."""
    if is_link(place):
        raise BadInput(f"{place.name} is a symbolic link; Pressmark follows none.")
    with explained(str(place)):
        old = made.with_name(f"{made.name}.old")
        if place.exists():
            place.rename(old)
        try:
            made.rename(place)
        except OSError:
            if old.exists():
                old.rename(place)
            raise
        shutil.rmtree(old, ignore_errors=True)


def _alive(word: str) -> bool:
    """Whether the process that a folder is named after still runs."""
    number = word.partition(".")[0]
    if not number.isdigit() or int(number) == os.getpid():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
