"""A folder in, the same folder under a mount where letter case does not matter, out (FUSE).

Run by a Python that has fusepy: `python caseblind.py SOURCE MOUNTPOINT`; ends when unmounted.
"""

# A file system is made of system calls:
# ruff: noqa: PTH101, PTH102, PTH104, PTH106, PTH108, PTH115, PTH118, PTH208, PTH211

from __future__ import annotations

import errno
import os
import sys

try:
    from fuse import FUSE, FuseOSError, Operations
except ImportError:
    from fusepy import FUSE, FuseOSError, Operations  # Debian's name for it


class CaseBlind(Operations):
    """Every name means the entry that is spelt so in any case; new names keep their case."""

    def __init__(self, source: str) -> None:
        self.source = source

    def real(self, path: str) -> str:
        """The path below the source, each part as it is spelt there, where it is there."""
        place = self.source
        for part in path.strip("/").split("/"):
            if part:
                place = os.path.join(place, self.spelt(place, part))
        return place

    @staticmethod
    def spelt(folder: str, name: str) -> str:
        if os.path.lexists(os.path.join(folder, name)):
            return name
        try:
            entries = os.listdir(folder)
        except OSError:
            return name
        return next((each for each in entries if each.casefold() == name.casefold()), name)

    def new(self, path: str) -> str:
        """The place of a new name, spelt as it was given."""
        folder, _, name = path.rstrip("/").rpartition("/")
        return os.path.join(self.real(folder), name)

    def getattr(self, path, fh=None):
        state = os.fstat(fh) if fh is not None else os.lstat(self.real(path))
        names = ("st_mode", "st_nlink", "st_size", "st_uid", "st_gid", "st_ino",
                 "st_atime", "st_mtime", "st_ctime")  # fmt: skip
        return {name: getattr(state, name) for name in names}

    def readdir(self, path, fh):
        return [".", "..", *os.listdir(self.real(path))]

    def access(self, path, mode):
        if not os.access(self.real(path), mode):
            raise FuseOSError(errno.EACCES)

    def readlink(self, path):
        return os.readlink(self.real(path))

    def symlink(self, target, source):
        return os.symlink(source, self.new(target))

    def link(self, target, source):
        return os.link(self.real(source), self.new(target))

    def mkdir(self, path, mode):
        if os.path.lexists(self.real(path)):
            raise FuseOSError(errno.EEXIST)
        return os.mkdir(self.new(path), mode)

    def rmdir(self, path):
        return os.rmdir(self.real(path))

    def unlink(self, path):
        return os.unlink(self.real(path))

    def rename(self, old, new):
        source, there = self.real(old), self.real(new)
        wanted = self.new(new)
        if there != source and there != wanted and os.path.lexists(there):
            os.rename(there, wanted)
        return os.rename(source, wanted)

    def chmod(self, path, mode):
        return os.chmod(self.real(path), mode)

    def chown(self, path, uid, gid):
        return os.chown(self.real(path), uid, gid)

    def utimens(self, path, times=None):
        return os.utime(self.real(path), times)

    def statfs(self, path):
        state = os.statvfs(self.real(path))
        names = ("f_bavail", "f_bfree", "f_blocks", "f_bsize", "f_favail", "f_ffree", "f_files",
                 "f_flag", "f_frsize", "f_namemax")  # fmt: skip
        return {name: getattr(state, name) for name in names}

    def open(self, path, flags):
        return os.open(self.real(path), flags & ~(os.O_CREAT | os.O_EXCL))

    def create(self, path, mode, fi=None):
        there = self.real(path)
        place = there if os.path.lexists(there) else self.new(path)
        return os.open(place, os.O_RDWR | os.O_CREAT, mode)

    def read(self, path, size, offset, fh):
        return os.pread(fh, size, offset)

    def write(self, path, data, offset, fh):
        return os.pwrite(fh, data, offset)

    def truncate(self, path, length, fh=None):
        os.truncate(self.real(path) if fh is None else fh, length)

    def flush(self, path, fh):
        return os.fsync(fh)

    def release(self, path, fh):
        return os.close(fh)

    def fsync(self, path, datasync, fh):
        return os.fsync(fh)


if __name__ == "__main__":
    FUSE(CaseBlind(os.path.realpath(sys.argv[1])), sys.argv[2], foreground=True, nothreads=True)
