"""Many processes import into one library at once: nothing is lost, nothing is filed twice.

`PRESSMARK_FULL=1` runs all of it: 16 processes one beside the other, 100 calls each.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from shell import Shell

FULL = os.environ.get("PRESSMARK_FULL") == "1"
WRITERS, CALLS = (16, 100) if FULL else (6, 8)
SHARED = 4
"""Every so many calls the file also holds a paper that all the others bring, too."""


def entry(doi: str, title: str) -> dict[str, object]:
    return {
        "type": "article-journal",
        "title": title,
        "author": [{"family": "Everyone", "given": "Eva"}],
        "issued": {"date-parts": [[2024]]},
        "DOI": doi,
    }


def file(folder: Path, writer: int, call: int) -> Path:
    """A paper of the writer's own, whose key all the others want for theirs as well."""
    entries = [entry(f"10.5555/own.{writer}.{call}", f"Tidings{call} from writer {writer}")]
    if call % SHARED == 0:
        entries.append(entry(f"10.5555/shared.{call}", f"Common{call} to all"))
    path = folder / f"{writer}-{call}.json"
    path.write_text(json.dumps(entries), "utf-8")
    return path


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_many_processes_import_at_once(tmp_path: Path) -> None:
    shell = Shell(tmp_path / "library", tmp_path / "home", {"PRESSMARK_OFFLINE": "1"})
    shell.root.mkdir()
    shell("init")
    before = len(shell.subjects())
    files = tmp_path / "files"
    files.mkdir()

    def writes(writer: int) -> list[float]:
        """One call after the other, as a person or a script would."""
        seconds = []
        for call in range(CALLS):
            begun = time.monotonic()
            shell("import", str(file(files, writer, call)), timeout=1800)
            seconds.append(time.monotonic() - begun)
        return seconds

    begun, spent = time.monotonic(), os.times()
    with ThreadPoolExecutor(WRITERS) as pool:
        waited = sorted(each for one in pool.map(writes, range(WRITERS)) for each in one)
    now = os.times()
    cpu = now.children_user + now.children_system - spent.children_user - spent.children_system
    print(
        f"{WRITERS} x {CALLS} imports: {time.monotonic() - begun:.0f} s, {cpu:.0f} CPU s; "
        f"a call {waited[len(waited) // 2]:.1f} s, the longest {waited[-1]:.1f} s"
    )

    wanted = {f"10.5555/own.{writer}.{call}" for writer in range(WRITERS) for call in range(CALLS)}
    wanted |= {f"10.5555/shared.{call}" for call in range(0, CALLS, SHARED)}
    names = shell.git("ls-tree", "-r", "--name-only", "HEAD", "library").splitlines()
    keys = Counter(Path(name).stem.casefold() for name in names if name.endswith(".md"))
    assert max(keys.values()) == 1
    dois = shell.git("grep", "-h", "^doi: ", "HEAD", "--", "library").splitlines()
    assert Counter(line.removeprefix("doi: ") for line in dois) == Counter(wanted)
    assert len(keys) == len(wanted)
    # Each file had something new in it, so each call made a commit.
    assert len(shell.subjects()) == before + WRITERS * CALLS

    assert shell.status() == []
    shell.git("fsck", "--strict")
    assert list(shell.root.rglob(".pressmark-*")) == []
    left = {path.name for path in (shell.root / ".git").glob("pressmark.*")}
    assert left <= {"pressmark.lock", "pressmark.queue"}
    assert shell("check", "--format", "json").data["errors"] == 0
    assert shell("list", "--count").out.strip() == str(len(wanted))
    assert shell("import", str(files / "0-0.json")).status == 0
    assert len(shell.subjects()) == before + WRITERS * CALLS
