"""After a death: the next writer finishes or undoes, and takes nothing that is alive or the user's."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from scratch import KEY, PAPER, Lib, make

from pressmark import disk
from pressmark.errors import Busy, Unavailable
from pressmark.history import branches, stale

TWO = b"---\ntitle: Two\n---\n"
NEW = "library/2018/new2018x.md"
GONE = "library/2016/gone2016x.md"
PATHS = {"PYTHONPATH": str(Path(disk.__file__).parents[2])}

CHILD = """
import os, signal, sys, pathlib
from pressmark import disk
from pressmark.history import Repository, committing, journal, transaction
from pressmark.disk import Tree, replace
root, where = pathlib.Path(sys.argv[1]), sys.argv[2]
def die(*arguments, **more):
    os.kill(os.getpid(), signal.SIGKILL)
def after(owner, name, times=1):
    real, seen = getattr(owner, name), []
    def wrapped(*arguments, **more):
        result = real(*arguments, **more)
        seen.append(1)
        if len(seen) == times:
            die()
        return result
    setattr(owner, name, wrapped)
if where == "journal written": after(journal.Journal, "save")
if where == "one staged": after(Tree, "stage")
if where == "all staged": after(replace, "stage")
if where == "one renamed": after(Tree, "put", times=2)  # the first is the journal
if where == "all renamed": after(replace, "promote")
if where == "index locked": after(disk, "claim")
if where == "committed": after(committing, "_make")
if where == "index moved": after(disk, "move_file")
two, key, new, gone = sys.argv[3].encode(), *sys.argv[4:7]
def edit(path, data):
    there = root / path
    return disk.Edit(path, data, disk.sha256(there.read_bytes()) if there.exists() else None)
repo = Repository.find(root)
repo.transact(root, [edit(key, two), edit(new, two), edit(gone, None)], "edit: three files")
"""
PLACES = (
    "journal written",
    "one staged",
    "all staged",
    "one renamed",
    "all renamed",
    "index locked",
    "committed",
    "index moved",
)
STARTED = PLACES.index("one renamed")


def child(lib: Lib, where: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, str(lib.root), where, TWO.decode(), KEY, NEW, GONE],
        env=os.environ | PATHS,
        start_new_session=True,
    )


@pytest.fixture
def three(lib: Lib) -> Lib:
    """A library with a file to edit, one to delete, and a user's draft."""
    lib.change((GONE, PAPER))
    lib.write("library/2017/draft.md", "half a thought")
    return lib


def die_at(lib: Lib, where: str) -> None:
    assert child(lib, where).wait() == -signal.SIGKILL


def after(lib: Lib) -> bool:
    """True when the change is there whole, False when nothing of it is."""
    seen = (lib.read(KEY), (lib.root / NEW).exists(), (lib.root / GONE).exists())
    head = dict(lib.repo.list_head("library"))
    assert (head[KEY], NEW in head, GONE in head) == seen
    if seen == (TWO, True, False):
        return True
    assert seen == (PAPER, False, True)
    return False


@pytest.mark.parametrize("where", PLACES)
def test_the_next_writer_finishes_or_undoes(three: Lib, where: str) -> None:
    die_at(three, where)
    started = time.monotonic()
    notes = three.repo.recover()
    assert time.monotonic() - started < 5, "our own dead locks need no waiting"
    assert after(three) == (PLACES.index(where) >= STARTED)
    assert three.status() == ["?? library/2017/draft.md"]
    if PLACES.index(where) >= STARTED and where not in ("committed", "index moved"):
        assert notes == ["An interrupted command was finished: edit: three files"]
        assert three.repo.log()[0].subject == "edit: three files"
    else:
        assert notes == []
    three.tidy()
    assert three.repo.recover() == []
    assert three.change((KEY, b"next\n")) is not None


@pytest.mark.parametrize("where", ["one renamed", "all renamed", "index locked"])
def test_readers_go_on_and_finish_nothing(three: Lib, where: str) -> None:
    die_at(three, where)
    journal = three.repo.git_dir / "pressmark.journal"
    assert journal.exists()
    assert three.repo.log()[0].subject == "add: x"
    assert three.repo.dirty([KEY]) in (set(), {KEY})
    assert journal.exists()


