"""Files: whole or not at all, with their mode, and every trouble of the disk is one sentence."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

import pressmark
from pressmark import disk
from pressmark.errors import (
    BadInput,
    Busy,
    Changed,
    NotFound,
    PressmarkError,
    TooLarge,
    Unavailable,
    Unreadable,
)

PACKAGE = Path(pressmark.__file__).parent


def names(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_read_bytes(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/x.md").write_bytes(b"\xff\x00bytes")
    (tmp_path / "a/big.md").write_bytes(b"x" * 1_000_003)
    assert disk.read_bytes(tmp_path, "a/x.md") == b"\xff\x00bytes"
    assert len(disk.read_bytes(tmp_path, "a/big.md")) == 1_000_003
    with pytest.raises(NotFound, match=r"a/none\.md is not there"):
        disk.read_bytes(tmp_path, "a/none.md")
    with pytest.raises(NotFound):
        disk.read_bytes(tmp_path, "none/x.md")
    with pytest.raises(Unreadable, match="not a regular file"):
        disk.read_bytes(tmp_path, "a")
    with pytest.raises(BadInput):
        disk.read_bytes(tmp_path, "../x.md")


def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x.md")
    with pytest.raises(Unreadable, match="not a regular file"):
        disk.read_bytes(tmp_path, "x.md")
    assert list(disk.walk(tmp_path, "")) == []


def test_write_file_replaces_whole_and_keeps_the_mode(tmp_path: Path) -> None:
    path = tmp_path / "state/deep/x.json"
    disk.write_file(path, b"one", 0o600)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o640)
    disk.write_file(path, b"two")
    assert path.read_bytes() == b"two"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert names(tmp_path) == ["state/deep/x.json"]


def test_write_file_replaces_a_link_and_not_its_target(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("old")
    (tmp_path / "link").symlink_to(target)
    disk.write_file(tmp_path / "link", b"new")
    assert target.read_text() == "old"
    assert (tmp_path / "link").read_bytes() == b"new"


def test_append_line_remove_and_make(tmp_path: Path) -> None:
    disk.append_line(tmp_path / "a/log", "one\n")
    disk.append_line(tmp_path / "a/log", "two")
    assert (tmp_path / "a/log").read_text() == "one\ntwo\n"
    disk.remove_file(tmp_path / "a/log")
    disk.remove_file(tmp_path / "a/log")
    assert disk.make_folder(tmp_path / "b/c") == tmp_path / "b/c"
    assert (tmp_path / "b/c").is_dir()


def test_remove_tree_unlinks_links_and_stays_below_the_root(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "index/a").mkdir(parents=True)
    outside.mkdir()
    (outside / "keep").write_text("x")
    (root / "index/a/link").symlink_to(outside)
    (root / "alias").symlink_to(outside)
    disk.remove_tree(root, "index")
    disk.remove_tree(root, "alias")
    disk.remove_tree(root, "was-never-there")
    (root / "alias").symlink_to(outside)
    with pytest.raises(BadInput):
        disk.remove_tree(root, "alias/keep")
    with pytest.raises(BadInput):
        disk.remove_tree(root, "../outside")
    assert (outside / "keep").read_text() == "x"
    assert not (root / "index").exists()


def test_apply_adds_edits_and_deletes(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/x.md").write_bytes(b"x")
    (tmp_path / "a/x.md").chmod(0o755)
    (tmp_path / "b").mkdir()
    (tmp_path / "b/y.md").write_bytes(b"y")
    done = disk.apply(
        tmp_path,
        [
            disk.Edit("a/x.md", b"X", disk.sha256(b"x")),
            disk.Edit("b/y.md", None, disk.sha256(b"y")),
            disk.Edit("c/d/z.md", b"z", None),
            disk.Edit("a/none.md", None, None),
        ],
    )
    assert [(r.path, r.before, r.after) for r in done] == [
        ("a/x.md", b"x", b"X"),
        ("b/y.md", b"y", None),
        ("c/d/z.md", None, b"z"),
    ]
    assert names(tmp_path) == ["a/x.md", "c/d/z.md"]
    assert (tmp_path / "a/x.md").read_bytes() == b"X"
    assert stat.S_IMODE((tmp_path / "a/x.md").stat().st_mode) == 0o755
    assert not (tmp_path / "b").exists(), "an empty folder goes, as git does it"


@pytest.mark.parametrize(
    ("path", "expected", "sentence"),
    [
        ("x.md", None, "is already there"),
        ("x.md", disk.sha256(b"other"), "changed since it was read"),
        ("gone.md", disk.sha256(b"x"), "was deleted meanwhile"),
    ],
)
def test_a_file_that_changed_is_not_overwritten(
    tmp_path: Path, path: str, expected: str | None, sentence: str
) -> None:
    (tmp_path / "x.md").write_bytes(b"x")
    with pytest.raises(Changed, match=sentence):
        disk.apply(tmp_path, [disk.Edit("new.md", b"n", None), disk.Edit(path, b"!", expected)])
    assert names(tmp_path) == ["x.md"]
    assert (tmp_path / "x.md").read_bytes() == b"x"


def test_an_editor_that_saves_meanwhile_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "x.md").write_bytes(b"x")
    stage = disk.Tree.stage

    def slow(self: disk.Tree, *arguments: object, **more: object) -> None:
        stage(self, *arguments, **more)  # type: ignore[arg-type]
        (tmp_path / "x.md").write_bytes(b"the editor's")

    monkeypatch.setattr(disk.Tree, "stage", slow)
    with pytest.raises(Changed):
        disk.apply(tmp_path, [disk.Edit("x.md", b"ours", disk.sha256(b"x"))])
    assert (tmp_path / "x.md").read_bytes() == b"the editor's"
    assert names(tmp_path) == ["x.md"]


def test_one_path_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="twice"):
        disk.apply(tmp_path, [disk.Edit("x.md", b"1", None), disk.Edit("x.md", b"2", None)])
    assert names(tmp_path) == []


def test_a_write_protected_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "x.md").write_bytes(b"x")
    (tmp_path / "x.md").chmod(0o444)
    with pytest.raises(Unavailable, match="write-protected"):
        disk.apply(tmp_path, [disk.Edit("x.md", b"new", disk.sha256(b"x"))])
    assert (tmp_path / "x.md").read_bytes() == b"x"


def test_a_name_too_long_for_the_disk(tmp_path: Path) -> None:
    with pytest.raises(TooLarge, match="too long"):
        disk.write_file(tmp_path / ("x" * 300), b"")
    with pytest.raises(TooLarge, match="too long"):
        disk.apply(tmp_path, [disk.Edit("x" * 300 + ".md", b"", None)])


def test_more_folders_than_are_kept_open(tmp_path: Path) -> None:
    edits = [disk.Edit(f"library/{n}/x.md", b"x", None) for n in range(230)]
    assert len(disk.apply(tmp_path, edits)) == 230
    back = [disk.Edit(f"library/{n}/x.md", None, disk.sha256(b"x")) for n in range(230)]
    disk.apply(tmp_path, back)
    assert names(tmp_path) == []
    assert len(list(Path("/proc/self/fd").iterdir())) < 100


def test_a_file_larger_than_the_limit(tmp_path: Path) -> None:
    """ulimit -f: in a child, because the limit would hit the test run too."""
    code = (
        "import sys, pathlib\n"
        "from pressmark import disk, errors\n"
        "root = pathlib.Path(sys.argv[1])\n"
        "try:\n"
        "    disk.apply(root, [disk.Edit('a.md', b'a', None), disk.Edit('b.md', b'b' * 99_999, None)])\n"
        "except errors.Unavailable as error:\n"
        "    print(error.message, '|', error.next)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)],
        env=os.environ | {"PYTHONPATH": str(PACKAGE.parent)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)),
        capture_output=True,
        text=True,
    )
    assert "b.md could not be written: it passes the largest size of a file. |" in done.stdout
    assert names(tmp_path) == []


@pytest.fixture
def tiny(tmp_path: Path):
    """A file system of 64 KiB."""
    folder = tmp_path / "tiny"
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k,mode=755", "none", str(folder)],
        capture_output=True,
    )
    if done.returncode:
        pytest.skip("not possible here: the tests may not mount a file system")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_changes_nothing(tiny: Path) -> None:
    (tiny / "x.md").write_bytes(b"old")
    edits = [
        disk.Edit("x.md", b"new", disk.sha256(b"old")),
        disk.Edit("folder/y.md", b"y" * 100_000, None),
    ]
    with pytest.raises(Unavailable, match=r"folder/y.md could not be written: the disk is full"):
        disk.apply(tiny, edits)
    with pytest.raises(Unavailable, match="the disk is full"):
        disk.write_file(tiny / "z", b"z" * 100_000)
    assert names(tiny) == ["x.md"]
    assert (tiny / "x.md").read_bytes() == b"old"
    assert not (tiny / "folder").exists()


def test_a_read_only_disk_is_one_sentence(tiny: Path) -> None:
    (tiny / "x.md").write_bytes(b"old")
    subprocess.run(["mount", "-o", "remount,ro", str(tiny)], check=True)
    assert disk.read_bytes(tiny, "x.md") == b"old"
    calls = (
        lambda: disk.apply(tiny, [disk.Edit("x.md", b"n", disk.sha256(b"old"))]),
        lambda: disk.write_file(tiny / "y", b"n"),
        lambda: disk.append_line(tiny / "y", "n"),
        lambda: disk.remove_file(tiny / "x.md"),
        lambda: disk.Lock(tiny / "lock").__enter__(),
    )
    for call in calls:
        with pytest.raises(Unavailable, match="read-only") as caught:
            call()
        assert caught.value.next


def test_permission_denied_is_one_sentence(tmp_path: Path) -> None:
    """As a user without rights; root has all of them."""
    code = (
        "import sys, pathlib\n"
        "from pressmark import disk, errors\n"
        "root = pathlib.Path(sys.argv[1])\n"
        "for call in (lambda: disk.write_file(root / 'x', b'x'),\n"
        "             lambda: disk.read_bytes(root, 'secret'),\n"
        "             lambda: disk.Lock(root / 'lock').__enter__()):\n"
        "    try:\n"
        "        call()\n"
        "    except errors.PressmarkError as error:\n"
        "        print(error.code, error.message)\n"
    )
    if os.getuid() != 0:
        pytest.skip("not possible here: only root can become a user without rights")
    (tmp_path / "secret").write_text("x")
    (tmp_path / "secret").chmod(0o600)
    for folder in (tmp_path, *tmp_path.parents):
        if not folder.stat().st_mode & 0o001 and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o011)
    tmp_path.chmod(0o755)
    nobody = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
    done = subprocess.run(
        [*nobody, sys.executable, "-c", code, str(tmp_path)],
        env=os.environ | {"PYTHONPATH": str(PACKAGE.parent), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
    )
    lines = done.stdout.splitlines()
    if done.returncode and not lines:
        pytest.skip(
            f"not possible here: another user cannot run this Python: {done.stderr.strip()[-100:]}"
        )
    assert [line.split()[0] for line in lines] == ["unavailable"] * 3
    assert all("permission is denied" in line for line in lines)


def test_walk_lists_sorted_and_skips_what_is_hidden(tmp_path: Path) -> None:
    for name in ("b/2.md", "b/1.md", "a.md", "b/1.txt", ".git/x.md", "b/.x.md", "b/c/3.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    found = list(disk.walk(tmp_path, ""))
    assert [s.relative for s in found] == ["a.md", "b/1.md", "b/2.md", "b/c/3.md"]
    assert [s.size for s in found] == [4, 6, 6, 8]
    assert found[0].mtime_ns == (tmp_path / "a.md").stat().st_mtime_ns
    assert found[0].inode == (tmp_path / "a.md").stat().st_ino
    assert [s.relative for s in disk.walk(tmp_path, "b/c")] == ["b/c/3.md"]
    assert [s.relative for s in disk.walk(tmp_path, "b", ".txt")] == ["b/1.txt"]
    assert list(disk.walk(tmp_path, "none")) == []


HOLD = (
    "import sys, time, pathlib\n"
    "from pressmark import disk\n"
    "with disk.Lock(pathlib.Path(sys.argv[1])):\n"
    "    print('held', flush=True)\n"
    "    time.sleep(60)\n"
)


def test_a_lock_is_between_processes_and_ends_with_its_holder(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)],
        env=os.environ | {"PYTHONPATH": str(PACKAGE.parent)},
        stdout=subprocess.PIPE,
    )
    assert child.stdout is not None
    with child, child.stdout:
        assert child.stdout.readline() == b"held\n"
        with pytest.raises(Busy) as caught, disk.Lock(path, timeout=0.2):
            pass
        assert f"process {child.pid}" in caught.value.message
        assert "\n" not in caught.value.message
        assert caught.value.next
        child.kill()
        child.wait()
        started = time.monotonic()
        with disk.Lock(path, timeout=5):
            pass
        assert time.monotonic() - started < 5


def test_a_thread_takes_its_own_lock_again(tmp_path: Path) -> None:
    lock = disk.Lock(tmp_path / "lock", timeout=0.2)
    other = disk.Lock(tmp_path / "lock", timeout=0)
    with lock:
        with lock:
            assert lock.held
        assert lock.held
        with pytest.raises(Busy):
            other.__enter__()
    assert not lock.held
    with other:
        assert other.held


def test_where_locking_does_nothing_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some network file systems say yes to every lock; the second one proves it."""
    import fcntl

    monkeypatch.setattr(fcntl, "flock", lambda descriptor, operation: None)
    with pytest.raises(Unavailable, match="without file locks") as caught:
        disk.Lock(tmp_path / "lock").__enter__()
    assert caught.value.next


@pytest.mark.parametrize("number", ["ENOLCK", "ENOSYS", "EOPNOTSUPP"])
def test_where_locking_is_unsupported_the_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: str
) -> None:
    import errno
    import fcntl

    def flock(descriptor: int, operation: int) -> None:
        raise OSError(getattr(errno, number), "no locks here")

    monkeypatch.setattr(fcntl, "flock", flock)
    with pytest.raises(Unavailable, match="without file locks"):
        disk.Lock(tmp_path / "lock", timeout=0.2).__enter__()


def test_a_lock_that_is_a_link_is_refused(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("precious")
    (tmp_path / "lock").symlink_to(target)
    with pytest.raises(BadInput, match="symbolic link"):
        disk.Lock(tmp_path / "lock").__enter__()
    assert target.read_text() == "precious"


def test_every_error_number_is_a_sentence() -> None:
    import errno

    for number in errno.errorcode:
        error = disk.explain(OSError(number, os.strerror(number)), "library/2017/x.md")
        assert isinstance(error, PressmarkError)
        assert "library/2017/x.md" in str(error)
        assert "\n" not in error.message
