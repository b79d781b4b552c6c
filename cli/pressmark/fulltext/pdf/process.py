"""PDF bytes in; what the child process could read of each page out, within limits."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pressmark.fulltext.extracted import State

WALL_SECONDS = 180
_CHILD = Path(__file__).with_name("_child.py")
_KEPT = (
    "PYTHONPATH",
    "PYTHONHOME",
    "SYSTEMROOT",
    "LANG",
    "LC_ALL",
    "VIRTUAL_ENV",
    "HOME",
    "TMPDIR",
)


@dataclass(frozen=True, slots=True)
class Answer:
    """The child's account: pages as it printed them, or a state and its reason."""

    state: State
    reason: str = ""
    count: int = 0
    title: str = ""
    extractor: str = "pypdf"
    pages: tuple[dict[str, Any], ...] = ()
    failed: tuple[tuple[int, str], ...] = ()
    warnings: tuple[str, ...] = ()


def pages(data: bytes) -> Answer:
    """Run the child; a page it printed before it was stopped is kept."""
    # By path with -P: neither the current folder nor the child's own can put a module before
    # the real one. Without PATH no decoder can start a program.
    command = [sys.executable, "-P", "-X", "utf8", str(_CHILD)]
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env={**environment, "PATH": ""}, start_new_session=True,
    ) as child:  # fmt: skip
        try:
            out, _ = child.communicate(data, timeout=WALL_SECONDS)
            stopped = child.returncode != 0
        except subprocess.TimeoutExpired:
            _kill(child)
            out, _ = child.communicate()
            stopped = True
        except BaseException:
            _kill(child)
            raise
    return _answer(out, stopped=stopped)


def _kill(child: subprocess.Popen[bytes]) -> None:
    """End the child and whatever it may have started."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()


def _answer(out: bytes, *, stopped: bool) -> Answer:
    messages = [value for line in out.splitlines() if (value := _message(line))]
    ended = next((value for value in messages if "state" in value), None)
    if ended:
        return Answer(ended["state"], str(ended.get("reason", "")))
    head = next((value for value in messages if "pages" in value), None)
    read = tuple(value for value in messages if "page" in value)
    if head is None or (stopped and not read):
        reason = "reading it was stopped at a limit of time or memory"
        return Answer("too_large" if stopped else "damaged", reason)
    failed = tuple((value["page"], value["failed"]) for value in read if value.get("failed"))
    count = int(head["pages"])
    warnings = () if not stopped else (f"reading was stopped after page {len(read)} of {count}",)
    if count and len(failed) == count:
        return Answer("damaged", f"no page could be read ({failed[0][1]})")
    return Answer(
        "ok", count=count, title=str(head.get("title", "")), pages=read, failed=failed,
        extractor=f"pypdf {head['pypdf']}, pressmark-pdf 1", warnings=warnings,
    )  # fmt: skip


def _message(line: bytes) -> dict[str, Any] | None:
    """One line of the child; a line cut short by its end is no message."""
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