def test_what_the_user_did_since_stays(three: Lib) -> None:
    die_at(three, "all renamed")
    three.write(KEY, TWO + b"and my own words\n")
    three.write(GONE, b"written again by hand\n")
    three.repo.recover()
    assert three.read(KEY) == TWO + b"and my own words\n"
    assert three.in_commit() == [f"A {NEW}"]
    assert three.status() == [f" M {GONE}", f" M {KEY}", "?? library/2017/draft.md"]
    three.tidy()


def test_on_another_branch_the_files_are_left_to_the_user(three: Lib) -> None:
    die_at(three, "all renamed")
    three.git("switch", "--quiet", "-c", "side")
    notes = three.repo.recover()
    assert notes == ["3 files of an interrupted command were left uncommitted."]
    assert three.repo.log()[0].subject == "add: x"
    three.tidy()


def test_when_the_user_committed_it_nothing_is_left_to_do(three: Lib) -> None:
    die_at(three, "all renamed")
    three.git("add", KEY, NEW, GONE)
    three.git("commit", "--quiet", "-m", "by hand")
    assert three.repo.recover() == []
    assert three.repo.log()[0].subject == "by hand"
    assert after(three)
    three.tidy()


def test_during_a_merge_the_journal_waits(three: Lib) -> None:
    die_at(three, "all renamed")
    (three.repo.git_dir / "MERGE_HEAD").write_text(three.git("rev-parse", "HEAD") + "\n")
    with pytest.raises(Busy, match="merge"):
        three.change(("library/2022/x.md", TWO))
    assert (three.repo.git_dir / "pressmark.journal").exists()
    (three.repo.git_dir / "MERGE_HEAD").unlink()
    three.repo.recover()
    assert after(three)


def test_a_hook_that_refuses_the_recovery_leaves_the_files(three: Lib) -> None:
    die_at(three, "all renamed")
    hook = three.repo.git_dir / "hooks/pre-commit"
    hook.write_text("#!/bin/sh\necho no >&2; exit 1\n")
    hook.chmod(0o755)
    notes = three.repo.recover()
    assert notes == ["3 files of an interrupted command stay uncommitted: no"]
    assert three.read(KEY) == TWO
    three.tidy()


def test_a_kill_while_nothing_is_committed_is_finished_too(three: Lib) -> None:
    script = CHILD.replace('"edit: three files")', '"edit: three files", commit=False)')
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            script,
            str(three.root),
            "one renamed",
            TWO.decode(),
            KEY,
            NEW,
            GONE,
        ],
        env=os.environ | PATHS,
    )
    assert done.returncode == -signal.SIGKILL
    three.repo.recover()
    assert (three.read(KEY), three.read(NEW), (three.root / GONE).exists()) == (TWO, TWO, False)
    assert three.repo.log()[0].subject == "add: x"
    three.tidy()


FORGED = {
    "not json": b"{",
    "empty": b"",
    "a list": b"[]",
    "a link out": {"path": "../../evil.md", "temporary": ".pressmark-0123456789abcdef.tmp"},
    "a temporary elsewhere": {"path": "library/evil.md", "temporary": "../../pressmark.toml"},
    "another file as temporary": {"path": "library/evil.md", "temporary": "pressmark.toml"},
    "a file of git": {"path": ".git/config", "temporary": ".pressmark-0123456789abcdef.tmp"},
    "numbers": {"path": 3, "temporary": 4},
}


@pytest.mark.parametrize("kind", FORGED)
def test_a_forged_or_broken_journal_does_nothing(lib: Lib, kind: str) -> None:
    """A received repository may bring a journal of its own."""
    value = FORGED[kind]
    if isinstance(value, dict):
        sha = disk.sha256(b"format = 1\n")
        file = {"old": None, "new": sha, "commit": True} | value
        record = {"version": 1, "ref": "refs/heads/main", "message": "evil", "files": [file]}
        value = json.dumps(record).encode()
    (lib.repo.git_dir / "pressmark.journal").write_bytes(value)
    assert lib.change((KEY, TWO)) is not None
    assert lib.files() == [KEY, "pressmark.toml"]
    assert len(lib.repo.log()) == 2
    lib.tidy()


