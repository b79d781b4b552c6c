"""A Zotero data folder in; its items, as Zotero's own API has them, out; nothing is written to it.

The database is opened with `mode=ro&immutable=1`, which takes no lock and makes no file. One that
Zotero is writing to is copied to a private folder first. The tables read are items, itemData,
itemDataValues, fields, itemTypes, creators, itemCreators, creatorTypes, tags, itemTags,
collections, collectionItems, itemNotes, itemAttachments, itemAnnotations, deletedItems and
libraries; they are verified against databases made in the tests with the schemas of Zotero 5, 6
and 7, and against a real one of Zotero 6.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pressmark import disk
from pressmark.disk import folders
from pressmark.errors import PressmarkError, Unavailable

DATABASE = "zotero.sqlite"
BETTER = "better-bibtex.sqlite"
OLDEST = 76
"""The first `userdata` version of Zotero 5; before it names were kept in another way."""


@dataclass(slots=True)
class Shelf:
    """What a Zotero holds beside its items."""

    collections: dict[str, tuple[str, list[str]]] = field(default_factory=dict)
    """Name with its parents → the keys of its items."""
    children: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    """Key of an item or attachment → its notes, attachments and annotations."""


def database(place: Path) -> Path:
    """The database that a folder or file means."""
    return place if place.suffix == ".sqlite" or place.is_file() else place / DATABASE


@contextmanager
def opened(place: Path) -> Iterator[Database]:
    """The database of a folder; Unavailable with the reason where it cannot be read."""
    path = database(place)
    if not path.is_file():
        raise Unavailable(f"There is no Zotero database {path.name} in {path.parent}.")
    copied: Path | None = None
    try:
        if _is_busy(path):
            copied = folders.private_folder()
            for ending in ("", "-wal", "-journal"):
                with suppress(PressmarkError, OSError):
                    folders.copy(path.with_name(path.name + ending), copied / (DATABASE + ending))
        shown = copied / DATABASE if copied else path
        connection = _connected(shown, immutable=copied is None)
        try:
            yield Database(connection, path.parent)
        finally:
            connection.close()
    except sqlite3.Error as problem:
        raise Unavailable(f"{path.name} cannot be read as a Zotero database: {problem}.") from None
    finally:
        if copied:
            folders.discard(copied)


def _is_busy(path: Path) -> bool:
    """Whether something is written that the file itself does not hold yet."""
    return any(
        other.exists() and other.stat().st_size > 0
        for other in (path.with_name(path.name + "-wal"), path.with_name(path.name + "-journal"))
    )


def _connected(path: Path, *, immutable: bool) -> sqlite3.Connection:
    """A copy may roll its journal back, being ours; the original is only looked at."""
    flags = "mode=ro&immutable=1" if immutable else "mode=rw"
    connection = sqlite3.connect(f"file:{quote(str(path))}?{flags}", uri=True, timeout=1)
    connection.row_factory = sqlite3.Row
    return connection


class Database:
    """An open Zotero database; everything is read as a stream, in the order of the items."""

    def __init__(self, connection: sqlite3.Connection, folder: Path) -> None:
        self.connection = connection
        self.folder = folder
        self.tables = {row[0] for row in self._rows("SELECT name FROM sqlite_master")}
        self.version = self._version()

    def _version(self) -> int:
        if not {"items", "itemData", "version"} <= self.tables:
            raise Unavailable("The database is not Zotero's: it has no items.")
        row = next(self._rows("SELECT version FROM version WHERE schema = 'userdata'"), None)
        version = int(row[0]) if row else 0
        if version < OLDEST:
            raise Unavailable(
                "The database is of a Zotero before 5; open it once with a newer Zotero.",
                next="or export it as RIS and import that",
            )
        return version

    def _rows(self, sql: str, values: tuple[Any, ...] = ()) -> Iterator[sqlite3.Row]:
        cursor = self.connection.cursor()
        try:
            yield from cursor.execute(sql, values)
        finally:
            cursor.close()

    def items(self, key: str | None = None) -> Iterator[dict[str, Any]]:
        """Every work, or the one with a key; a deleted one and a feed's are none."""
        where = " AND i.key = ?" if key else ""
        rows = self._rows(f"{_ITEMS}{where} ORDER BY i.itemID", (key,) if key else ())
        keys, retracted = self._better_keys, self._retracted
        for row in rows:
            own = row["itemID"]
            item: dict[str, Any] = {"key": row["key"], "itemType": row["typeName"]}
            for each in self._rows(_FIELDS, (own,)):
                item[each["fieldName"]] = each["value"]
            item["creators"] = [dict(each) for each in self._rows(_CREATORS, (own,))]
            item["tags"] = [{"tag": each["name"]} for each in self._rows(_TAGS, (own,))]
            if row["key"] in keys:
                item.setdefault("citationKey", keys[row["key"]])
            if own in retracted:
                item["retracted"] = "true"
            yield item

    @property
    def _retracted(self) -> frozenset[int]:
        if "retractedItems" not in self.tables:
            return frozenset()
        return frozenset(row[0] for row in self._rows("SELECT itemID FROM retractedItems"))

    @property
    def _better_keys(self) -> Mapping[str, str]:
        """Better BibTeX keeps the keys it made in a database of its own."""
        path = self.folder / BETTER
        if not path.is_file():
            return {}
        with suppress(sqlite3.Error):
            other = _connected(path, immutable=True)
            try:
                names = {r[0] for r in other.execute("SELECT name FROM sqlite_master")}
                if "citationkey" in names:
                    rows = other.execute("SELECT itemKey, citationKey FROM citationkey")
                    return {row[0]: row[1] for row in rows if row[1]}
            finally:
                other.close()
        return {}

    def shelf(self) -> Shelf:
        """Collections, and what hangs on the items."""
        found = Shelf()
        for row in self._rows(_COLLECTIONS):
            name = self._path(row["collectionID"])
            key = f"{row['key']}"
            members = [r["key"] for r in self._rows(_MEMBERS, (row["collectionID"],))]
            found.collections[key] = name, members
        children: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in self._rows(_NOTES):
            note = {"key": row["key"], "itemType": "note", "note": row["note"] or ""}
            children[row["parent"] or ""].append({**note, "title": row["title"] or ""})
        for row in self._rows(_ATTACHMENTS):
            children[row["parent"] or ""].append({
                "key": row["key"], "itemType": "attachment", "path": row["path"] or "",
                "contentType": row["contentType"] or "",
            })  # fmt: skip
        if "itemAnnotations" in self.tables:
            for row in self._rows(_ANNOTATIONS):
                children[row["parent"]].append({
                    "key": row["key"], "itemType": "annotation", "text": row["text"] or "",
                    "comment": row["comment"] or "", "page": row["pageLabel"] or "",
                })  # fmt: skip
        found.children = dict(children)
        return found

    def _path(self, collection: int) -> str:
        """`Thesis / Chapter 2`."""
        names: list[str] = []
        at: int | None = collection
        while at is not None and len(names) < 20:
            row = next(self._rows(_COLLECTION, (at,)), None)
            if row is None:
                break
            names.insert(0, row["collectionName"])
            at = row["parentCollectionID"]
        return " / ".join(names)

    def file(self, attachment: Mapping[str, Any]) -> Path | None:
        """Where the file of an attachment is on this machine, if it is there."""
        path = str(attachment.get("path", ""))
        if path.startswith("storage:"):
            name = path.removeprefix("storage:").replace("\\", "/").rpartition("/")[2]
            found = self.folder / "storage" / str(attachment["key"]) / name
        else:
            found = Path(path.removeprefix("attachments:"))
        return found if found.is_absolute() and found.is_file() else None


