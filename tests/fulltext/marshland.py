"""A library in a real repository beside a double of the providers."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from double import Double
from pressmark import page
from pressmark.config import load
from pressmark.fulltext import Report, fetch
from pressmark.http import open_client
from pressmark.library import Library
from pressmark.record import Reference


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
