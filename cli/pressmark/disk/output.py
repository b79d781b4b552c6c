"""Pages that can be made again at any time in, a folder of them out: written plainly, swapped in.

A site is thousands of files that nobody edits: none is synced, but the folder in which it is read
is replaced as a whole, and only by one that is complete. Where most of its files stay as they
are, only the others are put in their places, once all of them are there.
"""

from __future__ import annotations

import filecmp
import hashlib
import os
import shutil
import stat
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pressmark.disk.paths import is_link
from pressmark.disk.reasons import explained
from pressmark.disk.tree import write_all
from pressmark.errors import BadInput


class Mark(NamedTuple):
    """What tells that a file is still as it was written; no program can set the change time."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


class Held(NamedTuple):
    """A file of an output that is there: what it was, and a hash of its bytes."""

    mark: Mark
    digest: str


class Output:
    """A folder to write pages to, by paths relative to it.

    What `former` has with the same bytes is not written again, but kept where it is.
    """

    def __init__(self, folder: Path, former: Mapping[str, Held] | None = None) -> None:
        self.folder = folder
        self.former: Mapping[str, Held] = former or {}
        self.digests: dict[str, str] = {}
        """A hash of the bytes of each file."""
        self.kept: set[str] = set()
        """Those that are in their place already."""
        self._made: set[str] = set()

    def write(self, relative: str, data: bytes) -> None:
        """One file; a link that stands in its place is not followed."""
        parent, _, name = relative.rpartition("/")
        if ".." in relative.split("/") or not name:
            raise ValueError(relative)
        self.digests[relative] = hashlib.blake2b(data, digest_size=16).hexdigest()
        held = self.former.get(relative)
        if held and held.digest == self.digests[relative]:
            self.kept.add(relative)
            return
        self.kept.discard(relative)
        place = f"{self.folder}/{parent}" if parent else str(self.folder)
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

    def keep(self, relative: str) -> None:
        """A file of the former output stays as it is."""
        self.digests[relative] = self.former[relative].digest
        self.kept.add(relative)

    def remove(self, relative: str) -> None:
        """A file that is not wanted after all."""
        self.digests.pop(relative, None)
        self.kept.discard(relative)
        with explained(relative, "removed"):
            (self.folder / relative).unlink(missing_ok=True)


def marks(folder: Path) -> dict[str, Mark] | None:
    """Every file below a folder; None where anything is neither a file nor a folder."""
    found: dict[str, Mark] = {}
    below = [""]
    try:
        while below:
            here = below.pop()
            with os.scandir(f"{folder}/{here}" if here else folder) as entries:
                for entry in entries:
                    state = entry.stat(follow_symlinks=False)
                    if stat.S_ISDIR(state.st_mode):
                        below.append(f"{here}{entry.name}/")
                    elif stat.S_ISREG(state.st_mode):
                        found[f"{here}{entry.name}"] = _mark(state)
                    else:
                        return None
    except OSError:
        return None
    return found


def names(folder: Path) -> set[str]:
    """Every file below a folder, by its path in it."""
    found: set[str] = set()
    for here, _, files in os.walk(folder):
        above = os.path.relpath(here, folder).replace(os.sep, "/")
        found.update(files if above == "." else (f"{above}/{name}" for name in files))
    return found


def mark(path: Path) -> Mark | None:
    """One file; None where none is."""
    try:
        state = path.lstat()
    except OSError:
        return None
    return _mark(state) if stat.S_ISREG(state.st_mode) else None


def _mark(state: os.stat_result) -> Mark:
    return Mark(state.st_size, state.st_mtime_ns, state.st_ctime_ns, state.st_ino)


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
    _refuse_link(place)
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


def update(made: Path, place: Path, held: Collection[str], kept: Collection[str]) -> None:
    """Put the new files of a site in their places, and remove those it no longer has.

    `held` are all files that are in the place, none of them a link; `kept` those that stay,
    whatever `made` has.
    """
    _refuse_link(place)
    with explained(str(place)):
        for relative in sorted(set(held).difference(names(made), kept)):
            (place / relative).unlink(missing_ok=True)
            _prune(place, relative)
        _move(made, place, "", frozenset(kept))
        shutil.rmtree(made, ignore_errors=True)


def _prune(place: Path, relative: str) -> None:
    """Remove the folders that a file leaves empty."""
    with suppress(OSError):
        while relative := relative.rpartition("/")[0]:
            (place / relative).rmdir()


def _move(made: Path, place: Path, above: str, kept: frozenset[str]) -> None:
    """The files of a folder to another one; a folder that is new there goes as a whole."""
    for entry in list(os.scandir(made)):
        target = place / entry.name
        relative = f"{above}{entry.name}"
        if not entry.is_dir(follow_symlinks=False):
            same = target.is_file() and filecmp.cmp(entry.path, target, shallow=False)
            if relative not in kept and not same:
                Path(entry.path).replace(target)
        elif target.is_dir():
            _move(Path(entry.path), target, f"{relative}/", kept)
        else:
            Path(entry.path).rename(target)


def _refuse_link(place: Path) -> None:
    if is_link(place):
        raise BadInput(f"{place.name} is a symbolic link; Pressmark follows none.")


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
