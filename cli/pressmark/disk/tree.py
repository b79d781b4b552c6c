"""A root folder in, descriptors of what is below it out; no part is opened through a link."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import secrets
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from types import TracebackType

from pressmark.disk.paths import linked, split
from pressmark.errors import BadInput, NotFound, PressmarkError, TooLarge, Unavailable, Unreadable

TEMPORARY = re.compile(r"\.pressmark-[0-9a-f]{16}\.tmp")
"""The names of our temporary files."""

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
MOST_FOLDERS = 200
"""How many folders are kept open at once; a year's folder is one."""

FEW = 32
"""Up to so many files are synced one after the other."""

_REASONS = {
    errno.ENOSPC: ("the disk is full", "free some space and run the command again"),
    errno.EDQUOT: ("your quota is used up", "free some space and run the command again"),
    errno.EFBIG: ("it passes the largest size of a file", "raise the limit (ulimit -f)"),
    errno.EROFS: ("the file system is read-only", "make it writable, or work on a copy"),
    errno.EACCES: ("permission is denied", "see who owns the file and its folder"),
    errno.EPERM: ("the system does not allow it", "see who owns the file and its folder"),
    errno.EIO: ("the disk reports an error", "check the disk, and keep a copy of the library"),
    errno.EMFILE: ("too many files are open", "raise the limit (ulimit -n)"),
    errno.ENFILE: ("too many files are open", "close other programs"),
    errno.EBUSY: ("another program uses it", "close that program and run the command again"),
}


def explain(error: OSError, relative: str, action: str = "written") -> PressmarkError:
    """The one sentence for a system's error about a path."""
    if error.errno == errno.ENOENT:
        return NotFound(f"{relative} is not there.")
    if error.errno in (errno.ELOOP, errno.ENOTDIR):
        return linked(relative, read=action == "read")
    if error.errno == errno.EISDIR:
        return BadInput(f"{relative} is a folder.")
    if error.errno == errno.ENAMETOOLONG:
        return TooLarge(
            f"{relative} is too long a name for this disk.", next="choose a shorter one"
        )
    reason, advice = _REASONS.get(
        error.errno or 0, (error.strerror or type(error).__name__, "run the command again")
    )
    return Unavailable(f"{relative} could not be {action}: {reason}.", next=advice)


@contextmanager
def explained(relative: str, action: str = "written") -> Iterator[None]:
    """Turn what the system says inside into our errors."""
    try:
        yield
    except OSError as error:
        raise explain(error, relative, action) from error


def full_sync(descriptor: int) -> None:
    """Onto the platter: macOS keeps fsync's data in the drive's own cache."""
    full = getattr(fcntl, "F_FULLFSYNC", None)
    if full is not None:
        with suppress(OSError):
            fcntl.fcntl(descriptor, full)
            return
    os.fsync(descriptor)


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
        """Remove the folder that held this path, when nothing else is in it."""
        folder = relative.rpartition("/")[0]
        if not folder:
            return
        above, _, name = folder.rpartition("/")
        try:
            os.rmdir(name, dir_fd=self.folder(above))
        except OSError:
            return
        self._touched.pop(folder, None)
        self._touched[above] = None
        if folder in self._open:
            os.close(self._open.pop(folder))

    def sync(self) -> None:
        """Sync every folder in which something was renamed or deleted."""
        while self._touched:
            folder, _ = self._touched.popitem()
            with explained(folder or str(self.root)), suppress(FileNotFoundError):
                _sync_folder(self.folder(folder))

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


def _sync_folder(descriptor: int) -> None:
    try:
        full_sync(descriptor)
    except OSError as error:
        # Some network and FUSE file systems know no sync of a folder.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS):
            raise


def temporary_name() -> str:
    """A fresh name for a temporary file."""
    return f".pressmark-{secrets.token_hex(8)}.tmp"
