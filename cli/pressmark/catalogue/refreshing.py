"""The folders of a library and yesterday's rows in; rows that agree with the files out.

scandir and stat find what may have changed; only those files are hashed, and only files with
another hash are parsed. A file as young as its reading may change again within the same clock
tick, so it is hashed once more next time (git's "racily clean" rule,
https://git-scm.com/docs/racy-git).
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pressmark import disk, ids, page
from pressmark.catalogue import layout, rows, schema
from pressmark.catalogue.filters import words_of
from pressmark.errors import NotFound, PressmarkError, Unreadable
from pressmark.record import Collection, Record, Reference

RACY_NS = 2_000_000_000
"""Two seconds: the coarsest clock among the file systems in use (FAT)."""


@dataclass(frozen=True, slots=True)
class Delta:
    """The relative paths that differ from what the catalogue held."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    deleted: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.deleted)


class _Known(NamedTuple):
    """What was seen of a file: its stat, whether that proves nothing, and its hash."""

    stat: tuple[int, ...]  # size, mtime_ns, ctime_ns, inode
    racy: int
    sha256: str


@dataclass(frozen=True, slots=True)
class _Read:
    """One file as it stands now: its stat, and its record or the reason there is none."""

    path: str
    known: _Known
    record: Record | None = None
    trouble: Unreadable | None = None
    identities: frozenset[str] = frozenset()
    touched: bool = False  # the same bytes under another time stamp


def refresh(root: Path, connection: sqlite3.Connection) -> tuple[Delta, sqlite3.Connection]:
    """Bring the rows up to date; where the file cannot be written, in a copy in memory."""
    known = _known(connection)
    found, gone = _changes(root, known)
    if found or gone:
        try:
            _apply(connection, found, gone)
        except sqlite3.OperationalError as error:
            if not schema.is_refusal(error):
                raise
            memory = schema.copied(connection)
            connection.close()
            return refresh(root, memory)
    delta = Delta(
        tuple(each.path for each in found if each.path not in known),
        tuple(each.path for each in found if each.path in known and not each.touched),
        tuple(gone),
    )
    return delta, connection


def _known(connection: sqlite3.Connection) -> dict[str, _Known]:
    found = connection.execute(
        "SELECT path, size, mtime_ns, ctime_ns, inode, racy, sha256 FROM files"
    )
    return {row[0]: _Known(row[1:5], row[5], row[6]) for row in found.fetchall()}


def _changes(root: Path, known: dict[str, _Known]) -> tuple[list[_Read], list[str]]:
    missing = set(known)
    found: list[_Read] = []
    for folder in layout.FOLDERS:
        for stat in disk.walk(root, folder):
            path = stat.relative if stat.relative.isascii() else rows.safe(stat.relative)
            missing.discard(path)
            held = known.get(path)
            if held is not None and not held.racy and held.stat == stat[1:]:
                continue
            if layout.kind(path) is not None:
                read = _read(root, path, stat, held)
                if read is None:
                    missing.add(path)
                elif read.known != held:
                    found.append(read)
    return found, sorted(missing & known.keys())


def _read(root: Path, path: str, stat: disk.Stat, held: _Known | None) -> _Read | None:
    """The file's record; None when it went away meanwhile."""
    if path != stat.relative:
        trouble = Unreadable("the file's name is not valid UTF-8.", path=path)
        return _Read(path, _Known(stat[1:], 1, ""), trouble=trouble)
    racy = int(time.time_ns() - stat.mtime_ns < RACY_NS)
    try:
        data = disk.read_bytes(root, path)
    except (NotFound, FileNotFoundError):
        return None
    except (PressmarkError, OSError) as error:
        trouble = Unreadable(str(error), path=path)
        return _Read(path, _Known(stat[1:], 1, ""), trouble=trouble)
    known = _Known(stat[1:], racy, disk.sha256(data))
    if held is not None and held.sha256 == known.sha256:
        return _Read(path, known, touched=True)
    return _parsed(path, known, data)


