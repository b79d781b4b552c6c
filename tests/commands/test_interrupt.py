"""Ctrl-C while something waits: gone within a second or so, 130, whole records on the disk."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest

from double import Double, Reply
from shell import Inside, Shell

SLOW = Reply(200, b"{}", delay=60)
GRACE = 3.0
"""Seconds; it takes a tenth of one on an idle machine."""


def interrupted(shell: Shell, *words: str, when: object) -> tuple[dict[str, object], str]:
    """Start, wait until it waits, press Ctrl-C; the JSON envelope and stderr."""
    process = shell.start(*words, "--json")
    try:
        limit = time.monotonic() + 60
        while not when():  # type: ignore[operator]
            assert time.monotonic() < limit and process.poll() is None, process.communicate()
            time.sleep(0.01)
        time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        out, err = process.communicate(timeout=60)
        took = time.monotonic() - began
    finally:
        process.kill()
    assert process.returncode == 130, err
    assert b"Traceback" not in err
    assert took < GRACE
    return json.loads(out), err.decode()


@pytest.fixture
def shell(online: Inside) -> Shell:
    return Shell(online.root, online.home, online.env)


def test_during_a_search_nothing_is_filed(shell: Shell, double: Double) -> None:
    double.fail("/at-openalex/*", SLOW)
    before = shell.files(), shell.head()
    answer, err = interrupted(
        shell, "search", "graph transformers",
        when=lambda: any(seen.source == "openalex" for seen in double.requests),
    )  # fmt: skip
    assert (answer["ok"], answer["code"]) == (False, "interrupted")
    assert err == "pressmark: Interrupted.\n"
    assert (shell.files(), shell.head(), shell.status()) == (*before, [])
    double.heal()
    assert shell("search", "graph transformers", "--json").data["filed"]["added"] == 3


def test_during_an_add_nothing_is_filed(shell: Shell, double: Double) -> None:
    double.fail("/at-crossref/*", SLOW)
    before = shell.files(), shell.head()
    interrupted(shell, "add", "10.5555/jih.2020.0007", when=lambda: double.requests)
    assert (shell.files(), shell.head(), shell.status()) == (*before, [])


def test_during_a_fetch_what_came_before_is_filed(shell: Shell, double: Double) -> None:
    shell("add", "10.5555/jih.2020.0007", "10.5555/iel.2024.99", "arXiv:9801.00011")
    double.fail("*PMC99000007*", SLOW)
    head = shell.head()
    answer, err = interrupted(
        shell, "fetch", "elsayed2024graph", "devos2020salinity",
        when=lambda: any("PMC99000007" in seen.target for seen in double.requests),
    )  # fmt: skip
    assert answer["code"] == "interrupted"
    assert err.endswith("pressmark: Interrupted; what was fetched before is filed.\n")
    data = answer["data"]
    assert isinstance(data, dict)
    fetched = [item["key"] for item in data["items"] if item["status"] == "fetched"]
    filed = [p.split("/")[-1] for p in shell.changed()] if shell.head() != head else []
    assert (fetched, f"{fetched[0]}.fulltext.md" in filed) == (["devos2020salinity"], True)
    assert shell.status() == []
    shell.tidy()
    double.heal()
    double.requests.clear()
    again = shell("fetch", "elsayed2024graph", "devos2020salinity", "--json").data["items"]
    assert [(item["key"], item["status"]) for item in again] == [
        ("devos2020salinity", "held"), ("elsayed2024graph", "fetched"),
    ]  # fmt: skip
    assert not any("PMC99000006" in seen.target for seen in double.requests)


def test_during_the_commit_all_is_as_before_or_as_after(shell: Shell) -> None:
    hook = shell.root / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text('#!/bin/sh\ntouch "$HOME/reached"\nexec sleep 20\n')
    hook.chmod(0o755)
    before, head = shell.files(), shell.head()
    path = "library/2019/bryl2019message.md"
    interrupted(
        shell, "edit", "bryl2019message", "--add-tag", "x",
        when=lambda: (shell.home / "reached").exists(),
    )  # fmt: skip
    hook.unlink()
    assert (shell.head(), shell.files()[path]) == (head, before[path])
    shell("edit", "bryl2019message", "--add-tag", "y")
    assert shell.changed() == [f"M {path}"]
    assert shell.status() == []
    shell.tidy()


def test_at_once(shell: Shell) -> None:
    process = subprocess.Popen(
        ["sh", "-c", 'sleep 0.02; exec "$@"', "sh", *_command(), "list"],
        cwd=shell.root, env=shell.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    time.sleep(0.25)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    # Struck before our first line, Python itself ends with 1 or by the signal.
    assert process.returncode in (0, 130, -signal.SIGINT, 1)
    assert b"pressmark/" not in err  # its own start is told apart by its files


def _command() -> list[str]:
    import sys

    return [sys.executable, "-m", "pressmark"]


def test_the_editor_has_ctrl_c_for_itself(shell: Shell, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text(
        "#!/bin/sh\ntrap 'echo typed >>\"$1\"; exit 0' INT\n"
        f'touch "{tmp_path}/open"\nfor i in 1 2 3 4 5 6 7 8 9 10; do sleep 1; done\n'
    )
    editor.chmod(0o755)
    process = subprocess.Popen(
        [*_command(), "edit", "bryl2019message"], cwd=shell.root,
        env=shell.environment(EDITOR=str(editor)), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    limit = time.monotonic() + 30
    while not (tmp_path / "open").exists():
        assert time.monotonic() < limit
        time.sleep(0.02)
    import os

    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (0, b"changed  library/2019/bryl2019message.md\n"), err
    assert (shell.root / "library/2019/bryl2019message.md").read_text().endswith("typed\n")
