"""The catalogue's SQLite file: a library root in, an open connection with our tables out.

The file is a sidecar: whatever is damaged, foreign or read-only in it is rebuilt or copied into
memory, and nothing that stands in it is ever run (no pickles, no triggers, no views).
"""

from __future__ import annotations

import contextlib
import sqlite3
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from pressmark import disk
from pressmark.errors import PressmarkError

FOLDER: Final = ".pressmark"
FILE: Final = "catalogue.sqlite"

VERSION: Final = 6
"""Raised whenever the meaning of a column changes: an older file is then rebuilt."""

TABLES: Final = (
    "CREATE TABLE marks(folder TEXT PRIMARY KEY, mark TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE files(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, "
    "stem TEXT NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, "
    "ctime_ns INTEGER NOT NULL, inode INTEGER NOT NULL, racy INTEGER NOT NULL, "
    "sha256 TEXT NOT NULL)",
    "CREATE TABLE refs(id INTEGER PRIMARY KEY, key TEXT NOT NULL, folded TEXT NOT NULL, "
    "year INTEGER, type TEXT NOT NULL, stage TEXT NOT NULL, notice TEXT NOT NULL, "
    "url TEXT NOT NULL, present TEXT NOT NULL, sources TEXT NOT NULL, title TEXT NOT NULL, "
    "authors TEXT NOT NULL, venue TEXT NOT NULL, words TEXT NOT NULL)",
    "CREATE TABLE records(id INTEGER PRIMARY KEY, json TEXT NOT NULL, crc INTEGER NOT NULL)",
    "CREATE TABLE wrecks(id INTEGER PRIMARY KEY, line INTEGER, field TEXT, message TEXT NOT NULL)",
    "CREATE TABLE identities(identity TEXT NOT NULL, id INTEGER NOT NULL, "
    "PRIMARY KEY(identity, id)) WITHOUT ROWID",
    "CREATE TABLE names(name TEXT NOT NULL, rank INTEGER NOT NULL, id INTEGER NOT NULL, "
    "PRIMARY KEY(name, rank, id)) WITHOUT ROWID",
    "CREATE TABLE tags(tag TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY(tag, id)) WITHOUT ROWID",
    "CREATE TABLE topics(topic TEXT NOT NULL, id INTEGER NOT NULL, "
    "PRIMARY KEY(topic, id)) WITHOUT ROWID",
    "CREATE TABLE members(collection TEXT NOT NULL, member TEXT NOT NULL, id INTEGER NOT NULL, "
    "PRIMARY KEY(collection, member, id)) WITHOUT ROWID",
    "CREATE TABLE cites(id INTEGER NOT NULL, position INTEGER NOT NULL, identity TEXT NOT NULL, "
    "PRIMARY KEY(id, position)) WITHOUT ROWID",
    "CREATE INDEX files_stem ON files(stem, kind)",
    "CREATE INDEX files_kind ON files(kind)",
    "CREATE INDEX refs_folded ON refs(folded)",
    "CREATE INDEX refs_year ON refs(year)",
    "CREATE INDEX refs_stage ON refs(stage)",
    "CREATE INDEX refs_url ON refs(url)",
    "CREATE INDEX identities_id ON identities(id)",
    "CREATE INDEX names_id ON names(id)",
    "CREATE INDEX tags_id ON tags(id)",
    "CREATE INDEX topics_id ON topics(id)",
    "CREATE INDEX members_id ON members(id)",
    "CREATE INDEX cites_identity ON cites(identity)",
)

BY_FILE: Final = (
    "refs", "records", "wrecks", "identities", "names", "tags", "topics", "members", "cites",
)  # fmt: skip
"""The tables whose rows belong to one file."""

BUSY_SECONDS: Final = 5.0

DAMAGE: Final = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What a damaged file makes SQLite raise."""


def connect(root: Path) -> sqlite3.Connection:
    """The catalogue of a library, made or rebuilt where needed; in memory where that fails."""
    path = root / FOLDER / FILE
    with contextlib.suppress(PressmarkError, OSError):
        disk.make_folder(path.parent)
    if _is_elsewhere(path.parent) or _is_elsewhere(path):
        return in_memory()
    try:
        return _open(path)
    except DAMAGE as error:
        return in_memory() if is_refusal(error) else rebuilt(path)


def rebuilt(path: Path) -> sqlite3.Connection:
    """An empty catalogue in place of a damaged or foreign one; in memory if it cannot go."""
    try:
        disk.remove_file(path.with_name(f"{FILE}-journal"))
        disk.remove_file(path)
        return _open(path)
    except (PressmarkError, OSError, *DAMAGE):
        return in_memory()


def in_memory() -> sqlite3.Connection:
    """An empty catalogue that lives as long as the process."""
    return _prepared(sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False))


def copied(connection: sqlite3.Connection) -> sqlite3.Connection:
    """The same rows in memory, for a folder that cannot be written."""
    memory = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    with contextlib.suppress(sqlite3.DatabaseError):
        connection.backup(memory)
        return _prepared(memory)
    return in_memory()


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing, the write lock taken first."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def data_version(connection: sqlite3.Connection) -> int:
    """A number that changes when another connection writes."""
    return int(connection.execute("PRAGMA data_version").fetchone()[0])


def marks(connection: sqlite3.Connection) -> dict[str, str]:
    """What the files of each folder looked like when their rows were true; empty when unsure."""
    return dict(connection.execute("SELECT folder, mark FROM marks").fetchall())


def set_marks(
    connection: sqlite3.Connection, values: Mapping[str, str | None], version: int
) -> None:
    """Say what folders look like whose rows are true now; None: the folder is gone.

    Inside a transaction; unsure if another process wrote since `version` was read.
    """
    sure = data_version(connection) == version
    for folder, value in values.items():
        if value is None and sure:
            connection.execute("DELETE FROM marks WHERE folder = ?", [folder])
        else:
            row = [folder, value if sure else ""]
            connection.execute("INSERT OR REPLACE INTO marks VALUES (?, ?)", row)


def is_refusal(error: Exception) -> bool:
    """Whether the file cannot be written now: read-only, busy, the disk full or failing."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in (
        sqlite3.SQLITE_READONLY, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM,
    )  # fmt: skip


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    try:
        return _prepared(connection)
    except BaseException:
        connection.close()
        raise


def _prepared(connection: sqlite3.Connection) -> sqlite3.Connection:
    connection.execute("PRAGMA trusted_schema = OFF")
    if not _schema(connection):
        _create(connection)
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version != VERSION or _schema(connection) != set(TABLES):
        raise sqlite3.DatabaseError("the catalogue is of another version")
    return connection


def _schema(connection: sqlite3.Connection) -> set[str]:
    rows = connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
    return {sql for (sql,) in rows}


def _create(connection: sqlite3.Connection) -> None:
    with transaction(connection):
        if _schema(connection):
            return
        for statement in TABLES:
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _is_elsewhere(path: Path) -> bool:
    """Whether a received library would have us write through a link or into a device."""
    try:
        mode = path.lstat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
