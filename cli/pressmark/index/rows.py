"""The table of what is indexed: owners, their files, and a row for each document, in SQLite.

A row number is never used twice, so it names the same text in every engine; the rows of files
that changed stay in the engines, where they are dead, and are listed as such here.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pressmark.errors import Integrity
from pressmark.index.ports import REBUILD

VERSION = "2"

TABLE = "rows.sqlite"

PAPER, SUMMARY, BODY, FULLTEXT, NOTE = "paper", "summary", "body", "fulltext", "note"
"""What a row is: a whole reference (its title with abstract or summary), a passage of that, of the
rest of its page, of its full text, or of a note."""

PASSAGES = (SUMMARY, BODY, FULLTEXT, NOTE)

SETS = {"papers": (PAPER,), "passages": PASSAGES}
"""The two sets of vectors and the roles of their rows, in the order in which they are made."""

NOTES = 1 << 31
"""Owners from here on are notes, those below are references: a mask that costs nothing."""

REFERENCES_ONLY, NOTES_ONLY = range(NOTES), range(NOTES, 1 << 32)

_TABLES = (
    "CREATE TABLE owners(id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
    "CREATE TABLE files(id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, "
    "sha256 TEXT NOT NULL, whose INTEGER NOT NULL)",
    "CREATE TABLE rows(id INTEGER PRIMARY KEY AUTOINCREMENT, owner INTEGER NOT NULL, "
    "role TEXT NOT NULL, passage TEXT NOT NULL, section TEXT NOT NULL, page TEXT NOT NULL, "
    "file INTEGER NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, text BLOB NOT NULL)",
    "CREATE TABLE dead(id INTEGER PRIMARY KEY)",
    "CREATE TABLE short(name BLOB NOT NULL, owner INTEGER NOT NULL, PRIMARY KEY(name, owner)) "
    "WITHOUT ROWID",
    "CREATE TABLE templates(name BLOB PRIMARY KEY) WITHOUT ROWID",
    "CREATE INDEX short_owner ON short(owner)",
    "CREATE INDEX owners_name ON owners(name)",
    "CREATE INDEX rows_owner ON rows(owner)",
    "CREATE INDEX files_whose ON files(whose)",
)


class Row(NamedTuple):
    """One indexed document: whose, what, its passage's id and place, its vector's name."""

    id: int
    owner: int
    role: str
    passage: str
    section: str
    page: str
    path: str
    start: int
    end: int
    text: bytes


class Owner(NamedTuple):
    """A reference or a note: its number, and its key or slug."""

    id: int
    name: str


_SELECT = (
    "SELECT rows.id, owner, role, passage, section, page, path, start, stop, text "
    "FROM rows JOIN files ON files.id = file"
)


class Rows:
    """The table, open for reading or, while an index is built, for writing."""

    def __init__(self, path: Path, *, writable: bool = False) -> None:
        mode = "mode=rwc" if writable else "mode=ro&immutable=1"
        uri = f"{path.absolute().as_uri()}?{mode}"
        try:
            self._connection = sqlite3.connect(
                uri, uri=True, isolation_level=None, check_same_thread=False
            )
            self._connection.execute("PRAGMA trusted_schema = OFF")
            self._connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        except sqlite3.Error as error:
            if not path.exists():
                raise FileNotFoundError(f"{path} went away") from error
            raise Integrity("The index's table is damaged.", next=REBUILD) from error
        if writable:
            # The folder is synced as a whole before anything names it.
            self._connection.execute("PRAGMA journal_mode = OFF")
            self._connection.execute("PRAGMA synchronous = OFF")
            self._connection.execute("BEGIN")

    @classmethod
    def create(cls, path: Path) -> Rows:
        """A new empty table."""
        rows = cls(path, writable=True)
        for statement in _TABLES:
            rows._connection.execute(statement)
        return rows

    def owners(self, *, notes: bool | None = None) -> list[Owner]:
        """Every owner, or only references, or only notes."""
        low, high = (NOTES if notes else 0), (NOTES if notes is False else 1 << 32)
        found = self._ask("SELECT id, name FROM owners WHERE id >= ? AND id < ?", low, high)
        return [Owner(*row) for row in found]

    def number(self, *, notes: bool) -> int:
        """How many references or notes there are."""
        low, high = (NOTES, 1 << 32) if notes else (0, NOTES)
        question = "SELECT count(*) FROM owners WHERE id >= ? AND id < ?"
        return int(self._ask(question, low, high)[0][0])

    def files(self) -> dict[str, str]:
        """The hash of every file that was indexed, by its path."""
        return dict(self._ask("SELECT path, sha256 FROM files"))

    def names(self, owners: Collection[int]) -> dict[int, str]:
        """The names of some owners."""
        if len(owners) > 5000:
            return {owner.id: owner.name for owner in self.owners()}
        found = self._among("SELECT id, name FROM owners WHERE id IN", list(owners))
        return dict(found)

    def owner(self, name: str, *, note: bool = False) -> int | None:
        """The number of a reference or note."""
        low, high = (NOTES, 1 << 32) if note else (0, NOTES)
        found = self._ask(
            "SELECT id FROM owners WHERE name = ? AND id >= ? AND id < ?", name, low, high
        )
        return found[0][0] if found else None

    def get(self, numbers: Collection[int]) -> dict[int, Row]:
        """Some rows by their numbers."""
        found = self._among(f"{_SELECT} WHERE rows.id IN", list(numbers))
        return {row[0]: Row(*row) for row in found}

    def of(self, owner: int, *roles: str) -> list[Row]:
        """The rows of an owner, in order, of some roles if any are given."""
        found = self._ask(f"{_SELECT} WHERE owner = ? ORDER BY rows.id", owner)
        return [row for row in map(Row._make, found) if not roles or row.role in roles]

    def each(self, *roles: str) -> Iterator[Row]:
        """Every row of some roles, by number."""
        marks = ",".join("?" * len(roles))
        question = f"{_SELECT} WHERE role IN ({marks}) ORDER BY rows.id"
        yield from map(Row._make, self._connection.execute(question, roles))

    def vector_names(self) -> Iterator[bytes]:
        """The names of the vectors of every row that has one of its own."""
        yield from (name for (name,) in self._ask("SELECT text FROM rows WHERE length(text)"))

    def passage(self, name: str) -> Row | None:
        """The row of a passage's id."""
        found = self._ask(f"{_SELECT} WHERE passage = ? LIMIT 1", name)
        return Row(*found[0]) if found else None

    def dead(self) -> set[int]:
        """Rows that the engines still hold and that are no more."""
        return {number for (number,) in self._ask("SELECT id FROM dead")}

    def count(self, *roles: str) -> int:
        """How many rows of some roles there are."""
        marks = ",".join("?" * len(roles))
        return int(self._ask(f"SELECT count(*) FROM rows WHERE role IN ({marks})", *roles)[0][0])

    def to_embed(self, *roles: str) -> int:
        """How many rows of some roles have a vector of their own."""
        marks = ",".join("?" * len(roles))
        question = f"SELECT count(*) FROM rows WHERE role IN ({marks}) AND length(text)"
        return int(self._ask(question, *roles)[0][0])

    def add_owner(self, name: str, files: Iterable[tuple[str, str]], *, note: bool) -> int:
        """The number of a new owner of some files, given by path and hash."""
        low, high = (NOTES, 1 << 32) if note else (0, NOTES)
        (top,) = self._ask("SELECT max(id) FROM owners WHERE id >= ? AND id < ?", low, high)[0]
        number = low if top is None else int(top) + 1
        self._connection.execute("INSERT INTO owners VALUES (?, ?)", [number, name])
        self._connection.executemany(
            "INSERT INTO files(path, sha256, whose) VALUES (?, ?, ?)",
            [(path, sha256, number) for path, sha256 in files],
        )
        return number

    def add(self, row: Row) -> int:
        """A new row's number; that of the given one does not matter."""
        cursor = self._connection.execute(
            "INSERT INTO rows(owner, role, passage, section, page, file, start, stop, text) "
            "SELECT ?, ?, ?, ?, ?, id, ?, ?, ? FROM files WHERE path = ?",
            [*row[1:6], *row[7:10], row.path],
        )
        return int(cursor.lastrowid or 0)

    def add_short(self, owner: int, names: Iterable[bytes]) -> None:
        """Remember the short paragraphs of an owner's full text."""
        values = [(name, owner) for name in sorted(names)]
        self._connection.executemany("INSERT OR IGNORE INTO short VALUES (?, ?)", values)

    def shorts(self) -> Iterator[tuple[bytes, int]]:
        """Every short paragraph by name, and how many owners have it."""
        yield from self._ask("SELECT name, count(*) FROM short GROUP BY name")

    def templates(self) -> frozenset[bytes]:
        """The paragraphs that were left out because they recur."""
        return frozenset(name for (name,) in self._ask("SELECT name FROM templates"))

    def set_templates(self, names: Iterable[bytes]) -> None:
        """Say which paragraphs were left out."""
        self._connection.execute("DELETE FROM templates")
        values = [(name,) for name in sorted(names)]
        self._connection.executemany("INSERT INTO templates VALUES (?)", values)

    def having(self, names: Collection[bytes]) -> set[int]:
        """The owners that have any of some short paragraphs."""
        found = self._among("SELECT owner FROM short WHERE name IN", list(names))
        return {owner for (owner,) in found}

    def forget(self, owner: int) -> None:
        """Take an owner out; its rows are dead from now on."""
        execute = self._connection.execute
        execute("INSERT INTO dead SELECT id FROM rows WHERE owner = ?", [owner])
        execute("DELETE FROM rows WHERE owner = ?", [owner])
        execute("DELETE FROM files WHERE whose = ?", [owner])
        execute("DELETE FROM short WHERE owner = ?", [owner])
        execute("DELETE FROM owners WHERE id = ?", [owner])

    def commit(self) -> None:
        """Write what was added."""
        self._connection.execute("COMMIT")

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def _among(self, question: str, values: Sequence[object]) -> list[Any]:
        found: list[Any] = []
        for at in range(0, len(values), 500):
            some = values[at : at + 500]
            found.extend(self._ask(f"{question} ({','.join('?' * len(some))})", *some))
        return found

    def _ask(self, question: str, *values: object) -> list[Any]:
        try:
            return self._connection.execute(question, values).fetchall()
        except sqlite3.DatabaseError as error:
            raise Integrity("The index's table is damaged.", next=REBUILD) from error