def _parsed(path: str, known: _Known, data: bytes) -> _Read:
    kind = layout.kind(path)
    if kind is None or kind == "fulltext":
        return _Read(path, known)
    try:
        record: Record = page.read(layout.CLASSES[kind], data, path)  # type: ignore[type-var]
    except Unreadable as error:
        wreck = frozenset(rows.identities_in_wreck(data)) if kind == "reference" else frozenset()
        return _Read(path, known, trouble=error, identities=wreck)
    if isinstance(record, Reference):
        return _Read(path, known, record, identities=frozenset(ids.identities(record)))
    return _Read(path, known, record)


def _apply(connection: sqlite3.Connection, found: list[_Read], gone: Iterable[str]) -> None:
    with schema.transaction(connection):
        for path in gone:
            _forget(connection, path)
        for each in found:
            if each.touched:
                connection.execute(
                    "UPDATE files SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, racy = ? "
                    "WHERE path = ?",
                    [*each.known.stat, each.known.racy, each.path],
                )
            else:
                _forget(connection, each.path)
                _insert(connection, each)


def _forget(connection: sqlite3.Connection, path: str) -> None:
    for (number,) in connection.execute("SELECT id FROM files WHERE path = ?", [path]).fetchall():
        for table in schema.BY_FILE:
            connection.execute(f"DELETE FROM {table} WHERE id = ?", [number])
        connection.execute("DELETE FROM files WHERE id = ?", [number])


def _insert(connection: sqlite3.Connection, each: _Read) -> None:
    kind = layout.kind(each.path)
    number = connection.execute(
        "INSERT INTO files(path, kind, stem, size, mtime_ns, ctime_ns, inode, racy, sha256) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            each.path,
            kind,
            layout.stem(each.path),
            *each.known.stat,
            each.known.racy,
            each.known.sha256,
        ],
    ).lastrowid
    if each.trouble is not None:
        place = (each.trouble.line, each.trouble.field, each.trouble.message)
        connection.execute("INSERT INTO wrecks VALUES (?, ?, ?, ?)", [number, *place])
        if kind == "reference":  # its key stays taken
            name = layout.name(each.path).casefold()
            connection.execute("INSERT INTO names VALUES (?, 0, ?)", [name, number])
    elif each.record is not None:
        connection.execute("INSERT INTO records VALUES (?, ?)", [number, rows.encode(each.record)])
    connection.executemany(
        "INSERT OR IGNORE INTO identities VALUES (?, ?)",
        [(rows.safe(identity), number) for identity in each.identities],
    )
    if isinstance(each.record, Reference):
        _insert_reference(connection, number, each.record)
    elif isinstance(each.record, Collection):
        slug = layout.name(each.path).casefold()
        connection.executemany(
            "INSERT OR IGNORE INTO members VALUES (?, ?, ?)",
            [(slug, rows.safe(member).casefold(), number) for member in each.record.members],
        )


def _insert_reference(
    connection: sqlite3.Connection, number: int | None, reference: Reference
) -> None:
    values = rows.columns(reference)
    marks = ", ".join("?" * (len(values) + 1))
    connection.execute(f"INSERT INTO refs VALUES ({marks})", [number, *values])
    for statement, several in (
        ("names VALUES (?, ?, ?)", rows.names(reference)),
        ("tags VALUES (?, ?)", ((words_of(tag),) for tag in reference.tags)),
        ("topics VALUES (?, ?)", ((topic.casefold(),) for topic in reference.topics)),
    ):
        connection.executemany(
            f"INSERT OR IGNORE INTO {statement}",
            [(*map(_safe, row), number) for row in several],
        )
    connection.executemany(
        "INSERT INTO cites VALUES (?, ?, ?)",
        [(number, at, rows.safe(identity)) for at, identity in enumerate(reference.cites)],
    )


def _safe(value: object) -> object:
    return rows.safe(value) if isinstance(value, str) else value
