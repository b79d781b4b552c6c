"""`add`, `edit` and `rename` as people run them, struck at every call that changes a file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import killsweep
from killsweep import Outcome
from pressmark import page
from pressmark.record import Reference

CLI = Path(__file__).resolve().parents[2] / "cli"
OLD = Reference(key="ng2019maps", title="Maps", authors=("Ng, Ada",), published="2019")
OTHER = Reference(key="bo2018tides", title="Tides", authors=("Bo, Cy",), published="2018")
NOTE = "# Mine\n\nAs [@ng2019maps] says, see [[bo2018tides]].\n"
DRAFT = "notes/draft.md"
ENTRY = [
    {
        "id": "new2020paper",
        "type": "article-journal",
        "title": "A new paper",
        "author": [{"family": "New", "given": "N."}],
        "issued": {"date-parts": [[2020]]},
    }
]
COMMANDS = {
    "add": ["import", "one.json"],
    "edit": ["edit", "ng2019maps", "--set", "venue=Journal of Maps", "--add-tag", "atlas"],
    "rename": ["rename", "ng2019maps", "ng2019atlas"],
}


def environment() -> dict[str, str]:
    return {"PYTHONPATH": str(CLI), "PYTHONDONTWRITEBYTECODE": "1", "PRESSMARK_OFFLINE": "1"}


def pressmark(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pressmark", *words],
        cwd=folder, capture_output=True, text=True, env=os.environ | environment(),
    )  # fmt: skip


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout


def prepare(folder: Path) -> None:
    """A library made by the program itself, with the user's work lying uncommitted beside it."""
    assert pressmark(folder, "init").returncode == 0
    for ref in (OLD, OTHER):
        path = folder / "library" / ref.key[2:6] / f"{ref.key}.md"
        path.parent.mkdir(parents=True)
        path.write_bytes(page.write(ref))
    (folder / "notes/mine.md").write_text(NOTE)
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "two papers and a note")
    (folder / "one.json").write_text(json.dumps(ENTRY))
    (folder / DRAFT).write_text("half a thought [@ng2019maps]\n")
    assert pressmark(folder, "list").returncode == 0


class Promise:
    """What must hold wherever a command was struck."""

    def __init__(self, what: str) -> None:
        self.what = what

    def __call__(self, folder: Path, outcome: Outcome) -> None:
        self.read_all(folder)
        self.drafts(folder)
        if outcome.status not in (0, -9):
            assert "Traceback" not in outcome.stderr, outcome.stderr
            assert outcome.stderr.startswith("pressmark: "), outcome.stderr
        following = pressmark(folder, "edit", "bo2018tides", "--add-tag", "after")
        assert following.returncode == 0, following.stderr
        state = self.state(folder)
        assert state in ("old", "new")
        if outcome.status == 0:
            assert state == "new", "what was acknowledged is not there"
        assert git(folder, "status", "--porcelain").splitlines() == [f"?? {DRAFT}", "?? one.json"]
        git(folder, "fsck", "--strict", "--no-dangling")
        left = [p for p in folder.rglob("*") if "pressmark-" in p.name and p.suffix == ".tmp"]
        assert left == []
        self.drafts(folder)

    def read_all(self, folder: Path) -> None:
        """Every reference on the disk is whole."""
        for path in (folder / "library").rglob("*.md"):
            page.read(Reference, path.read_bytes(), path.name)

    def drafts(self, folder: Path) -> None:
        kept = (folder / DRAFT).read_text()
        renamed = "half a thought [@ng2019atlas]\n" if self.what == "rename" else ""
        assert kept in ("half a thought [@ng2019maps]\n", renamed)

    def state(self, folder: Path) -> str:
        """Whether HEAD holds the command's whole change or none of it; the disk says the same."""
        tracked = git(folder, "ls-tree", "-r", "--name-only", "HEAD", "library", "notes").split()
        committed = {path: git(folder, "show", f"HEAD:{path}") for path in tracked}
        assert committed == {path: (folder / path).read_text() for path in tracked}
        if self.what == "add":
            return "new" if "library/2020/new2020paper.md" in committed else "old"
        if self.what == "edit":
            text = committed["library/2019/ng2019maps.md"]
            assert ("venue: Journal of Maps" in text) == ("- atlas" in text)
            return "new" if "- atlas" in text else "old"
        old = "library/2019/ng2019maps.md" in committed
        assert old != ("library/2019/ng2019atlas.md" in committed)
        assert ("[@ng2019maps]" in committed["notes/mine.md"]) == old
        return "old" if old else "new"


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("mode", ["kill", "ENOSPC", "EIO"])
@pytest.mark.parametrize("what", list(COMMANDS))
def test_a_struck_command_leaves_old_or_new(tmp_path: Path, what: str, mode: str) -> None:
    stride = 13 if mode == "kill" else 37
    report = killsweep.sweep(
        [sys.executable, "-m", "pressmark", "-C", "{root}", *COMMANDS[what]],
        prepare,
        Promise(what),
        tmp_path=tmp_path,
        mode=mode,
        stride=stride,
        start=1 + sum(map(ord, what + mode)) % stride,
        env=environment(),
    )
    print(f"{what} {mode}: {report}")
