"""A folder in, the files below it with their states out, sorted by path, links never followed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pressmark.disk.paths import is_link, split


class Stat(NamedTuple):
    """One file: its path from the root and what tells whether it changed."""

    relative: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


def walk(root: Path, folder: str, suffix: str = ".md") -> Iterator[Stat]:
    """Every regular file below `folder` whose name has the suffix; dot files are left out.

    A folder that is not there, or is a link, has no files.
    """
    top = root
    for part in split(folder) if folder else ():
        top = top / part
        if is_link(top):
            return
    found: list[Stat] = []
    pending = [(str(top), f"{folder}/" if folder else "")]
    while pending:
        path, prefix = pending.pop()
        _scan(path, prefix, suffix, found, pending)
    found.sort()
    yield from found


def _scan(
    path: str, prefix: str, suffix: str, found: list[Stat], pending: list[tuple[str, str]]
) -> None:
    try:
        entries = os.scandir(path)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return
    with entries:
        for entry in entries:
            name = entry.name
            if name[0] == ".":
                continue
            if name.endswith(suffix) and entry.is_file(follow_symlinks=False):
                try:
                    s = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue
                found.append(Stat(prefix + name, s.st_size, s.st_mtime_ns, s.st_ctime_ns, s.st_ino))
            elif entry.is_dir(follow_symlinks=False):
                pending.append((entry.path, f"{prefix}{name}/"))
