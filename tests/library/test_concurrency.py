"""Several processes that add to one library at once lose nothing and file nothing twice.

`TEST_FULL=1` runs the whole of it: 16 processes, 100 calls each.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pressmark.library import Library

from .conftest import Git, reopen

FULL = os.environ.get("TEST_FULL") == "1"
PROCESSES, CALLS = (16, 100) if FULL else (8, 10)

WORKER = """
import sys
from pathlib import Path
from pressmark.library import Library
from pressmark.record import Paper

me, calls = int(sys.argv[2]), int(sys.argv[3])
library = Library.open(Path(sys.argv[1]))
for call in range(calls):
    own = f"10.1000/p{me}.{call}"
    shared = f"10.1000/shared.{call}"
    library.add([
        Paper(title="The same words", authors=("Everyone, E.",), published="2020", doi=own,
              sources=(f"crossref:{own} 2026-01-01",)),
        Paper(title=f"Shared paper {call}", authors=("Everyone, E.",), published="2021",
              doi=shared, sources=(f"crossref:{shared} 2026-01-01",)),
    ])
"""


@pytest.mark.timeout(1800)
def test_many_writers_at_once(library: Library, git: Git, tmp_path: Path) -> None:
    script = tmp_path / "worker.py"
    script.write_text(WORKER)
    package = Path(__file__).resolve().parent.parent.parent / "cli"
    environment = {**os.environ, "PYTHONPATH": str(package)}
    begun = time.monotonic()
    running = [
        subprocess.Popen(
            [sys.executable, str(script), str(library.root), str(me), str(CALLS)],
            stderr=subprocess.PIPE, text=True, env=environment,
        )
        for me in range(PROCESSES)
    ]  # fmt: skip
    errors = [process.communicate()[1] for process in running]
    assert [error for error in errors if error] == []
    print(f"{PROCESSES} x {CALLS} calls in {time.monotonic() - begun:.0f} s")

    own = PROCESSES * CALLS
    held = reopen(library.root)
    assert held.catalogue.count() == own + CALLS
    assert held.catalogue.twins() == {} and held.catalogue.namesakes() == {}
    assert len({held.get(f"10.1000/p{me}.{call}").key
                for me in range(PROCESSES) for call in range(CALLS)}) == own  # fmt: skip
    assert len(git("ls-tree", "-r", "--name-only", "HEAD", "library").splitlines()) == own + CALLS
    assert len(git("log", "--format=%h").splitlines()) == own + 1
    assert git("status", "--porcelain") == ""
    git("fsck", "--strict")
