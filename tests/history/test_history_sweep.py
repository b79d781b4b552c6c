"""The kill sweep: whatever call a writer dies at or fails at, nothing is lost and nothing is half.

At every point: each file is old or new; the change is in HEAD whole or not at all once the next
writer has run; what was acknowledged is in HEAD; the user's staged, edited and untracked files are
as they were; git finds nothing wrong; no temporary file and no lock is left.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from scratch import KEY, PAPER, Lib, make

import killsweep
from killsweep import Outcome
from pressmark import disk

NEW = b"---\ntitle: New\n---\n" + b"words " * 400 + b"\n"
OTHER = "library/2018/jones2018other.md"
ADDED = "library/2019/new2019paper.md"
RENAMED = "library/2020/smith2020one.md"
DRAFT = "library/2017/draft.md"

CHANGE = """
import sys, pathlib
from pressmark import disk, errors
from pressmark.history import Repository
root, what = pathlib.Path(sys.argv[1]), sys.argv[2]
one, other, added, renamed = sys.argv[3:7]
new = pathlib.Path(sys.argv[7]).read_bytes()
def edit(path, data):
    there = root / path
    return disk.Edit(path, data, disk.sha256(there.read_bytes()) if there.exists() else None)
repo = Repository.find(root)
try:
    if what == "undo":
        done = repo.revert()
    else:
        edits = {
            "add": [edit(added, new)],
            "edit": [edit(one, new)],
            "rename": [edit(one, None), edit(renamed, new), edit(other, new)],
            "delete": [edit(one, None), edit(other, None)],
            "bulk": [edit(f"library/{1950 + n % 40}/b{n}.md", new) for n in range(520)],
            "branch": [edit(added, new)],
        }[what]
        done = repo.transact(root, edits, f"{what}: x", branch="side" if what == "branch" else None)
    print(done.sha, flush=True)
except errors.PressmarkError as error:
    print(type(error).__name__, error.message, "|", error.next, file=sys.stderr)
    sys.exit(error.exit_status)
"""

BULK = {f"library/{1950 + n % 40}/b{n}.md": NEW for n in range(520)}
BEFORE: dict[str, bytes | None] = {KEY: PAPER, OTHER: PAPER, ADDED: None, RENAMED: None}
AFTER: dict[str, dict[str, bytes | None]] = {
    "add": {ADDED: NEW},
    "edit": {KEY: NEW},
    "rename": {KEY: None, RENAMED: NEW, OTHER: NEW},
    "delete": {KEY: None, OTHER: None},
    "bulk": {**BULK},
    "branch": {},
    "undo": {KEY: b"even older\n"},
}


def prepare(folder: Path) -> None:
    """Two references, and a user in the middle of other work."""
    lib = make(folder)
    lib.write(OTHER, PAPER)
    lib.write(KEY, b"even older\n")
    lib.write("notes/tracked.md", "committed\n")
    lib.git("add", ".")
    lib.git("commit", "--quiet", "-m", "second")
    lib.change((KEY, PAPER), subject="edit: one")
    lib.write("notes/tracked.md", "committed\nedited\n")
    lib.write("notes/staged.md", "staged\n")
    lib.git("add", "notes/staged.md")
    lib.write(DRAFT, "half a thought\n")


def now(lib: Lib, path: str) -> bytes | None:
    there = lib.root / path
    return there.read_bytes() if there.exists() else None


class Promise:
    """What must hold at every point of one command."""

    def __init__(self, what: str) -> None:
        self.new = AFTER[what]
        self.old = {path: BEFORE.get(path) for path in self.new}
        self.what = what

    def __call__(self, folder: Path, outcome: Outcome) -> None:
        lib = Lib(folder, folder)
        for path in self.new:
            assert now(lib, path) in (self.old[path], self.new[path]), f"{path} is half"
        self._is_the_users(lib)
        if outcome.status not in (0, -9):
            assert outcome.stderr.count("\n") == 1, outcome.stderr
            assert "Traceback" not in outcome.stderr
            assert " | " in outcome.stderr
        repo = lib.repo
        with repo.lock():
            pass
        assert lib.change(("library/2021/next.md", b"next\n"), subject="add: next") is not None
        self._is_whole(lib, outcome)
        self._is_the_users(lib)
        assert lib.status() == [
            "A  notes/staged.md",
            " M notes/tracked.md",
            f"?? {DRAFT}",
        ]
        lib.tidy()
        assert lib.git("worktree", "list").count("\n") == 0

    def _is_the_users(self, lib: Lib) -> None:
        assert lib.read(DRAFT) == b"half a thought\n"
        assert lib.read("notes/tracked.md") == b"committed\nedited\n"
        assert lib.read("notes/staged.md") == b"staged\n"

    def _is_whole(self, lib: Lib, outcome: Outcome) -> None:
        head = dict(lib.repo.list_head("library"))
        disk_now = {path: now(lib, path) for path in self.new}
        assert disk_now == {path: head.get(path) for path in self.new}
        assert disk_now in (self.old, self.new), "the change is there in part"
        if outcome.status == 0:
            assert disk_now == self.new, "what was acknowledged is not there"
            sha = outcome.stdout.strip()
            branch = "side" if self.what == "branch" else "main"
            lib.git("merge-base", "--is-ancestor", sha, branch)


def drive(what: str, tmp_path: Path, mode: str, stride: int) -> killsweep.Report:
    script = tmp_path / "change.py"
    script.write_text(CHANGE)
    (tmp_path / "new.md").write_bytes(NEW)
    words = [sys.executable, str(script), "{root}", what, KEY, OTHER, ADDED, RENAMED]
    report = killsweep.sweep(
        [*words, str(tmp_path / "new.md")],
        prepare,
        Promise(what),
        tmp_path=tmp_path,
        mode=mode,
        stride=stride,
        start=1 + sum(map(ord, what + mode)) % stride,
        env={"PYTHONPATH": str(Path(disk.__file__).parents[2]), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    print(f"{what} {mode}: {report}")
    assert all(o.struck or o.status == 0 for o in report.outcomes)
    return report


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("mode", ["kill", "ENOSPC", "EIO"])
@pytest.mark.parametrize("what", ["add", "edit", "rename", "delete"])
def test_sweep(tmp_path: Path, what: str, mode: str) -> None:
    report = drive(what, tmp_path, mode, stride=23 if mode == "kill" else 47)
    if mode == "kill":
        assert all(outcome.killed for outcome in report.outcomes)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("what", ["bulk", "branch", "undo"])
def test_sweep_of_the_larger_commands(tmp_path: Path, what: str) -> None:
    drive(what, tmp_path, "kill", stride=499 if what == "bulk" else 41)
