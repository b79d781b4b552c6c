"""A library with three references, a full text, and a few notes; in git, and a shell in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pressmark.config import load
from pressmark.library import Library
from shell import Inside

TEXT = """\
---
reference: wen2021river

format: pdf

pages: '2'
---

# How Rivers Branch

<!-- page 1 -->

## Introduction

Rivers branch where they can, and meet where they must. A branch that is ﬁrst becomes the last.

Messages run against the stream until noth-
ing changes any more.

<!-- page 2 -->

## Method

We walked along twelve rivers, each of them twice, and counted every branch by hand.

Rivers branch where they can, said the ferryman.
"""

FILES = {
    "pressmark.toml": 'format = 1\n\n[prose]\npaths = ["thesis/**/*"]\n',
    ".gitignore": ".pressmark/\n*.pdf\n",
    "library/2021/wen2021river.md": (
        "---\ntitle: How Rivers Branch\n\nauthors:\n- Wen, Li\n\npublished: '2021'\n\ndoi: 10.5555/r.1\n---\n"
    ),
    "library/2021/wen2021river.fulltext.md": TEXT,
    "library/2019/bryl2019message.md": "---\ntitle: Message Passing\n\narxiv: '9801.00011'\n---\n",
    "library/2008/pen2008tables.md": "---\ntitle: A Short History of Tide Tables\n---\n",
    "notes/plain.md": "# A heading of its own\n\nSee [@bryl2019message] on salinity. #method/graph\n",
    "notes/deep/reeds.md": (
        "---\ntitle: On Reeds\n\nabout:\n- wen2021river\n\ntags:\n- Água\n- method\n\nauthor: Ruth\n\n"
        "created: '2026-03-04'\n---\n\nReeds and salinity, salinity, salinity. [[plain]]\n"
    ),
    "notes/tides.md": (
        "---\nabout:\n- pen2008tables\n\ncreated: '2026-05-06'\n\nrating: '4'\n---\n\nTides come and go.\n"
    ),
}  # fmt: skip


@pytest.fixture
def shell(tmp_path: Path) -> Inside:
    """The library, and a shell in it."""
    shell = Inside(tmp_path / "lib", tmp_path, {"PRESSMARK_OFFLINE": "1", "EDITOR": "true"})
    for path, text in FILES.items():
        (shell.root / path).parent.mkdir(parents=True, exist_ok=True)
        (shell.root / path).write_bytes(text.encode())
    shell.git("init", "--quiet", "--initial-branch=main")
    shell.git("add", ".")
    shell.git("commit", "--quiet", "-m", "All")
    return shell


@pytest.fixture
def held(shell: Inside) -> Library:
    """The same as an object."""
    return Library.open(shell.root, load(shell.root, {}, offline=True))
