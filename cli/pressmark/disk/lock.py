"""The path of a lock file in, sole right to write out; Busy says who has it."""

from __future__ import annotations

import errno
import fcntl
import inspect
import os
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from pressmark.disk.paths import is_link, linked
from pressmark.disk.reasons import explain
from pressmark.errors import Busy, Unavailable

if TYPE_CHECKING:
    from filelock import BaseFileLock


class Lock:
    """A lock between processes, taken again freely by the thread that has it.

    It ends with the process, however the process ends.
    """

    def __init__(self, path: Path, timeout: float = 120.0) -> None:
        self.path = path
        self.timeout = timeout
        self._lock: BaseFileLock | None = None

    @property
    def held(self) -> bool:
        """Whether this thread has it."""
        return self._lock is not None and self._lock.is_locked

    def __enter__(self) -> Lock:
        if not self.held and is_link(self.path):
            raise linked(str(self.path))
        import filelock

        if self._lock is None:
            self._lock = _make(self.path)
        outermost = not self._lock.is_locked
        try:
            self._lock.acquire(timeout=self.timeout)
        except filelock.Timeout:
            raise self._busy() from None
        except NotImplementedError:
            raise unsupported(self.path) from None
        except OSError as error:
            if error.errno in (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP):
                raise unsupported(self.path) from error
            raise explain(error, str(self.path), "locked") from error
        if outermost and not _excludes(self.path):
            self._lock.release()
            raise unsupported(self.path)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._lock is not None:
            self._lock.release()

    def _busy(self) -> Unavailable:
        if not self.path.exists():
            return unsupported(self.path)
        who = _holder(self.path)
        return Busy(
            f"Another program is writing to this library: {who}.",
            next="wait until it has finished, then run the command again",
        )


def _make(path: Path) -> BaseFileLock:
    from filelock import FileLock

    # Newer releases fall back to a weaker kind of lock unless told not to.
    if "fallback_to_soft" in inspect.signature(FileLock.__init__).parameters:
        return FileLock(str(path), fallback_to_soft=False)
    return FileLock(str(path))


def unsupported(path: Path) -> Unavailable:
    """The error where files cannot be locked; we never write unlocked."""
    return Unavailable(
        f"{path.parent} is on a file system without file locks, so nothing was written.",
        next="move the library to a local disk",
    )


def _excludes(path: Path) -> bool:
    """Whether a second lock is refused, as it must be while we hold the first."""
    descriptor = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno in (errno.EAGAIN, errno.EACCES)
    finally:
        os.close(descriptor)
    return False


def _holder(path: Path) -> str:
    """Who has the lock, where the system tells."""
    try:
        inode = path.stat().st_ino
        rows = Path("/proc/locks").read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return "it does not say its name"
    for row in rows:
        fields = row.split()
        if "FLOCK" in fields and "->" not in fields and f":{inode} " in f"{row} ":
            pid = fields[fields.index("WRITE") + 1] if "WRITE" in fields else "?"
            return f"process {pid}{_command(pid)}"
    return "it does not say its name"


def _command(pid: str) -> str:
    try:
        words = (Path("/proc") / pid / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return ""
    line = " ".join(w.decode("utf-8", "replace") for w in words if w).strip()
    return f" ({line[:80]})" if line.isprintable() and line else ""
