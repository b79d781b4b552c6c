"""A program and its input in; what it printed within limits of memory and time, out.

Reading a document runs in a process of its own, so that what a hostile file does ends with it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

MEMORY = 1 << 30
"""Bytes of address space that reading a document may take, all its processes together."""

WORKER, DECODER = 424 << 20, 600 << 20
"""How a PDF's two processes at a time share them."""

_KEPT = (
    "PYTHONPATH", "PYTHONHOME", "SYSTEMROOT", "LANG", "LC_ALL", "VIRTUAL_ENV", "HOME", "TMPDIR",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ran:
    """What a process printed, and whether it was ended before it was done."""

    out: bytes
    stopped: bool


def python(script: str, *arguments: str) -> list[str]:
    """The command for a script of ours.

    By path with -P: neither the current folder nor the script's own can put a module before the
    real one.
    """
    return [sys.executable, "-P", "-X", "utf8", script, *arguments]


def environment(**more: str) -> dict[str, str]:
    """What a process needs of ours, and no more; without PATH no decoder can start a program."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    return {**kept, "PATH": "", **more}


def run(
    command: Sequence[str],
    data: bytes,
    *,
    wall: float,
    env: Mapping[str, str],
    session: bool = False,
    cpu: int = 0,
) -> Ran:
    """Run a program to its end or to the wall clock's limit, its input on stdin.

    With `session` it leads a process group, so that whatever it starts ends with it. `cpu` caps
    memory and processor time of a program that does not cap itself.
    """
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        env=dict(env), start_new_session=session,
        preexec_fn=(lambda: cap(DECODER, cpu)) if cpu and os.name == "posix" else None,
    ) as child:  # fmt: skip
        try:
            out, _ = child.communicate(data, timeout=wall)
            return Ran(out, child.returncode != 0)
        except subprocess.TimeoutExpired:
            _end(child, session=session)
            out, _ = child.communicate()
            return Ran(out, True)
        except BaseException:
            _end(child, session=session)
            raise


def _end(child: subprocess.Popen[bytes], *, session: bool) -> None:
    """End a process, and with it what it started."""
    with suppress(OSError):
        if session and hasattr(os, "killpg"):
            os.killpg(child.pid, signal.SIGKILL)
        else:
            child.kill()


def cap(memory: int, cpu: int) -> None:
    """Cap this process's memory and processor time, where the system can."""
    try:
        import resource
    except ImportError:  # Windows
        return
    for what, value in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, cpu)):
        with suppress(ValueError, OSError):
            _, most = resource.getrlimit(what)
            value = value if most == resource.RLIM_INFINITY else min(value, most)
            resource.setrlimit(what, (value, value))
