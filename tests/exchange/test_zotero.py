"""A Zotero of each version, odd ones, and the program's local answers; none is ever written to."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from pressmark.errors import NotFound, Unavailable
from pressmark.exchange import zotero
from pressmark.exchange.fromzotero import import_zotero
from pressmark.library import Library, create

from .zoterodb import Zotero, filled


@pytest.fixture
def library(tmp_path: Path) -> Library:
    root = tmp_path / "lib"
    root.mkdir()
    subprocess.run(["git", "init", "-q", root], check=True)
    create(root)
    return Library.open(root)


def offline(library: Library) -> Library:
    return Library(library.root, replace(library.config, offline=True))


def state(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("version", [5, 6, 7])
def test_everything_of_a_zotero_comes_along(library: Library, tmp_path: Path, version: int) -> None:
    folder = tmp_path / "Zotero"
    filled(folder, version)
    before = state(folder)
    done = import_zotero(library, folder)
    assert state(folder) == before
    assert done.added.added == 2 and done.added.commit
    salt = library.get("leeSalt2018")
    assert salt.key == "leeSalt2018"
    assert salt.authors == ("Lee, Ann", "{World Soup Council}")
    assert (salt.editors, salt.published, salt.venue) == (
        ("Pan, Peter",),
        "2018-07",
        "Journal of Soup",
    )
    assert (salt.doi, salt.pmid, salt.tags) == ("10.1000/salt", "123", ("to read",))
    assert salt.sources == ("zotero:AAAA1111",)
    assert salt.extra == {
        "note": "Read twice", "callNumber": "Q 1", "file": ["storage:Lee 2018.pdf"],
    }  # fmt: skip
    (chapter,) = library.collections()
    assert (chapter.title, chapter.members) == ("Thesis / Chapter 2", ("leeSalt2018",))
    notes = {note.title: note for note in library.notes()}
    assert "It is **too** salty." in notes["What I think"].body
    assert notes["What I think"].about == ("leeSalt2018",)
    if version > 5:
        marks = notes["Highlights of Salt in soup"]
        assert marks.anchors == (
            {
                "reference": "leeSalt2018",
                "exact": "salt is enough",
                "page": "5",
                "comment": "is it?",
            },
        )
        assert "> salt is enough [@leeSalt2018, p. 5]" in marks.body
        assert library.get("muller2019pepper").notice == "retracted"


def test_a_second_import_changes_nothing(library: Library, tmp_path: Path) -> None:
    filled(tmp_path / "Zotero")
    import_zotero(library, tmp_path / "Zotero")
    again = import_zotero(library, tmp_path / "Zotero")
    assert (again.added.unchanged, again.added.commit, again.added.changes) == (2, None, ())


def test_corrections_in_zotero_come_over_and_a_persons_own_stay(
    library: Library, tmp_path: Path
) -> None:
    path = filled(tmp_path / "Zotero")
    import_zotero(library, tmp_path / "Zotero")
    library.edit(["leeSalt2018"], set={"volume": "33"})
    with sqlite3.connect(path) as db:
        db.execute("UPDATE itemDataValues SET value = '4' WHERE value = '3'")
        db.execute(
            "UPDATE itemDataValues SET value = 'Soup Letters' WHERE value = 'Journal of Soup'"
        )
    done = import_zotero(library, tmp_path / "Zotero")
    salt = library.get("leeSalt2018")
    assert (salt.volume, salt.venue) == ("33", "Soup Letters")
    assert done.added.conflicts == ("leeSalt2018: volume: 4 (zotero)",)


def test_the_files_are_copied_when_asked(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "Zotero"
    filled(folder)
    import_zotero(library, folder, with_files=True)
    assert (library.root / "library/2018/leeSalt2018.pdf").read_bytes() == b"%PDF-1.4 soup"
    assert (folder / "storage/FFFF6666/Lee 2018.pdf").is_file()


def test_keys_that_better_bibtex_made(library: Library, tmp_path: Path) -> None:
    filled(tmp_path / "Zotero")
    with sqlite3.connect(tmp_path / "Zotero" / "better-bibtex.sqlite") as db:
        db.execute("CREATE TABLE citationkey (itemID, itemKey, libraryID, citationKey, pinned)")
        db.execute("INSERT INTO citationkey VALUES (2, 'BBBB2222', 1, 'müller:pepper', 1)")
    import_zotero(library, tmp_path / "Zotero")
    assert library.get("müller:pepper").title == "Pepper"


def test_a_zotero_in_the_middle_of_writing_is_read_from_a_copy(
    library: Library, tmp_path: Path
) -> None:
    path = filled(tmp_path / "Zotero")
    db = sqlite3.connect(path)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("UPDATE itemDataValues SET value = 'Salt in the soup' WHERE value = 'Salt in soup'")
    db.commit()
    db.execute("BEGIN EXCLUSIVE")
    before = state(tmp_path / "Zotero")
    import_zotero(library, tmp_path / "Zotero")
    assert state(tmp_path / "Zotero") == before
    assert library.get("leeSalt2018").title == "Salt in the soup"
    db.close()


def _old(path: Path) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE version (schema TEXT, version INT)")
        db.execute("CREATE TABLE items (itemID)")
        db.execute("CREATE TABLE itemData (itemID)")
        db.execute("INSERT INTO version VALUES ('userdata', 60)")


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda path: None, "There is no Zotero database"),
        (lambda path: (path.parent.mkdir(), path.write_bytes(b"")), "has no items"),
        (
            lambda path: (path.parent.mkdir(), path.write_bytes(b"not a database" * 99)),
            "cannot be read",
        ),
        (_old, "a Zotero before 5"),
    ],
)
def test_what_is_no_zotero_is_a_sentence(
    library: Library, tmp_path: Path, make: Any, said: str
) -> None:
    make(tmp_path / "Zotero" / "zotero.sqlite")
    with pytest.raises(Unavailable, match=said), zotero.opened(tmp_path / "Zotero"):
        pass
    with pytest.raises(NotFound, match="no Zotero answers"):
        import_zotero(offline(library), tmp_path / "Zotero")


def test_an_empty_zotero_is_an_empty_import(library: Library, tmp_path: Path) -> None:
    Zotero(tmp_path / "Zotero", 7).done()
    done = import_zotero(library, tmp_path / "Zotero")
    assert (done.entries, done.added.changes) == (0, ())


def test_the_real_database_agrees_with_its_own_export(library: Library, corpus: Path) -> None:
    import_zotero(library, corpus / "bib" / "papis_zotero.sqlite")
    assert {each.doi for each in library.all()} == {
        "10.1002/ggge.20071", "10.4007/annals.2009.170.1417", "10.1016/j.aim.2014.09.018",
        "10.1006/jcph.1998.5962", "10.1016/j.jcp.2014.02.031",
    }  # fmt: skip
    from pressmark.search.importing import import_files

    again = import_files(library, [corpus / "bib" / "papis_zotero-library.bib"])
    assert again.added.added == 0 and len(list(library.all())) == 5


ITEMS: list[dict[str, Any]] = [
    {"key": "AAAA1111", "itemType": "journalArticle", "title": "Salt in soup", "date": "2018-07",
     "creators": [{"creatorType": "author", "lastName": "Lee", "firstName": "Ann"}],
     "DOI": "10.1000/salt", "collections": ["COLL0001"], "tags": [{"tag": "to read"}]},
    {"key": "EEEE5555", "itemType": "note", "parentItem": "AAAA1111", "note": "<p>Salty.</p>"},
    {"key": "FFFF6666", "itemType": "attachment", "parentItem": "AAAA1111", "filename": "Lee.pdf"},
    {"key": "GGGG7777", "itemType": "annotation", "parentItem": "FFFF6666",
     "annotationText": "enough", "annotationPageLabel": "5"},
]  # fmt: skip


class Local(BaseHTTPRequestHandler):
    """What a running Zotero answers."""

    asked: list[str] = []  # noqa: RUF012

    def do_GET(self) -> None:
        Local.asked.append(self.path)
        listed = [{"key": "COLL0001", "name": "Thesis", "parentCollection": False}]
        found = listed if "/collections" in self.path else ITEMS
        body = json.dumps([{"key": each["key"], "data": each} for each in found]).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words: object) -> None:
        pass


@pytest.fixture
def running() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Local)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_running_zotero_is_asked_where_there_is_no_database(
    library: Library, tmp_path: Path, running: str
) -> None:
    asking = Library(library.root, replace(library.config, base_urls={"zotero": running}))
    done = import_zotero(asking, tmp_path / "nowhere")
    assert done.added.added == 1
    assert all(path.startswith("/api/users/0/") for path in Local.asked)
    salt = library.get("doi:10.1000/salt")
    assert (salt.tags, salt.extra["file"]) == (("to read",), ["storage:Lee.pdf"])
    assert [each.title for each in library.collections()] == ["Thesis"]
    assert {note.title for note in library.notes()} == {"Salty.", "Highlights of Salt in soup"}


def test_offline_nobody_is_asked(library: Library, tmp_path: Path, running: str) -> None:
    Local.asked.clear()
    config = replace(library.config, base_urls={"zotero": running}, offline=True)
    with pytest.raises(NotFound):
        import_zotero(Library(library.root, config), tmp_path / "nowhere")
    assert Local.asked == []