_LIVING = """
NOT EXISTS (SELECT 1 FROM deletedItems AS d WHERE d.itemID = i.itemID)
AND i.libraryID NOT IN (SELECT libraryID FROM libraries WHERE type = 'feed')
"""
_ITEMS = f"""
SELECT i.itemID, i.key, t.typeName FROM items AS i JOIN itemTypes AS t USING (itemTypeID)
WHERE t.typeName NOT IN ('attachment', 'note', 'annotation') AND {_LIVING}
"""
_FIELDS = """
SELECT f.fieldName, v.value FROM itemData AS d JOIN fields AS f USING (fieldID)
JOIN itemDataValues AS v USING (valueID) WHERE d.itemID = ? ORDER BY f.fieldID
"""
_CREATORS = """
SELECT t.creatorType, c.firstName, c.lastName, c.fieldMode FROM itemCreators AS ic
JOIN creators AS c USING (creatorID) JOIN creatorTypes AS t USING (creatorTypeID)
WHERE ic.itemID = ? ORDER BY ic.orderIndex
"""
_TAGS = "SELECT t.name FROM itemTags AS it JOIN tags AS t USING (tagID) WHERE it.itemID = ?"
_COLLECTIONS = "SELECT collectionID, key FROM collections ORDER BY collectionID"
_COLLECTION = """
SELECT collectionName, parentCollectionID FROM collections WHERE collectionID = ?
"""
_MEMBERS = f"""
SELECT i.key FROM collectionItems AS ci JOIN items AS i USING (itemID)
WHERE ci.collectionID = ? AND {_LIVING} ORDER BY i.key
"""
_NOTES = f"""
SELECT i.key, n.note, n.title, p.key AS parent FROM itemNotes AS n JOIN items AS i USING (itemID)
LEFT JOIN items AS p ON p.itemID = n.parentItemID WHERE {_LIVING} ORDER BY i.itemID
"""
_ATTACHMENTS = f"""
SELECT i.key, a.path, a.contentType, p.key AS parent FROM itemAttachments AS a
JOIN items AS i USING (itemID) LEFT JOIN items AS p ON p.itemID = a.parentItemID
WHERE {_LIVING} ORDER BY i.itemID
"""
_ANNOTATIONS = f"""
SELECT i.key, a.text, a.comment, a.pageLabel, p.key AS parent FROM itemAnnotations AS a
JOIN items AS i USING (itemID) JOIN items AS p ON p.itemID = a.parentItemID
WHERE {_LIVING} ORDER BY a.parentItemID, a.sortIndex
"""


def home() -> Path:
    """Where Zotero keeps its data unless it was told otherwise."""
    return Path.home() / "Zotero"


def exists(place: Path) -> bool:
    """Whether a database is there."""
    return database(place).is_file()


def copy(source: Path, target: Path) -> None:
    """A document of Zotero's, copied beside its reference."""
    disk.copy_file(source, target)
