"""The paces that providers ask for, kept by several processes at once, on the provider's clock."""

from __future__ import annotations

import subprocess
import sys
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from double import Double, Reply
from pressmark.errors import Busy
from pressmark.http.pace import Pace
from shell import CLI

ASK = """
import sys, threading
from pathlib import Path
from pressmark.config import load
from pressmark.http import Client

home = Path(sys.argv[1])
client = Client(load(None, {"HOME": str(home), "PRESSMARK_CONFIG": str(home / "config.toml")}))
urls = {"arxiv": "https://export.arxiv.org/api/query", "plos": "https://api.plos.org/search"}

def ask(source, times):
    for _ in range(times):
        client.get(urls[source], source=source)

threads = [threading.Thread(target=ask, args=(name, 2)) for name in urls]
for thread in threads: thread.start()
for thread in threads: thread.join()
"""


def test_two_processes_together_keep_the_pace_of_arxiv_and_plos(tmp_path: Path) -> None:
    """Four requests of each; arXiv's answers are slow, which brings the next no closer."""
    with Double([("/api/query", Reply(200, b"x", delay=0.2)), ("*", Reply(200, b"{}"))]) as double:
        tables = [
            f'[sources.{name}]\nbase_url = "{double.base_url}/at-{name}"\n'
            for name in ("arxiv", "plos")
        ]
        (tmp_path / "config.toml").write_text("".join(tables))
        runs = [
            subprocess.Popen(
                [sys.executable, "-c", ASK, str(tmp_path)],
                env={"PYTHONPATH": str(CLI), "HOME": str(tmp_path)},
            )
            for _ in range(2)
        ]
        assert [run.wait(90) for run in runs] == [0, 0]
        at = {
            name: sorted(seen.at for seen in double.requests if seen.source == name)
            for name in ("arxiv", "plos")
        }
    gaps = {
        name: [after - before for before, after in pairwise(moments)]
        for name, moments in at.items()
    }
    assert len(gaps["arxiv"]) == len(gaps["plos"]) == 3
    assert min(gaps["arxiv"]) >= 3.0, gaps
    # Ten a minute: the eleventh arrives a full minute after the first.
    assert 10 * min(gaps["plos"]) >= 60.0, gaps


def test_who_is_sent_away_takes_no_place_in_the_line(tmp_path: Path) -> None:
    """Else those who try again push it on, until it lies so far off that it counts as free."""
    now, slept = [1_000_000.0], []
    pace = Pace(tmp_path, lambda: now[0], slept.append)
    for _ in range(200):
        with suppress(Busy):
            pace.wait("plos", 6.2)
    assert [round(each, 1) for each in slept] == [round(6.2 * n, 1) for n in range(1, 10)]
    now[0] += 62
    assert pace.wait("plos", 6.2) == 0.0, "a minute later the line is empty"


def test_a_folder_that_keeps_no_file_has_the_same_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    slept: list[float] = []
    pace = Pace(tmp_path / "file" / "none", lambda: 1_000_000.0, slept.append)
    for _ in range(200):
        with suppress(Busy):
            pace.wait("plos", 6.2)
    assert len(slept) == 9
