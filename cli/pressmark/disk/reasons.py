"""What the system said about a path in, our error of one sentence out."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from pressmark.disk.paths import linked
from pressmark.errors import BadInput, NotFound, PressmarkError, TooLarge, Unavailable

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
