"""A call's outline in, a line of a dated log out: what was called, how long, how large; no text."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pressmark import disk


@dataclass
class Entry:
    """One call, while it runs and after."""

    size: int = 0
    code: str | None = None

    def failed(self, code: str) -> None:
        """It ended as this error."""
        self.code = code


@dataclass
class Log:
    """`<folder>/<date>.jsonl`, a line a call; with no folder, nothing is kept."""

    folder: Path | None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def call(self, tool: str, arguments: Mapping[str, Any]) -> Iterator[Entry]:
        """Time one call; its arguments are named with their lengths, their values are not kept."""
        entry, began = Entry(), time.perf_counter()
        try:
            yield entry
        finally:
            if self.folder is not None:
                self._keep(tool, arguments, entry, time.perf_counter() - began)

    def _keep(self, tool: str, arguments: Mapping[str, Any], entry: Entry, seconds: float) -> None:
        assert self.folder is not None
        now = datetime.now(UTC)
        line = {
            "time": now.isoformat(timespec="milliseconds"), "tool": tool,
            "arguments": {name[:60]: _length(value) for name, value in arguments.items()},
            "seconds": round(seconds, 3), "characters": entry.size, "error": entry.code,
        }  # fmt: skip
        with self._lock:
            disk.make_folder(self.folder)
            disk.append_line(self.folder / f"{now:%Y-%m-%d}.jsonl", json.dumps(line))


def _length(value: Any) -> int:
    """How long a value is; a number or a flag counts as one."""
    return len(value) if isinstance(value, str | list | dict) else 1