def test_a_half_written_journal_leaves_no_temporary_file(lib: Lib) -> None:
    (lib.repo.git_dir / ".pressmark-0123456789abcdef.tmp").write_bytes(b"{")
    assert lib.change((KEY, TWO)) is not None
    lib.tidy()


LOCKS = ("index.lock", "HEAD.lock", "config.lock", "packed-refs.lock", "refs/heads/main.lock")


@pytest.mark.parametrize("name", LOCKS)
def test_an_old_lock_of_the_dead_is_removed(lib: Lib, name: str) -> None:
    lock = lib.repo.git_dir / name
    lock.touch()
    os.utime(lock, (time.time() - 60,) * 2)
    started = time.monotonic()
    assert lib.change((KEY, TWO)) is not None
    assert time.monotonic() - started < 5
    lib.tidy()


def test_a_fresh_lock_is_waited_for(lib: Lib, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stale, "OLD_ENOUGH", 1.0)
    (lib.repo.git_dir / "index.lock").touch()
    started = time.monotonic()
    assert lib.change((KEY, TWO)) is not None
    assert time.monotonic() - started > 0.5
    monkeypatch.setattr(stale, "PATIENCE", 0.3)
    monkeypatch.setattr(stale, "OLD_ENOUGH", 10.0)
    (lib.repo.git_dir / "index.lock").touch()
    with pytest.raises(Busy, match=r"index\.lock in the git folder is fresh") as caught:
        lib.change((KEY, PAPER))
    assert str(lib.repo.git_dir / "index.lock") in (caught.value.next or "")
    assert lib.read(KEY) == TWO


def test_housekeeping_of_git_is_not_waited_for(lib: Lib) -> None:
    """`git gc` runs on for minutes in a large repository, and commits may go on beside it."""
    lock = lib.repo.git_dir / "gc.log.lock"
    started = time.monotonic()
    with lock.open("w"):
        assert lib.change((KEY, TWO)) is not None
        assert lock.exists()
    assert time.monotonic() - started < 5
    lock.unlink()
    lib.tidy()


def test_a_lock_that_somebody_has_open_stays(lib: Lib, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stale, "PATIENCE", 0.3)
    lock = lib.repo.git_dir / "index.lock"
    with lock.open("w"):
        os.utime(lock, (time.time() - 60,) * 2)
        with pytest.raises(Busy, match=f"process {os.getpid()}"):
            lib.change((KEY, TWO))
    assert lock.exists()
    assert lib.read(KEY) == PAPER
    assert lib.change((KEY, TWO)) is not None


