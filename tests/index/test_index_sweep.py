"""A process that builds and updates an index is struck at its file-changing calls; nothing is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import killsweep
from index.shelf import FIELD, reopen, shelf
from killsweep import Outcome
from pressmark import find
from pressmark.index import engines

COMMAND = """
import os, sys
from pathlib import Path
from pressmark import find
from pressmark.index import engines
from index.shelf import reopen
engines.LIMIT = int(os.environ.get("ENGINE_LIMIT", "10000"))
root = Path(sys.argv[1])
def ask(question):
    return [hit.key for hit in find.find(reopen(root, user=root / ".user"), question).hits]
assert ask("attention")[0] == "vaswani2017attention"
path, edited = root / "library/nd/page1999pagerank.md", root.parent / "edited.md"
edited.write_text(path.read_text().replace("web page", "quokka"))
try:
    edited.replace(path)
except OSError:
    sys.exit()  # it is the index that is put to the test, not this edit
assert ask("quokka") == ["page1999pagerank"]
"""

TESTS = Path(__file__).resolve().parent.parent
ENV = {"PYTHONPATH": f"{TESTS.parent / 'cli'}{os.pathsep}{TESTS}"}


def check(root: Path, outcome: Outcome) -> None:
    """The next question is answered rightly, and nothing but one index is left behind."""
    assert outcome.killed or "Traceback" not in outcome.stderr, outcome.stderr
    found = find.find(reopen(root, user=root / ".user"), "attention dispensing with recurrence")
    assert found.hits[0].key == "vaswani2017attention"
    assert found.state == "ready"
    text = (root / "library/nd/page1999pagerank.md").read_text(encoding="utf-8")
    wanted = "quokka" if "quokka" in text else "web page"
    hit = find.find(reopen(root, user=root / ".user"), wanted).hits[0]
    assert hit.key == "page1999pagerank"
    assert hit.passage is not None and wanted in hit.passage.text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "stride", "engine"),
    [
        ("kill", 29, "whoosh"), ("ENOSPC", 61, "whoosh"), ("EIO", 61, "whoosh"),
        ("kill", 67, "tantivy"), ("ENOSPC", 97, "tantivy"),
    ],
)  # fmt: skip
def test_struck_anywhere_the_next_question_is_answered(
    tmp_path: Path, mode: str, stride: int, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = ENV
    if engine == "tantivy":
        pytest.importorskip("tantivy", reason="tantivy is not installed")
        monkeypatch.setattr(engines, "LIMIT", 2)
        env = {**ENV, "ENGINE_LIMIT": "2"}
    report = killsweep.sweep(
        [sys.executable, "-c", COMMAND, "{root}"],
        lambda root: shelf(root, FIELD),
        check,
        tmp_path=tmp_path, mode=mode, stride=stride, env=env,
    )  # fmt: skip
    assert report.calls > 30
    assert report.outcomes


def test_the_command_itself_works(tmp_path: Path) -> None:
    shelf(tmp_path / "lib", FIELD)
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, str(tmp_path / "lib")], capture_output=True, text=True,
        env=os.environ | ENV,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
