"""Changes: one commit of just our paths, the user's work untouched, or nothing at all."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from scratch import KEY, PAPER, Lib

from pressmark import disk, text
from pressmark.errors import (
    BadInput,
    Busy,
    Changed,
    Configuration,
    PressmarkError,
    Unavailable,
)
from pressmark.history import Repository

TWO = b"---\ntitle: Two\n---\n"


def hook(lib: Lib, name: str, script: str) -> Path:
    path = lib.repo.git_dir / "hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def test_one_change_is_one_commit(lib: Lib) -> None:
    before = lib.git("rev-parse", "HEAD")
    edits = [
        lib.edit(KEY, TWO),
        disk.Edit("library/2018/jones2018two.md", PAPER, None),
        disk.Edit("topics/searches/2026-11-30-x.md", b"x", None),
    ]
    done = lib.repo.transact(
        lib.root, edits, 'search: 2 references for "x" (arxiv)', trailers={"Pressmark": "search"}
    )
    assert done is not None
    assert done.sha == lib.git("rev-parse", "HEAD")
    assert done.paths == tuple(edit.path for edit in edits)
    assert (done.left_uncommitted, done.notes) == ((), ())
    assert lib.git("rev-parse", "HEAD^") == before
    assert lib.in_commit() == [
        f"A {edits[1].path}",
        f"A {edits[2].path}",
        f"M {KEY}",
    ]
    assert lib.git("log", "-1", "--format=%B") == (
        'search: 2 references for "x" (arxiv)\n\n'
        "Pressmark: search\nPressmark-Files: 1b60fb15bdbf3929"
    )
    assert lib.git("log", "-1", "--format=%(trailers:key=Pressmark,valueonly)").strip() == "search"
    assert lib.status() == []
    lib.tidy()


def test_a_rename_is_one_commit_and_its_history_is_followed(lib: Lib) -> None:
    new = "library/2018/smith2018one.md"
    lib.change((KEY, None), (new, PAPER), subject="rename: smith2017one smith2018one")
    assert lib.in_commit() == [f"A {new}", f"D {KEY}"]
    assert lib.files() == [new, "pressmark.toml"]
    assert not (lib.root / "library/2017").exists()
    log = lib.repo.log(new)
    assert [entry.subject for entry in log] == ["rename: smith2017one smith2018one", "first"]
    assert log[0].author == "Ada Reader"
    assert log[0].sha == lib.git("rev-parse", "HEAD")
    assert log[0].date[:2] == "20"


def test_what_changes_nothing_makes_no_commit(lib: Lib) -> None:
    before = lib.git("rev-parse", "HEAD")
    assert lib.change((KEY, PAPER)) is None
    assert lib.repo.transact(lib.root, [], "nothing") is None
    assert lib.git("rev-parse", "HEAD") == before


def test_the_first_commit_of_an_unborn_branch(tmp_path: Path) -> None:
    repo = Repository.init(tmp_path / "new")
    assert repo.state() == "unborn"
    assert repo.head() is None
    assert repo.log() == []
    assert list(repo.list_head("library")) == []
    done = repo.transact(repo.root, [disk.Edit("library/nd/x.md", PAPER, None)], "add: x")
    assert done is not None
    assert done.sha == repo.head()
    assert repo.state() == "clean"
    assert repo.branch() == "main"


def test_init_twice_is_the_same_repository(lib: Lib) -> None:
    assert Repository.init(lib.root).head() == lib.repo.head()


def test_init_takes_the_users_branch_name(tmp_path: Path) -> None:
    subprocess.run(["git", "config", "--global", "init.defaultBranch", "trunk"], check=True)
    assert Repository.init(tmp_path / "new").branch() == "trunk"


def test_a_library_below_the_top(lib: Lib) -> None:
    below = Lib(lib.root / "thesis/lit", lib.root)
    below.root.mkdir(parents=True)
    assert below.repo.prefix == "thesis/lit/"
    done = below.change((KEY, TWO))
    assert done is not None
    assert done.paths == (KEY,)
    assert lib.in_commit() == [f"A thesis/lit/{KEY}"]
    assert below.repo.tracked("library") == [KEY]
    assert dict(below.repo.list_head("library")) == {KEY: TWO}
    assert below.repo.show("HEAD", KEY) == TWO
    assert [e.subject for e in below.repo.log(KEY)] == ["add: x"]
    assert [e.subject for e in below.repo.log()] == ["add: x"]
    below.write(KEY, PAPER)
    assert below.repo.dirty([KEY]) == {KEY}
    below.git("checkout", "--", ".")
    assert below.repo.revert().paths == (f"thesis/lit/{KEY}",)


def test_the_users_staged_work_stays_staged(lib: Lib) -> None:
    lib.write("notes/mine.md", "staged and new")
    lib.write("pressmark.toml", "format = 1\n# staged\n")
    lib.git("add", ".")
    lib.git("rm", "--quiet", "--cached", KEY)
    lib.write("notes/draft.md", "not staged")
    lib.change(("library/2018/x2018two.md", TWO))
    assert lib.in_commit() == ["A library/2018/x2018two.md"]
    assert lib.status() == [
        f"D  {KEY}",
        "A  notes/mine.md",
        "M  pressmark.toml",
        f"?? {KEY}",
        "?? notes/draft.md",
    ]
    lib.tidy()


def test_a_half_staged_file_of_the_users_stays_half_staged(lib: Lib) -> None:
    lib.write("pressmark.toml", "format = 1\n# staged\n")
    lib.git("add", ".")
    lib.write("pressmark.toml", "format = 1\n# staged\n# not staged\n")
    lib.change((KEY, TWO))
    assert lib.in_commit() == [f"M {KEY}"]
    assert lib.status() == ["MM pressmark.toml"]
    assert lib.git("show", ":pressmark.toml") == "format = 1\n# staged"


@pytest.mark.parametrize("kind", ["edited", "staged", "not tracked", "ignored"])
def test_a_file_with_the_users_edits_is_written_and_not_committed(lib: Lib, kind: str) -> None:
    path = KEY if kind in ("edited", "staged") else "library/2017/mine2017x.md"
    lib.write(path, PAPER + b"my words\n")
    if kind == "staged":
        lib.git("add", path)
    if kind == "ignored":
        lib.write(".gitignore", "mine*\n")
        lib.git("add", ".gitignore")
        lib.git("commit", "--quiet", "-m", "ignore")
    before = lib.git("rev-parse", "HEAD")
    other = "library/2018/x2018two.md"
    done = lib.change((path, TWO + b"my words\n"), (other, TWO))
    assert done is not None
    assert done.left_uncommitted == (path,)
    assert len(done.notes) == 1
    assert path in done.notes[0]
    assert ("ignores" if kind == "ignored" else "uncommitted edits") in done.notes[0]
    assert lib.in_commit() == [f"A {other}"]
    assert lib.git("rev-parse", "HEAD^") == before
    assert lib.read(path) == TWO + b"my words\n"
    if kind == "staged":
        assert lib.git("show", f":{path}") == (PAPER + b"my words").decode()


def test_only_files_with_the_users_edits_make_no_commit(lib: Lib) -> None:
    lib.write(KEY, PAPER + b"my words\n")
    before = lib.git("rev-parse", "HEAD")
    done = lib.change((KEY, TWO))
    assert done is not None
    assert (done.sha, done.left_uncommitted) == (None, (KEY,))
    assert lib.git("rev-parse", "HEAD") == before
    lib.tidy()


def test_a_new_file_that_git_ignores_is_written_and_not_committed(lib: Lib) -> None:
    lib.write(".gitignore", "*.fulltext.md\n")
    done = lib.change(("library/2017/a.fulltext.md", b"text"), ("library/2017/a2017.md", TWO))
    assert done is not None
    assert done.left_uncommitted == ("library/2017/a.fulltext.md",)
    assert "git ignores it" in done.notes[0]
    assert lib.in_commit() == ["A library/2017/a2017.md"]


def test_uncommitted_words_are_never_deleted(lib: Lib) -> None:
    lib.write(KEY, PAPER + b"my words\n")
    with pytest.raises(Unavailable, match="not committed") as caught:
        lib.change((KEY, None), ("library/2018/new2018x.md", TWO))
    assert "git commit" in (caught.value.next or "")
    assert lib.read(KEY) == PAPER + b"my words\n"
    assert not (lib.root / "library/2018").exists()
    lib.tidy()


def test_without_commit_files_are_written(lib: Lib) -> None:
    before = lib.git("rev-parse", "HEAD")
    edits = [lib.edit(KEY, None), disk.Edit("library/2018/x2018two.md", TWO, None)]
    done = lib.repo.transact(lib.root, edits, "x", commit=False)
    assert done is not None
    assert (done.sha, set(done.left_uncommitted)) == (None, {e.path for e in edits})
    assert lib.git("rev-parse", "HEAD") == before
    assert lib.status() == [f" D {KEY}", "?? library/2018/x2018two.md"]
    lib.tidy()


def test_a_file_that_changed_meanwhile_stops_everything(lib: Lib) -> None:
    edits = [disk.Edit("library/2018/new.md", TWO, None), lib.edit(KEY, TWO)]
    lib.write(KEY, b"somebody was faster")
    before = lib.git("rev-parse", "HEAD")
    with pytest.raises(Changed, match=KEY):
        lib.repo.transact(lib.root, edits, "x")
    assert lib.files() == [KEY, "pressmark.toml"]
    assert lib.git("rev-parse", "HEAD") == before
    lib.tidy()


def test_many_files_go_in_one_commit(lib: Lib) -> None:
    pairs = [(f"library/{1900 + n % 120}/a{n}.md", b"x%d" % n) for n in range(520)]
    lib.write("notes/mine.md", "staged")
    lib.git("add", "notes/mine.md")
    done = lib.change(*pairs, (KEY, None), subject="import: 520 references")
    assert done is not None
    assert len(lib.in_commit()) == 521
    assert lib.status() == ["A  notes/mine.md"]
    lib.change(*[(path, None) for path, _ in pairs])
    assert lib.files() == ["notes/mine.md", "pressmark.toml"]
    lib.tidy()


@pytest.mark.parametrize(
    "subject",
    [
        "-F/etc/passwd",
        "--amend",
        "two\nlines\r\n\n\nPressmark: undo",
        "a\0b\x1b[31m",
        "# a comment?",
        "",
        "ü – “quotes”",
    ],
)
def test_a_subject_is_only_a_subject(lib: Lib, subject: str) -> None:
    before = lib.git("rev-parse", "HEAD")
    lib.repo.transact(lib.root, [lib.edit(KEY, TWO)], subject, trailers={"Pressmark": "edit"})
    assert lib.git("rev-parse", "HEAD^") == before
    assert lib.git("log", "-1", "--format=%s") == (text.clean(subject) or "change")
    assert lib.git("log", "-1", "--format=%(trailers:key=Pressmark,valueonly)").strip() == "edit"


def test_a_long_body_is_cut_and_the_trailer_stays(lib: Lib) -> None:
    body = "\n".join(f"reference number {n} — ünïcödé" for n in range(20_000))
    lib.repo.transact(lib.root, [lib.edit(KEY, TWO)], "import: x", body=body)
    words = lib.git("log", "-1", "--format=%B")
    assert len(words) < 40_000
    assert words.endswith(" — ünïcödé\n…\n\nPressmark: import\nPressmark-Files: 2f54c301a690bb74")


ODD = [
    "library/2017/a b.md",
    "library/2017/ä–“x”.md",
    "library/2017/[glob]{x}.md",
    "library/2017/--help.md",
    "library/2017/!x.md",
    "library/2017/:(top)x.md",
    "library/2017/#x.md",
    "library/2017/'q'.md",
]


def test_odd_names_are_only_names(lib: Lib) -> None:
    usable = [name for name in ODD if not set(name) & set('*?"<>|:')]
    lib.write("library/2017/g.md", "would match a glob")
    lib.change(*[(name, TWO) for name in usable])
    assert lib.git("show", "--format=", "--name-only", "-z").split("\0")[:-1] == sorted(
        usable, key=lambda name: name.encode()
    )
    assert lib.repo.dirty(usable) == set()
    assert lib.status() == ["?? library/2017/g.md"]
    lib.change(*[(name, PAPER) for name in usable])
    lib.change(*[(name, None) for name in usable])
    assert lib.status() == ["?? library/2017/g.md"]


@pytest.mark.parametrize(
    "path", ["-x.md", "--output=y", "../x.md", ".git/../../x", ".git/config2", "a/.GIT/x"]
)
def test_a_path_cannot_be_an_option_or_leave(lib: Lib, path: str) -> None:
    with pytest.raises(BadInput):
        lib.repo.transact(lib.root, [disk.Edit(path, TWO, None)], "x")
    assert lib.files() == [KEY, "pressmark.toml"]


@pytest.mark.parametrize(
    "rev", ["-x", "--output=x", "--all", "main..HEAD", "HEAD:x", "a b", "", "^HEAD", "$(x)", "a\n"]
)
def test_a_revision_cannot_be_an_option(lib: Lib, rev: str) -> None:
    with pytest.raises(BadInput):
        lib.repo.show(rev, KEY)
    with pytest.raises(BadInput):
        lib.repo.revert(rev)
    assert not (lib.root / "x").exists()


@pytest.mark.parametrize(
    "name", ["-d", "--orphan", "a..b", "a b", "x.lock", "/x", "x/", "HEAD", "a//b", "x~1", "@{-1}"]
)
def test_a_branch_cannot_be_an_option(lib: Lib, name: str) -> None:
    with pytest.raises(BadInput):
        lib.repo.transact(lib.root, [lib.edit(KEY, TWO)], "x", branch=name)
    assert lib.git("branch", "--format=%(refname:short)") == "main"


def test_a_hook_that_refuses_changes_nothing(lib: Lib) -> None:
    hook(lib, "pre-commit", "echo 'the style guide says no' >&2; exit 1")
    lib.write("notes/mine.md", "staged")
    lib.git("add", "notes/mine.md")
    before = lib.git("rev-parse", "HEAD")
    new = "library/2018/x2018two.md"
    with pytest.raises(Unavailable, match="the style guide says no") as caught:
        lib.change((KEY, TWO), (new, TWO))
    assert "\n" not in caught.value.message
    assert lib.git("rev-parse", "HEAD") == before
    assert lib.status() == ["A  notes/mine.md"]
    assert lib.read(KEY) == PAPER
    lib.tidy()
    (lib.repo.git_dir / "hooks/pre-commit").unlink()
    assert lib.change((KEY, TWO), (new, TWO)) is not None


def test_a_refused_deletion_comes_back_with_its_mode(lib: Lib) -> None:
    hook(lib, "pre-commit", "exit 1")
    (lib.root / KEY).chmod(0o600)
    with pytest.raises(Unavailable):
        lib.change((KEY, None))
    assert lib.read(KEY) == PAPER
    assert (lib.root / KEY).stat().st_mode & 0o777 == 0o600
    assert lib.status() == []


def test_hooks_see_just_our_change_and_may_read(lib: Lib) -> None:
    """Also hooks that use globs, which a literal-pathspec variable would break."""
    script = "git diff --cached --name-only -- '*.md' > seen; git status --porcelain > status"
    hook(lib, "pre-commit", script)
    hook(lib, "post-commit", "git log -1 --format=%s > after")
    lib.write("notes/mine.md", "staged")
    lib.git("add", "notes/mine.md")
    lib.change((KEY, TWO), subject="edit: one")
    assert lib.read("seen").decode() == f"{KEY}\n"
    assert lib.read("after").decode() == "edit: one\n"
    assert f"M  {KEY}" in lib.read("status").decode()


def test_a_hook_may_change_the_message_and_the_commit(lib: Lib) -> None:
    hook(lib, "commit-msg", 'echo "Reviewed-by: hook" >> "$1"')
    hook(lib, "pre-commit", "echo made > made.txt; git add made.txt")
    lib.change((KEY, TWO))
    assert "Reviewed-by: hook" in lib.git("log", "-1", "--format=%B")
    assert lib.in_commit() == [f"M {KEY}", "A made.txt"][::-1]
    assert lib.status() == []


def test_a_hook_elsewhere_is_honoured(lib: Lib, tmp_path: Path) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    (hooks / "pre-commit").write_text("#!/bin/sh\necho from elsewhere >&2; exit 1\n")
    (hooks / "pre-commit").chmod(0o755)
    lib.git("config", "core.hooksPath", str(hooks))
    with pytest.raises(Unavailable, match="from elsewhere"):
        lib.change((KEY, TWO))


def test_signing_is_honoured(lib: Lib, tmp_path: Path) -> None:
    signer = tmp_path / "signer"
    signer.write_text("#!/bin/sh\necho 'no secret key' >&2; exit 1\n")
    signer.chmod(0o755)
    lib.git("config", "commit.gpgSign", "true")
    lib.git("config", "gpg.program", str(signer))
    with pytest.raises(Unavailable, match="failed to sign"):
        lib.change((KEY, TWO))
    assert lib.read(KEY) == PAPER


WRITE_IN_HOOK = """
import sys, pathlib
from pressmark import disk, errors
from pressmark.history import Repository
root = pathlib.Path(sys.argv[1])
repo = Repository.find(root)
print(repo.log("%s")[0].subject)
try:
    repo.transact(root, [disk.Edit("library/hook.md", b"x", None)], "hook")
