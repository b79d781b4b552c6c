"""The paces that providers ask for, kept by several processes at once, on the provider's clock."""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path

from double import Double, Reply
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
