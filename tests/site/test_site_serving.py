"""The preview: it shows a change by itself, and only the records that were asked for."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import pytest
from jinja2 import Environment
from made import MKDOCS, charted, library_at

from pressmark.site.serving import chosen
from pressmark.site.templates import Shown

CLI = Path(__file__).resolve().parents[2] / "cli"

PATIENCE = 60
"""Seconds that a busy machine may take; nothing here is timed but the end."""


def free_port() -> int:
    import socket

    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def interruptible() -> None:
    """Ctrl-C means something again where the tests run in the background of a shell."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Served:
    """A running `pressmark site serve`, what it says, and what it shows."""

    def __init__(self, root: Path, port: int, *options: str) -> None:
        self.log = root.parent / f"{root.name}.log"
        self.port = port
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "pressmark", "-C", str(root), "site", "serve", "--address",
                 f"127.0.0.1:{port}", *options],
                env={**os.environ, "PYTHONPATH": str(CLI)},
                stdout=subprocess.DEVNULL, stderr=log, preexec_fn=interruptible,
            )  # fmt: skip

    @property
    def said(self) -> str:
        return self.log.read_text("utf-8")

    def read(self, path: str) -> str:
        try:
            with urlopen(f"http://127.0.0.1:{self.port}/{path}", timeout=PATIENCE) as answer:
                return str(answer.read().decode("utf-8"))
        except HTTPError as error:
            return f"{error.code} {error.read().decode('utf-8')}"
        except (URLError, ConnectionError):
            return ""

    def until(self, seen: Callable[[], bool]) -> bool:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self.process.poll() is None:
            if seen():
                return True
            time.sleep(0.05)
        return False

    def shows(self, path: str, words: str) -> bool:
        return self.until(lambda: words in self.read(path))

    def says(self, words: str, times: int = 1) -> bool:
        return self.until(lambda: self.said.count(words) >= times)

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=PATIENCE)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "charted"
    root.mkdir()
    charted(root, more=5)
    config = MKDOCS.replace("search_texts: true", "search: false").replace("/_site/", "/")
    (root / "mkdocs.yml").write_text(config)
    return root


@pytest.fixture
def serve(root: Path) -> Iterator[Callable[..., Served]]:
    running: list[Served] = []

    def begin(*options: str, port: int | None = None) -> Served:
        running.append(Served(root, port or free_port(), *options))
        return running[-1]

    yield begin
    for each in running:
        if each.process.poll() is None:
            each.stop()


def test_every_folder_is_live(root: Path, serve: Callable[..., Served]) -> None:
    served = serve()
    assert served.says("Ctrl-C ends it."), served.said
    assert "First thoughts" in served.read("notes/first/")
    first = served.read("library/2015/kim2015globe/")
    (epoch,) = re.findall(r"livereload\((\d+), \d+\);", first)
    page = root / "library/2015/kim2015globe.md"
    page.write_text(page.read_text("utf-8").replace("The globe", "A round globe"), "utf-8")
    # The page that a browser holds open is told to load itself again.
    assert int(served.read(f"livereload/{epoch}/1")) > int(epoch)
    assert served.shows("library/2015/kim2015globe/", "A round globe")
    assert "A round globe" in served.read("library/2016/roe2016legend/")  # it cites the globe
    topic = root / "topics/cartography.md"
    topic.write_text(topic.read_text("utf-8").replace("Why we follow it", "Followed for"), "utf-8")
    assert served.shows("topics/cartography/", "Followed for")
    (root / "site/index.md").write_text("# Welcome\n\nOther words.\n")
    assert served.shows("", "Other words.")
    note = root / "notes/third.md"
    note.write_text("# A third note\n\nNew words.\n")
    assert served.shows("notes/third/", "New words.")
    note.unlink()
    assert served.shows("notes/third/", "404 ")
    config = root / "mkdocs.yml"
    config.write_text(config.read_text().replace("Charted", "Recharted"))
    assert served.shows("library/2015/kim2015globe/", "Recharted</title>")
    assert "Recharted</title>" in served.read("")


