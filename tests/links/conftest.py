"""A small library on disk: two references, notes, a topic, a reading list, a thesis beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pressmark.config import load
from pressmark.library import Library

FILES = {
    "pressmark.toml": 'format = 1\n\n[prose]\npaths = ["thesis/**/*.md"]\n',
    "library/2017/vaswani2017attention.md": (
        "---\ntitle: Attention Is All You Need\n\nauthors:\n- Vaswani, Ashish\n\n"
        "published: '2017-06-12'\n\ndoi: 10.48550/arxiv.1706.03762\n\narxiv: '1706.03762'\n\n"
        "aliases:\n- transformer-paper\n---\n\n## Abstract\n\nWrite to @nobody or [@none].\n\n"
        "## Remarks\n\nCompare [[hochreiter1997long]].\n"
    ),
    "library/1997/hochreiter1997long.md": (
        "---\ntitle: Long Short-Term Memory\n\nauthors:\n- Hochreiter, Sepp\n- Schmidhuber, Jürgen\n\n"
        "published: '1997'\n\ncite-as: lstm:97\n---\n"
    ),
    "library/2017/vaswani2017attention.fulltext.md": (
        "---\nreference: vaswani2017attention\n---\n\n# Attention Is All You Need\n\nWe cite [@none].\n"
    ),
    "library/2017/vaswani2017attention.pdf": "%PDF",
    "notes/attention-vs-recurrence.md": (
        "---\ntitle: Attention or recurrence\nabout:\n- vaswani2017attention\n- hochreiter1997long\n---\n\n"
        "# The question\n\nRecurrence is slow. Attention is not [@vaswani2017attention, p. 5]. "
        "It was [@lstm:97] first.\n\nSee [[Ideas/Second Thoughts#A Plan]] and ![[figure.png]]. ^claim\n"
    ),
    "notes/Ideas/Second Thoughts.md": (
        "---\naliases:\n- A better idea\n---\n\n## A plan!\r\n\r\n"
        "[The paper](../../library/2017/vaswani2017attention.md#abstract) by @Vaswani2017Attention [p. 3].\r\n"
        "[[nowhere]] [x](../missing.md) [[attention-vs-recurrence#^claim]]\r\n"
    ),
    "notes/figure.png": "png",
    "notes/another-todo.md": "Nothing here.\n",
    "topics/sequence-models.md": "---\ntitle: Sequence models\n---\n\nBegan with [[Long short-term memory]].\n",
    "topics/collections/chapter-2.md": (
        "---\ntitle: Chapter 2\n\nmembers:\n- hochreiter1997long\n- vaswani2017attention\n---\n"
    ),
    "thesis/ch1/intro.md": "Cites @transformer-paper and [@doi:10.48550/arXiv.1706.03762].\n",
    "thesis/ch1/draft.txt": "Not @prose.\n",
}  # fmt: skip


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(text.encode())
    return tmp_path


@pytest.fixture
def library(root: Path) -> Library:
    return Library(root, load(root, {}))
