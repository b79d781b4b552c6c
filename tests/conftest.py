"""Shared fixtures: the corpus of real data when it stands beside the project, and a clean user."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
CORPUS = Path(os.environ.get("PRESSMARK_CORPUS", PROJECT.parent / "shared" / "corpus"))


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real provider answers and documents; skips where it is not."""
    if not (CORPUS / "providers" / "MANIFEST.tsv").is_file():
        pytest.skip("the corpus of real data is not beside this project")
    return CORPUS


@pytest.fixture(autouse=True)
def clean_user(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home, a git identity, no settings of the person who runs the tests."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("PRESSMARK_", "GIT_", "XDG_")):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Ada Reader")
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "ada@reader.invalid")
    monkeypatch.setenv("GIT_COMMITTER_NAME", "Ada Reader")
    monkeypatch.setenv("GIT_COMMITTER_EMAIL", "ada@reader.invalid")
    return home
