"""Texts in, their vectors out: from the user's cache where they were made before, else made now.

One SQLite file a model in the user's cache folder, keyed by the hash of the text: clones and
worktrees share it, and an `index` that is interrupted goes on where it was.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pressmark import disk
from pressmark.errors import PressmarkError

if TYPE_CHECKING:
    from pressmark.index.embed import Embedder

T = TypeVar("T")

BATCH = 64
"""Texts between two commits: what an interruption can cost."""

_TABLE = (
    "CREATE TABLE IF NOT EXISTS vectors(text BLOB PRIMARY KEY, vector BLOB NOT NULL) WITHOUT ROWID"
)
_USES = "CREATE TABLE IF NOT EXISTS uses(text BLOB PRIMARY KEY, day INTEGER NOT NULL) WITHOUT ROWID"

KEPT = 180
"""Days after which a vector that no `index --rebuild` has asked for is let go."""


def key(text: str) -> bytes:
    """The name of a text in the cache."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


class VectorCache:
    """The vectors of one model as little-endian float16 bytes, by the hash of the text."""

    def __init__(self, folder: Path, model: str, dimension: int) -> None:
        self._size = 2 * dimension
        self._connection = _open(folder / f"vectors-{re.sub(r'[^A-Za-z0-9.-]', '_', model)}.sqlite")

    def held(self, names: Sequence[bytes]) -> set[bytes]:
        """Which texts have a vector here."""
        return set(self._get(names))

    def each(self, names: Sequence[bytes]) -> Iterator[bytes]:
        """The vectors of texts that are all held, in their order."""
        for some in _batches(names, 500):
            found = self._get(some)
            yield from (found[name] for name in some)

    def fill(self, texts: Iterable[str], embedder: Embedder) -> Iterator[int]:
        """Make the vectors of some texts and keep them; how many are done, after each batch."""
        import numpy as np

        done = 0
        for some in _batches(texts, BATCH):
            made = zip(some, embedder.documents(some), strict=True)
            self._put([(key(text), v.astype(np.dtype("<f2")).tobytes()) for text, v in made])
            done += len(some)
            yield done

    def prune(self, used: Iterable[bytes], today: int | None = None) -> int:
        """Mark what is used, and let go what nobody has used for half a year; how many went.

        Every library of this user shares the cache, so what one does not need another may.
        """
        day = int(time.time() // 86_400) if today is None else today
        with contextlib.suppress(sqlite3.DatabaseError), self._connection:
            execute = self._connection.execute
            execute(_USES)
            execute("INSERT OR IGNORE INTO uses SELECT text, ? FROM vectors", [day])
            self._connection.executemany(
                "UPDATE uses SET day = ? WHERE text = ?", ((day, name) for name in used)
            )
            old = "SELECT text FROM uses WHERE day < ?"
            gone = execute(f"DELETE FROM vectors WHERE text IN ({old})", [day - KEPT]).rowcount
            execute("DELETE FROM uses WHERE day < ?", [day - KEPT])
            return gone
        return 0

    def _get(self, names: Sequence[bytes]) -> dict[bytes, bytes]:
        """Vectors by name; one of a wrong size is no vector."""
        found: dict[bytes, bytes] = {}
        for some in _batches(names, 500):
            marks = ",".join("?" * len(some))
            with contextlib.suppress(sqlite3.DatabaseError):
                found.update(self._connection.execute(
                    f"SELECT text, vector FROM vectors WHERE text IN ({marks})", some
                ))  # fmt: skip
        return {name: vector for name, vector in found.items() if len(vector) == self._size}

    def _put(self, rows: Sequence[tuple[bytes, bytes]]) -> None:
        """A cache that cannot be written costs time, nothing else."""
        with contextlib.suppress(sqlite3.DatabaseError), self._connection:
            self._connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()


def _open(path: Path) -> sqlite3.Connection:
    """The cache at a path; a damaged one is begun anew, and without a place it is in memory."""
    for attempt in (1, 2):
        try:
            disk.make_folder(path.parent)
            connection = sqlite3.connect(path, timeout=30)
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute(_TABLE)
            connection.execute("SELECT text, vector FROM vectors LIMIT 1").fetchone()
            return connection
        except (sqlite3.OperationalError, PressmarkError, OSError):
            break  # read-only, locked or full: what is there may be whole
        except sqlite3.DatabaseError:
            if attempt == 1:
                with contextlib.suppress(PressmarkError, OSError):
                    disk.remove_file(path)
    connection = sqlite3.connect(":memory:")
    connection.execute(_TABLE)
    return connection


def _batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Lists of at most `size`."""
    batch: list[T] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
