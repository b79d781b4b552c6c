"""Files as they stand in, their rows in the catalogue out: all of them or none."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence

from pressmark.catalogue import layout, rows, schema
from pressmark.catalogue.filters import words_of
from pressmark.catalogue.reading import File, State
from pressmark.record import Collection, Reference

_STATE = "SELECT path, size, mtime_ns, ctime_ns, inode, racy, sha256 FROM files"
_FEW = 500
"""Up to so many files are asked for one by one; more are read in one go."""


def held(connection: sqlite3.Connection, paths: Sequence[str]) -> dict[str, State]:
    """What the catalogue knows of some files."""
    if len(paths) > _FEW:
        found = connection.execute(_STATE).fetchall()
    else:
        found = []
        for path in paths:
            found += connection.execute(f"{_STATE} WHERE path = ?", [path]).fetchall()
    return {row[0]: State(row[1:5], row[5], row[6]) for row in found}


def apply(
    connection: sqlite3.Connection,
    files: Iterable[File],
    gone: Iterable[str],
    marks: Mapping[str, str | None],
    version: int,
) -> None:
    """Replace the rows of changed files and delete those of files that went away."""
    with schema.transaction(connection):
        schema.set_marks(connection, marks, version)
        for path in gone:
            _forget(connection, path)
        for file in files:
            if file.touched:
                _touch(connection, file)
            else:
                _forget(connection, file.path)
                _insert(connection, file)


def _touch(connection: sqlite3.Connection, file: File) -> None:
    connection.execute(
        "UPDATE files SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, racy = ? WHERE path = ?",
        [*file.state.stat, file.state.racy, file.path],
    )


def _forget(connection: sqlite3.Connection, path: str) -> None:
    found = connection.execute("SELECT id FROM files WHERE path = ?", [path]).fetchall()
    for row in found:
        for table in schema.BY_FILE:
            connection.execute(f"DELETE FROM {table} WHERE id = ?", row)
        connection.execute("DELETE FROM files WHERE id = ?", row)


def _insert(connection: sqlite3.Connection, file: File) -> None:
    kind, state = layout.kind(file.path), file.state
    number = connection.execute(
        "INSERT INTO files(path, kind, stem, size, mtime_ns, ctime_ns, inode, racy, sha256) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [file.path, kind, layout.stem(file.path), *state.stat, state.racy, state.sha256],
    ).lastrowid
    assert number is not None
    connection.executemany(
        "INSERT OR IGNORE INTO identities VALUES (?, ?)",
        [(rows.safe(identity), number) for identity in file.identities],
    )
    if file.trouble is not None:
        _insert_trouble(connection, number, file)
    elif file.record is not None:
        text = rows.encode(file.record)
        row = [number, text, rows.checksum(text)]
        connection.execute("INSERT INTO records VALUES (?, ?, ?)", row)
        if isinstance(file.record, Reference):
            _insert_reference(connection, number, file.record)
        elif isinstance(file.record, Collection):
            _insert_members(connection, number, layout.name(file.path), file.record)


def _insert_trouble(connection: sqlite3.Connection, number: int, file: File) -> None:
    assert file.trouble is not None
    place = (file.trouble.line, file.trouble.field, rows.safe(file.trouble.message))
    connection.execute("INSERT INTO wrecks VALUES (?, ?, ?, ?)", [number, *place])
    if layout.kind(file.path) == "reference":  # its key stays taken
        name = layout.folded(layout.name(file.path))
        connection.execute("INSERT INTO names VALUES (?, 0, ?)", [name, number])


def _insert_reference(connection: sqlite3.Connection, number: int, reference: Reference) -> None:
    values = rows.columns(reference)
    marks = ", ".join("?" * (len(values) + 1))
    connection.execute(f"INSERT INTO refs VALUES ({marks})", [number, *values])
    for statement, several in (
        ("names VALUES (?, ?, ?)", rows.names(reference)),
        ("tags VALUES (?, ?)", [(words_of(tag),) for tag in reference.tags]),
        ("topics VALUES (?, ?)", [(rows.safe(each.casefold()),) for each in reference.topics]),
    ):
        connection.executemany(
            f"INSERT OR IGNORE INTO {statement}", [(*row, number) for row in several]
        )
    connection.executemany(
        "INSERT INTO cites VALUES (?, ?, ?)",
        [(number, at, rows.safe(identity)) for at, identity in enumerate(reference.cites)],
    )


def _insert_members(
    connection: sqlite3.Connection, number: int, slug: str, collection: Collection
) -> None:
    members = [
        (layout.folded(slug), layout.folded(rows.safe(key)), number) for key in collection.members
    ]
    connection.executemany("INSERT OR IGNORE INTO members VALUES (?, ?, ?)", members)
