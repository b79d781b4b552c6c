"""Which engine of words a library gets, and that its answers do not depend on which."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from index.shelf import FIELD, place, put, reference, reopen, shelf
from index.test_index import NOTE, TEXT
from pressmark import find, index
from pressmark.index import engines, native
from pressmark.library import Library

pytest.importorskip("tantivy", reason="tantivy is not installed")

QUESTIONS = (
    "attention",
    "heron river",
    "web page links",
    "Jacob Devlin",
    '"unlabeled text"',
    "recurr*",
)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every library is a large one."""
    monkeypatch.setattr(engines, "LIMIT", 2)


def answers(library: Library) -> list[list[tuple[str, float, object]]]:
    found = []
    for question in QUESTIONS:
        hits = find.find(library, question).hits
        found.append([(h.key, h.score, h.passage and h.passage.id) for h in hits])
        passages = find.passages(library, question).passages
        found.append([(p.passage.id, p.score, None) for p in passages])
    return found


def without(monkeypatch: pytest.MonkeyPatch) -> None:
    real = native.installed
    monkeypatch.setattr(native, "installed", lambda name: name != "tantivy" and real(name))


def test_a_small_library_has_whoosh(tmp_path: Path) -> None:
    library = shelf(tmp_path / "lib", FIELD)
    assert index.build(library)["engine"] == "whoosh"


def test_a_large_one_has_tantivy_and_the_same_answers(tmp_path: Path, small: None) -> None:
    library = shelf(tmp_path / "lib", [*FIELD, NOTE, TEXT])
    said = index.build(library)
    assert (said["engine"], said["state"]) == ("tantivy", "ready")
    engines.LIMIT = 10_000
    shutil.copytree(library.root, tmp_path / "copy", ignore=shutil.ignore_patterns(".pressmark"))
    other = reopen(tmp_path / "copy", user=tmp_path / "other")
    assert index.build(other)["engine"] == "whoosh"
    assert answers(library) == answers(other)


def test_it_is_brought_up_to_date(tmp_path: Path, small: None) -> None:
    library = shelf(tmp_path / "lib", [*FIELD, NOTE, TEXT])
    assert index.build(library)["engine"] == "tantivy"
    for number in range(4):
        put(library.root, [reference(f"new20{number}", f"Heron {number}", "Quokkas smile. " * 9)])
        (library.root / place(FIELD[number])).unlink()
        library = reopen(library.root)
        assert find.find(library, "quokka", k=200).hits[0].key.startswith("new20")
        assert index.status(library)["state"] == "ready"
    anew = reopen(library.root, user=tmp_path / "other")
    index.build(anew)
    assert answers(library) == answers(anew)
    assert FIELD[0].key not in {hit.key for hit in find.find(library, "attention").hits}


def test_the_quicker_engine_takes_over_when_it_is_installed(
    tmp_path: Path, small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = shelf(tmp_path / "lib", [*FIELD, NOTE])
    with monkeypatch.context() as patch:
        without(patch)
        said = index.build(library)
        assert said["engine"] == "whoosh"
        assert "pip install 'pressmark[fast]'" in said["faster"]
        before = answers(library)
    again = reopen(library.root)
    assert find.find(again, "attention").hits  # a question does not stop for that
    assert index.status(again)["engine"] == "whoosh"
    said = index.build(again)
    assert (said["engine"], said["faster"]) == ("tantivy", None)
    assert answers(again) == before


def test_without_tantivy_its_index_is_built_anew_by_whoosh(
    tmp_path: Path, small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = shelf(tmp_path / "lib", [*FIELD, NOTE])
    index.build(library)
    before = answers(library)
    without(monkeypatch)
    again = reopen(library.root)
    assert index.status(again)["state"] == "not_built"
    assert answers(again) == before
    assert index.status(again)["engine"] == "whoosh"


def test_its_folder_is_as_trusted_as_any(tmp_path: Path, small: None) -> None:
    library = shelf(tmp_path / "lib", [*FIELD, NOTE])
    index.build(library)
    find.find(library, "attention")
    folder = library.root / ".pressmark" / "index"
    held = folder / (folder / "current").read_text().strip()
    assert index.status(reopen(library.root))["state"] == "ready"  # opening it wrote nothing
    for path in sorted(held.iterdir()):
        data = path.read_bytes()
        if not data:
            continue
        path.write_bytes(data[: len(data) // 2])
        assert index.status(reopen(library.root))["state"] == "not_built", path.name
        assert find.find(reopen(library.root), "attention").hits[0].key == "vaswani2017attention"
        held = folder / (folder / "current").read_text().strip()
        break


def test_masks_hold(tmp_path: Path, small: None) -> None:
    library = shelf(tmp_path / "lib", [*FIELD, NOTE])
    index.build(library)
    found = find.find(library, "attention memory web", ["year:1990..2000"])
    assert {hit.key for hit in found.hits} == {"hochreiter1997long", "page1999pagerank"}
    assert find.find(library, "attention", ["year:1800"]).hits == ()
    assert find.find(library, "", ["year:1997"]).hits == ()