except errors.Busy as error:
    print(error.message)
"""


def test_a_writer_in_our_hook_is_busy_at_once_and_a_reader_reads(lib: Lib, tmp_path: Path) -> None:
    script = tmp_path / "hook.py"
    script.write_text(WRITE_IN_HOOK % KEY)
    out = tmp_path / "out"
    path = str(Path(disk.__file__).parent.parent.parent)
    hook(lib, "pre-commit", f"PYTHONPATH={path} {sys.executable} {script} {lib.root} > {out} 2>&1")
    assert lib.change((KEY, TWO)) is not None
    assert out.read_text().splitlines() == [
        "first",
        "A hook of Pressmark's own commit cannot write to the library.",
    ]


def test_without_a_name_git_says_how_to_set_one(lib: Lib, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "GIT_AUTHOR_NAME",
        "GIT_AUTHOR_EMAIL",
        "GIT_COMMITTER_NAME",
        "GIT_COMMITTER_EMAIL",
    ):
        monkeypatch.delenv(name)
    monkeypatch.setenv("EMAIL", "")
    lib.git("config", "user.useConfigOnly", "true")
    with pytest.raises(Configuration, match="does not know who you are") as caught:
        lib.change((KEY, TWO))
    assert "git config --global user.name" in (caught.value.next or "")
    assert lib.read(KEY) == PAPER
    lib.tidy()


def test_without_git_one_sentence(lib: Lib, monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import sys, pathlib\n"
        "from pressmark import disk, errors\n"
        "from pressmark.history import Repository\n"
        "root = pathlib.Path(sys.argv[1])\n"
        "repo = Repository.find(root)\n"
        "print(repo.state(), repo.head() is not None, repo.branch())\n"
        "for call in (lambda: repo.log(),\n"
        "             lambda: repo.transact(root, [disk.Edit('library/x.md', b'x', None)], 'x')):\n"
        "    try:\n"
        "        call()\n"
        "    except errors.Unavailable as error:\n"
        "        print(error.message, error.next is not None)\n"
    )
    env = os.environ | {"PATH": "/nowhere", "PYTHONPATH": str(Path(disk.__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", code, str(lib.root)], env=env, capture_output=True, text=True
    )
    assert done.stdout.splitlines() == [
        "clean True main",
        *["Git is not installed, or not on the PATH. True"] * 2,
    ]
    assert lib.status() == []


def conflict(lib: Lib) -> None:
    lib.git("switch", "--quiet", "-c", "other")
    lib.write(KEY, b"theirs\n")
    lib.git("commit", "--quiet", "-am", "theirs")
    lib.git("switch", "--quiet", "main")
    lib.write(KEY, b"mine\n")
    lib.git("commit", "--quiet", "-am", "mine")


@pytest.mark.parametrize(
    ("command", "word"),
    [
        (("merge", "other"), "merge"),
        (("rebase", "other"), "rebase"),
        (("cherry-pick", "other"), "cherry-pick"),
        (("revert", "--no-edit", "HEAD^"), "revert"),
    ],
)
@pytest.mark.parametrize("commit", [True, False])
def test_writers_refuse_in_the_middle_of(
    lib: Lib, command: tuple[str, ...], word: str, commit: bool
) -> None:
    conflict(lib)
    if word == "revert":
        lib.git("revert", "--no-commit", "HEAD")
    else:
        lib.git(*command, ok=False)
    assert lib.repo.state() == word
    before = (lib.files(), lib.status(), lib.git("rev-parse", "HEAD"))
    edit = disk.Edit("library/2018/x2018two.md", TWO, None)
    with pytest.raises(Busy, match=f"A {word} is under way") as caught:
        lib.repo.transact(lib.root, [edit], "x", commit=commit)
    assert f"git {word} --abort" in (caught.value.next or "")
    with pytest.raises(Busy):
        lib.repo.revert()
    assert (lib.files(), lib.status(), lib.git("rev-parse", "HEAD")) == before
    assert lib.repo.log(KEY), "readers go on"


def test_a_conflict_left_by_stash_is_refused(lib: Lib) -> None:
    lib.write(KEY, b"stashed\n")
    lib.git("stash")
    lib.write(KEY, b"committed\n")
    lib.git("commit", "--quiet", "-am", "other")
    lib.git("stash", "pop", ok=False)
    assert lib.status() == [f"UU {KEY}"]
    for path in (KEY, "library/2018/x2018two.md"):
        with pytest.raises(Busy, match="is in conflict"):
            lib.change((path, TWO))
    assert lib.status() == [f"UU {KEY}"]
    assert lib.files() == [KEY, "pressmark.toml"]


def test_a_detached_head_is_refused_for_commits_only(lib: Lib) -> None:
    lib.git("switch", "--quiet", "--detach")
    assert lib.repo.state() == "detached"
    assert lib.repo.branch() is None
    with pytest.raises(Busy, match="No branch is checked out") as caught:
        lib.change((KEY, TWO))
    assert "git switch" in (caught.value.next or "")
    assert lib.read(KEY) == PAPER
    done = lib.repo.transact(lib.root, [lib.edit(KEY, TWO)], "x", branch="side")
    assert done is not None
    assert lib.git("rev-parse", "side") == done.sha
    lib.repo.transact(lib.root, [lib.edit(KEY, TWO)], "x", commit=False)
    assert lib.read(KEY) == TWO


def test_during_a_bisect_writers_go_on_when_a_branch_is_out(lib: Lib) -> None:
    lib.git("bisect", "start")
    assert lib.change((KEY, TWO)) is not None


def test_another_branch_in_a_checkout_of_its_own(lib: Lib) -> None:
    lib.write("notes/draft.md", "draft")
    lib.write("pressmark.toml", "format = 1\n# mine\n")
    lib.git("add", "pressmark.toml")
    before = (lib.files(), lib.status(), lib.git("rev-parse", "HEAD"))
    path = "library/2018/x2018two.md"
    done = lib.repo.transact(
        lib.root, [disk.Edit(path, TWO, None), lib.edit(KEY, TWO)], "add: x", branch="topic/x"
    )
    assert done is not None
    assert (lib.files(), lib.status(), lib.git("rev-parse", "HEAD")) == before
    assert lib.repo.branch() == "main"
    assert lib.git("rev-parse", "topic/x") == done.sha
    assert lib.in_commit("topic/x") == [f"A {path}", f"M {KEY}"]
    again = lib.repo.transact(
        lib.root, [disk.Edit("library/2018/y.md", TWO, None)], "add: y", branch="topic/x"
    )
    assert again is not None
    assert lib.git("rev-list", "--count", "main..topic/x") == "2"
    with pytest.raises(Changed, match=r"^The branch topic/x holds another version: ") as caught:
        lib.repo.transact(lib.root, [disk.Edit(path, PAPER, None)], "add: x", branch="topic/x")
    assert caught.value.next == "git switch topic/x, and run the command there"
    assert lib.git("worktree", "list").count("\n") == 0
    lib.tidy()


def test_an_edit_is_carried_over_to_a_branch_that_has_changed_the_file(lib: Lib) -> None:
    lib.repo.transact(lib.root, [lib.edit(KEY, TWO)], "x", branch="side")
    asked: list[tuple[bytes, ...]] = []

    def merged(path: str, base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
        asked.append((path.encode(), base, ours, theirs))
        return ours + theirs

    before = disk.read_bytes(lib.root, KEY)
    edit = lib.edit(KEY, b"three\n")
    lib.repo.transact(lib.root, [edit], "y", branch="side", merged=merged)
    assert asked == [(KEY.encode(), before, TWO, b"three\n")]
    assert lib.git("show", f"side:{KEY}") == (TWO + b"three\n").decode().strip()
    assert lib.repo.transact(
        lib.root, [disk.Edit(KEY, TWO + b"three\n", edit.expected)], "z", branch="side",
        merged=merged,
    ) is None  # it says so already  # fmt: skip
    with pytest.raises(Changed, match=r"^The branch side holds another version: "):
        lib.repo.transact(lib.root, [edit], "y", branch="side", merged=lambda *_: None)
    assert disk.read_bytes(lib.root, KEY) == before


def test_a_branch_in_the_way_of_another_is_named(lib: Lib) -> None:
    lib.git("branch", "agent")
    with pytest.raises(BadInput) as caught:
        lib.repo.transact(lib.root, [lib.edit(KEY, TWO)], "x", branch="agent/today")
    assert str(caught.value) == "The branch agent stands in the way of one named agent/today."
    assert caught.value.next == "git branch -m agent NEW-NAME"


def test_a_refused_branch_leaves_no_branch(lib: Lib) -> None:
    hook(lib, "pre-commit", "exit 1")
    with pytest.raises(Unavailable, match="a hook said no, without a word"):
        lib.repo.transact(lib.root, [lib.edit(KEY, TWO)], "x", branch="side")
    assert lib.git("branch", "--format=%(refname:short)") == "main"
    assert lib.git("worktree", "list").count("\n") == 0


def test_the_branch_that_is_out_is_no_other_branch(lib: Lib) -> None:
    done = lib.repo.transact(lib.root, [lib.edit(KEY, TWO)], "x", branch="main")
    assert done is not None
    assert lib.read(KEY) == TWO
    assert lib.status() == []


def test_a_branch_from_nothing_is_refused(tmp_path: Path) -> None:
    repo = Repository.init(tmp_path / "new")
    with pytest.raises(Unavailable, match="no commit yet"):
        repo.transact(repo.root, [disk.Edit("x.md", TWO, None)], "x", branch="side")


@pytest.mark.parametrize("bulk", [1, 150])
def test_line_endings_are_gits_business(lib: Lib, bulk: int) -> None:
    lib.git("config", "core.autocrlf", "true")
    lib.git("config", "core.safecrlf", "true")
    crlf = b"---\r\ntitle: T\r\n---\r\n"
    pairs = [
        (f"library/2018/{n}.md", crlf if n % 2 else crlf.replace(b"\r", b""))
        for n in range(bulk + 1)
    ]
    lib.change(*pairs)
    assert lib.status() == []
    assert all(lib.read(path) == data for path, data in pairs)
    assert lib.repo.show("HEAD", "library/2018/1.md") == crlf.replace(b"\r", b"")
    lib.change(*[(path, data + data) for path, data in pairs])
    assert lib.status() == []
    assert lib.repo.dirty([path for path, _ in pairs]) == set()
    lib.repo.revert()
    assert lib.status() == []
    assert lib.read("library/2018/1.md") == crlf


def test_an_edit_in_the_same_instant_is_seen(lib: Lib) -> None:
    """Git tells such a file by the time of its index, which our copy must keep."""
    for n in range(5):
        lib.write("notes/mine.md", f"word {n}")
        lib.git("add", "notes/mine.md")
        lib.git("commit", "--quiet", "-m", "mine")
        lib.write("notes/mine.md", f"WORD {n}")
        lib.change((f"library/2018/x{n}.md", TWO))
        assert lib.status() == [" M notes/mine.md"]


def test_nothing_stays_open(lib: Lib) -> None:
    """Descriptors, processes: a server that writes many times must not run out of them."""
    repo = lib.repo
    counts = []
    for n in range(4):
        edit = disk.Edit(f"library/2018/x{n}.md", TWO, None)
        repo.transact(lib.root, [edit], "add: x", branch="side" if n == 2 else None)
        counts.append(len(list(Path("/proc/self/fd").iterdir())))
    assert counts[1:] == [counts[0]] * 3
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    assert not [c for c in children if Path(f"/proc/{c}/comm").read_text() == "git\n"]


def test_a_failed_git_is_one_sentence(lib: Lib) -> None:
    (lib.repo.git_dir / "index").write_bytes(b"not an index")
    with pytest.raises(PressmarkError) as caught:
        lib.change((KEY, TWO))
    assert "\n" not in caught.value.message
    assert lib.read(KEY) == PAPER
