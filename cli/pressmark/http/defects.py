"""An answer that we could not read, or a rejected request, in; the list of them, kept, out."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from pressmark import disk
from pressmark.errors import PressmarkError

HEAD = 500
"""Bytes of an answer that are kept."""

MOST = 200
"""Defects that are kept; the oldest go."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Defect:
    """One defect: when, in whom, and what to look at; neither keys nor addresses are in it."""

    date: str
    """The moment, with its offset from UTC, to the second."""
    source: str
    request: str
    reason: str
    head: str = ""
    """The first 500 bytes of the answer as text, its controls and addresses taken out."""
    trace: str = ""
    """Our own traceback, where our code failed."""


@dataclass(frozen=True, slots=True)
class Defects:
    """The defects of this user, the newest last, in a file of the state folder."""

    folder: Path
    clock: Callable[[], float] = time.time

    def add(self, source: str, request: str, reason: str, head: str, trace: str = "") -> None:
        """Keep one; a folder that takes no writes costs only the memory of it."""
        moment = datetime.fromtimestamp(self.clock()).astimezone().isoformat(timespec="seconds")
        new = Defect(
            date=moment, source=source, request=request, reason=reason, head=head, trace=trace
        )
        try:
            disk.make_folder(self.folder)
            with disk.Lock(self.folder / "defects.lock", timeout=5):
                kept = [*self.all(), new][-MOST:]
                lines = "".join(f"{json.dumps(asdict(each))}\n" for each in kept)
                disk.write_file(self._path, lines.encode(), 0o600)
        except PressmarkError:
            return

    def all(self) -> list[Defect]:
        """Every defect on record; a line that cannot be read is left out."""
        try:
            lines = self._path.read_text("utf-8", "replace").splitlines()
        except OSError:
            return []
        return [found for line in lines if (found := _read(line))]

    @property
    def _path(self) -> Path:
        return self.folder / "defects.jsonl"


def _read(line: str) -> Defect | None:
    try:
        table = json.loads(line)
        return Defect(**{str(name): str(value) for name, value in table.items()})
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None
