"""Open files and folders in, their bytes on the platter out: one by one or all at once."""

from __future__ import annotations

import errno
import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pressmark.disk.reasons import explained


def full_sync(descriptor: int) -> None:
    """Onto the platter: macOS keeps fsync's data in the drive's own cache."""
    full = getattr(fcntl, "F_FULLFSYNC", None)
    if full is not None:
        with suppress(OSError):
            fcntl.fcntl(descriptor, full)
            return
    os.fsync(descriptor)


def sync_folder(descriptor: int) -> None:
    """The names in a folder; some network and FUSE file systems know no such thing."""
    try:
        full_sync(descriptor)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS):
            raise


@contextmanager
def synced(folder: Path) -> Iterator[bool]:
    """Sync all that is written inside to the file system of a folder, with one system call.

    Yields False where there is no such call: then whoever writes must sync each file.
    """
    call = _syncfs()
    if call is None:
        yield False
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        # Opened before the writing: the call reports errors since then.
        yield True
        with explained(str(folder)):
            call(descriptor)
    finally:
        os.close(descriptor)


def _syncfs() -> Callable[[int], None] | None:
    """Linux's syncfs, which Python does not offer."""
    import ctypes

    call = getattr(ctypes.CDLL(None, use_errno=True), "syncfs", None)
    if call is None:
        return None

    def syncfs(descriptor: int) -> None:
        if call(descriptor):
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))

    return syncfs
