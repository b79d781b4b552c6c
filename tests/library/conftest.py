"""A fresh library in a real git repository."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from pressmark.config import load
from pressmark.library import Library

Git = Callable[..., str]


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """Run git in the library; what it prints."""

    def run(*arguments: str, at: Path | None = None) -> str:
        folder = at or tmp_path / "lib"
        done = subprocess.run(
            ["git", *arguments], cwd=folder, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    return run


@pytest.fixture
def library(tmp_path: Path, git: Git) -> Library:
    """An empty library with its settings committed."""
    root = tmp_path / "lib"
    root.mkdir()
    git("init", "-q", "-b", "main")
    (root / "pressmark.toml").write_text("format = 1\n")
    (root / ".gitignore").write_text(".pressmark/\nlibrary/**/*.pdf\n")
    git("add", ".")
    git("commit", "-q", "-m", "begin")
    return reopen(root)


def reopen(root: Path) -> Library:
    """The library as a new process sees it."""
    return Library.open(root, load(root, os.environ))
