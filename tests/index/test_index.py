"""The life of an index: made, brought up to date, damaged, foreign, read-only, half-written."""

from __future__ import annotations

import json
import multiprocessing
import os
import pickle
import shutil
from pathlib import Path

import pytest

from index.shelf import FIELD, place, put, reference, reopen, shelf
from pressmark import disk, index
from pressmark.errors import Integrity
from pressmark.index import opening
from pressmark.index.opening import Index
from pressmark.library import Library
from pressmark.record import FullText, Note, Reference

SENTENCE = "The heron stands in the shallows and waits for what the river brings to it. "
NOTE = Note(slug="herons", title="On herons", body=f"\n## Habits\n\n{SENTENCE * 2}\n")
TEXT = FullText(
    slug="vaswani2017attention.fulltext", reference="vaswani2017attention",
    body=f"\n# Attention\n\n## Results\n\n{SENTENCE * 30}\n\n## References\n\n1. {SENTENCE}\n",
)  # fmt: skip


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return shelf(tmp_path / "lib", [*FIELD, NOTE, TEXT])


def folder(library: Library) -> Path:
    return library.root / ".pressmark" / "index"


def current(library: Library) -> Path:
    return folder(library) / (folder(library) / "current").read_text().strip()


def found(library: Library, question: str) -> list[str]:
    """The names of what words alone find, best first."""
    opened = index.open_index(library)
    try:
        return names(opened, question)
    finally:
        opened.close()


def names(opened: Index, question: str) -> list[str]:
    hits = opened.words.search(opened.words.analyser.bag(question), 100)
    owners = opened.table.names({hit.owner for hit in hits})
    return [owners[hit.owner] for hit in hits]


def test_a_first_question_builds_it(library: Library) -> None:
    assert index.status(library)["state"] == "not_built"
    assert found(library, "attention") == ["vaswani2017attention"]
    said = index.status(library)
    assert said["state"] == "ready"
    assert said["counts"]["references"] == 5
    assert said["counts"]["notes"] == 1
    assert sorted(path.name for path in folder(library).iterdir()) == sorted(
        ["current", "lock", current(library).name]
    )


def test_the_manifest_says_what_it_mirrors(library: Library) -> None:
    found(library, "attention")
    held = json.loads((current(library) / "manifest.json").read_bytes())
    assert held["id"] == current(library).name
    assert held["versions"].keys() == {"index", "rows", "passages", "analysis", "words"}
    assert held["counts"]["passages"] == 4 + 1 + len(
        list(index.open_index(library).table.each("fulltext"))
    )


def test_passages_stand_where_their_rows_say(library: Library) -> None:
    opened = index.open_index(library)
    rows = list(opened.table.each("summary", "fulltext", "note"))
    assert {row.role for row in rows} == {"summary", "fulltext", "note"}
    for row in rows:
        passage = opened.passage(row)
        assert passage is not None and passage.id == row.passage
        text = (library.root / row.path).read_text(encoding="utf-8")
        assert text[passage.start : passage.end] == passage.text


def test_places_count_in_lf_text_without_the_mark(tmp_path: Path) -> None:
    library = shelf(tmp_path / "lib", FIELD[:1])
    path = library.root / place(FIELD[0])
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    opened = index.open_index(library)
    (row,) = opened.table.each("summary")
    passage = opened.passage(row)
    text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    assert passage is not None and text[passage.start : passage.end] == passage.text
    assert passage.text.startswith("The dominant sequence")


def test_nothing_changed_nothing_written(library: Library) -> None:
    found(library, "attention")
    before = {path: path.stat().st_mtime_ns for path in folder(library).rglob("*")}
    assert found(reopen(library.root), "attention") == ["vaswani2017attention"]
    assert before == {path: path.stat().st_mtime_ns for path in folder(library).rglob("*")}


def test_an_edit_an_addition_and_a_deletion_are_seen(library: Library) -> None:
    found(library, "attention")
    path = library.root / place(FIELD[3])
    path.write_text(path.read_text().replace("web page", "quokka"), encoding="utf-8")
    put(library.root, [reference("new2020quokka", "Quokkas", "The quokka is small and smiles.")])
    (library.root / place(FIELD[0])).unlink()
    (library.root / place(TEXT)).unlink()
    again = reopen(library.root)
    assert found(again, "quokka") == ["new2020quokka", "page1999pagerank"]
    assert "vaswani2017attention" not in found(again, "attention transformer recurrent")
    assert index.status(again)["state"] == "ready"
    assert index.status(again)["counts"]["references"] == 5


