"""Pull, check, push: two clones of one library, and every way in which a sync must stop."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from pressmark.config import Config, load
from pressmark.errors import BadInput, Busy, Integrity, NotFound, Offline, Unavailable
from pressmark.history import exchange
from pressmark.library import Library
from pressmark.record import Paper
from pressmark.topics import syncing
from pressmark.topics.syncing import sync

from .conftest import TOPIC, library_at

FAMILIES = ("Alder", "Bank", "Creek", "Dyke", "Eel", "Fen", "Gauge", "Heron", "Inlet", "Jetty")


def paper(number: int, **more: object) -> Paper:
    return Paper(title=f"Paper number {number}", authors=(f"{FAMILIES[number]}, A.",),
                 published="2020", doi=f"10.5555/s.{number}",
                 sources=(f"crossref:10.5555/s.{number} 2026-01-01",), **more)  # type: ignore[arg-type]  # fmt: skip


def git(library: Library, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=library.root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.rstrip("\n")


@pytest.fixture
def two(tmp_path: Path, config: Path) -> tuple[Library, Library]:
    """Ada's library, the bare repository between, and Bo's clone of it."""
    ada = library_at(tmp_path / "ada", config, {"rivers": TOPIC})
    ada.add([paper(0)])
    git(ada, "clone", "-q", "--bare", str(ada.root), str(tmp_path / "origin.git"))
    git(ada, "remote", "add", "origin", str(tmp_path / "origin.git"))
    subprocess.run(["git", "clone", "-q", "origin.git", "bo"], cwd=tmp_path, check=True)
    root = tmp_path / "bo"
    bo = Library.open(root, load(root, {"PRESSMARK_CONFIG": str(config)}))
    return ada, bo


def test_a_first_sync_pushes_and_follows(two: tuple[Library, Library]) -> None:
    ada, _ = two
    ada.add([paper(1)])
    done = sync(ada)
    assert (done.remote, done.branch, done.pulled, done.pushed) == ("origin", "main", 0, 1)
    assert git(ada, "rev-parse", "origin/main") == git(ada, "rev-parse", "main")
    assert git(ada, "config", "branch.main.merge") == "refs/heads/main"
    again = sync(ada)
    assert (again.pulled, again.pushed) == (0, 0)


def test_both_sides_work_is_kept_and_merged_field_by_field(two: tuple[Library, Library]) -> None:
    ada, bo = two
    ada.edit(["alder2020paper"], add={"tags": ["dams"]})
    sync(ada)
    bo.edit(["alder2020paper"], add={"tags": ["reeds"]})
    bo.add([paper(2)])
    done = sync(bo)
    assert (done.pulled, done.pushed) == (1, 2)
    assert bo.get("alder2020paper").tags == ("dams", "reeds")
    assert done.changes is not None
    assert git(bo, "log", "--format=%s", "-2").splitlines() == [
        "add: creek2020paper (Paper number 2)", "edit: alder2020paper",
    ]  # fmt: skip
    done = sync(ada)
    assert ada.get("alder2020paper").tags == ("dams", "reeds") and done.pulled == 2
    assert git(ada, "rev-parse", "HEAD") == git(bo, "rev-parse", "HEAD")


def test_a_push_that_came_too_late_is_tried_again(
    two: tuple[Library, Library], monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bo = two
    ada.add([paper(1)])
    sync(ada)
    bo.add([paper(2)])
    late = [3, 4]
    push = exchange.push

    def meanwhile(repo: object, *rest: object) -> None:
        if late and repo is bo.repository:
            ada.add([paper(late.pop(0))])
            push(ada.repository, "origin", "main")  # type: ignore[arg-type]
        push(repo, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(exchange, "push", meanwhile)
    done = sync(bo)
    assert (done.tries, done.pulled, done.pushed) == (3, 3, 1)
    assert bo.catalogue.count() == 5
    assert git(bo, "rev-parse", "origin/main") == git(bo, "rev-parse", "HEAD")


def test_a_conflict_leaves_everything_as_it_was(two: tuple[Library, Library]) -> None:
    ada, bo = two
    ada.edit(["alder2020paper"], set={"title": "Ada's words"})
    sync(ada)
    bo.edit(["alder2020paper"], set={"title": "Bo's words"})
    bo.add([paper(2)])
    (bo.root / "draft.md").write_text("not committed\n")
    before = (git(bo, "rev-parse", "HEAD"), git(bo, "status", "--porcelain"))
    with pytest.raises(exchange.Conflict, match=r"alder2020paper\.md only a person") as stopped:
        sync(bo)
    assert stopped.value.paths == ("library/2020/alder2020paper.md",)
    assert (git(bo, "rev-parse", "HEAD"), git(bo, "status", "--porcelain")) == before
    assert git(bo, "worktree", "list").count("\n") == 0
    assert bo.repository is not None and bo.repository.state() == "clean"


def test_two_papers_under_one_key_are_a_conflict_and_never_one_paper(
    two: tuple[Library, Library],
) -> None:
    ada, bo = two
    ada.add([paper(1)])
    sync(ada)
    bo.add([replace(paper(1), doi="10.5555/another", title="Paper of another kind")])
    with pytest.raises(exchange.Conflict, match=r"bank2020paper\.md"):
        sync(bo)
    assert bo.get("bank2020paper").doi == "10.5555/another"


def test_uncommitted_and_staged_work_stays_where_it_is(two: tuple[Library, Library]) -> None:
    ada, bo = two
    ada.add([paper(1)])
    sync(ada)
    bo.add([paper(2)])
    (bo.root / "draft.md").write_text("mine\n")
    git(bo, "add", "draft.md")
    topic = bo.root / "topics/rivers.md"
    topic.write_text(topic.read_text() + "\nMore.\n")
    done = sync(bo)
    assert (done.pulled, done.pushed) == (1, 1)
    assert git(bo, "status", "--porcelain").splitlines() == ["A  draft.md", " M topics/rivers.md"]


def test_uncommitted_work_that_is_in_the_way_stops_the_pull(two: tuple[Library, Library]) -> None:
    ada, bo = two
    ada.edit(["alder2020paper"], set={"venue": "Marsh Letters"})
    sync(ada)
    bo.add([paper(2)])
    path = bo.root / "library/2020/alder2020paper.md"
    path.write_text(path.read_text() + "\nMy own note.\n")
    head = git(bo, "rev-parse", "HEAD")
    with pytest.raises(Unavailable, match="uncommitted work is in the way"):
        sync(bo)
    assert git(bo, "rev-parse", "HEAD") == head and "My own note." in path.read_text()


def test_what_breaks_the_rules_is_not_pushed_unless_forced(two: tuple[Library, Library]) -> None:
    ada, bo = two
    (bo.root / "notes").mkdir()
    (bo.root / "notes/a.md").write_text("See [@nobody2020].\n")
    git(bo, "add", ".")
    git(bo, "commit", "-qm", "note")
    with pytest.raises(Integrity, match=r"1 error, so nothing was pushed: notes/a\.md:1"):
        sync(bo)
    assert git(bo, "rev-parse", "origin/main") != git(bo, "rev-parse", "HEAD")
    assert sync(bo, push=False).pushed == 0
    assert sync(bo, force=True).pushed == 1
    assert sync(ada).pulled == 1


def test_texts_without_an_open_licence_wait_for_the_users_word(
    two: tuple[Library, Library], config: Path
) -> None:
    _, bo = two
    for number, licence in ((0, ""), (1, "license: CC BY 4.0\n\n"), (2, "license: CC BY-NC\n\n")):
        bo.add([paper(number)])
        (bo.root / f"library/2020/{FAMILIES[number].lower()}2020paper.fulltext.md").write_text(
            f"---\nreference: {FAMILIES[number].lower()}2020paper\n\n{licence}---\n\n# Paper number {number}\n"
        )
    git(bo, "add", "-f", "library")
    git(bo, "commit", "-qm", "texts")
    with pytest.raises(BadInput, match="2 full texts without an open licence would be pushed"):
        sync(bo)
    assert git(bo, "rev-parse", "origin/main") != git(bo, "rev-parse", "HEAD")
    (bo.root / "pressmark.toml").write_text('format = 1\n[fulltext]\ncommit = "all"\n')
    git(bo, "commit", "-qam", "all may go out")
    again = Library.open(bo.root, load(bo.root, {"PRESSMARK_CONFIG": str(config)}))
    assert sync(again).pushed == 4


def test_offline_nothing_is_asked(two: tuple[Library, Library]) -> None:
    ada, _ = two
    offline = Library(ada.root, replace(ada.config, offline=True))
    with pytest.raises(Offline, match="network, which is off"):
        sync(offline)


def test_without_a_remote_or_a_branch_it_says_so(library: Library) -> None:
    with pytest.raises(NotFound, match="no remote"):
        sync(library)
    git(library, "checkout", "-q", "--detach")
    with pytest.raises(Busy, match="No branch is checked out"):
        sync(library)


def test_a_remote_that_is_away_is_a_sentence(two: tuple[Library, Library], tmp_path: Path) -> None:
    ada, _ = two
    (tmp_path / "origin.git").rename(tmp_path / "elsewhere.git")
    with pytest.raises(Unavailable, match="origin cannot be reached"):
        sync(ada)


def test_a_remote_that_runs_a_program_is_never_used(two: tuple[Library, Library]) -> None:
    ada, _ = two
    git(ada, "remote", "set-url", "origin", "ext::sh -c touch% ran% >&2")
    with pytest.raises(Unavailable, match="cannot be reached"):
        sync(ada)
    assert not (ada.root / "ran").exists()


def test_a_shallow_clone_syncs_too(two: tuple[Library, Library], tmp_path: Path) -> None:
    ada, _ = two
    ada.add([paper(1)])
    sync(ada)
    url = f"file://{tmp_path / 'origin.git'}"
    subprocess.run(["git", "clone", "-q", "--depth", "1", url, "cut"], cwd=tmp_path, check=True)
    cut = Library(tmp_path / "cut", Config(root=tmp_path / "cut", state_dir=tmp_path / "state"))
    ada.add([paper(2)])
    sync(ada)
    cut.add([paper(3)])
    done = sync(cut)
    assert done.pushed == 1 and cut.catalogue.count() == 4
    assert syncing.closed_texts(cut, None) == []