def test_what_is_broken_is_told_and_the_last_good_page_stays(
    root: Path, serve: Callable[..., Served]
) -> None:
    served = serve()
    assert served.says("Ctrl-C ends it."), served.said
    note = root / "notes/first.md"
    good = note.read_bytes()
    config = root / "mkdocs.yml"
    settings = config.read_text()
    config.write_text("site_name: [\n")
    assert served.says("mkdocs.yml cannot be used"), served.said
    assert served.says("The last good site is shown.")
    assert "First thoughts" in served.read("notes/first/")
    config.write_text(settings)
    assert served.says("Rebuilt in")
    note.write_bytes(b"---\ntitle: [x\n---\n\nWords.\n")
    assert served.says("notes/first.md:"), served.said
    assert served.says("It is left out.")
    assert "Embedded words" in served.read("notes/second/")
    note.write_bytes(good)
    assert served.shows("notes/first/", "First thoughts")
    assert "Traceback" not in served.said
    started = time.monotonic()
    assert served.stop() == 0
    # A second, where nobody else takes the machine's time.
    assert time.monotonic() - started < 20
    assert "Traceback" not in served.said and "Aborted" not in served.said


def test_a_save_shows_in_a_preview_of_some_records(
    root: Path, serve: Callable[..., Served]
) -> None:
    served = serve("--recent", "4", "--only", "notes/", "--poll")
    assert served.says("Ctrl-C ends it."), served.said
    assert served.read("library/2015/kim2015globe/").startswith("404 ")  # neither recent nor asked
    page = root / "library/2015/kim2015globe.md"
    page.write_text(page.read_text("utf-8").replace("The globe", "A round globe"), "utf-8")
    assert served.shows("library/2015/kim2015globe/", "A round globe")
    note = root / "notes/third.md"
    note.write_text("# A third note\n\nNew words.\n")
    assert served.shows("notes/third/", "New words.")


def test_what_an_editor_keeps_beside_a_file_changes_nothing(
    root: Path, serve: Callable[..., Served]
) -> None:
    served = serve("--recent", "4")
    assert served.says("Ctrl-C ends it."), served.said
    for name in (".first.md.swp", "first.md~", ".pressmark-1.tmp"):
        (root / "notes" / name).write_text("half")
    (root / "notes/first.md").read_bytes()
    (root / "notes/last.md").write_text("# Last\n")
    assert served.shows("notes/last/", "<h1")
    assert served.said.count("Rebuilt in") <= 2  # a file is created, and written


def test_a_folder_that_comes_later_is_looked_at(root: Path, serve: Callable[..., Served]) -> None:
    import shutil

    shutil.rmtree(root / "topics")
    served = serve("--recent", "4")
    assert served.says("Ctrl-C ends it."), served.said
    (root / "topics").mkdir()
    assert served.says("Rebuilt in")
    (root / "topics/late.md").write_text(
        "---\ntitle: Late\nquery: maps\nproviders:\n- arxiv\n---\n\nLate words.\n"
    )
    assert served.shows("topics/late/", "Late words.")


def test_a_port_in_use_is_one_sentence(serve: Callable[..., Served]) -> None:
    import socket

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = int(other.getsockname()[1])
        served = serve("--recent", "4", port=port)
        assert served.process.wait(timeout=PATIENCE) != 0
        assert f"Port {port} of 127.0.0.1 is in use." in served.said
        assert f"--address 127.0.0.1:{port + 1}" in served.said
        assert "Traceback" not in served.said
        assert "Making" not in served.said  # nothing was built for nothing


def test_only_and_recent_say_which_records_have_a_page(root: Path) -> None:
    library = library_at(root)
    below = chosen(library, "notes/", 0)
    assert [below(p) for p in ("notes/first.md", "library/2019/ng2019maps.md")] == [True, False]
    newest = root / "library/2016/roe2016legend.md"
    os.utime(newest, ns=(2**62, 2**62))
    library.refresh()
    recent = chosen(library, "", 1)
    assert recent("library/2016/roe2016legend.md") and not recent("notes/first.md")


def test_a_theme_lists_what_is_not_hidden(tmp_path: Path) -> None:
    for name in ("main.html", "assets/one.css", ".icons/material/home.svg", "partials/.draft.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    loader = Shown([str(tmp_path)])
    assert loader.list_templates() == ["assets/one.css", "main.html", "partials/.draft.html"]
    # An icon is found all the same by who names it.
    env = Environment(loader=loader)
    assert env.get_template(".icons/material/home.svg").render() == ".icons/material/home.svg"
