"""Two commands that stay: `export --watch` until Ctrl-C, `dedupe` while a person answers."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from shell import Inside, Shell

GRACE = 1.0
"""Seconds from Ctrl-C to the end."""


@pytest.fixture
def shell(online: Inside) -> Shell:
    return Shell(online.root, online.home, online.env)


def wait(until: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    limit = time.monotonic() + 60
    while not until():
        assert time.monotonic() < limit and process.poll() is None, process.communicate()
        time.sleep(0.02)


def test_a_watched_export_follows_an_edit_and_ends_on_ctrl_c(shell: Shell, tmp_path: Path) -> None:
    out = tmp_path / "refs.bib"
    process = shell.start("export", "-o", str(out), "--watch")
    try:
        wait(out.exists, process)
        before = out.read_text()
        assert "{Message Passing on Estuaries}" in before
        shell("edit", "bryl2019message", "--set", "title=Message Passing on Sandbanks")
        wait(lambda: out.read_text() != before, process)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        printed, err = process.communicate(timeout=60)
        took = time.monotonic() - began
    finally:
        process.kill()
    after = out.read_text()
    assert after == before.replace("on Estuaries}", "on Sandbanks}", 1)
    assert (process.returncode, printed) == (130, b"")
    assert err.decode().splitlines() == [
        f"2 references in {out}.",
        "Watching; Ctrl-C ends it and leaves refs.bib as it is.",
        "2 references in refs.bib.",
        "pressmark: Interrupted.",
    ]
    assert took < GRACE
    assert [each.name for each in tmp_path.glob("refs*")] == ["refs.bib"]


def test_a_watched_export_in_json_is_one_document(shell: Shell, tmp_path: Path) -> None:
    done = shell("export", "-o", str(tmp_path / "x.bib"), "--watch", "--json", status=2)
    assert done.answer["code"] == "invalid_request"
    assert done.answer["error"] == "--watch has no one answer to print."


class Person:
    """A terminal with the tool in it: answers in, what the screen shows out."""

    def __init__(self, shell: Shell, *words: str) -> None:
        self.end, inner = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "pressmark", *words], cwd=shell.root,
            env=shell.environment(TERM="dumb"), stdin=inner, stdout=inner, stderr=inner,
        )  # fmt: skip
        os.close(inner)
        self.screen = ""

    def see(self, words: str) -> str:
        """Read on until the words stand there; what came with them."""
        limit, seen = time.monotonic() + 60, ""
        while words not in seen:
            assert time.monotonic() < limit, self.screen
            if select.select([self.end], [], [], 0.2)[0]:
                try:
                    more = os.read(self.end, 65536).decode("utf-8", "replace")
                except OSError:  # how Linux says that nobody is at the other end
                    more = ""
                assert more, self.screen
                seen += more.replace("\r\n", "\n")
                self.screen += more
        return seen

    def answer(self, word: str) -> None:
        os.write(self.end, f"{word}\n".encode())

    def leave(self) -> int:
        """Read the rest; the exit status."""
        try:
            while select.select([self.end], [], [], 60)[0] and (more := os.read(self.end, 65536)):
                self.screen += more.decode("utf-8", "replace")
        except OSError:
            pass
        os.close(self.end)
        return self.process.wait(60)


PAIRS = r"""
@article{salt1, title={Salt in the soup of Paris}, author={Lee, Ann}, year={2018}}
@article{salt2, title={Salt in the soups of Paris}, author={Lee, Ann}, year={2018}}
@article{reed1, title={Weaving baskets out of reed}, author={Orme, Lucy}, year={1999}}
@article{reed2, title={Weaving basket out of reeds}, author={Orme, Lucy}, year={1999}}
@article{wax1, title={Candles burning under glass}, author={Tallow, Ned}, year={2005}}
@article{wax2, title={Candles burning under glasses}, author={Tallow, Ned}, year={2005}}
"""


def held(shell: Shell) -> set[str]:
    return {path.stem for path in shell.root.glob("library/*/*.md")}


def test_the_walk_merges_one_leaves_one_and_stops(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "six.bib").write_text(PAIRS)
    shell("import", str(tmp_path / "six.bib"))
    listed = shell("dedupe", "--json").data
    order = [tuple(each["keys"]) for each in listed]
    assert sorted(order) == [("reed1", "reed2"), ("salt1", "salt2"), ("wax1", "wax2")]
    before, head = held(shell), shell.head()

    person = Person(shell, "dedupe")
    for number, (keys, word) in enumerate(zip(order, "mlq", strict=True), 1):
        shown = person.see("[q]uit [l]: ")
        assert f"{number} of 3" in shown
        assert all(key in shown for key in keys)
        person.answer(word)
    assert person.leave() == 0, person.screen

    (kept, gone), left, _ = order
    assert held(shell) == before - {gone}
    assert f"aliases:\n- {gone}\n" in (next(shell.root.glob(f"library/*/{kept}.md"))).read_text()
    assert shell.git("rev-parse", "HEAD~1").strip() == head
    assert shell.status() == []
    again = [tuple(each["keys"]) for each in shell("dedupe", "--json").data]
    assert again == order[1:] and left in again


def test_the_walk_takes_apart_for_ever_and_asks_again_after_a_wrong_letter(
    shell: Shell, tmp_path: Path
) -> None:
    (tmp_path / "two.bib").write_text("".join(PAIRS.splitlines(keepends=True)[:3]))
    shell("import", str(tmp_path / "two.bib"))
    before = held(shell)
    person = Person(shell, "dedupe")
    person.see("[q]uit [l]: ")
    person.answer("x")
    assert "Error" in person.see("[q]uit [l]: ")
    person.answer("a")
    assert person.leave() == 0, person.screen
    assert held(shell) == before
    assert shell("dedupe", "--json").data == []


def test_the_walk_the_other_way_round(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "two.bib").write_text("".join(PAIRS.splitlines(keepends=True)[:3]))
    shell("import", str(tmp_path / "two.bib"))
    before = held(shell)
    person = Person(shell, "dedupe")
    person.see("[q]uit [l]: ")
    person.answer("o")
    assert person.leave() == 0, person.screen
    assert held(shell) == before - {"salt1"}
