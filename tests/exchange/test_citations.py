"""Sources of citations behind one port: the first that knows a key answers, and says who it is."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from pressmark import disk, ids
from pressmark.errors import NotFound
from pressmark.exchange import zotero
from pressmark.exchange.citations import (
    CitationPort,
    FileReader,
    LibraryReader,
    Resolver,
    WebReader,
    ZoteroReader,
)
from pressmark.http import NullClient, open_client
from pressmark.library import Library, create
from pressmark.record import Paper, Reference
from pressmark.sources.lookup import Looked

from .zoterodb import Zotero, filled


@pytest.fixture
def library(tmp_path: Path) -> Library:
    root = tmp_path / "lib"
    root.mkdir()
    subprocess.run(["git", "init", "-q", root], check=True)
    create(root)
    held = Library.open(root)
    held.add([Paper(title="Salt", published="2018", key_hint="salt2018", doi="10.1000/salt")])
    return held


@pytest.fixture
def bib(tmp_path: Path) -> Path:
    path = tmp_path / "refs.bib"
    path.write_text("@misc{salt2018, title={Other salt}}\n@misc{lee:2018, title={Soup}}\n")
    return path


def test_the_first_source_that_knows_a_key_answers(
    library: Library, bib: Path, tmp_path: Path
) -> None:
    filled(tmp_path / "Zotero")
    readers: list[CitationPort] = [
        LibraryReader(library), FileReader(bib), ZoteroReader(tmp_path / "Zotero"),
    ]  # fmt: skip
    resolver = Resolver(readers)
    answers = {
        k: resolver.lookup(k) for k in ("salt2018", "lee:2018", "leeSalt2018", "BBBB2222", "x")
    }
    told = {k: f and (f.source, f.reference.title) for k, f in answers.items()}
    assert told == {
        "salt2018": ("library", "Salt"), "lee:2018": ("bibtex", "Soup"),
        "leeSalt2018": ("zotero", "Salt in soup"), "BBBB2222": ("zotero", "Pepper"), "x": None,
    }  # fmt: skip
    assert [f.source for f in resolver.all()] == ["library", "bibtex", "bibtex", "zotero", "zotero"]


def test_a_zotero_is_read_as_a_stream(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = Zotero(tmp_path / "Zotero", 6)
    for number in range(300):
        made.item(f"K{number:07}", "book", title=f"Book {number}")
    made.done()
    seen = []
    one = zotero.Database.items

    def counted(self: zotero.Database, key: str | None = None) -> Iterator[dict[str, object]]:
        for item in one(self, key):
            seen.append(item)
            yield item

    monkeypatch.setattr(zotero.Database, "items", counted)
    found = ZoteroReader(tmp_path / "Zotero").lookup("K0000002")
    assert found is not None and found.title == "Book 2"
    assert len(seen) == 3


@pytest.mark.parametrize("content", [None, b"", b"not a database"])
def test_a_zotero_that_cannot_be_read_has_nothing(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "zotero.sqlite").write_bytes(content)
    reader = ZoteroReader(tmp_path)
    assert reader.lookup("a") is None and list(reader.all()) == []


def test_a_file_that_cannot_be_read_has_nothing(tmp_path: Path) -> None:
    assert list(FileReader(tmp_path / "none.bib").all()) == []


def test_the_web_is_asked_only_where_the_user_said_so(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look_up(*words: object) -> list[object]:
        raise AssertionError("the web was asked")

    monkeypatch.setattr("pressmark.sources.look_up", look_up)
    client = open_client(library.config)
    off = WebReader(client, library.config, "2026-11-30")
    assert off.lookup("10.1000/x") is None
    resolving = replace(library.config, resolve=True)
    assert (
        WebReader(client, replace(resolving, offline=True), "2026-11-30").lookup("10.1000/x")
        is None
    )
    on = WebReader(client, resolving, "2026-11-30")
    assert on.lookup("no identifier") is None
    with pytest.raises(AssertionError, match="was asked"):
        on.lookup("10.1000/x")
    with pytest.raises(NotImplementedError):
        on.all()


def test_what_the_web_answers_says_so(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    class Looked:
        paper = Paper(
            title="Soup",
            published="2018",
            doi="10.1000/x",
            sources=("crossref:10.1000/x 2026-11-30",),
        )

    monkeypatch.setattr("pressmark.sources.look_up", lambda *words: [Looked()])
    reader = WebReader(
        NullClient(library.config), replace(library.config, resolve=True), "2026-11-30"
    )
    found = Resolver([LibraryReader(library), reader]).lookup("10.1000/x")
    assert found is not None and (found.source, found.reference.title) == ("web", "Soup")
    assert found.reference.sources == ("crossref:10.1000/x 2026-11-30",)
    assert isinstance(found.reference, Reference)


def test_many_keys_are_answered_in_one_pass_of_each_source(
    library: Library, bib: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(tmp_path / "Zotero")
    read: list[str] = []
    one, opened = disk.read_given, zotero.opened
    monkeypatch.setattr(disk, "read_given", lambda *a: read.append("bib") or one(*a))
    monkeypatch.setattr(zotero, "opened", lambda *a: read.append("zotero") or opened(*a))
    readers: list[CitationPort] = [
        LibraryReader(library), FileReader(bib), ZoteroReader(tmp_path / "Zotero"),
    ]  # fmt: skip
    keys = ["salt2018", "LEE:2018", "leeSalt2018", "BBBB2222", "doi:10.1000/salt", "x"]
    answers = Resolver(readers).find(keys)
    told = {k: [(f.source, f.reference.title) for f in v] for k, v in answers.found.items()}
    assert told == {
        "salt2018": [("library", "Salt"), ("bibtex", "Other salt")],
        "LEE:2018": [("bibtex", "Soup")], "leeSalt2018": [("zotero", "Salt in soup")],
        "BBBB2222": [("zotero", "Pepper")],
        "doi:10.1000/salt": [("library", "Salt"), ("zotero", "Salt in soup")],
    }  # fmt: skip
    assert (read, answers.doubts) == (["bib", "zotero"], {})


def test_a_bib_file_is_parsed_as_far_as_it_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "refs.bib"
    path.write_text(
        "@string{j = {Journal}}\n"
        "@incollection{part, title={Part}, crossref={Whole}}\n"
        "@article{odd, title={Odd}, journal=nowhere}\n"
        "@article{two, ids={zwei,deux}, title={Two}, journal=j}\n"
        "@book{whole, title={Whole}, publisher={P}}\n"
        "@misc{last, title={By DOI}, url={https://doi.org/10.1000/A_b}}\n"
    )
    reader = FileReader(path)
    found = list(reader.all(["PART", "deux", "doi:10.1000/a_b"]))
    assert [(f.key, f.venue, f.aliases) for f in found] == [
        ("part", "Whole", ()), ("two", "Journal", ("zwei", "deux")), ("last", None, ()),
    ]  # fmt: skip
    assert reader.problems == []  # the odd one was not asked for
    assert len(list(reader.all())) == 5
    assert reader.problems == [
        "bibtex: line 3: odd: the string nowhere is defined nowhere; it stands as it is."
    ]


def test_the_web_is_asked_for_many_identifiers_at_once(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []

    def look_up(identifiers: list[ids.Identifier], *more: object) -> list[Looked]:
        asked.append([str(each) for each in identifiers])
        return [
            Looked(each, Paper(title=str(each)) if each.value == "10.1000/a" else None,
                   {"crossref": NotFound("It has none.")})
            for each in identifiers
        ]  # fmt: skip

    monkeypatch.setattr("pressmark.sources.look_up", look_up)
    reader = WebReader(
        NullClient(library.config), replace(library.config, resolve=True), "2026-11-30"
    )
    keys = ["doi:10.1000/a", "https://doi.org/10.1000/a", "10.1000/b", "smith2020"]
    answers = Resolver([reader]).find(keys)
    assert asked == [["doi:10.1000/a", "doi:10.1000/b"]]
    assert {k: v[0].reference.title for k, v in answers.found.items()} == {
        "doi:10.1000/a": "doi:10.1000/a", "https://doi.org/10.1000/a": "doi:10.1000/a",
    }  # fmt: skip
    assert list(reader.failures) == ["10.1000/b"]
