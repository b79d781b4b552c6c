"""A library in a repository, and agents at its desk: one that reads, one that writes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from agents.agent import Agent
from index.shelf import FIELD, place, reference
from pressmark import page
from pressmark.mcp.desk import Desk
from pressmark.record import FullText, Note, Record
from shell import IDENTITY

HERON = "The heron stands in the shallows and waits for what the river brings to it. "

TEXT = FullText(
    slug="page1999pagerank.fulltext", reference="page1999pagerank", source="europepmc",
    license="CC-BY-4.0", sha256="ab" * 32, hidden_chars="3", format="jats",
    body=f"\n# Web\n\n## Introduction\n\n{HERON * 60}\n\n## Method\n\nA random surfer gets bored "
    "and jumps elsewhere with some probability, the damping factor.\n\n"
    f"## Results\n\n{HERON * 20}\n\n## Conclusion\n\nLinks tell what matters to readers.\n",
)  # fmt: skip

NOTE = Note(
    slug="ideas/attention", title="On attention", about=("vaswani2017attention",),
    tags=("reading",), body="\n# On attention\n\nAttention beats recurrence "
    "[@hochreiter1997long].\n",
)  # fmt: skip

TOPIC = "---\ntitle: Attention\n\nquery: attention transformers\n---\n\nWhy it is followed.\n"
SEARCH = "---\nquery: attention\n\ndate: '2026-01-02'\n---\n"
READING = "---\ntitle: Chapter 2\n\nmembers:\n- hochreiter1997long\n---\n"


def git(root: Path, *words: str) -> str:
    """Run git there as Ada."""
    env = {**os.environ, **IDENTITY}
    done = subprocess.run(
        ["git", "-C", str(root), *words], env=env, capture_output=True, text=True, check=True
    )
    return done.stdout


def write(root: Path, path: str, data: str | bytes) -> None:
    """Put a file there, as an editor would."""
    full = root / path
    full.parent.mkdir(parents=True, exist_ok=True)
    full.write_bytes(data.encode() if isinstance(data, str) else data)


def file(root: Path, record: Record) -> None:
    """Write a record's file."""
    write(root, place(record), page.write(record))


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of its own: caches, state and git's identity."""
    folder = tmp_path / "home"
    folder.mkdir()
    for name, value in {**IDENTITY, "HOME": str(folder), "PRESSMARK_MODEL": "none"}.items():
        monkeypatch.setenv(name, value)
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "PRESSMARK_LIBRARY"):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture
def root(tmp_path: Path, home: Path) -> Path:
    """A small library, committed."""
    folder = tmp_path / "lib"
    write(folder, "pressmark.toml", "format = 1\n")
    for record in (*FIELD, TEXT, NOTE):
        file(folder, record)
    for number in range(30):
        file(folder, reference(
            f"heron{2000 + number}study", f"A study of herons, part {number}",
            f"Herons wade in river {number}. " + HERON * 8,
            authors=tuple(f"Author{each}, Ann" for each in range(12)),
            published=str(2000 + number), venue="Journal of Herons",
        ))  # fmt: skip
    write(folder, "topics/attention.md", TOPIC)
    write(folder, "topics/searches/2026-01-02-attention.md", SEARCH)
    write(folder, "topics/collections/chapter-2.md", READING)
    write(folder, ".gitignore", ".pressmark/\n*.pdf\n")
    git(tmp_path, "init", "-q", "-b", "main", str(folder))
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "A library")
    return folder


@pytest.fixture
def agent(root: Path) -> Agent:
    """An agent that may only read, offline."""
    return Agent(Desk(root, offline=True))


@pytest.fixture
def writer(root: Path) -> Agent:
    """An agent that may write and commit, offline."""
    return Agent(Desk(root, "write", offline=True))
