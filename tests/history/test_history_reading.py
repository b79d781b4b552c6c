"""Reading: every kind of clone, no program of a received repository runs, nothing is fetched."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from scratch import KEY, PAPER, Lib, make

from pressmark import disk
from pressmark.errors import Changed, NotFound, Unavailable
from pressmark.history import Repository

TWO = b"---\ntitle: Two\n---\n"
PAGES = {f"library/{2000 + n}/author{n}.md": b"page %d\n" % n for n in range(30)}


@pytest.fixture
def filled(lib: Lib) -> Lib:
    """Thirty more references, in two commits."""
    names = list(PAGES)
    for part in (names[:15], names[15:]):
        lib.change(*[(name, PAGES[name]) for name in part], subject="import: 15 references")
    return lib


def clone(source: Lib, target: Path, *options: str) -> Lib:
    subprocess.run(
        ["git", "clone", "--quiet", *options, f"file://{source.top}", str(target)],
        check=True,
        capture_output=True,
    )
    return Lib(target, target)


def test_find_starts_no_git_and_imports_none(lib: Lib) -> None:
    code = (
        "import sys, pathlib\n"
        "from pressmark.history import Repository\n"
        "repo = Repository.find(pathlib.Path(sys.argv[1]))\n"
        "print(repo.state(), repo.branch(), repo.head(), repo.prefix == '', repo.is_shallow())\n"
        "heavy = {'git', 'filelock', 'httpx', 'numpy', 'concurrent.futures.thread'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
        "print(repo.tracked('library'), sorted(heavy & set(sys.modules)))\n"
    )
    env = os.environ | {"PYTHONPATH": str(Path(disk.__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", code, str(lib.root)], env=env, capture_output=True, text=True
    )
    head = lib.git("rev-parse", "HEAD")
    assert done.stdout.splitlines() == [f"clean main {head} True False", "[]", f"['{KEY}'] []"]


def test_no_repository(tmp_path: Path) -> None:
    assert Repository.find(tmp_path) is None
    (tmp_path / ".git").mkdir()
    assert Repository.find(tmp_path) is None


def test_a_git_file_that_points_nowhere_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("gitdir: /nowhere/at/all\n")
    with pytest.raises(Unavailable, match="not there") as caught:
        Repository.find(tmp_path)
    assert "git worktree repair" in (caught.value.next or "")


def test_head_through_packed_references(lib: Lib) -> None:
    lib.git("pack-refs", "--all")
    assert lib.repo.head() == lib.git("rev-parse", "HEAD")
    lib.git("switch", "--quiet", "-c", "feature/x")
    assert lib.repo.branch() == "feature/x"
    assert lib.change((KEY, TWO)) is not None
    assert lib.repo.head() == lib.git("rev-parse", "feature/x")


def test_a_symbolic_way_to_the_library(lib: Lib, tmp_path: Path) -> None:
    (tmp_path / "alias").symlink_to(lib.root)
    through = Lib(tmp_path / "alias", lib.top)
    assert through.repo.prefix == ""
    assert through.change((KEY, TWO)) is not None
    assert lib.read(KEY) == TWO


def test_log_show_tracked_and_list_head(filled: Lib) -> None:
    repo = filled.repo
    assert [e.subject for e in repo.log()] == ["import: 15 references"] * 2 + ["first"]
    assert len(repo.log(n=1)) == 1
    assert repo.log("library/none.md") == []
    assert repo.show("HEAD~1", "library/2003/author3.md") == b"page 3\n"
    for rev, path in (("HEAD~2", "library/2003/author3.md"), ("nothing", KEY), ("HEAD", "library")):
        with pytest.raises(NotFound):
            repo.show(rev, path)
    assert repo.tracked("library") == sorted([KEY, *PAGES])
    assert repo.tracked("none") == []
    listing = repo.list_head("library")
    assert dict(listing) == {KEY: PAPER, **PAGES}
    assert listing.missing == 0
    assert dict(repo.list_head())["pressmark.toml"] == b"format = 1\n"
    assert len(repo.git_version()) >= 2


def test_list_head_gives_commits_and_not_the_disk(lib: Lib) -> None:
    lib.write(KEY, b"uncommitted")
    lib.write("library/2018/new.md", b"uncommitted")
    lib.write("library/2018/link.md", b"x").unlink()
    (lib.root / "library/2018/link.md").symlink_to("/etc/passwd")
    lib.git("add", "library/2018/link.md")
    lib.git("commit", "--quiet", "-m", "link")
    assert dict(lib.repo.list_head("library")) == {KEY: PAPER}


def test_dirty(lib: Lib) -> None:
    lib.change(("library/2018/a.md", TWO), ("library/2018/b.md", TWO))
    lib.write("library/2018/a.md", b"edited")
    lib.write("library/2018/c.md", b"new")
    (lib.root / "library/2018/b.md").unlink()
    paths = [KEY, *(f"library/2018/{name}.md" for name in "abcd")]
    assert lib.repo.dirty(paths) == {f"library/2018/{name}.md" for name in "abc"}
    many = [f"library/1900/{n}.md" for n in range(200)]
    assert lib.repo.dirty([*paths, *many]) == {f"library/2018/{name}.md" for name in "abc"}
    assert lib.repo.dirty([]) == set()


def test_names_that_look_like_patterns_are_names(lib: Lib) -> None:
    lib.write("library/2017/[s]mith2017one.md", b"x")
    assert lib.repo.dirty(["library/2017/[s]mith2017one.md"]) == {"library/2017/[s]mith2017one.md"}
    assert lib.repo.tracked("library/*") == []
    assert lib.repo.log("library/201?/smith2017one.md") == []


@pytest.fixture
def trapped(filled: Lib, tmp_path: Path) -> tuple[Lib, Path]:
    """A received repository whose configuration, hooks and attributes would run a program."""
    mark = tmp_path / "ran"
    trap = tmp_path / "trap"
    trap.write_text(f'#!/bin/sh\necho "$0 $@" >> {mark}\ncat\n')
    trap.chmod(0o755)
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "post-checkout", "post-index-change", "reference-transaction"):
        shutil.copy(trap, hooks / name)
        shutil.copy(trap, filled.repo.git_dir / "hooks" / name)
    filled.write(".gitattributes", "*.md filter=trap diff=trap merge=trap\n")
    for name, value in {
        "core.fsmonitor": trap,
        "core.hooksPath": hooks,
        "core.pager": trap,
        "core.editor": trap,
        "core.sshCommand": trap,
        "core.askPass": trap,
        "core.gitProxy": trap,
        "filter.trap.clean": trap,
        "filter.trap.smudge": trap,
        "filter.trap.process": trap,
        "filter.trap.required": "true",
        "diff.trap.command": trap,
        "diff.trap.textconv": trap,
        "diff.external": trap,
        "merge.trap.driver": trap,
        "gpg.program": trap,
        "log.showSignature": "true",
        "credential.helper": trap,
        "alias.log": f"!{trap}",
        "alias.status": f"!{trap}",
        "trailer.Pressmark.command": trap,
        "pager.log": trap,
        "uploadpack.packObjectsHook": trap,
    }.items():
        filled.git("config", name, str(value))
    for path in (KEY, *PAGES):
        there = filled.root / path
        os.utime(there, ns=(1, 1))
    return filled, mark


def test_reading_runs_nothing_of_a_received_repository(trapped: tuple[Lib, Path]) -> None:
    lib, mark = trapped
    repo = lib.repo
    repo.state(), repo.head(), repo.branch(), repo.is_sparse(), repo.is_partial()
    repo.git_version(), repo.is_shallow()
    repo.log()
    repo.log(KEY)
    repo.show("HEAD", KEY)
    repo.tracked("library")
    assert len(dict(repo.list_head("library"))) == 31
    repo.dirty([KEY, *PAGES])
    repo.dirty([KEY, *[f"library/1900/{n}.md" for n in range(200)]])
    assert not mark.exists(), mark.read_text()


def test_the_traps_of_the_test_above_are_armed(trapped: tuple[Lib, Path]) -> None:
    lib, mark = trapped
    lib.git("status", ok=False)
    assert "trap" in mark.read_text()


def test_shallow_clones_are_read_and_written(filled: Lib, tmp_path: Path) -> None:
    lib = clone(filled, tmp_path / "shallow", "--depth=1")
    assert lib.repo.is_shallow()
    assert not filled.repo.is_shallow()
    assert len(lib.repo.log()) == 1
    done = lib.change(("library/2018/x.md", TWO))
    assert done is not None
    with pytest.raises(Unavailable, match="would delete every file") as caught:
        lib.repo.revert("HEAD^")
    assert "unshallow" in (caught.value.next or "")
    lib.repo.revert()
    with pytest.raises(Unavailable, match="would delete every file"):
        lib.repo.revert()
    assert len([p for p in lib.files() if p.startswith("library/")]) == 31


def test_partial_clones_fetch_nothing(filled: Lib, tmp_path: Path) -> None:
    filled.git("config", "uploadpack.allowFilter", "true")
    lib = clone(filled, tmp_path / "partial", "--filter=blob:none", "--no-checkout")
    lib.git("sparse-checkout", "set", "library/2003", "library/2017")
    lib.git("checkout", "--quiet", "main")
    assert lib.repo.is_partial()
    assert not filled.repo.is_partial()
    objects = len(list((lib.repo.git_dir / "objects").rglob("*")))
    listing = lib.repo.list_head("library")
    found = dict(listing)
    assert found == {
        KEY: PAPER,
        "library/2003/author3.md": b"page 3\n",
        "library/2017/author17.md": b"page 17\n",
    }
    assert listing.missing == 28
    assert [e.subject for e in lib.repo.log(KEY)] == ["first"]
    with pytest.raises(NotFound):
        lib.repo.show("HEAD", "library/2005/author5.md")
    assert lib.change((KEY, TWO), ("library/2018/new.md", TWO)) is not None
    assert lib.in_commit() == ["A library/2018/new.md", f"M {KEY}"]
    lib.repo.revert()
    packs = list((lib.repo.git_dir / "objects/pack").glob("*.pack"))
    assert len(packs) <= 2
    assert objects > 0
    assert len(dict(lib.repo.list_head("library"))) == 3


def test_a_sparse_checkout_knows_what_it_leaves_out(filled: Lib, tmp_path: Path) -> None:
    lib = clone(filled, tmp_path / "sparse")
    lib.git("sparse-checkout", "set", "library/2003")
    assert lib.repo.is_sparse()
    left_out = "library/2005/author5.md"
    assert not (lib.root / left_out).exists()
    assert dict(lib.repo.list_head("library"))[left_out] == b"page 5\n"
    with pytest.raises(Changed, match="already there"):
        lib.repo.transact(lib.root, [disk.Edit(left_out, TWO, None)], "add: x")
    edit = disk.Edit(left_out, TWO, disk.sha256(b"page 5\n"))
    assert lib.repo.transact(lib.root, [edit], "edit: author5") is not None
    assert lib.in_commit() == [f"M {left_out}"]
    new = "library/1950/new.md"
    assert lib.repo.transact(lib.root, [disk.Edit(new, TWO, None)], "add: new") is not None
    assert lib.in_commit() == [f"A {new}"]
    gone = disk.Edit("library/2006/author6.md", None, disk.sha256(b"page 6\n"))
    assert lib.repo.transact(lib.root, [gone], "remove: author6") is not None
    assert lib.in_commit() == ["D library/2006/author6.md"]
    assert len(lib.git("ls-tree", "-r", "--name-only", "HEAD").splitlines()) == 32
    assert lib.status() == []
    lib.tidy()


def test_a_worktree_is_a_library_of_its_own(filled: Lib, tmp_path: Path) -> None:
    filled.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    lib = Lib(tmp_path / "side", tmp_path / "side")
    assert lib.repo.git_dir == filled.repo.git_dir / "worktrees/side"
    assert lib.repo.place.common == filled.repo.git_dir
    assert lib.repo.branch() == "side"
    with filled.repo.lock():
        done = lib.change((KEY, TWO))
    assert done is not None
    assert lib.repo.head() == filled.git("rev-parse", "side")
    assert filled.read(KEY) == PAPER
    lib.repo.revert()
    assert lib.read(KEY) == PAPER
    other = lib.repo.transact(lib.root, [lib.edit(KEY, TWO)], "x", branch="third")
    assert other is not None
    assert filled.git("rev-parse", "third") == other.sha
    with pytest.raises(Unavailable):
        lib.repo.transact(lib.root, [lib.edit(KEY, TWO)], "x", branch="main")
    lib.tidy()


def test_a_submodule_is_a_library(filled: Lib, tmp_path: Path) -> None:
    thesis = make(tmp_path / "thesis")
    thesis.git(
        "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(filled.top), "lit"
    )
    thesis.git("commit", "--quiet", "-m", "lit")
    lib = Lib(thesis.root / "lit", thesis.root / "lit")
    assert lib.repo.git_dir == thesis.top / ".git/modules/lit"
    assert lib.change((KEY, TWO)) is not None
    assert lib.status() == []
    assert thesis.status() == [" M lit"]
    lib.repo.revert()
    assert lib.read(KEY) == PAPER
    lib.tidy()


@pytest.mark.parametrize(
    "name", ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"]
)
def test_variables_of_a_git_above_do_not_reach_ours(
    lib: Lib, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """As in a hook of another repository."""
    other = make(tmp_path / "other")
    values = {"GIT_DIR": other.top / ".git", "GIT_WORK_TREE": other.top}
    values["GIT_INDEX_FILE"] = other.top / ".git/index"
    values["GIT_OBJECT_DIRECTORY"] = other.top / ".git/objects"
    values["GIT_COMMON_DIR"] = other.top / ".git"
    before = (
        other.status(),
        other.git("rev-parse", "HEAD"),
        (other.top / ".git/index").read_bytes(),
    )
    monkeypatch.setenv(name, str(values[name]))
    monkeypatch.setenv("GIT_PREFIX", "elsewhere/")
    assert lib.change((KEY, TWO)) is not None
    assert lib.repo.log(KEY)[0].subject == "add: x"
    lib.repo.revert()
    for variable in (name, "GIT_PREFIX"):
        monkeypatch.delenv(variable)
    assert lib.read(KEY) == PAPER
    assert len(lib.repo.log()) == 3
    assert lib.status() == []
    after = (
        other.status(),
        other.git("rev-parse", "HEAD"),
        (other.top / ".git/index").read_bytes(),
    )
    assert after == before


def test_who_commits_stays_as_the_environment_says(
    lib: Lib, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Grace Curator")
    monkeypatch.setenv("GIT_AUTHOR_DATE", "2016-02-29T12:00:00+0000")
    lib.change((KEY, TWO))
    entry = lib.repo.log(KEY)[0]
    assert (entry.author, entry.date) == ("Grace Curator", "2016-02-29T12:00:00+00:00")


def test_author_and_subject_are_cleaned(lib: Lib) -> None:
    lib.write(KEY, TWO)
    lib.git("commit", "-qam", "x\x1b]0;evil\x07 \u202egnp", GIT_AUTHOR_NAME="A\x1b[31mB")
    entry = lib.repo.log(KEY)[0]
    assert not set("\x1b\x07\u202e") & set(entry.subject + entry.author)


def test_a_read_only_library_is_read(lib: Lib, tmp_path: Path) -> None:
    """On a read-only file system, readers answer and a writer refuses in one sentence."""
    mounted = tmp_path / "mounted"
    mounted.mkdir()
    done = subprocess.run(["mount", "--bind", str(lib.root), str(mounted)], capture_output=True)
    if done.returncode:
        pytest.skip("not possible here: the tests may not mount a file system")
    try:
        subprocess.run(["mount", "-o", "remount,bind,ro", str(mounted)], check=True)
        there = Lib(mounted, mounted)
        assert there.repo.log(KEY)[0].subject == "first"
        assert dict(there.repo.list_head("library")) == {KEY: PAPER}
        assert there.repo.dirty([KEY]) == set()
        with pytest.raises(Unavailable, match="read-only") as caught:
            there.change((KEY, TWO))
        assert caught.value.next
    finally:
        subprocess.run(["umount", str(mounted)], check=True)


def test_a_file_list_with_execute_bits_keeps_them(lib: Lib) -> None:
    lib.write("tools/x.md", "#!/bin/sh\n").chmod(0o755)
    lib.git("add", "tools/x.md")
    lib.git("commit", "--quiet", "-m", "tool")
    lib.change(("tools/x.md", b"#!/bin/sh\nexit\n"))
    assert lib.git("ls-files", "-s", "tools/x.md").startswith("100755")
    assert stat.S_IMODE((lib.root / "tools/x.md").stat().st_mode) == 0o755
    lib.repo.revert()
    assert stat.S_IMODE((lib.root / "tools/x.md").stat().st_mode) == 0o755


def test_subjects_and_names_hold_any_character(lib: Lib) -> None:
    path = "library/2020/a\x01\nb.md"
    lib.write(path, "A")
    lib.git("add", ".")
    lib.git("commit", "-q", "-m", "odd \x01 \x1e \x1f subject")
    (entry,) = lib.repo.histories(["library"])[path]
    assert (entry.subject, entry.author) == ("odd subject", "Ada Reader")
    assert list(lib.repo.added_on("library/2020")) == [path]
    (state,) = lib.repo.versions()[path]
    assert lib.repo.objects([state.oid or ""]) == {state.oid: b"A"}


def test_a_partial_clone_tells_what_it_can(filled: Lib, tmp_path: Path) -> None:
    filled.git("config", "uploadpack.allowFilter", "true")
    moved = "library/2017/smith2017other.md"
    filled.change((KEY, PAPER + b"More.\n"), subject="edit: smith2017one")
    filled.git("mv", KEY, moved)
    filled.write(moved, PAPER + b"Much more.\n")
    filled.git("commit", "-qam", "by hand")
    lib = clone(filled, tmp_path / "blobless", "--filter=blob:none")
    (now,) = lib.repo.versions()[moved]  # the rename needs what is not here
    before = lib.repo.versions()[KEY]
    assert [state.verb for state in (now, *before)] == ["", "", "edit", ""]
    oids = [state.oid for state in (now, *before) if state.oid]
    assert lib.repo.objects(oids) == {now.oid: PAPER + b"Much more.\n"}
    bare = clone(filled, tmp_path / "treeless", "--filter=tree:0")
    assert (bare.repo.versions(), bare.repo.histories(["library"])) == ({}, {})
    with pytest.raises(Unavailable, match="partial clone has not got all") as caught:
        bare.repo.log(moved)
    assert caught.value.next == "git fetch --refetch --no-filter, then run the command again"
    bare.git("fetch", "--quiet", "--refetch", "--no-filter")
    assert [entry.subject for entry in bare.repo.log(moved)][:2] == [
        "by hand",
        "edit: smith2017one",
    ]
