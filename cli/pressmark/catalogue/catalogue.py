"""The files of a library in, answers about them out: parsed records, names, identities.

Everything here can be had again from the files; reading never writes one of them.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from pressmark import disk
from pressmark.catalogue import layout, rows, schema, selecting
from pressmark.catalogue.filters import Query
from pressmark.catalogue.refreshing import Delta, refresh
from pressmark.record import Record, Reference

T = TypeVar("T")

_RECORDS = "SELECT path, json, crc FROM records JOIN files USING(id) WHERE kind = ? ORDER BY path"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file that cannot be read, with the place of the trouble where it is known."""

    path: str
    line: int | None
    field: str | None
    message: str

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line) if part)
        return f"{place}: {self.message}" + (f" ({self.field})" if self.field else "")


@dataclass(frozen=True, slots=True)
class File:
    """A catalogued file: its path, what it holds, its key or slug, and its bytes' sha256."""

    path: str
    kind: str
    name: str
    sha256: str


class Card(NamedTuple):
    """What a list of choices needs of a reference; `words` is all of it folded for looking up."""

    key: str
    path: str
    title: str
    authors: tuple[str, ...]
    published: str
    notice: str
    stage: str
    cite_as: str
    tags: tuple[str, ...]
    words: str


class Catalogue:
    """The records of one library, kept fresh from its files by `refresh`.

    Threads may share it; they take turns.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._turn = threading.RLock()
        self._connection = schema.connect(root)

    def refresh(self) -> Delta:
        """Notice what was added, changed or deleted since the last time."""
        with self._turn:
            try:
                delta, self._connection = refresh(self.root, self._connection)
            except schema.DAMAGE:
                self._empty()
                delta, self._connection = refresh(self.root, self._connection)
            return delta

    @property
    def is_private(self) -> bool:
        """Whether the rows are in memory, where no other catalogue of the library sees them."""
        return not any(row[2] for row in self._rows("PRAGMA database_list"))

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def get(self, key: str) -> Reference | None:
        """The reference with this key in any letter case."""
        found = self._references("WHERE refs.folded = ?", [rows.safe(layout.folded(key))])
        return found[0] if found else None

    def resolve(self, text: str) -> list[str]:
        """Keys of the references a text names: a key, an alias, a cite-as, an identifier, a URL."""
        text = text.strip()
        ranked = self._rows(
            "SELECT rank, key FROM names JOIN refs USING(id) WHERE name = ? ORDER BY rank, folded",
            [rows.safe(layout.folded(text))],
        )
        if ranked:
            return [key for rank, key in ranked if rank == ranked[0][0]]
        from pressmark import ids  # slow to import, and a key is the usual question

        identifier = ids.parse(text)
        if identifier is not None:
            found = self.holders([str(identifier)])
            if found:
                return found
        return self._keys("WHERE url <> '' AND url = ?", [rows.safe(rows.web_address(text))])

    def holders(self, identities: Collection[str]) -> list[str]:
        """Keys of the references that have any of these identities."""
        keys: set[str] = set()
        for identity in identities:
            keys.update(self._keys(
                "JOIN identities USING(id) WHERE identity = ?", [rows.safe(identity)]
            ))  # fmt: skip
        return sorted(keys, key=str.casefold)

    def holders_of_all(self) -> dict[str, list[str]]:
        """Every identity and the keys that hold it."""
        found: dict[str, list[str]] = {}
        for identity, key in self._rows("SELECT identity, key FROM identities JOIN refs USING(id)"):
            found.setdefault(identity, []).append(key)
        return found

    def starting_with(self, prefix: str, limit: int = 20) -> list[str]:
        """Keys that begin with a text."""
        folded = rows.safe(layout.folded(prefix))
        return self._keys(
            "WHERE folded >= ? AND substr(folded, 1, ?) = ? ORDER BY folded LIMIT ?",
            [folded, len(folded), folded, limit],
        )

    def select(
        self, query: Query, *, cited: Callable[[str], Collection[str]] | None = None
    ) -> list[Reference]:
        """The references a query asks for, sorted by key."""
        condition, values = selecting.where(query, cited)
        return self._references(f"WHERE {condition}", values)

    def select_keys(
        self, query: Query, *, cited: Callable[[str], Collection[str]] | None = None
    ) -> list[str]:
        """As `select`, without reading the records."""
        condition, values = selecting.where(query, cited)
        return self._keys(f"WHERE {condition} ORDER BY folded", values)

    def all(self) -> Iterator[Reference]:
        """Every reference, sorted by key."""
        yield from self._references("", [])

    def newest(self, number: int) -> list[str]:
        """The paths of the files changed last, by the clock of the disk."""
        question = "SELECT path FROM files ORDER BY mtime_ns DESC, path LIMIT ?"
        return [path for (path,) in self._rows(question, [number])]

    def cards(self) -> list[Card]:
        """A card of every reference, sorted by key; a tenth of the time that `all` takes."""
        found = self._rows(
            "SELECT key, path, json_extract(json, '$.title'), coalesce(json_extract(json, "
            "'$.authors'), json_extract(json, '$.editors')), json_extract(json, '$.published'), "
            "notice, stage, json_extract(json, '$.cite_as'), json_extract(json, '$.tags'), words "
            "FROM refs JOIN records USING(id) JOIN files USING(id) ORDER BY folded"
        )
        return [
            Card(
                key, path, title or "", tuple(json.loads(people or "[]")), published or "",
                notice, stage, cite_as or "", tuple(json.loads(tags or "[]")), words,
            )
            for key, path, title, people, published, notice, stage, cite_as, tags, words in found
        ]  # fmt: skip

    def records(self, kind: str) -> list[Record]:
        """Every record of a kind (`topic`, `search`, `collection`, `vocabulary`, `note`)."""
        return [record for _, record in self._decoded(kind, _RECORDS, [kind])]

    def record(self, kind: str, slug: str) -> tuple[str, Record] | None:
        """Path and record of the one named, in any letter case."""
        for path, record in self._decoded(kind, _RECORDS, [kind]):
            if layout.folded(layout.name(path)) == layout.folded(slug):
                return path, record
        return None

    def files(self, kind: str | None = None) -> list[File]:
        """The catalogued files, sorted by path; of one kind if asked."""
        condition = "" if kind is None else "WHERE kind = ?"
        question = f"SELECT path, kind, sha256 FROM files {condition} ORDER BY path"
        found = self._rows(question, [] if kind is None else [kind])
        return [File(path, kind, layout.name(path), sha256) for path, kind, sha256 in found]

    def path(self, key: str) -> str | None:
        """The relative path of a reference."""
        found = self._rows(
            "SELECT path FROM refs JOIN files USING(id) WHERE folded = ?",
            [rows.safe(layout.folded(key))],
        )
        return found[0][0] if found else None

    def paths(self) -> dict[str, str]:
        """Every reference's relative path by key."""
        return dict(self._rows("SELECT key, path FROM refs JOIN files USING(id)"))

    def sha256(self, path: str) -> str | None:
        """The hash of a file as it was last read."""
        found = self._rows("SELECT sha256 FROM files WHERE path = ?", [rows.safe(path)])
        return found[0][0] if found else None

    def fingerprint(self, *kinds: str) -> str:
        """A hash of every file of some kinds: the same files, the same hash."""
        marks = ", ".join("?" * len(kinds))
        (joined,) = self._rows(
            "SELECT group_concat(path || char(31) || sha256, char(30)) FROM "
            f"(SELECT path, sha256 FROM files WHERE kind IN ({marks}) ORDER BY path)",
            list(kinds),
        )[0]
        return disk.sha256((joined or "").encode("utf-8", "surrogatepass"))

    def hashes(self, *kinds: str) -> dict[str, str]:
        """The hash of every file of some kinds by its path."""
        marks = ", ".join("?" * len(kinds))
        question = f"SELECT path, sha256 FROM files WHERE kind IN ({marks}) ORDER BY path"
        return dict(self._rows(question, list(kinds)))

    def with_fulltext(self) -> dict[str, str]:
        """The keys that have a full text beside them, and its path."""
        # A CROSS JOIN begins with its first table: the few texts, not every file.
        return dict(self._rows(
            "SELECT refs.key, texts.path FROM files AS texts CROSS JOIN files AS own "
            "ON own.stem = texts.stem AND own.kind = 'reference' "
            "JOIN refs ON refs.id = own.id WHERE texts.kind = 'fulltext'"
        ))  # fmt: skip

    def identities(self) -> dict[str, str]:
        """Every identity and the key that holds it."""
        return dict(self._rows("SELECT identity, key FROM identities JOIN refs USING(id)"))

    def names(self) -> dict[str, str]:
        """Every folded name a reference answers to (key, alias, cite-as) and its key."""
        found = self._rows("SELECT name, key FROM names JOIN refs USING(id) ORDER BY rank DESC")
        return dict(found)

    def is_taken(self, name: str) -> bool:
        """Whether a folded name cannot be a new key: some file answers to it, or is called so."""
        found = self._rows("SELECT 1 FROM names WHERE name = ? LIMIT 1", [rows.safe(name)])
        return bool(found)

    def taken(self) -> set[str]:
        """Every folded name that cannot be a new key."""
        return {name for (name,) in self._rows("SELECT DISTINCT name FROM names")}

    def keys(self) -> list[str]:
        """Every key, sorted without regard to case."""
        return self._keys("ORDER BY folded", [])

    def count(self) -> int:
        """How many references there are."""
        (number,) = self._rows("SELECT count(*) FROM refs")[0]
        return int(number)

    def citing(self, identity: str) -> list[str]:
        """Keys of the references that cite an identity."""
        return self._keys(
            "JOIN cites USING(id) WHERE identity = ? ORDER BY folded", [rows.safe(identity)]
        )

    def cites(self, key: str) -> list[str]:
        """Keys of the held references that one cites."""
        return self._others("JOIN cites USING(id) JOIN identities AS there USING(identity)", key)

    def cited_by(self, key: str) -> list[str]:
        """Keys of the held references that cite one."""
        return self._others("JOIN identities USING(id) JOIN cites AS there USING(identity)", key)

    def cited_unheld(self, keys: Collection[str] | None = None) -> list[tuple[str, list[str]]]:
        """Identities that references cite and none holds, the most cited first, with those keys.

        With `keys` only what these references cite counts.
        """
        found: dict[str, list[str]] = {}
        for identity, key in self._rows(
            "SELECT DISTINCT cites.identity, key FROM cites JOIN refs USING(id) "
            "LEFT JOIN identities ON identities.identity = cites.identity "
            "WHERE identities.id IS NULL ORDER BY folded"
        ):
            if keys is None or key in keys:
                found.setdefault(identity, []).append(key)
        return sorted(found.items(), key=lambda each: (-len(each[1]), each[0]))

    def tags(self) -> dict[str, int]:
        """Every folded tag and how many references carry it."""
        return dict(self._rows("SELECT tag, count(*) FROM tags GROUP BY tag ORDER BY tag"))

    def unreadable(self) -> list[Unreadable]:
        """The files that cannot be read."""
        found = self._rows(
            "SELECT path, line, field, message FROM wrecks CROSS JOIN files USING(id) ORDER BY path"
        )
        return [Unreadable(*row) for row in found]

    def wrecked(self, identities: Collection[str]) -> list[str]:
        """Paths of unreadable files in which any of these identities stands."""
        paths: set[str] = set()
        for identity in identities:
            paths.update(path for (path,) in self._rows(
                "SELECT path FROM identities JOIN wrecks USING(id) JOIN files USING(id) "
                "WHERE identity = ?", [rows.safe(identity)]
            ))  # fmt: skip
        return sorted(paths)

    def twins(self) -> Mapping[str, list[str]]:
        """Identities that several files hold, with their paths (a title is no proof of one)."""
        return self._several(
            "SELECT identity, path FROM identities JOIN files USING(id) WHERE identity IN "
            "(SELECT identity FROM identities GROUP BY identity HAVING count(*) > 1) "
            "AND identity NOT LIKE 'title:%' ORDER BY identity, path"
        )

    def doubles(self) -> Mapping[str, list[str]]:
        """Folded keys that are the names of several files, with their paths."""
        return self._several(
            "SELECT folded, path FROM refs JOIN files USING(id) WHERE folded IN "
            "(SELECT folded FROM refs GROUP BY folded HAVING count(*) > 1) ORDER BY folded, path"
        )

    def namesakes(self) -> Mapping[str, list[str]]:
        """Folded names that several files answer to, with their paths."""
        return self._several(
            "SELECT DISTINCT name, path FROM names JOIN files USING(id) WHERE name IN "
            "(SELECT name FROM names GROUP BY name HAVING count(DISTINCT id) > 1) "
            "ORDER BY name, path"
        )

    def _others(self, join: str, key: str) -> list[str]:
        """Keys at the other end of one kind of edge."""
        found = self._rows(
            f"SELECT DISTINCT other.key FROM refs AS own {join} "
            "JOIN refs AS other ON other.id = there.id "
            "WHERE own.folded = ? AND other.id <> own.id ORDER BY other.folded",
            [rows.safe(layout.folded(key))],
        )
        return [found_key for (found_key,) in found]

    def _several(self, sql: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for what, path in self._rows(sql):
            found.setdefault(what, []).append(path)
        return found

    def _references(self, condition: str, values: list[object]) -> list[Reference]:
        found = self._decoded(
            "reference",
            "SELECT path, json, crc FROM refs JOIN records USING(id) JOIN files USING(id) "
            f"{condition} ORDER BY folded",
            values,
        )
        return [each for _, each in found if isinstance(each, Reference)]

    def _decoded(self, kind: str, sql: str, values: list[object]) -> list[tuple[str, Record]]:
        """Paths and records of a question for path, JSON and its checksum."""

        def ask() -> list[tuple[str, Record]]:
            found = self._connection.execute(sql, values).fetchall()
            return [(path, rows.decode(kind, text, crc)) for path, text, crc in found]

        return self._again(ask)

    def _keys(self, condition: str, values: list[object]) -> list[str]:
        return [key for (key,) in self._rows(f"SELECT refs.key FROM refs {condition}", values)]

    def _rows(self, sql: str, values: list[object] | None = None) -> list[tuple[Any, ...]]:
        return self._again(lambda: self._connection.execute(sql, values or []).fetchall())

    def _again(self, ask: Callable[[], list[T]]) -> list[T]:
        """An answer; a catalogue found damaged is made anew and asked once more."""
        with self._turn:
            try:
                return ask()
            except schema.DAMAGE:
                self._empty()
                self.refresh()
                return ask()

    def _empty(self) -> None:
        self._connection.close()
        self._connection = schema.rebuilt(self.root / schema.FOLDER / schema.FILE)
