"""A library that breaks no rule, to break one at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pressmark.check import Finding, check
from pressmark.config import load
from pressmark.library import Library

CLEAN = {
    "pressmark.toml": 'format = 1\n\n[prose]\npaths = ["thesis/*.md"]\n',
    "library/2017/vaswani2017attention.md": (
        "---\ntitle: Attention Is All You Need\n\nauthors:\n- Vaswani, Ashish\n\n"
        "published: '2017'\n\narxiv: '1706.03762'\n\nsources:\n- arxiv:1706.03762v7 2026-11-30\n---\n\n"
        "## Abstract\n\nWrite to [@nobody] or see [[nowhere]].\n"
    ),
    "library/2017/vaswani2017attention.fulltext.md": (
        "---\nreference: vaswani2017attention\n---\n\n# Attention is all you need\n\nText [@none].\n"
    ),
    "library/1997/hochreiter1997long.md": "---\ntitle: Long Short-Term Memory\n\npublished: '1997'\n---\n",
    "notes/reading.md": (
        "---\nabout: [vaswani2017attention]\n---\n\n# Why\n\nIt is fast [@vaswani2017attention].\n"
        "See [[hochreiter1997long]] and [[#Why]]. ^claim\n"
    ),
    "topics/collections/ch2.md": "---\ntitle: Two\n\nmembers:\n- hochreiter1997long\n---\n",
    "thesis/one.md": "As @hochreiter1997long says; see [[reading#^claim]], @fig:one and @someone.\n",
}

Put = Callable[[str, str | bytes], None]
Found = Callable[..., list[tuple[str, str, str, int | None, int | None]]]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, text in CLEAN.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(text.encode())
    return tmp_path


@pytest.fixture
def library(root: Path) -> Library:
    return Library(root, load(root, {}))


@pytest.fixture
def put(root: Path) -> Put:
    """Write a file of the library."""

    def write(path: str, text: str | bytes) -> None:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text if isinstance(text, bytes) else text.encode())

    return write


@pytest.fixture
def found(library: Library) -> Found:
    """What check finds, but for the one warning of the clean library."""

    def run(*paths: str, **options: bool) -> list[tuple[str, str, str, int | None, int | None]]:
        findings = check(library, paths or None, **options)
        return [brief(each) for each in findings if "someone" not in each.message]

    return run


def brief(finding: Finding) -> tuple[str, str, str, int | None, int | None]:
    return finding.code, finding.severity, finding.path, finding.line, finding.column
