"""The runs over all real papers take minutes: `pytest -m slow tests/fulltext` asks for them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from double import Double
from pressmark import page
from pressmark.config import load
from pressmark.fulltext import Report, fetch
from pressmark.http import open_client
from pressmark.library import Library
from pressmark.record import Reference

HERE = Path(__file__).parent


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked slow unless the command line speaks of the mark."""
    if "slow" in (config.option.markexpr or "") or os.environ.get("PRESSMARK_SKIPS_FAIL"):
        return
    slow = [one for one in items if HERE in one.path.parents and one.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=slow)
    items[:] = [one for one in items if one not in slow]


@dataclass
class Marsh:
    """A library in a real repository, and a double of the providers that hold its papers."""

    root: Path
    double: Double
    config: Path

    def git(self, *arguments: str) -> str:
        """Run git in the library; what it prints."""
        done = subprocess.run(
            ["git", *arguments], cwd=self.root, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    def library(self, **env: str) -> Library:
        """The library as a new process sees it."""
        named = {**os.environ, "PRESSMARK_CONFIG": str(self.config), **env}
        return Library.open(self.root, load(self.root, named))

    def put(self, *refs: Reference) -> None:
        """File references."""
        self.library().put(refs, "add: some")

    def fetch(self, *keys: str, today: str = "2026-11-30", **more: object) -> Report:
        """Fetch what these references lack, with a client of its own."""
        library = self.library()
        refs = [library.get(key) for key in keys]
        client = open_client(library.config)
        return fetch(library, client, refs, today=today, **more)  # type: ignore[arg-type]

    def read(self, path: str) -> page.Page:
        """A file of the library."""
        return page.parse((self.root / path).read_bytes(), path)


@pytest.fixture
def marsh(tmp_path: Path) -> Iterator[Marsh]:
    """An empty library and a double without routes."""
    root = tmp_path / "lib"
    root.mkdir()
    with Double([]) as double:
        config = double.write_config(tmp_path / "config.toml")
        held = Marsh(root, double, config)
        held.git("init", "-q", "-b", "main")
        (root / "pressmark.toml").write_text("format = 1\n")
        (root / ".gitignore").write_text(
            ".pressmark/\nlibrary/**/*.pdf\nlibrary/**/*.xml\nlibrary/**/*.html\n"
        )
        held.git("add", ".")
        held.git("commit", "-q", "-m", "begin")
        yield held
