"""Who wrote a value: one rule for imports and for updates, through renames, gaps and cut clones."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from pressmark.library import Library, Write, create, makers
from pressmark.library.makers import ASKED, IMPORTED, SOURCES, Makers
from pressmark.record import Paper

PAPER = Paper(
    title="Reeds in Winter",
    doi="10.5555/reeds",
    volume="1",
    sources=("csl-json:k1",),
    key_hint="k1",
)


@pytest.fixture
def library(tmp_path: Path, git) -> Library:
    create(tmp_path / "lib")
    library = Library.open(tmp_path / "lib")
    library.add([PAPER], subject="import: 1 entry of 1 file")
    library.refresh()
    return library


def made_by(library: Library, key: str, verbs: frozenset[str], expected: int = 1) -> list[str]:
    held = library.get(key)
    return Makers(library, expected).made_by(verbs, held, ["title", "volume"])


@pytest.mark.parametrize("expected", [1, 100], ids=["few", "many at once"])
def test_a_value_is_of_the_commit_that_first_had_it(library: Library, expected: int) -> None:
    library.edit(["k1"], set={"volume": "9"})
    assert made_by(library, "k1", IMPORTED, expected) == ["title"]
    library.edit(["k1"], set={"volume": "1"})
    assert made_by(library, "k1", SOURCES, expected) == ["title"]  # set again by a person
    makers, held = Makers(library, expected), library.get("k1")
    assert [makers.person(held, name) for name in ("title", "volume")] == [False, True]


def test_an_import_and_a_provider_are_told_apart(library: Library, git) -> None:
    path = library.root / library.path("k1")
    path.write_text(path.read_text().replace("volume: '1'", "volume: '2'"))
    git("commit", "-qam", "update: k1\n\nPressmark: update")
    library.refresh()
    assert made_by(library, "k1", IMPORTED) == ["title"]
    assert made_by(library, "k1", ASKED) == ["volume"]


def test_a_rename_is_no_gap_and_a_deletion_is_one(library: Library, git) -> None:
    library.rename("k1", "reeds")
    library.refresh()
    assert made_by(library, "reeds", IMPORTED) == ["title", "volume"]
    path = library.root / library.path("reeds")
    kept = path.read_bytes()
    git("rm", "-q", str(path))
    git("commit", "-qm", "by hand")
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(kept)
    git("add", ".")
    git("commit", "-qm", "and back by hand")
    library.refresh()
    assert made_by(library, "reeds", SOURCES) == []


def test_commits_that_were_made_one_say_nothing_of_who_wrote_what(library: Library, git) -> None:
    path = library.root / library.path("k1")
    path.write_text(path.read_text().replace("volume: '1'", "volume: '2'"))
    git("commit", "-qam", "squashed\n\nPressmark: import\nPressmark: edit")
    library.refresh()
    assert made_by(library, "k1", SOURCES) == ["title"]


def test_in_a_clone_cut_short_nobody_can_tell(library: Library, git, tmp_path: Path) -> None:
    git("clone", "-q", "--depth=1", library.root.as_uri(), str(tmp_path / "cut"))
    cut = Library.open(tmp_path / "cut")
    assert made_by(cut, "k1", SOURCES) == []
    assert not Makers(cut, 1).person(cut.get("k1"), "title")


def test_a_renamed_reference_still_follows_its_import(library: Library) -> None:
    library.rename("k1", "reeds")
    library.add([Paper(title=PAPER.title, doi=PAPER.doi, volume="2", sources=PAPER.sources)],
                subject="import: 1 entry of 1 file")  # fmt: skip
    library.refresh()
    assert {ref.key: ref.volume for ref in library.all()} == {"reeds": "2"}


TAGGED = replace(PAPER, keywords=("reeds", "winter"), tags=("wet", "cold"))


def test_what_was_taken_out_of_a_list_does_not_come_back_with_the_next_import(
    library: Library,
) -> None:
    library.add([TAGGED], subject="import: 1 entry of 1 file")
    library.edit(["k1"], remove={"tags": ["wet"], "keywords": ["winter"]})
    library.refresh()
    more = replace(TAGGED, tags=("wet", "cold", "new"), keywords=("reeds", "winter", "ice"))
    library.add([more], subject="import: 1 entry of 1 file")
    library.refresh()
    held = library.get("k1")
    assert (held.tags, held.keywords) == (("cold", "new"), ("ice", "reeds"))
    library.edit(["k1"], add={"tags": ["wet"]})  # a person may have it back
    library.refresh()
    library.add([more], subject="import: 1 entry of 1 file")
    library.refresh()
    assert library.get("k1").tags == ("cold", "new", "wet")


def test_an_offer_that_a_person_struck_out_is_not_made_again(library: Library, git) -> None:
    library.edit(["k1"], set={"volume": "9"})
    library.refresh()
    library.add([PAPER], subject="import: 1 entry of 1 file")
    library.refresh()
    assert library.get("k1").conflicts == ("volume: 1 (csl-json)",)
    path = library.root / library.path("k1")
    text = path.read_text()
    struck = re.sub(r"\nconflicts:\n- .*\n", "", text)
    assert struck != text
    path.write_text(struck)
    library.refresh()
    for _ in range(2):  # while the edit is in no commit, and when it is
        assert library.get("k1").conflicts == ()
        assert library.add([PAPER], subject="import: 1 entry of 1 file").commit is None
        library.refresh()
        git("commit", "-qam", "decided", "--allow-empty")
    other = replace(PAPER, volume="7")
    library.add([other], subject="import: 1 entry of 1 file")
    library.refresh()
    assert library.get("k1").conflicts == ("volume: 7 (csl-json)",)


def test_what_an_undo_took_back_was_not_taken_out_by_anybody(library: Library, git) -> None:
    more = replace(PAPER, title="Reeds in the Winter", keywords=("ice",), tags=("wet",))
    for back in (library.undo, lambda: git("revert", "--no-edit", "HEAD")):
        library.add([more], subject="import: 1 entry of 1 file")
        back()
        library.refresh()
        held = library.get("k1")
        assert (held.title, held.keywords, held.tags) == (PAPER.title, (), ())
        library.add([more], subject="import: 1 entry of 1 file")
        library.refresh()
        held = library.get("k1")
        assert (held.title, held.keywords, held.tags) == (more.title, ("ice",), ("wet",))
        assert held.conflicts == ()  # the import wrote the value that the undo gave back
        library.undo()
        library.refresh()


def test_a_removal_stands_when_it_was_undone_and_done_again(library: Library) -> None:
    library.add([TAGGED], subject="import: 1 entry of 1 file")
    library.edit(["k1"], remove={"tags": ["wet"]})
    library.undo()
    library.undo("HEAD")
    library.remove(["k1"])
    library.undo()
    library.refresh()
    assert library.get("k1").tags == ("cold",)
    library.add([TAGGED], subject="import: 1 entry of 1 file")
    library.refresh()
    assert library.get("k1").tags == ("cold",)


def test_an_offer_that_a_source_settled_may_be_made_again(library: Library, git) -> None:
    path = library.root / library.path("k1")
    text = path.read_text()
    path.write_text(text.replace("\nsources", "\nconflicts:\n- 'volume: 2 (csl-json)'\n\nsources"))
    git("commit", "-qam", "search: offered\n\nPressmark: search")
    path.write_text(text.replace("volume: '1'", "volume: '2'"))
    git("commit", "-qam", "update: k1 (volume)\n\nPressmark: update")
    library.refresh()
    library.edit(["k1"], set={"volume": "3"})
    library.add([replace(PAPER, volume="2")], subject="import: 1 entry of 1 file")
    library.refresh()
    held = library.get("k1")
    assert (held.volume, held.conflicts) == ("3", ("volume: 2 (csl-json)",))


def test_a_tag_that_is_asked_for_comes_back(library: Library) -> None:
    library.add([TAGGED], subject="import: 1 entry of 1 file")
    library.edit(["k1"], remove={"tags": ["wet"]})
    library.add([PAPER], tags=["wet\x1b[2J ", " "])
    library.refresh()
    assert library.get("k1").tags == ("cold", "wet")


def test_odd_names_of_files_and_large_files_beside_do_not_matter(library: Library, git) -> None:
    (library.root / "library/nd/two\nlines.md").write_text("---\ntitle: Odd\n---\n")
    (library.root / "library/nd/k1.fulltext.md").write_text("---\nreference: k1\n---\nWords.\n")
    git("add", "-f", ".")
    git("commit", "-qm", "odd \x01 and \x1e")
    library.refresh()
    makers = Makers(library, 100)
    assert makers.made_by(IMPORTED, library.get("k1"), ["title"]) == ["title"]
    assert sorted(makers._all_newest) == ["library/nd/k1.md", "library/nd/two\nlines.md"]


CORRECTED = replace(PAPER, title="Reeds in Snow", volume="2")


def by_hand(library: Library, old: str, new: str) -> None:
    path = library.root / library.path("k1")
    path.write_text(path.read_text().replace(old, new))


def squashed_by_amending(library: Library, git) -> None:
    by_hand(library, "volume: '1'", "volume: '7'")
    git("commit", "-qa", "--amend", "--no-edit")


def squashed_by_a_merge_button(library: Library, git) -> None:
    git("switch", "-qc", "side")
    by_hand(library, "volume: '1'", "volume: '7'")
    git("commit", "-qam", "by hand")
    library.add([Paper(title="Another", doi="10.5555/other")], subject="import: 1 entry of 1 file")
    said = git("log", "-1", "--format=%B")
    git("switch", "-q", "main")
    git("merge", "-q", "--squash", "side")
    git("commit", "-qm", f"Proposal (#4)\n\n* by hand\n\n* {said}")


def squashed_by_a_fixup(library: Library, git) -> None:
    by_hand(library, "volume: '1'", "volume: '7'")
    git("commit", "-qa", "--fixup=HEAD")
    git("-c", "sequence.editor=:", "rebase", "-q", "-i", "--autosquash", "HEAD~2")


@pytest.mark.parametrize(
    "squash", [squashed_by_amending, squashed_by_a_merge_button, squashed_by_a_fixup]
)
def test_what_a_person_put_into_a_commit_of_ours_stands(library: Library, git, squash) -> None:
    squash(library, git)
    library.refresh()
    library.add([CORRECTED], subject="import: 1 entry of 1 file")
    library.refresh()
    held = library.get("k1")
    assert held.volume == "7"
    assert "volume: 2 (csl-json)" in held.conflicts


def reworded(git) -> None:
    git("commit", "-q", "--amend", "-m", f"My words\n\n{git('log', '-1', '--format=%b')}")


def rebased(git) -> None:
    git("switch", "-qc", "side", "HEAD~1")
    git("commit", "-q", "--allow-empty", "-m", "elsewhere")
    git("rebase", "-q", "side", "main")


def picked(git) -> None:
    git("switch", "-qc", "side", "HEAD~1")
    git("commit", "-q", "--allow-empty", "-m", "elsewhere")
    git("cherry-pick", "main")


@pytest.mark.parametrize("move", [reworded, rebased, picked])
def test_a_commit_that_only_moved_is_still_ours(library: Library, git, move) -> None:
    move(git)
    library.refresh()
    library.add([CORRECTED], subject="import: 1 entry of 1 file")
    library.refresh()
    held = library.get("k1")
    assert (held.title, held.volume, held.conflicts) == ("Reeds in Snow", "2", ())


def test_a_proposal_from_a_subfolder_is_signed_as_any_commit(tmp_path: Path, git) -> None:
    root = tmp_path / "lib" / "thesis"
    create(root)
    if not (tmp_path / "lib" / ".git").exists():
        (root / ".git").rename(tmp_path / "lib" / ".git")
        git("add", "-A")
        git("commit", "-qm", "below")
    library = Library.open(root)
    import_ = "import: 1 entry of 1 file"
    library.add([PAPER], subject=import_, write=Write(branch="side"))
    library.add([PAPER], subject=import_)
    marks = [git("log", "-1", "--format=%(trailers:key=Pressmark-Files)", at) for at in
             ("main", "side")]  # fmt: skip
    assert marks[0] == marks[1] != ""
    assert made_by(library, "k1", IMPORTED) == ["title", "volume"]


@pytest.mark.parametrize("most", [40_000, 0], ids=["at once", "one after another"])
def test_many_histories_are_read_at_once_or_one_after_another(
    library: Library, monkeypatch, most: int
) -> None:
    monkeypatch.setattr(makers, "MOST", most)
    library.edit(["k1"], set={"volume": "9"})
    library.refresh()
    many = Makers(library, 100)
    assert many.made_by(IMPORTED, library.get("k1"), ["title", "volume"]) == ["title"]
    assert (many._all_objects is None) == (most == 0)
