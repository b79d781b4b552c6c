"""A root folder in, descriptors of what is below it out; no part is opened through a link."""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import TracebackType

from pressmark.disk.paths import split
from pressmark.disk.reasons import explained
from pressmark.disk.sync import full_sync, sync_folder
from pressmark.errors import Unreadable

TEMPORARY = re.compile(r"\.pressmark-[0-9a-f]{16}\.tmp")
"""The names of our temporary files."""

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
MOST_FOLDERS = 200
"""How many folders are kept open at once; a year's folder is one."""

FEW = 32
"""Fewer files than these are synced one after the other."""


def write_all(descriptor: int, data: bytes) -> None:
    """Every byte; a system call may take fewer."""
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def read_all(descriptor: int, size: int) -> bytes:
    """Every byte to the end of the file."""
    chunks = []
    while chunk := os.read(descriptor, max(size, 4096) + 1):
        chunks.append(chunk)
        size -= len(chunk)
    return b"".join(chunks)


class Tree:
    """A root whose folders are opened once each; remembers which of them were touched."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._open: dict[str, int] = {}
        self._touched: dict[str, None] = {}

    def __enter__(self) -> Tree:
        with explained(str(self.root), "opened"):
            self._open[""] = os.open(self.root, FOLDER & ~os.O_NOFOLLOW)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        while self._open:
            os.close(self._open.popitem()[1])

    def folder(self, relative: str, *, make: bool = False) -> int:
        """The descriptor of a folder below the root; OSError when it is not there or is a link."""
        if relative in self._open:
            return self._open[relative]
        above, _, name = relative.rpartition("/")
        parent = self.folder(above, make=make)
        try:
            descriptor = os.open(name, FOLDER, dir_fd=parent)
        except FileNotFoundError:
            if not make:
                raise
            with suppress(FileExistsError):
                os.mkdir(name, dir_fd=parent)
                self._touched[above] = None
            descriptor = os.open(name, FOLDER, dir_fd=parent)
        self._spare()
        self._open[relative] = descriptor
        return descriptor

    def _spare(self) -> None:
        """Close the folder opened longest ago, the root and its children aside."""
        if len(self._open) < MOST_FOLDERS:
            return
        oldest = next((name for name in self._open if "/" in name), None)
        if oldest is not None:
            os.close(self._open.pop(oldest))

    def _place(self, relative: str, *, make: bool = False) -> tuple[int, str]:
        *above, name = split(relative)
        return self.folder("/".join(above), make=make), name

    def stat(self, relative: str) -> os.stat_result | None:
        """What lies at the path, links not followed; None when nothing does."""
        try:
            descriptor, name = self._place(relative)
            return os.stat(name, dir_fd=descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def read(self, relative: str) -> tuple[bytes, os.stat_result]:
        """The bytes of a regular file, and its state when they were read."""
        with explained(relative, "read"):
            parent, name = self._place(relative)
            descriptor = os.open(name, FILE, dir_fd=parent)
            try:
                state = os.fstat(descriptor)
                if not stat.S_ISREG(state.st_mode):
                    raise Unreadable("it is not a regular file.", path=relative)
                return read_all(descriptor, state.st_size), state
            finally:
                os.close(descriptor)

    def stage(
        self, relative: str, data: bytes, temporary: str, mode: int | None, fresh: int = 0o666
    ) -> None:
        """Write the bytes beside the path.

        `mode` is that of the file they will replace, `fresh` (less the umask) that of a new one.
        """
        with explained(relative):
            parent, _ = self._place(relative, make=True)
            descriptor = os.open(temporary, NEW, fresh, dir_fd=parent)
            try:
                if mode is not None:
                    os.fchmod(descriptor, stat.S_IMODE(mode))
                write_all(descriptor, data)
            finally:
                os.close(descriptor)

    def sync_file(self, relative: str, temporary: str) -> None:
        """Sync a staged file."""
        with explained(relative):
            _sync_at(self._place(relative)[0], temporary)

    def sync_files(self, staged: Sequence[tuple[str, str]]) -> None:
        """Sync many staged files; the disk groups what several threads ask for at once."""
        if len(staged) < FEW:
            for relative, temporary in staged:
                self.sync_file(relative, temporary)
            return
        from concurrent.futures import ThreadPoolExecutor

        folders: dict[str, list[str]] = {}
        for relative, temporary in staged:
            folders.setdefault(relative.rpartition("/")[0], []).append(temporary)
        with ThreadPoolExecutor(8) as pool:
            for folder, names in folders.items():
                with explained(folder):
                    parent = self.folder(folder)
                    list(pool.map(partial(_sync_at, parent), names))

    def put(self, relative: str, temporary: str) -> None:
        """Rename the staged file over the path."""
        with explained(relative):
            parent, name = self._place(relative)
            os.rename(temporary, name, src_dir_fd=parent, dst_dir_fd=parent)
            self._touch(relative)

    def remove(self, relative: str) -> None:
        """Delete the file at the path, if it is there."""
        with explained(relative, "deleted"), suppress(FileNotFoundError):
            parent, name = self._place(relative)
            os.unlink(name, dir_fd=parent)
            self._touch(relative)

    def _touch(self, relative: str) -> None:
        self._touched[relative.rpartition("/")[0]] = None

    def prune(self, relative: str) -> None:
        """Remove the folders that held this path, when nothing else is in them."""
        folder = relative.rpartition("/")[0]
        while folder:
            above, _, name = folder.rpartition("/")
            try:
                os.rmdir(name, dir_fd=self.folder(above))
            except OSError:
                return
            self._touched.pop(folder, None)
            self._touched[above] = None
            if folder in self._open:
                os.close(self._open.pop(folder))
            folder = above

    def sync(self) -> None:
        """Sync every folder in which something was renamed or deleted."""
        while self._touched:
            folder, _ = self._touched.popitem()
            with explained(folder or str(self.root)), suppress(FileNotFoundError):
                sync_folder(self.folder(folder))

    def sweep(self, folder: str, age: float) -> None:
        """Delete our temporary files in a folder that are at least `age` seconds old."""
        try:
            descriptor = self.folder(folder)
            names = os.listdir(descriptor)  # noqa: PTH208 (of a descriptor)
        except OSError:
            return
        for name in names:
            if TEMPORARY.fullmatch(name):
                with suppress(OSError):
                    state = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
                    if time.time() - state.st_mtime >= age:
                        os.unlink(name, dir_fd=descriptor)


def _sync_at(parent: int, name: str) -> None:
    descriptor = os.open(name, FILE, dir_fd=parent)
    try:
        full_sync(descriptor)
    finally:
        os.close(descriptor)


def temporary_name() -> str:
    """A fresh name for a temporary file."""
    return f".pressmark-{os.urandom(8).hex()}.tmp"
