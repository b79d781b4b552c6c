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
from collections.abc import Mapping, Sequence
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

Marks = dict[str, str | None]
"""Folder -> what its files look like; empty where that is unsure, None where it is gone."""


def refresh(root: Path, connection: sqlite3.Connection) -> tuple[Delta, sqlite3.Connection]:
    """Bring the rows up to date; where the file cannot be written, in a copy in memory."""
    version = schema.data_version(connection)
    seen = _scanned(root)
    marks: Marks = {folder: _mark(flat) for folder, flat in seen.items()}
    known = schema.marks(connection)
    doubtful = [each for each in {**known, **marks} if not _same(known.get(each), marks.get(each))]
    if not doubtful:
        return Delta(), connection
    suspects, gone, hidden = _compare(root, connection, doubtful, seen)
    now: Marks = {each: "" if each in hidden else marks.get(each) for each in doubtful}
    if not suspects and not gone:
        if now != {each: known.get(each) for each in doubtful}:
            with contextlib.suppress(sqlite3.OperationalError), schema.transaction(connection):
                schema.set_marks(connection, now, version)
        return Delta(), connection
    # The YAML reader and the identifiers are slow to import, and mostly nothing has changed.
    from pressmark.catalogue import reading, storing

    held = storing.held(connection, [rows.safe(stat.relative) for stat in suspects])
    with disk.Tree(root) as tree:
        found = {rows.safe(stat.relative): reading.read(tree, stat, held) for stat in suspects}
    gone += [path for path, file in found.items() if file is None and path in held]
    files = [file for path, file in found.items() if file and file.state != held.get(path)]
    unsettled = {_folder(path) for path, file in found.items() if not file or file.state.racy}
    now.update(dict.fromkeys(unsettled, ""))
    if files or gone:
        try:
            storing.apply(connection, files, gone, now, version)
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


def _scanned(root: Path) -> dict[str, list[str | int]]:
    """The flat list of every folder below those that hold records."""
    seen: dict[str, list[str | int]] = {}
    for name in layout.FOLDERS:
        for folder, flat in disk.scan(root, name).items():
            seen.setdefault(rows.safe(folder), []).extend(flat)
    return seen


def _mark(flat: list[str | int]) -> str:
    """A hash of all that was seen in a folder: when it is the same, no row needs to be looked at.

    A folder that did not change is listed in the same order; if not, the rows are looked at.
    Version 2 of marshal writes the same bytes for the same values.
    """
    return hashlib.sha256(marshal.dumps(flat, 2)).hexdigest()


def _same(known: str | None, mark: str | None) -> bool:
    return bool(known) and known == mark


def _compare(
    root: Path,
    connection: sqlite3.Connection,
    folders: Sequence[str],
    seen: Mapping[str, list[str | int]],
) -> tuple[list[disk.Stat], list[str], set[str]]:
    """Files whose state proves nothing, paths that are gone, and folders that cannot be listed."""
    suspects: list[disk.Stat] = []
    gone: list[str] = []
    hidden: set[str] = set()
    for folder in folders:
        known, racy = _known(connection, folder)
        here: list[Seen] = list(disk.grouped(seen.get(folder, ())))
        fresh = [each for each in here if each not in known or each[0] in racy]
        missing = {each[0] for each in known.difference(here)}
        missing.difference_update(rows.safe(each[0]) for each in fresh)
        if missing and _is_hidden(root, folder):
            hidden.add(folder)
        else:
            gone += missing
        suspects += [disk.Stat(*each) for each in fresh if layout.kind(each[0]) is not None]
    return sorted(suspects), sorted(gone), hidden


def _known(connection: sqlite3.Connection, folder: str) -> tuple[set[Seen], set[str]]:
    """What is held of the files of a folder, and which of them prove nothing."""
    found = connection.execute(
        "SELECT path, size, mtime_ns, ctime_ns, inode, racy FROM files WHERE path > ? AND path < ?",
        [folder, f"{folder[:-1]}0"],  # in ASCII the digit follows the slash
    ).fetchall()
    own = [row for row in found if "/" not in row[0][len(folder) :]]
    return {row[:5] for row in own}, {row[0] for row in own if row[5]}


def _folder(path: str) -> str:
    return path[: path.rindex("/") + 1]


def _is_hidden(root: Path, path: str) -> bool:
    """Whether a folder or one on the way to it cannot be listed: what is in it is not gone."""
    there = root / path
    return any(
        folder.is_dir() and not os.access(folder, os.R_OK | os.X_OK)
        for folder in (there, *there.parents)
        if folder.is_relative_to(root)
    )
