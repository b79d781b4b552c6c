"""A document's bytes and kind in; its text out, converted in a process of its own with limits."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from pressmark.fulltext import limits
from pressmark.fulltext.extracted import Extracted

LARGEST = {"jats": 50 * 2**20, "tei": 50 * 2**20, "html": 20 * 2**20, "pdf": 50 * 2**20}
"""Bytes of a document that is looked at."""

CPU_SECONDS = {"jats": 60, "tei": 60, "html": 60, "pdf": 120}
WALL_SECONDS = {"jats": 90, "tei": 90, "html": 90, "pdf": 240}
_WORKER = Path(__file__).with_name("_worker.py")
_LISTS = ("references", "identifiers", "warnings")


class ReaderFault(Exception):
    """Our reader broke on a document: a defect of ours, that costs this document only."""


def to_markdown(data: bytes, kind: str, password: str = "") -> Extracted:
    """Read a document of a known kind; only a defect of ours raises, and that ReaderFault."""
    if len(data) > LARGEST[kind]:
        reason = f"it is over {LARGEST[kind] // 2**20} MB"
        return Extracted(format=kind, state="too_large", warnings=(reason,))
    path = [str(Path(part).resolve()) for part in sys.path if part]
    head = {"kind": kind, "password": password, "cpu": CPU_SECONDS[kind], "path": path}
    # The worker may look for a program that reads a page; the decoders below it may not.
    env = limits.environment(PATH=os.environ.get("PATH", ""))
    ran = limits.run(
        limits.python(str(_WORKER)), json.dumps(head).encode() + b"\n" + data,
        wall=WALL_SECONDS[kind], env=env, session=True,
    )  # fmt: skip
    return _answer(ran, kind)


def _answer(ran: limits.Ran, kind: str) -> Extracted:
    try:
        made: dict[str, Any] = json.loads(ran.out)
    except ValueError:
        made = {"stopped": "time or memory"}
    if "fault" in made:
        raise ReaderFault(str(made["fault"]))
    if "stopped" in made:
        reason = f"reading it was stopped at a limit of {made['stopped']}"
        return Extracted(format=kind, state="too_large", warnings=(reason,))
    lists: dict[str, Any] = {name: tuple(made[name]) for name in _LISTS}
    lists["notices"] = tuple(tuple(one) for one in made["notices"])
    return Extracted(**{**made, **lists})
