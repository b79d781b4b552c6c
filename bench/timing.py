"""A command in; the CPU seconds and the memory of its whole process tree out."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Cost:
    """User and system seconds, children included; the largest process's memory in MB."""

    seconds: float
    megabytes: float

    def __str__(self) -> str:
        return f"{self.seconds:.2f} s, {self.megabytes:.0f} MB"


@dataclass
class Bench:
    """Where the commands run: a scratch folder, and a user who has nothing but a name."""

    scratch: Path
    model: str = "none"
    failures: list[str] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        """No settings but these: no network, no caches of ours, Python's own byte code."""
        kept = ("PATH", "LANG", "LC_ALL", "TMPDIR", "SYSTEMROOT")
        person = {
            f"GIT_{who}_{what}": value
            for who in ("AUTHOR", "COMMITTER")
            for what, value in (("NAME", "Ada Reader"), ("EMAIL", "ada@reader.invalid"))
        }
        return {
            **{name: os.environ[name] for name in kept if name in os.environ},
            **person,
            "GIT_CONFIG_NOSYSTEM": "1",
            "HOME": str(self.scratch / "home"),
            "OMP_NUM_THREADS": "1",
            "PRESSMARK_OFFLINE": "1",
            "PRESSMARK_MODEL": self.model,
            "NO_MKDOCS_2_WARNING": "1",
        }

    def run(self, *words: str, cwd: Path | None = None) -> Cost:
        """One run of a command."""
        with Path(os.devnull).open("rb") as nothing, self._log.open("wb") as log:
            process = subprocess.Popen(
                words, cwd=cwd or self.scratch, env=self.environment,
                stdin=nothing, stdout=log, stderr=log,
            )  # fmt: skip
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            said = self._log.read_text("utf-8", "replace").strip().splitlines()
            self.failures.append(f"{' '.join(words)[:120]}: {said[-1] if said else status}")
        # Linux counts memory in kB, macOS in bytes.
        unit = 2**20 if sys.platform == "darwin" else 2**10
        return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / unit)

    def pressmark(self, *words: str, cwd: Path) -> Cost:
        """One run of a Pressmark command."""
        return self.run(*PRESSMARK, *words, cwd=cwd)

    @property
    def _log(self) -> Path:
        return self.scratch / "log"


_SCRIPT = Path(sys.executable).parent / "pressmark"
PRESSMARK = (str(_SCRIPT),) if _SCRIPT.exists() else (sys.executable, "-m", "pressmark")


def median(times: int, once: Callable[[], Cost]) -> Cost:
    """The middle of several runs, seconds and memory each on their own."""
    return middle([once() for _ in range(times)])


def middle(costs: Sequence[Cost]) -> Cost:
    """The middle of what was measured."""
    return Cost(
        statistics.median(each.seconds for each in costs),
        statistics.median(each.megabytes for each in costs),
    )
