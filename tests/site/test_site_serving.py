"""The preview: it shows a change by itself, and only the records that were asked for."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import pytest
from made import charted, library_at

from pressmark.site.serving import chosen

CLI = Path(__file__).resolve().parents[2] / "cli"


def free_port() -> int:
    import socket

    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    charted(tmp_path, more=5)
    return tmp_path


@pytest.fixture
def served(root: Path) -> Iterator[str]:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "pressmark", "-C", str(root), "site", "serve", "--address",
         f"127.0.0.1:{port}", "--recent", "4", "--only", "notes/"],
        env={**os.environ, "PYTHONPATH": str(CLI), "NO_MKDOCS_2_WARNING": "1"},
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    yield f"http://127.0.0.1:{port}/_site/"
    process.send_signal(signal.SIGINT)
    process.wait(timeout=20)


def read(url: str) -> str:
    try:
        with urlopen(url, timeout=60) as answer:
            return str(answer.read().decode("utf-8"))
    except (HTTPError, URLError, ConnectionError):
        return ""


def until(url: str, words: str, seconds: float = 60) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if words in read(url):
            return True
        time.sleep(0.1)
    return False


def test_a_save_shows_by_itself(root: Path, served: str) -> None:
    assert until(f"{served}notes/first/", "First thoughts")
    assert read(f"{served}library/2015/kim2015globe/") == ""  # neither recent nor asked for
    page = root / "library/2015/kim2015globe.md"
    page.write_text(page.read_text("utf-8").replace("The globe", "A round globe"), "utf-8")
    assert until(f"{served}library/2015/kim2015globe/", "A round globe")
    note = root / "notes/third.md"
    note.write_text("# A third note\n\nNew words.\n")
    assert until(f"{served}notes/third/", "New words.")
    note.unlink()
    end = time.monotonic() + 60
    while read(f"{served}notes/third/") and time.monotonic() < end:
        time.sleep(0.1)
    assert read(f"{served}notes/third/") == ""


def test_only_and_recent_say_which_records_have_a_page(root: Path) -> None:
    library = library_at(root)
    below = chosen(library, "notes/", 0)
    assert [below(p) for p in ("notes/first.md", "library/2019/ng2019maps.md")] == [True, False]
    newest = root / "library/2016/roe2016legend.md"
    os.utime(newest, ns=(2**62, 2**62))
    recent = chosen(library, "", 1)
    assert recent("library/2016/roe2016legend.md") and not recent("notes/first.md")
