"""A Zotero database made by hand: the tables of versions 5, 6 and 7 as far as they are read."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

USERDATA = {5: 104, 6: 121, 7: 125}

TABLES = """
CREATE TABLE version (schema TEXT PRIMARY KEY, version INT NOT NULL);
CREATE TABLE libraries (libraryID INTEGER PRIMARY KEY, type TEXT NOT NULL, editable INT NOT NULL);
CREATE TABLE items (itemID INTEGER PRIMARY KEY, itemTypeID INT NOT NULL, libraryID INT NOT NULL, key TEXT NOT NULL);
CREATE TABLE itemTypes (itemTypeID INTEGER PRIMARY KEY, typeName TEXT);
CREATE TABLE fields (fieldID INTEGER PRIMARY KEY, fieldName TEXT);
CREATE TABLE itemData (itemID INT, fieldID INT, valueID INT, PRIMARY KEY (itemID, fieldID));
CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value UNIQUE);
CREATE TABLE creators (creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, fieldMode INT);
CREATE TABLE creatorTypes (creatorTypeID INTEGER PRIMARY KEY, creatorType TEXT);
CREATE TABLE itemCreators (itemID INT, creatorID INT, creatorTypeID INT, orderIndex INT);
CREATE TABLE tags (tagID INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE itemTags (itemID INT, tagID INT, type INT);
CREATE TABLE collections (collectionID INTEGER PRIMARY KEY, collectionName TEXT, parentCollectionID INT, libraryID INT, key TEXT);
CREATE TABLE collectionItems (collectionID INT, itemID INT, orderIndex INT);
CREATE TABLE itemNotes (itemID INTEGER PRIMARY KEY, parentItemID INT, note TEXT, title TEXT);
CREATE TABLE itemAttachments (itemID INTEGER PRIMARY KEY, parentItemID INT, linkMode INT, contentType TEXT, path TEXT);
CREATE TABLE deletedItems (itemID INTEGER PRIMARY KEY);
"""
ANNOTATIONS = """
CREATE TABLE itemAnnotations (itemID INTEGER PRIMARY KEY, parentItemID INT, type INTEGER, text TEXT, comment TEXT, pageLabel TEXT, sortIndex TEXT);
CREATE TABLE retractedItems (itemID INTEGER PRIMARY KEY, data TEXT);
"""


class Zotero:
    """Writes a database, item by item."""

    def __init__(self, folder: Path, version: int = 6) -> None:
        folder.mkdir(exist_ok=True)
        self.path = folder / "zotero.sqlite"
        self.db = sqlite3.connect(self.path)
        self.db.executescript(TABLES + (ANNOTATIONS if version > 5 else ""))
        self.db.execute("INSERT INTO version VALUES ('userdata', ?)", (USERDATA[version],))
        self.db.execute("INSERT INTO libraries VALUES (1, 'user', 1), (2, 'feed', 0)")
        self.next = 0

    def _id(self, table: str, column: str, value: object, key: str) -> int:
        found = self.db.execute(
            f"SELECT {key} FROM {table} WHERE {column} = ?", (value,)
        ).fetchone()
        if found:
            return int(found[0])
        self.next += 1
        self.db.execute(f"INSERT INTO {table} ({key}, {column}) VALUES (?, ?)", (self.next, value))
        return self.next

    def item(self, key: str, kind: str, library: int = 1, **fields: str) -> int:
        self.next += 1
        own = self.next
        kind_id = self._id("itemTypes", "typeName", kind, "itemTypeID")
        self.db.execute("INSERT INTO items VALUES (?, ?, ?, ?)", (own, kind_id, library, key))
        for name, value in fields.items():
            field = self._id("fields", "fieldName", name, "fieldID")
            held = self._id("itemDataValues", "value", value, "valueID")
            self.db.execute("INSERT INTO itemData VALUES (?, ?, ?)", (own, field, held))
        return own

    def creator(self, item: int, last: str, first: str = "", role: str = "author") -> None:
        kind = self._id("creatorTypes", "creatorType", role, "creatorTypeID")
        order = self.db.execute("SELECT count(*) FROM itemCreators WHERE itemID = ?", (item,))
        place = order.fetchone()[0]
        self.next += 1
        mode = 0 if first else 1
        self.db.execute("INSERT INTO creators VALUES (?, ?, ?, ?)", (self.next, first, last, mode))
        self.db.execute(
            "INSERT INTO itemCreators VALUES (?, ?, ?, ?)", (item, self.next, kind, place)
        )

    def row(self, table: str, values: Mapping[str, Any]) -> None:
        names, marks = ", ".join(values), ", ".join("?" * len(values))
        self.db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values()))

    def done(self) -> Path:
        self.db.commit()
        self.db.close()
        return self.path


def filled(folder: Path, version: int = 6) -> Path:
    """Two works, one deleted, a feed's; a collection within another, a tag, a note, marks, a PDF."""
    made = Zotero(folder, version)
    salt = made.item(
        "AAAA1111", "journalArticle", title="Salt in soup", date="2018-07-00 07/2018",
        publicationTitle="Journal of Soup", DOI="10.1000/SALT", pages="1-9", volume="3",
        extra="Citation Key: leeSalt2018\nPMID: 123\nRead twice", callNumber="Q 1",
    )  # fmt: skip
    made.creator(salt, "Lee", "Ann")
    made.creator(salt, "World Soup Council")
    made.creator(salt, "Pan", "Peter", "editor")
    made.row("tags", {"tagID": 900, "name": "to read"})
    made.row("itemTags", {"itemID": salt, "tagID": 900, "type": 0})
    book = made.item("BBBB2222", "book", title="Pepper", publisher="Pan", date="2019-00-00 2019")
    made.creator(book, "Müller", "J.")
    gone = made.item("CCCC3333", "book", title="Thrown away")
    made.row("deletedItems", {"itemID": gone})
    made.item("DDDD4444", "journalArticle", 2, title="From a feed")
    made.row(
        "collections",
        {"collectionID": 1, "collectionName": "Thesis", "libraryID": 1, "key": "COLL0001"},
    )
    made.row(
        "collections",
        {
            "collectionID": 2,
            "collectionName": "Chapter 2",
            "parentCollectionID": 1,
            "libraryID": 1,
            "key": "COLL0002",
        },
    )
    made.row("collectionItems", {"collectionID": 2, "itemID": salt, "orderIndex": 0})
    note = made.item("EEEE5555", "note")
    made.row("itemNotes", {"itemID": note, "parentItemID": salt, "title": "What I think",
                           "note": "<div><h1>What I think</h1><p>It is <b>too</b> salty.</p></div>"})  # fmt: skip
    pdf = made.item("FFFF6666", "attachment")
    made.row("itemAttachments", {"itemID": pdf, "parentItemID": salt, "linkMode": 0,
                                 "contentType": "application/pdf", "path": "storage:Lee 2018.pdf"})  # fmt: skip
    (folder / "storage" / "FFFF6666").mkdir(parents=True)
    (folder / "storage" / "FFFF6666" / "Lee 2018.pdf").write_bytes(b"%PDF-1.4 soup")
    if version > 5:
        mark = made.item("GGGG7777", "annotation")
        made.row("itemAnnotations", {"itemID": mark, "parentItemID": pdf, "type": 1, "pageLabel": "5",
                                     "text": "salt is enough", "comment": "is it?", "sortIndex": "1"})  # fmt: skip
        made.row("retractedItems", {"itemID": book, "data": "{}"})
    return made.done()
