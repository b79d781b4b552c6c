"""A small library in git, and an editor that stands in it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from editor import Editor
from shell import CLI, IDENTITY

FILES = {
    "pressmark.toml": 'format = 1\n\n[prose]\npaths = ["thesis/**/*"]\n',
    ".gitignore": ".pressmark/\n*.pdf\n",
    "library/2017/simic2017rivers.md": (
        "---\ntitle: How Rivers Branch\n\nauthors:\n- Šimić, Ana\n- Wen, Li\n\n"
        "published: '2017-06-12'\n\nvenue: Journal of Invented Hydrology\n\ndoi: 10.5555/r.17\n\n"
        "oa: gold\n\ntags:\n- water/river\n---\n\n## Abstract\n\nRivers branch where they can.\n"
    ),
    "library/2019/bryl2019message.md": (
        "---\ntitle: Message Passing on Estuaries\n\nauthors:\n- Bryl, Tomasz\n- Wen, Li\n- Aldermoor, Ines\n\n"
        "published: '2019'\n\nnotice: retracted\n\nnotice-note: by its authors\n---\n"
    ),
    "library/2019/bryl2019message.fulltext.md": (
        "---\nreference: bryl2019message\n---\n\n# Message Passing on Estuaries\n\n"
        "## Method\n\nMessages run against the stream until nothing changes.\n"
    ),
    "library/2019/bryl2019message.pdf": "%PDF-1.4 not one",
    "library/2020/nd2020odd.md": "---\ntitle: A Spare Work\n\ncite-as: spare:20\n---\n",
    "notes/branching.md": (
        "---\ntitle: On branching\n\ntags:\n- method\n---\n\n# Branching\n\n"
        "Rivers branch [@simic2017rivers, p. 3]. ^claim\n\n## What follows\n\nSee [[reeds]]. #method/graph\n"
    ),
    "notes/reeds.md": "# Reeds\n\nThey stand [[branching#What follows]] and [[branching#^claim]].\n",
    "thesis/intro.tex": "Rivers \\citep[p.~3]{simic2017rivers,bryl2019message}.\n",
    "thesis/intro.typ": "Rivers @simic2017rivers.\n",
    "thesis/intro.org": "Rivers [cite:@simic2017rivers].\n",
    "thesis/intro.rst": "Rivers :cite:`simic2017rivers`.\n",
}  # fmt: skip

Start = Callable[..., Editor]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return made(tmp_path)


def made(folder: Path) -> Path:
    """The library in a folder."""
    root = folder / "library of mine"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "All"]):
        subprocess.run(["git", *words], cwd=root, env={**os.environ, **IDENTITY}, check=True)
    return root


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, **IDENTITY, "PYTHONPATH": str(CLI), "PRESSMARK_OFFLINE": "1", **more}


COMMAND = (sys.executable, "-m", "pressmark", "lsp")


@pytest.fixture
def start(root: Path) -> Iterator[Start]:
    """Editors that are closed at the end."""
    opened: list[Editor] = []

    def one(options: dict[str, Any] | None = None, **more: Any) -> Editor:
        env = environment(**more.pop("env", {}))
        editor = Editor(COMMAND, more.pop("root", root), env, options, **more)
        opened.append(editor)
        return editor.__enter__()

    yield one
    for editor in opened:
        editor.__exit__()


@pytest.fixture
def editor(start: Start) -> Editor:
    """An editor whose server has read a library of its own."""
    editor = start()
    ready(editor)
    return editor


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    """One for all tests that write nothing."""
    root = made(tmp_path_factory.mktemp("shared"))
    with Editor(COMMAND, root, environment()) as editor:
        ready(editor)
        yield editor


@pytest.fixture
def reader(shared: Editor) -> Iterator[Editor]:
    """The same, with nothing open."""
    yield shared
    for path in list(shared.versions):
        shared.close(path)
    shared.said.clear()


def ready(editor: Editor) -> None:
    """Wait until the library was read."""
    editor.until(lambda: editor.request("workspace/symbol", {"query": "rivers"}) or None)
