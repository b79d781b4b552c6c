"""A provider that was found unavailable is left alone for a while, by every process of the user."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from pressmark import disk
from pressmark.errors import PressmarkError, RateLimited, SourceDown

OUTAGE = 60.0
TOO_MANY = 300.0
ALLOWANCE = 3600.0
_LONGEST = 32 * 86400.0  # a monthly allowance; anything later is a clock that was wrong


@dataclass(frozen=True, slots=True)
class Pause:
    """Until when (seconds since 1970) a provider is left alone, and what it first said."""

    until: float
    reason: str
    code: str = SourceDown.code

    def error(self, source: str, now: float) -> SourceDown:
        """The failure that a call during the pause ends with."""
        limited = self.code == RateLimited.code
        kind = PausedByLimit if limited else Paused
        left = max(1, round(self.until - now))
        return kind(
            f"{source} is paused for {left} s: {self.reason}",
            self,
            next="try again later, or search with --refresh",
        )


class Paused(SourceDown):
    """Not asked, because it was unavailable a short while ago; `pause` says more."""

    def __init__(
        self, message: str, pause: Pause | None = None, *, next: str | None = None
    ) -> None:
        super().__init__(message, next=next)
        self.pause = pause


class PausedByLimit(Paused, RateLimited):
    """Not asked, because it asked us to wait."""


@dataclass(slots=True)
class Pauses:
    """The pauses of this user, kept in a file of the state folder."""

    folder: Path
    clock: Callable[[], float] = time.time
    own: dict[str, Pause] = field(default_factory=dict)
    """What this process has seen: holds even where the folder cannot be written."""
    guard: threading.Lock = field(default_factory=threading.Lock)

    def all(self) -> dict[str, Pause]:
        """Every pause that still runs, by lane."""
        now = self.clock()
        with self.guard:
            known = {**_read(self.folder / "pauses.json"), **self.own}
        return {name: p for name, p in known.items() if now < p.until < now + _LONGEST}

    def get(self, lane: str) -> Pause | None:
        """The pause of one lane, or None."""
        return self.all().get(lane)

    def set(self, lane: str, seconds: float, reason: str, code: str) -> None:
        """Leave a lane alone from now on; a longer pause that runs already stands."""
        pause = Pause(self.clock() + seconds, reason, code)
        running = self.get(lane)
        if running and running.until >= pause.until:
            return
        with self.guard:
            self.own[lane] = pause
        self._change({lane: pause})

    def clear(self, lane: str) -> None:
        """It answered after all."""
        with self.guard:
            self.own.pop(lane, None)
        if lane in _read(self.folder / "pauses.json"):
            self._change({lane: None})

    def _change(self, changes: Mapping[str, Pause | None]) -> None:
        path = self.folder / "pauses.json"
        try:
            disk.make_folder(self.folder)
            with disk.Lock(self.folder / "pauses.lock", timeout=5):
                known = {**_read(path), **changes}
                now = self.clock()
                kept = {n: asdict(p) for n, p in known.items() if p and p.until > now}
                disk.write_file(path, json.dumps(kept, indent=1, sort_keys=True).encode(), 0o600)
        except PressmarkError:
            return  # a folder that takes no writes costs only the memory between processes


def _read(path: Path) -> dict[str, Pause]:
    try:
        table = json.loads(path.read_bytes())
        return {
            str(name): Pause(float(p["until"]), str(p["reason"]), str(p["code"]))
            for name, p in table.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
