"""A network that refuses every connection: what tried is on record.

    with sealed() as tried:
        ...
    assert tried == []

Names are not resolved either. What git starts is read from its own trace (`GIT_TRACE`): a
connection of git's is made by a helper of its own (`remote-https`, `ssh`).
"""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


@contextmanager
def sealed() -> Iterator[list[str]]:
    """Refuse every connect, connect_ex, sendto and look-up of a name."""
    tried: list[str] = []

    def refusing(name: str) -> Any:
        def refuse(*arguments: object, **_: object) -> None:
            if name != "getaddrinfo" and getattr(arguments[0], "family", None) == socket.AF_UNIX:
                raise OSError("no local sockets either")
            tried.append(f"{name} {arguments[1:] if name != 'getaddrinfo' else arguments}")
            raise AssertionError(f"the network was used: {tried[-1]}")

        return refuse

    with pytest.MonkeyPatch.context() as patch:
        for name in ("connect", "connect_ex", "sendto"):
            patch.setattr(socket.socket, name, refusing(name))
        patch.setattr(socket, "getaddrinfo", refusing("getaddrinfo"))
        yield tried


def went_out(trace: Path) -> list[str]:
    """The helpers that git started to reach another place, by its trace."""
    if not trace.exists():
        return []
    lines = trace.read_text("utf-8", "replace").splitlines()
    return [line for line in lines if re.search(r"run_command:.*(remote-|ssh|upload-pack)", line)]
