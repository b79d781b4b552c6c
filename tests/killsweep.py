"""A command in; it is run once for every file-changing call it makes, and dies or fails there.

    sweep(argv, prepare, check, mode="kill", stride=7, tmp_path)

`prepare(folder)` fills a new folder. The command runs with `{root}` in its words replaced by that
folder. `check(folder, Outcome)` then says what must hold. Modes: `kill` (SIGKILL to the whole
process group, Python and git, after half of a write), `ENOSPC` (this call and every later one
that needs space) and `EIO` (this call). The calls are counted by tests/history/shim.c.

`PRESSMARK_FULL_SWEEP=1` visits every point, whatever the stride, or 500 of a longer command.
"""

from __future__ import annotations

import errno
import mmap
import os
import shutil
import struct
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

SHIM = Path(__file__).parent / "history" / "shim.c"
FULL = os.environ.get("PRESSMARK_FULL_SWEEP") == "1"
MOST = 500
STATE = struct.Struct("=4q")
MODES = {"kill": 0, "ENOSPC": errno.ENOSPC, "EIO": errno.EIO}


@dataclass(frozen=True)
class Outcome:
    """One run: at which call it was struck, whether it was, and how the command ended."""

    point: int
    mode: str
    struck: bool
    status: int
    stdout: str
    stderr: str

    @property
    def killed(self) -> bool:
        return self.status == -9


@dataclass
class Report:
    """What a sweep did: calls of an undisturbed run, and the outcomes."""

    calls: int
    outcomes: list[Outcome] = field(default_factory=list)

    def __str__(self) -> str:
        killed = sum(o.killed for o in self.outcomes)
        failed = sum(o.struck and not o.killed and o.status != 0 for o in self.outcomes)
        fine = sum(o.struck and o.status == 0 for o in self.outcomes)
        return (
            f"{self.calls} calls, {len(self.outcomes)} points visited: "
            f"{killed} killed, {failed} refused, {fine} went on"
        )


def build(tmp_path: Path) -> Path:
    """The compiled shim; skips where it cannot be compiled or preloaded."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler to build the shim with")
    target = tmp_path / "shim.so"
    done = subprocess.run(
        [compiler, "-shared", "-fPIC", "-O1", "-o", str(target), str(SHIM), "-ldl"],
        capture_output=True,
        text=True,
    )
    if done.returncode:
        pytest.skip(f"the shim does not compile here: {done.stderr.splitlines()[-1]}")
    return target


def run(
    argv: Sequence[str], root: Path, shim: Path, point: int, mode: str, env: dict[str, str]
) -> tuple[Outcome, int]:
    """Run the command, struck at one point (0: nowhere); the number of calls it came to."""
    state = root.parent / "shim-state"
    state.write_bytes(STATE.pack(0, point, MODES[mode], 0))
    words = [word.replace("{root}", str(root)) for word in argv]
    done = subprocess.run(
        words,
        cwd=root,
        env=os.environ
        | env
        | {"LD_PRELOAD": str(shim), "SHIM_STATE": str(state), "SHIM_ROOT": str(root)},
        capture_output=True,
        text=True,
        start_new_session=True,
        timeout=120,
    )
    with state.open("r+b") as file, mmap.mmap(file.fileno(), STATE.size) as view:
        calls, _, _, struck = STATE.unpack(view[: STATE.size])
    outcome = Outcome(point, mode, bool(struck), done.returncode, done.stdout, done.stderr)
    return outcome, calls


def sweep(
    argv: Sequence[str],
    prepare: Callable[[Path], object],
    check: Callable[[Path, Outcome], object],
    *,
    tmp_path: Path,
    mode: str = "kill",
    stride: int = 1,
    start: int = 1,
    env: dict[str, str] | None = None,
) -> Report:
    """Visit every `stride`-th point from `start`; the first broken promise fails the test."""
    shim = build(tmp_path)
    template = tmp_path / "template"
    template.mkdir()
    prepare(template)
    work = tmp_path / "work" / "lib"

    def fresh() -> Path:
        shutil.rmtree(work.parent, ignore_errors=True)
        shutil.copytree(template, work, symlinks=True)
        return work

    whole, calls = run(argv, fresh(), shim, 0, mode, env or {})
    assert whole.status == 0, whole.stderr
    assert calls > 0, "the shim saw no call: is the command statically linked?"
    check(work, whole)
    report = Report(calls)
    if FULL:
        stride, start = max(1, calls // MOST), 1
    for point in range(start, calls + 1, stride):
        outcome, _ = run(argv, fresh(), shim, point, mode, env or {})
        report.outcomes.append(outcome)
        try:
            check(work, outcome)
        except BaseException as error:
            error.add_note(f"at call {point} of {calls}: {outcome}")
            raise
    return report
