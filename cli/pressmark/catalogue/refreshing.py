"""The folders of a library and yesterday's rows in; rows that agree with the files out.

scandir and stat find what may have changed; only those files are hashed, and only files with
another hash are parsed. A file as young as its reading may change again within the same clock
tick, so it is hashed once more next time (git's "racily clean" rule,
https://git-scm.com/docs/racy-git).
"""

from __future__ import annotations

import contextlib
import hashlib
import marshal
import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path

from pressmark import disk
from pressmark.catalogue import layout, rows, schema


@dataclass(frozen=True, slots=True)
class Delta:
    """The relative paths that differ from what the catalogue held."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.deleted)


Seen = tuple[str, int, int, int, int]
"""Path, size, mtime, ctime and inode of a file."""


def refresh(root: Path, connection: sqlite3.Connection) -> tuple[Delta, sqlite3.Connection]:
    """Bring the rows up to date; where the file cannot be written, in a copy in memory."""
    version = schema.data_version(connection)
    seen = [value for folder in layout.FOLDERS for value in disk.scan(root, folder)]
    mark = _mark(seen)
    if schema.mark(connection) == mark:
        return Delta(), connection
    suspects, gone, hidden = _compare(root, connection, list(disk.grouped(seen)))
    if not suspects and not gone:
        if not hidden:
            with contextlib.suppress(sqlite3.OperationalError):
                schema.set_mark(connection, mark, version)
        return Delta(), connection
    # The YAML reader and the identifiers are slow to import, and mostly nothing has changed.
    from pressmark.catalogue import reading, storing

    held = storing.held(connection, [rows.safe(stat.relative) for stat in suspects])
    with disk.Tree(root) as tree:
        found = {rows.safe(stat.relative): reading.read(tree, stat, held) for stat in suspects}
    gone += [path for path, file in found.items() if file is None and path in held]
    files = [file for path, file in found.items() if file and file.state != held.get(path)]
    settled = not hidden and all(file and not file.state.racy for file in found.values())
    if files or gone:
        try:
            storing.apply(connection, files, gone, mark if settled else "", version)
        except sqlite3.OperationalError as error:
            if not schema.is_refusal(error):
                raise
            memory = schema.copied(connection)
            connection.close()
            return refresh(root, memory)
    paths = [file.path for file in files if not file.touched]
    added = tuple(path for path in paths if path not in held)
    changed = tuple(path for path in paths if path in held)
    return Delta(added, changed, tuple(sorted(gone))), connection


def _mark(seen: list[str | int]) -> str:
    """One hash for all that was seen: when it is the same, no row needs to be looked at.

    A folder that did not change is listed in the same order; if not, the rows are looked at.
    Version 2 of marshal writes the same bytes for the same values.
    """
    return hashlib.sha256(marshal.dumps(seen, 2)).hexdigest()


def _compare(
    root: Path, connection: sqlite3.Connection, seen: list[Seen]
) -> tuple[list[disk.Stat], list[str], bool]:
    """Files whose state proves nothing, paths that are gone, and whether a folder is hidden."""
    known: set[Seen] = set(
        connection.execute("SELECT path, size, mtime_ns, ctime_ns, inode FROM files").fetchall()
    )
    racy = {path for (path,) in connection.execute("SELECT path FROM files WHERE racy = 1")}
    fresh = [each for each in seen if each not in known or each[0] in racy]
    missing = {each[0] for each in known.difference(seen)}
    missing.difference_update(rows.safe(each[0]) for each in fresh)
    gone = sorted(path for path in missing if not _is_hidden(root, path))
    suspects = [disk.Stat(*each) for each in sorted(fresh) if layout.kind(each[0]) is not None]
    return suspects, gone, len(gone) < len(missing)


def _is_hidden(root: Path, path: str) -> bool:
    """Whether a folder on the way cannot be listed: what is in it is not gone."""
    return any(
        folder.is_dir() and not os.access(folder, os.R_OK | os.X_OK)
        for folder in (root / path).parents
        if folder.is_relative_to(root)
    )