def test_a_full_text_that_comes_later_is_found(tmp_path: Path) -> None:
    library = shelf(tmp_path / "lib", FIELD)
    assert found(library, "heron shallows") == []
    put(library.root, [TEXT])
    assert found(reopen(library.root), "heron shallows") == ["vaswani2017attention"]


def test_brought_up_to_date_it_answers_as_if_built_anew(library: Library, tmp_path: Path) -> None:
    found(library, "attention")
    for number in range(12):
        put(library.root, [reference(f"new20{number}", f"Heron {number}", SENTENCE * (number + 1))])
        if number % 3 == 0:
            (library.root / place(FIELD[number // 3])).unlink()
        found(reopen(library.root), "heron")
    updated = index.open_index(reopen(library.root))
    assert len(updated.manifest.segments) < 6
    anew = index.open_index(reopen(library.root, user=tmp_path / "other"))
    assert anew.manifest.fingerprint == updated.manifest.fingerprint
    for question in ("heron", "heron 3 river", "page web", "attention recurrent", "Jacob Devlin"):
        bag = anew.words.analyser.bag(question)
        for opened in (updated, anew):
            assert opened.words.count() == anew.words.count()
        assert scored(updated, bag) == scored(anew, bag)


def scored(opened: Index, bag: dict[str, int]) -> list[tuple[str, float]]:
    hits = opened.words.search(bag, 100)
    owners = opened.table.names({hit.owner for hit in hits})
    return sorted((owners[hit.owner], hit.score) for hit in hits)


def test_the_same_files_make_the_same_index(library: Library, tmp_path: Path) -> None:
    shutil.copytree(library.root, tmp_path / "copy")
    one, two = index.open_index(library), index.open_index(reopen(tmp_path / "copy"))
    assert one.manifest.fingerprint == two.manifest.fingerprint
    for path in sorted(one.folder.iterdir()):
        if path.suffix != ".sqlite":
            assert path.read_bytes() == (two.folder / path.name).read_bytes(), path.name


def test_much_work_is_left_to_the_command(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    found(library, "attention")
    monkeypatch.setattr(opening, "PATIENCE", 0.0)
    put(library.root, [reference("new2020quokka", "Quokkas", "The quokka is small and smiles.")])
    opened = index.open_index(reopen(library.root))
    assert (opened.state, names(opened, "quokka")) == ("stale", [])
    said = index.status(reopen(library.root))
    assert (said["state"], said["stale"]) == ("stale", 1)
    assert said["mechanisms"] == {"words": "stale", "papers": "not_built", "passages": "not_built"}
    index.build(reopen(library.root))
    assert index.open_index(reopen(library.root)).state == "ready"


def test_an_index_of_the_lesser_half_is_brought_up_to_date_whatever_it_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = shelf(tmp_path / "lib", FIELD[:2])
    found(library, "attention")
    monkeypatch.setattr(opening, "PATIENCE", -1.0)
    put(library.root, FIELD[2:])
    assert index.open_index(reopen(library.root)).state == "ready"


def hold(path: Path, ready: object, done: object) -> None:
    with disk.Lock(path, 5):
        ready.set()  # type: ignore[attr-defined]
        done.wait(30)  # type: ignore[attr-defined]


def test_while_another_builds_the_old_one_answers(library: Library) -> None:
    found(library, "attention")
    put(library.root, [reference("new2020quokka", "Quokkas", "The quokka is small and smiles.")])
    context = multiprocessing.get_context("spawn")
    ready, done = context.Event(), context.Event()
    other = context.Process(target=hold, args=(folder(library) / "lock", ready, done))
    other.start()
    try:
        assert ready.wait(30)
        opened = index.open_index(reopen(library.root))
        assert (opened.state, names(opened, "attention")) == ("building", ["vaswani2017attention"])
        assert index.status(reopen(library.root))["state"] == "building"
    finally:
        done.set()
        other.join()
    assert found(reopen(library.root), "quokka") == ["new2020quokka"]


def test_what_a_dead_builder_left_is_swept(library: Library) -> None:
    found(library, "attention")
    left = folder(library) / ".new-0123456789abcdef"
    left.mkdir()
    (left / "rows.sqlite").write_bytes(b"half")
    (folder(library) / "000000000000-99").mkdir()
    put(library.root, [reference("new2020quokka", "Quokkas", "The quokka is small and smiles.")])
    assert found(reopen(library.root), "quokka") == ["new2020quokka"]
    assert len([path for path in folder(library).iterdir() if path.is_dir()]) == 1


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"../../etc\n", b"abc", b"000000000000-7\n"])
def test_a_current_that_names_nothing_is_as_none(library: Library, content: bytes) -> None:
    found(library, "attention")
    (folder(library) / "current").write_bytes(content)
    assert index.status(reopen(library.root))["state"] == "not_built"
    assert found(reopen(library.root), "attention") == ["vaswani2017attention"]
    assert index.status(reopen(library.root))["state"] == "ready"


def damage(path: Path, how: str) -> None:
    data = path.read_bytes()
    if how == "flipped":
        middle = len(data) // 2
        path.write_bytes(data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :])
    elif how == "cut":
        path.write_bytes(data[: len(data) // 2])
    elif how == "link":
        path.unlink()
        path.symlink_to("/etc/hostname")
    else:
        path.unlink()


@pytest.mark.parametrize("how", ["flipped", "cut", "gone", "link"])
@pytest.mark.parametrize(
    "name", ["manifest.json", "rows.sqlite", "s1.docs", "words_s1.pst", "words_s1.trm"]
)
def test_a_damaged_index_is_built_anew(library: Library, name: str, how: str) -> None:
    found(library, "attention")
    damage(current(library) / name, how)
    assert index.status(reopen(library.root))["state"] == "not_built"
    assert found(reopen(library.root), "attention") == ["vaswani2017attention"]


def test_damage_that_leaves_no_trace_is_noticed_when_met(library: Library) -> None:
    from pressmark import find

    found(library, "attention")
    folder_, trust = current(library), opening._lasting(library)[0].trust
    damage(folder_ / "words_s1.pst", "cut")
    trust.withdraw(folder_)
    assert trust.vouch(folder_)  # as if it had always been so
    opened = index.open_index(reopen(library.root))
    with pytest.raises(Integrity):
        for number in range(50):
            names(opened, "attention heron shallow river page network memory " * (number + 1))
    assert next(hit.key for hit in find.find(reopen(library.root), "attention").hits) == (
        "vaswani2017attention"
    )


class Bomb:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, (str(self.path),)


def test_a_foreign_index_is_not_opened(library: Library, tmp_path: Path) -> None:
    found(library, "attention")
    bomb = pickle.dumps(Bomb(tmp_path / "ran"))
    for name in ("words_s1.trm", "words_s1.pst"):
        (current(library) / name).write_bytes(bomb * 50)
    received = reopen(library.root, user=tmp_path / "somebody-else")
    assert index.status(received)["state"] == "not_built"
    assert found(received, "attention") == ["vaswani2017attention"]
    assert not (tmp_path / "ran").exists()


def test_a_file_more_in_the_folder_is_not_ours(library: Library) -> None:
    found(library, "attention")
    (current(library) / "words_s2.trm").write_bytes(b"")
    assert index.status(reopen(library.root))["state"] == "not_built"


def test_an_index_that_was_moved_with_its_bytes_is_known_again(library: Library) -> None:
    found(library, "attention")
    held = current(library)
    shutil.copytree(held, held.with_name("saved"))
    shutil.rmtree(held)
    held.with_name("saved").rename(held)
    assert index.status(reopen(library.root))["state"] == "ready"


def test_deleting_the_sidecars_loses_nothing(library: Library) -> None:
    before = found(library, "attention")
    shutil.rmtree(library.root / ".pressmark")
    assert found(reopen(library.root), "attention") == before


def test_where_the_library_cannot_be_written_the_users_cache_holds_it(
    library: Library, tmp_path: Path
) -> None:
    (library.root / ".pressmark").mkdir()
    folder(library).write_text("no folder can be here", encoding="utf-8")
    assert found(library, "attention") == ["vaswani2017attention"]
    assert folder(library).is_file()
    assert len(list((tmp_path / "user" / "cache" / "indexes").iterdir())) == 1
    assert index.status(reopen(library.root))["state"] == "ready"


def test_without_a_home_it_lives_in_a_private_folder(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "user").write_text("no home", encoding="utf-8")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    opened = index.open_index(library)
    assert opened.private is not None and opened.private.parent == tmp_path
    assert opened.private.stat().st_mode & 0o777 == 0o700
    assert names(opened, "attention") == ["vaswani2017attention"]
    opened.close()
    assert not opened.private.exists()
    assert index.status(reopen(library.root))["state"] == "not_built"


def test_the_index_of_another_user_is_left_alone(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found(library, "attention")
    theirs = current(library)
    monkeypatch.setattr(os, "getuid", lambda: 4711)
    ours = reopen(library.root, user=tmp_path / "ours")
    assert found(ours, "attention") == ["vaswani2017attention"]
    assert current(library) == theirs and theirs.is_dir()
    assert len(list((tmp_path / "ours" / "cache" / "indexes").iterdir())) == 1


def test_a_linked_place_is_not_followed(library: Library, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (library.root / ".pressmark").mkdir()
    folder(library).symlink_to(tmp_path / "elsewhere")
    assert found(library, "attention") == ["vaswani2017attention"]
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_a_summary_stands_in_for_an_abstract(tmp_path: Path) -> None:
    page = Reference(
        key="heron2001", title="Herons", body="\n## Summary\n\nThey wade.\n\n## Mine\n\nVoles!\n"
    )
    library = shelf(tmp_path / "lib", [page])
    opened = index.open_index(library)
    assert [(row.role, row.section) for row in opened.table.of(0)] == [
        ("paper", ""), ("summary", "Summary"), ("body", "Mine"),
    ]  # fmt: skip
    assert names(opened, "wading") == names(opened, "vole") == ["heron2001"]


def test_an_empty_library(tmp_path: Path) -> None:
    library = shelf(tmp_path / "lib")
    assert found(library, "attention") == []
    assert index.build(library)["counts"]["documents"] == 0
    put(library.root, FIELD[:1])
    assert found(reopen(library.root), "attention") == ["vaswani2017attention"]


def test_what_cannot_be_read_is_left_out(library: Library) -> None:
    (library.root / "library" / "nd" / "broken.md").write_bytes(b"---\ntitle: [\n---\n")
    (library.root / "library" / "nd" / "bytes.fulltext.md").write_bytes(b"\xff\xfe heron")
    (library.root / "notes" / "bytes.md").write_bytes(b"\xff heron")
    assert found(library, "attention") == ["vaswani2017attention"]
    assert set(found(reopen(library.root), "heron")) == {"herons", "vaswani2017attention"}
    skipped = {each["path"] for each in index.build(reopen(library.root))["skipped"]}
    assert "library/nd/broken.md" in skipped


def test_other_versions_are_built_anew(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    found(library, "attention")
    monkeypatch.setitem(index.opening.manifest.VERSIONS, "passages", "0")  # type: ignore[attr-defined]
    assert index.status(reopen(library.root))["state"] == "not_built"
    assert found(reopen(library.root), "attention") == ["vaswani2017attention"]


def test_rebuild_makes_one_segment(library: Library) -> None:
    found(library, "attention")
    path = library.root / place(FIELD[3])
    path.write_text(path.read_text().replace("web page", "quokka"), encoding="utf-8")
    found(reopen(library.root), "attention")
    index.build(reopen(library.root), rebuild=True)
    opened = index.open_index(reopen(library.root))
    assert [each.name for each in opened.manifest.segments] == ["s1"]
    assert opened.table.dead() == set()


def test_progress_is_told(library: Library) -> None:
    said: list[tuple[str, int, int]] = []
    index.build(library, progress=lambda *each: said.append(each))
    assert said[-1] == ("indexing words", 6, 6)


TEMPLATE = "Our main contributions in this work are as follows:"


def paper(number: int, *, template: bool = True) -> list[Reference | FullText]:
    key = f"paper20{number:02}"
    said = f"{TEMPLATE}\n\n" if template else ""
    body = f"\n# T\n\n## Intro\n\nHeron number {number} waits.\n\n{said}{SENTENCE * (number + 3)}\n"
    return [
        reference(key, f"Paper {number}"),
        FullText(slug=f"{key}.fulltext", reference=key, body=body),
    ]


def told(library: Library) -> list[str]:
    opened = index.open_index(library)
    try:
        rows = list(opened.table.each("fulltext"))
        return sorted(passage.text for row in rows if (passage := opened.passage(row)))
    finally:
        opened.close()


def test_a_paragraph_that_many_papers_share_is_left_out(tmp_path: Path) -> None:
    nine = [each for number in range(9) for each in paper(number)]
    library = shelf(tmp_path / "lib", nine)
    assert sum(TEMPLATE in text for text in told(library)) == 9
    put(library.root, paper(9))  # the tenth paper makes it a template
    updated = told(reopen(library.root))
    assert not any(TEMPLATE in text for text in updated)
    assert updated == told(reopen(library.root, user=tmp_path / "anew"))
    (library.root / place(paper(3)[1])).unlink()
    (library.root / place(paper(3)[0])).unlink()
    again = told(reopen(library.root))  # and is none any more without one of them
    assert sum(TEMPLATE in text for text in again) == 9
    assert again == told(reopen(library.root, user=tmp_path / "once-more"))


def test_many_references(tmp_path: Path) -> None:
    many: list[Reference] = [reference(f"r{n:04}", f"Heron {n}", SENTENCE) for n in range(700)]
    library = shelf(tmp_path / "lib", many)
    assert len(set(found(library, "heron"))) == 100 + 600  # all tie, so all are given
