"""PDF bytes in; what a reader marked and wrote in the document out, by a child with limits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from pressmark.errors import BadInput, TooLarge, Unavailable
from pressmark.text import clean

WALL_SECONDS = 180
LIMIT = 200 * 1024 * 1024
_CHILD = Path(__file__).with_name("_marks_child.py")
_KEPT = ("PYTHONPATH", "PYTHONHOME", "SYSTEMROOT", "LANG", "LC_ALL", "VIRTUAL_ENV", "HOME")


@dataclass(frozen=True, slots=True)
class Mark:
    """One highlight, underline, strike-out or comment; pages count from 1."""

    page: int
    kind: str  # "highlight", "underline", "strikeout" or "comment"
    words: str  # under the mark, as far as the document's letters could be placed
    comment: str
    author: str
    colour: str  # "#rrggbb" or empty


def read_marks(data: bytes) -> tuple[list[Mark], list[str]]:
    """Every mark in the order of the pages, and a sentence for each page that was not read.

    Raises BadInput for what is no PDF or asks for a password, TooLarge over a stated limit,
    Unavailable when reading it was stopped.
    """
    if len(data) > LIMIT:
        raise TooLarge("The document is over 200 MB.")
    if b"%PDF-" not in data[:1024]:
        raise BadInput("The document is no PDF.")
    command = [sys.executable, "-P", "-X", "utf8", str(_CHILD)]
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    try:
        done = subprocess.run(
            command, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env={**environment, "PATH": ""}, timeout=WALL_SECONDS, start_new_session=True,
        )  # fmt: skip
        out = done.stdout
    except subprocess.TimeoutExpired as late:
        out = late.stdout or b""
    return _answer(out)


def _answer(out: bytes) -> tuple[list[Mark], list[str]]:
    lines = [value for line in out.splitlines() if isinstance(value := _message(line), dict)]
    for value in lines:
        if "state" in value:
            reason = clean(str(value.get("reason", "")))
            raise BadInput(f"The document cannot be read: {reason or value['state']}.")
    if not any("end" in value for value in lines):
        raise Unavailable("Reading the document was stopped at a limit of time or memory.")
    marks = [_mark(value) for value in lines if "kind" in value]
    problems = [f"Page {v['page']} was not read: {v['failed']}." for v in lines if "failed" in v]
    if any(value.get("more") for value in lines):
        problems.append(f"Only the first {len(marks)} marks were read.")
    return marks, problems


def _mark(value: dict[str, object]) -> Mark:
    def text(name: str) -> str:
        return " ".join(clean(str(value.get(name, ""))).split())

    page = value["page"]
    number = page if isinstance(page, int) else 0
    return Mark(
        number, text("kind"), text("words"), text("comment"), text("author"), text("colour")
    )


def _message(line: bytes) -> object:
    try:
        return json.loads(line)
    except ValueError:
        return None
