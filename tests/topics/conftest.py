"""A library with topics, the providers' double, and a client that only reaches that."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from double import Double
from pressmark.config import load
from pressmark.http import Client, NullClient, open_client
from pressmark.library import Library
from shell import CLI
from story import story_routes

TOPIC = """\
---
title: Rivers and graphs

query: graph transformers

providers:
- arxiv
- openalex

last-run: '2023-01-05'
---

Why I follow it.
"""


@pytest.fixture(autouse=True)
def this_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """What git starts, its merge driver, is the program under test, wherever git stands."""
    monkeypatch.setenv("PYTHONPATH", str(CLI))


@pytest.fixture
def double() -> Iterator[Double]:
    with Double(story_routes()) as double:
        yield double


def library_at(root: Path, config: Path, topics: dict[str, str]) -> Library:
    """A committed library with these topics, and the user's settings."""
    (root / "topics").mkdir(parents=True)
    (root / "pressmark.toml").write_text("format = 1\n")
    (root / ".gitignore").write_text(".pressmark/\n")
    for slug, text in topics.items():
        (root / f"topics/{slug}.md").write_text(text)
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "All"]):
        subprocess.run(["git", *words], cwd=root, check=True)
    return opened(root, config)


def opened(root: Path, config: Path) -> Library:
    """The library, as a process of its own would open it."""
    return Library.open(root, load(root, {**os.environ, "PRESSMARK_CONFIG": str(config)}))


@pytest.fixture
def config(tmp_path: Path, double: Double) -> Path:
    return double.write_config(tmp_path / "config.toml")


@pytest.fixture
def library(tmp_path: Path, config: Path) -> Library:
    topics = {"rivers": TOPIC, "prose": "---\ntitle: Only words\n---\n"}
    return library_at(tmp_path / "lib", config, topics)


@pytest.fixture
def client(library: Library) -> Client | NullClient:
    return open_client(library.config)


def subjects(library: Library) -> list[str]:
    return [entry.subject for entry in library.log(limit=1000)]
