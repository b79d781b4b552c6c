"""The filter that `init` writes makes citations of wikilinks, shown with pandoc itself."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from shell import Inside

pytestmark = pytest.mark.skipif(not shutil.which("pandoc"), reason="pandoc is not installed")

REFERENCES = [
    {"id": "wen2021river", "type": "book", "title": "Rivers", "author": [{"family": "Wen"}],
     "issued": {"date-parts": [[2021]]}},
    {"id": "Pen-2008", "type": "book", "title": "Tides", "author": [{"family": "Penhallow"}],
     "issued": {"date-parts": [[2008]]}},
]  # fmt: skip

CASES = {
    "See [[wen2021river]].": "See (Wen 2021).",
    "See [[@wen2021river]], and more.": "See (Wen 2021), and more.",
    "See [[WEN2021RIVER]].": "See (Wen 2021).",
    "See [[library/2021/wen2021river.md]].": "See (Wen 2021).",
    "See [[wen2021river|the paper on rivers]].": "See the paper on rivers (Wen 2021).",
    "[[wen2021river]] and [[Pen-2008]]!": "(Wen 2021) and (Penhallow 2008)!",
    "> [[wen2021river#Method]]": "  (Wen 2021)",
    "A note [[On reeds]] and [[deep/reeds|its words]].": "A note On reeds and its words.",
    "An ![[embed]] and [[#Below]].": "An embed and Below.",
    "`[[wen2021river]]` stays.": "[[wen2021river]] stays.",
    "*In [[wen2021river]]* [@Pen-2008, p. 3].": "In (Wen 2021) (Penhallow 2008, 3).",
    "An open [[ bracket": "An open [[ bracket",
    "- [[wen2021river]]": "-   (Wen 2021)",
}


@pytest.fixture
def filtered(shell: Inside) -> Inside:
    assert "new      pandoc/pressmark.lua" in shell("init", "--pandoc-filter").lines
    (shell.root / "refs.json").write_text(json.dumps(REFERENCES))
    return shell


def pandoc(root: Path, text: str, *more: str) -> str:
    done = subprocess.run(
        ["pandoc", "--lua-filter", "pandoc/pressmark.lua", *more, "--to", "plain", "--wrap", "none"],
        input=text.encode(), capture_output=True, cwd=root, check=True,
    )  # fmt: skip
    assert b"rror" not in done.stderr, done.stderr
    return done.stdout.decode()


def test_wikilinks_to_references_are_citations(filtered: Inside) -> None:
    text = "\n\n".join(f"{case}\n\nEND" for case in CASES)
    out = pandoc(
        filtered.root, text, "--citeproc", "--bibliography", "refs.json",
        "--metadata", "suppress-bibliography=true",
    )  # fmt: skip
    assert [each.strip("\n") for each in out.split("\nEND\n")[:-1]] == list(CASES.values())


def test_without_a_bibliography_the_library_says_what_is_a_key(filtered: Inside) -> None:
    done = subprocess.run(
        ["pandoc", "--lua-filter", "pandoc/pressmark.lua", "--to", "markdown"],
        input=b"[[wen2021river]] and [[nobody2001]].", capture_output=True, cwd=filtered.root, check=True,
    )  # fmt: skip
    assert done.stdout.decode().strip() == "[@wen2021river] and nobody2001."


def test_it_is_written_once_and_then_the_users(filtered: Inside) -> None:
    path = filtered.root / "pandoc/pressmark.lua"
    path.write_text("-- mine\n")
    filtered("init", "--pandoc-filter")
    assert path.read_text() == "-- mine\n"
