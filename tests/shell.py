"""A shell for transcripts: commands in, what a person sees and what git holds out.

shell = Shell(folder, home, PRESSMARK_CONFIG="…")
done = shell("list", "year:2020")           # a process of its own, which must exit 0
shell("show", "nothing", status=1)
shell.git("log", "--oneline")
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CLI = Path(__file__).resolve().parent.parent / "cli"

IDENTITY = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada Reader",
    "GIT_AUTHOR_EMAIL": "ada@reader.invalid",
    "GIT_COMMITTER_NAME": "Ada Reader",
    "GIT_COMMITTER_EMAIL": "ada@reader.invalid",
}

ENVELOPE = {"ok", "data", "warnings", "code", "error", "next"}


@dataclass(frozen=True)
class Done:
    """One finished process."""

    words: tuple[str, ...]
    status: int
    raw: bytes
    err: str

    @property
    def out(self) -> str:
        return self.raw.decode("utf-8")

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def answer(self) -> dict[str, Any]:
        """The whole JSON envelope; stdout holds nothing else."""
        found: dict[str, Any] = json.loads(self.out)
        assert set(found) == ENVELOPE, self.out
        assert found["ok"] is (self.status == 0), self.out
        return found

    @property
    def data(self) -> Any:
        return self.answer["data"]


@dataclass
class Shell:
    """A folder to stand in, a home, and a clean environment."""

    root: Path
    home: Path
    env: dict[str, str] = field(default_factory=dict)
    prefix: tuple[str, ...] = ()
    """A program that starts the processes, such as one that takes rights away."""

    def environment(self, **more: str) -> dict[str, str]:
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PRESSMARK_", "GIT_", "XDG_", "PYTEST"))
        }
        return {
            **kept, **IDENTITY, "HOME": str(self.home), "PYTHONPATH": str(CLI),
            "NO_MKDOCS_2_WARNING": "1", **self.env, **more,
        }  # fmt: skip

    def start(
        self, *words: str, cwd: Path | None = None, env: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        """A process that is still running."""
        return subprocess.Popen(
            [*self.prefix, sys.executable, "-m", "pressmark", *words],
            cwd=cwd or self.root,
            env=self.environment() if env is None else dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def __call__(
        self,
        *words: str,
        status: int | None = 0,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float = 120,
    ) -> Done:
        """Run one command to its end; its exit status must be the one expected (None: any)."""
        process = self.start(*words, cwd=cwd, env=env)
        try:
            out, err = process.communicate(timeout=timeout)
        finally:
            process.kill()
        done = Done(words, process.returncode, out, err.decode("utf-8", "replace"))
        assert status in (None, done.status), f"{words}: {done.status}\n{done.out}\n{done.err}"
        assert "Traceback" not in done.err
        return done

    def git(self, *words: str, cwd: Path | None = None, **env: str) -> str:
        """What a user types; must succeed."""
        done = subprocess.run(
            ["git", *words], cwd=cwd or self.root, env=self.environment(**env),
            capture_output=True, text=True,
        )  # fmt: skip
        assert done.returncode == 0, f"git {words}: {done.stderr}"
        return done.stdout.rstrip("\n")

    def head(self) -> str:
        return self.git("rev-parse", "HEAD")

    def subjects(self) -> list[str]:
        """Of every commit, the newest first."""
        return self.git("log", "--format=%s").splitlines()

    def changed(self, revision: str = "HEAD") -> list[str]:
        """What a commit did: `A path`, `M path`, `D path`."""
        out = self.git("show", "--format=", "--name-status", "--no-renames", revision)
        return sorted(out.replace("\t", " ").splitlines())

    def status(self) -> list[str]:
        return self.git("status", "--porcelain", "--untracked-files=all").splitlines()

    def files(self) -> dict[str, bytes]:
        """Every file but git's own and the sidecars."""
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and not {".git", ".pressmark", "_site"} & set(path.parts)
        }

    def tidy(self) -> None:
        """Nothing of ours lies about, and git finds nothing wrong."""
        git_dir = Path(self.git("rev-parse", "--absolute-git-dir"))
        left = list(self.root.rglob(".pressmark-*.tmp"))
        kept = ("pressmark.lock", "pressmark.queue")
        left += [p for p in git_dir.glob("pressmark.*") if p.name not in kept]
        left += [p for p in git_dir.glob("*.lock") if p.name not in kept]
        assert left == [], left
        self.git("fsck", "--strict", "--no-dangling")


class Inside(Shell):
    """The same, without a process of its own: a tenth of the time."""

    def __call__(
        self,
        *words: str,
        status: int | None = 0,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float = 120,
    ) -> Done:
        from pressmark.commands.run import run

        raw, err = io.BytesIO(), io.BytesIO()
        here, variables = Path.cwd(), dict(os.environ)
        os.environ.clear()
        os.environ.update(self.environment() if env is None else env)
        os.chdir(cwd or self.root)
        out_text = io.TextIOWrapper(raw, "utf-8", write_through=True)
        err_text = io.TextIOWrapper(err, "utf-8", write_through=True)
        try:
            with contextlib.redirect_stdout(out_text), contextlib.redirect_stderr(err_text):
                got = run(words)
        finally:
            os.chdir(here)
            os.environ.clear()
            os.environ.update(variables)
        done = Done(words, got, raw.getvalue(), err.getvalue().decode("utf-8"))
        assert status in (None, done.status), f"{words}: {done.status}\n{done.out}\n{done.err}"
        assert "Traceback" not in done.err
        return done