def test_where_processes_cannot_be_seen_no_lock_is_removed(
    lib: Lib, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(stale, "PROC", tmp_path / "no-proc")
    monkeypatch.setattr(stale, "PATIENCE", 0.3)
    lock = lib.repo.git_dir / "index.lock"
    lock.touch()
    os.utime(lock, (time.time() - 60,) * 2)
    with pytest.raises(Busy, match="says that git is at work") as caught:
        lib.change((KEY, TWO))
    assert f"delete {lock}" in (caught.value.next or "")


@pytest.fixture
def editor(lib: Lib, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """`git commit -a` waiting in an editor: it keeps an index.lock that nobody has open."""
    script = tmp_path / "editor"
    script.write_text(
        '#!/bin/sh\nwhile [ ! -e "$0.done" ]; do sleep 0.05; done\necho mine > "$1"\n'
    )
    script.chmod(0o755)
    lib.write("pressmark.toml", "format = 1\n# mine\n")
    process = subprocess.Popen(
        ["git", "commit", "--quiet", "-a"],
        cwd=lib.top,
        env=os.environ | {"GIT_EDITOR": str(script)},
    )
    lock = lib.repo.git_dir / "index.lock"
    while not lock.exists() or not (lib.repo.git_dir / "COMMIT_EDITMSG").exists():
        time.sleep(0.02)
    os.utime(lock, (time.time() - 3600,) * 2)
    yield process
    (tmp_path / "editor.done").touch()
    process.wait()


def test_a_commit_in_an_editor_is_left_alone(
    lib: Lib, editor: subprocess.Popen[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stale, "PATIENCE", 0.5)
    with pytest.raises(Busy, match=f"process {editor.pid}: git commit") as caught:
        lib.change((KEY, TWO))
    assert caught.value.next
    assert (lib.repo.git_dir / "index.lock").exists()
    assert lib.read(KEY) == PAPER
    (tmp_path / "editor.done").touch()
    assert editor.wait() == 0
    assert lib.repo.log()[0].subject == "mine"
    assert lib.in_commit() == ["M pressmark.toml"]
    assert lib.change((KEY, TWO)) is not None
    lib.tidy()


def test_a_commit_in_an_editor_is_waited_for(
    lib: Lib, editor: subprocess.Popen[bytes], tmp_path: Path
) -> None:
    subprocess.Popen(["sh", "-c", f"sleep 1; touch {tmp_path / 'editor.done'}"]).wait
    assert lib.change((KEY, TWO)) is not None
    assert editor.wait() == 0
    assert sorted(e.subject for e in lib.repo.log())[:2] == ["add: x", "first"]
    assert lib.repo.log()[1].subject == "mine"
    assert lib.status() == []
    lib.tidy()


SLOW_HOOK = "#!/bin/sh\ntouch {mark}\nsleep 1.5\n"


def slow_hook(lib: Lib, mark: Path) -> None:
    hook = lib.repo.git_dir / "hooks/pre-commit"
    hook.write_text(SLOW_HOOK.format(mark=mark))
    hook.chmod(0o755)


def wait_for(path: Path) -> None:
    while not path.exists():
        time.sleep(0.02)


def test_a_git_that_outlives_its_pressmark_is_waited_for(three: Lib, tmp_path: Path) -> None:
    """kill -9 hits Python alone; its git goes on to commit."""
    slow_hook(three, tmp_path / "mark")
    process = child(three, "nowhere")
    wait_for(tmp_path / "mark")
    process.kill()
    process.wait()
    (three.repo.git_dir / "hooks/pre-commit").unlink()
    assert three.change(("library/2022/x.md", TWO), subject="add: next") is not None
    assert [e.subject for e in three.repo.log()[:2]] == ["add: next", "edit: three files"]
    assert after(three)
    three.tidy()


def test_an_interrupt_undoes(three: Lib, tmp_path: Path) -> None:
    slow_hook(three, tmp_path / "mark")
    process = child(three, "nowhere")
    wait_for(tmp_path / "mark")
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait() != 0
    assert not after(three)
    assert three.status() == ["?? library/2017/draft.md"]
    three.tidy()


MANY = """
import sys, pathlib
from pressmark import disk
from pressmark.history import Repository
root, me = pathlib.Path(sys.argv[1]), sys.argv[2]
for n in range(6):
    repo = Repository.find(root)
    with repo.lock():
        count = root / "library/count.md"
        data = count.read_bytes()
        edits = [
            disk.Edit("library/count.md", b"%d\\n" % (int(data) + 1), disk.sha256(data)),
            disk.Edit(f"library/{me}/{n}.md", b"x", None),
        ]
        repo.transact(root, edits, f"add: {me} {n}")
"""


def test_many_writers_lose_nothing(lib: Lib) -> None:
    lib.change(("library/count.md", b"0\n"))
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", MANY, str(lib.root), str(me)], env=os.environ | PATHS
        )
        for me in range(4)
    ]
    assert [writer.wait() for writer in writers] == [0] * 4
    assert lib.read("library/count.md") == b"24\n"
    head = dict(lib.repo.list_head("library"))
    assert head["library/count.md"] == b"24\n"
    assert len(head) == 1 + 1 + 24
    assert len(lib.repo.log()) == 2 + 24
    assert lib.status() == []
    lib.tidy()


def test_a_user_who_commits_at_the_same_time_loses_nothing(lib: Lib, tmp_path: Path) -> None:
    script = (
        "for n in 1 2 3 4 5 6 7 8 9 10; do echo $n > mine$n.txt;"
        " until git add mine$n.txt 2>/dev/null; do sleep 0.02; done;"
        " until git commit -q -m mine$n -- mine$n.txt 2>/dev/null; do sleep 0.02; done; done"
    )
    user = subprocess.Popen(["sh", "-c", script], cwd=lib.top)
    ours = 0
    while user.poll() is None or ours < 3:
        assert lib.change((f"library/2018/n{ours}.md", b"x")) is not None
        ours += 1
    assert user.wait() == 0
    names = lib.git("ls-tree", "-r", "--name-only", "HEAD").splitlines()
    assert len([n for n in names if n.startswith("mine")]) == 10
    assert len([n for n in names if n.startswith("library/2018/")]) == ours
    assert len(lib.repo.log(n=1000)) == 1 + 10 + ours
    assert lib.status() == []
    lib.tidy()


def test_housekeeping_comes_after_the_lock(lib: Lib, monkeypatch: pytest.MonkeyPatch) -> None:
    lib.git("config", "gc.auto", "1")
    lib.git("config", "gc.autoDetach", "false")
    loose = lib.repo.git_dir / "objects/17"
    loose.mkdir(exist_ok=True)
    for n in range(8):
        (loose / f"{n:038x}").write_bytes(b"")
    repo = lib.repo
    seen = []
    real = repo._maintain
    monkeypatch.setattr(repo, "_maintain", lambda: (seen.append(repo._lock.held), real()))
    assert repo.transact(lib.root, [lib.edit(KEY, TWO)], "edit: x") is not None
    assert seen == [False]


def test_housekeeping_packs_what_has_gathered(lib: Lib) -> None:
    """Our commits turn git's own housekeeping off; afterwards the user's settings hold again."""
    lib.git("config", "gc.auto", "1")
    lib.git("config", "gc.autoDetach", "false")
    texts = (str(n) for n in range(10_000))
    oids = {text: hashlib.sha1(f"blob {len(text)}\0{text}".encode()).hexdigest() for text in texts}
    for text in [text for text, oid in oids.items() if oid.startswith("17")][:8]:
        (lib.root / "library" / "text").write_text(text)
        lib.git("hash-object", "-w", "library/text")
    (lib.root / "library" / "text").unlink()
    assert lib.repo.transact(lib.root, [lib.edit(KEY, TWO)], "edit: x") is not None
    assert list((lib.repo.git_dir / "objects/pack").glob("*.pack"))


def test_a_dead_branch_checkout_is_removed(lib: Lib, tmp_path: Path) -> None:
    script = (
        "import os, signal, sys, pathlib\n"
        "from pressmark import disk\n"
        "from pressmark.history import Repository, transaction\n"
        "transaction.transact = lambda *a, **k: os.kill(os.getpid(), signal.SIGKILL)\n"
        "root = pathlib.Path(sys.argv[1])\n"
        "Repository.find(root).transact(root, [disk.Edit('x.md', b'x', None)], 'x', branch='b')\n"
    )
    (tmp_path / "tmp").mkdir()
    env = os.environ | PATHS | {"TMPDIR": str(tmp_path / "tmp")}
    done = subprocess.run([sys.executable, "-c", script, str(lib.root)], env=env)
    assert done.returncode == -signal.SIGKILL
    assert lib.git("worktree", "list").count("\n") == 1
    assert lib.change((KEY, TWO)) is not None
    assert lib.git("worktree", "list").count("\n") == 0
    lib.tidy()


def test_a_living_branch_checkout_is_left_alone(lib: Lib, tmp_path: Path) -> None:
    """Another work tree has its own lock, and sees the checkouts of this one."""
    lib.git("worktree", "add", "--quiet", "-b", "side", str(tmp_path / "side"))
    side = Lib(tmp_path / "side", tmp_path / "side")
    with branches.worktree(lib.repo, "--detach", at="HEAD") as other:
        assert side.change((KEY, TWO)) is not None
        assert (other.top / KEY).exists()
        assert other.head() == lib.repo.head()
    assert not other.top.exists()


def test_a_lock_of_git_during_our_commit_is_waited_for(lib: Lib) -> None:
    """Our own lock of the index is no reason to wait, and is not taken for a dead one."""
    blocker = lib.repo.git_dir / "refs/heads/main.lock"
    hook = lib.repo.git_dir / "hooks/pre-commit"
    hook.write_text(
        f"#!/bin/sh\n[ -e {hook}.ran ] && exit 0\ntouch {hook}.ran {blocker}\n"
        f"(sleep 1; rm -f {blocker}) >/dev/null 2>&1 &\n"
    )
    hook.chmod(0o755)
    started = time.monotonic()
    assert lib.change((KEY, TWO)) is not None
    assert 0.5 < time.monotonic() - started < 8
    assert lib.in_commit() == [f"M {KEY}"]
    lib.tidy()


def test_an_index_that_cannot_be_moved_is_caught_up_later(
    lib: Lib, monkeypatch: pytest.MonkeyPatch
) -> None:
    def move_file(source: Path, target: Path) -> None:
        raise Unavailable("index could not be written: the disk reports an error.")

    monkeypatch.setattr(disk, "move_file", move_file)
    done = lib.change((KEY, TWO))
    assert done is not None
    assert done.sha == lib.git("rev-parse", "HEAD")
    assert "The commit is made, but git's index is not" in done.notes[0]
    monkeypatch.undo()
    for name in ("AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL"):
        monkeypatch.setenv(f"GIT_{name}", "ada")
    assert lib.status() == [f"MM {KEY}"]
    assert lib.repo.recover() == []
    assert lib.status() == []
    assert len(lib.repo.log()) == 2
    lib.tidy()


def test_what_cannot_be_taken_back_is_said(lib: Lib, monkeypatch: pytest.MonkeyPatch) -> None:
    def restore(*arguments: object) -> None:
        raise Unavailable("x.md could not be written: the disk is full.")

    hook = lib.repo.git_dir / "hooks/pre-commit"
    hook.write_text("#!/bin/sh\n[ -e ok ] || exit 1\n")
    hook.chmod(0o755)
    monkeypatch.setattr(disk.replace, "restore", restore)
    with pytest.raises(Unavailable, match="could not be taken back") as caught:
        lib.change((KEY, TWO))
    assert "finishes this one first" in (caught.value.next or "")
    (lib.root / "ok").touch()
    assert lib.repo.recover() == ["An interrupted command was finished: add: x"]
    assert lib.in_commit() == [f"M {KEY}"]


def test_the_journal_is_on_disk_before_the_first_rename(
    lib: Lib, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps: list[str] = []
    for owner, name in ((disk, "write_file"), (disk.Tree, "put"), (disk.Tree, "sync_files")):
        real = getattr(owner, name)

        def wrapped(*arguments: object, real=real, name=name, **more: object) -> object:
            steps.append(name)
            return real(*arguments, **more)

        monkeypatch.setattr(owner, name, wrapped)
    lib.change((KEY, TWO), (NEW, TWO))
    assert steps[:5] == ["write_file", "put", "sync_files", "put", "put"]


def test_a_library_of_twenty_thousand_is_listed_quickly(tmp_path: Path) -> None:
    """Not timed: the shape of the walk, one stat a file and no more."""
    lib = make(tmp_path / "lib")
    for n in range(50):
        lib.write(f"library/{1950 + n}/x.md", "x")
    calls: list[str] = []
    real = os.stat
    os.stat = lambda *a, **k: (calls.append("stat"), real(*a, **k))[1]  # type: ignore[assignment]
    try:
        assert len(list(disk.walk(lib.root, "library"))) == 51
    finally:
        os.stat = real  # type: ignore[assignment]
    assert len(calls) <= 2
