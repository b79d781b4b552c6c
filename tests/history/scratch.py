"""A small library in a real git repository, and git itself for what a user would type."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from pressmark import disk
from pressmark.history import Commit, Repository

PAPER = b"---\ntitle: One\n---\n\n## Abstract\n\nText.\n"
KEY = "library/2017/smith2017one.md"


@dataclass
class Lib:
    """A library: `root` is its folder, `top` that of the repository."""

    root: Path
    top: Path

    def git(self, *arguments: str, ok: bool = True, **env: str) -> str:
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.top,
            capture_output=True,
            text=True,
            env=os.environ | env,
        )
        assert not ok or done.returncode == 0, done.stderr
        return done.stdout.rstrip("\n")

    @property
    def repo(self) -> Repository:
        repo = Repository.find(self.root)
        assert repo is not None
        repo.patience = 5
        return repo

    def read(self, path: str) -> bytes:
        return (self.root / path).read_bytes()

    def edit(self, path: str, data: bytes | None) -> disk.Edit:
        """An edit of the file as it is now."""
        there = self.root / path
        return disk.Edit(path, data, disk.sha256(there.read_bytes()) if there.exists() else None)

    def change(self, *pairs: tuple[str, bytes | None], subject: str = "add: x") -> Commit | None:
        edits = [self.edit(path, data) for path, data in pairs]
        return self.repo.transact(self.root, edits, subject)

    def write(self, path: str, data: bytes | str) -> Path:
        """What the user does with an editor."""
        there = self.root / path
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_bytes(data.encode() if isinstance(data, str) else data)
        return there

    def files(self) -> list[str]:
        found = (p for p in self.root.rglob("*") if p.is_file() and ".git" not in p.parts)
        return sorted(p.relative_to(self.root).as_posix() for p in found)

    def in_commit(self, rev: str = "HEAD") -> list[str]:
        """What a commit changed: `A path`, `M path`, `D path`."""
        out = self.git("show", "--format=", "--name-status", "--no-renames", rev)
        return sorted(out.replace("\t", " ").splitlines())

    def status(self) -> list[str]:
        return self.git("status", "--porcelain", "--untracked-files=all").splitlines()

    def tidy(self) -> None:
        """Nothing of ours lies about, and git finds nothing wrong."""
        left = [p for p in self.top.rglob(".pressmark-*") if p.is_file()]
        repo = self.repo
        kept = ("pressmark.lock", "pressmark.queue")
        left += [p for p in repo.git_dir.glob("pressmark.*") if p.name not in kept]
        left += [p for p in repo.git_dir.rglob("*.lock") if p.name != "pressmark.lock"]
        assert left == []
        self.git("fsck", "--strict")


def make(root: Path) -> Lib:
    """A library of one reference, committed."""
    root.mkdir(parents=True, exist_ok=True)
    lib = Lib(root, root)
    lib.git("init", "--quiet", "--initial-branch=main")
    lib.write("pressmark.toml", "format = 1\n")
    lib.write(KEY, PAPER)
    lib.git("add", ".")
    lib.git("commit", "--quiet", "-m", "first")
    return lib
