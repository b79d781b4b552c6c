"""A lane in; the moment at which its next request may go out, agreed between all processes."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pressmark import disk
from pressmark.errors import Busy, PressmarkError

_LONGEST = 60.0


@dataclass(slots=True)
class Pace:
    """The queues of this user, one small file a lane in the cache folder."""

    folder: Path
    clock: Callable[[], float] = time.time
    sleep: Callable[[float], None] = time.sleep
    own: dict[str, float] = field(default_factory=dict)
    """The last taken moment where no file can be kept."""
    guard: threading.Lock = field(default_factory=threading.Lock)

    def wait(self, lane: str, seconds: float) -> float:
        """Take the next free moment of a lane and sleep until it comes; no lock is held then."""
        moment = self._reserve(lane, seconds)
        left = moment - self.clock()
        if left > 0:
            self.sleep(left)
        return max(0.0, left)

    @contextmanager
    def turn(self, lane: str, *, single: bool) -> Iterator[None]:
        """Hold the lane's one connection, where its provider allows no second."""
        with ExitStack() as stack:
            if single:
                self._hold(stack, lane)
            yield

    def _hold(self, stack: ExitStack, lane: str) -> None:
        try:
            disk.make_folder(self.folder)
            stack.enter_context(disk.Lock(self._file(lane, "turn"), timeout=_LONGEST))
        except Busy:
            raise _crowded(lane) from None
        except PressmarkError:
            return  # no locks on this file system: our own processes cannot see each other

    def mark(self, lane: str) -> None:
        """Count the lane's spacing from now: from the end of an answer, where only one may run.

        A request is on its way for a while; from its start two could arrive closer than that.
        """
        now = self.clock()
        if not self._change(lane, lambda state: {**state, "last": max(now, state.get("last", 0))}):
            with self.guard:
                self.own[lane] = max(now, self.own.get(lane, 0.0))

    def observe(self, lane: str, headers: Mapping[str, str]) -> None:
        """Remember the spacing that an answer's own headers ask for (Crossref sends them)."""
        asked = spacing(headers)
        if asked is not None and asked != self._state(lane).get("spacing"):
            self._change(lane, lambda state: {**state, "spacing": asked})

    def asked(self, lane: str) -> float:
        """The spacing that the last answers of a lane asked for, or 0."""
        return self._state(lane).get("spacing", 0.0)

    def _reserve(self, lane: str, seconds: float) -> float:
        taken = 0.0

        def book(state: dict[str, float]) -> dict[str, float]:
            nonlocal taken
            now = self.clock()
            taken = _next(state, now, seconds)
            # Who is sent away takes no place: else those who come again would push the line on.
            return {**state, "last": taken} if taken - now <= _LONGEST else state

        if not self._change(lane, book):
            with self.guard:
                self.own[lane] = book({"last": self.own.get(lane, 0.0)}).get("last", 0.0)
        if taken - self.clock() > _LONGEST:
            raise _crowded(lane)
        return taken

    def _change(self, lane: str, change: Callable[[dict[str, float]], dict[str, float]]) -> bool:
        try:
            disk.make_folder(self.folder)
            with disk.Lock(self._file(lane, "lock"), timeout=10):
                state = change(self._state(lane))
                disk.write_file(self._file(lane, "json"), json.dumps(state).encode())
        except PressmarkError:
            return False
        return True

    def _state(self, lane: str) -> dict[str, float]:
        try:
            table = json.loads(self._file(lane, "json").read_bytes())
            return {str(name): float(value) for name, value in table.items()}
        except (OSError, ValueError, TypeError, AttributeError, RecursionError):
            return {}

    def _file(self, lane: str, suffix: str) -> Path:
        return self.folder / f"{re.sub(r'[^a-z0-9.-]+', '_', lane)}.{suffix}"


def _crowded(lane: str) -> Busy:
    """The provider is well: it is us who stand in line, so nobody is paused for it."""
    return Busy(
        f"{lane} is in use by others of your processes for more than {_LONGEST:.0f} s.",
        next="try again later",
    )


def _next(state: Mapping[str, float], now: float, seconds: float) -> float:
    """The lane's next free moment; one that lies absurdly far off is a clock that was wrong."""
    free = state.get("last", 0.0) + seconds
    return free if now < free <= now + 100 * seconds + _LONGEST else now


def spacing(headers: Mapping[str, str]) -> float | None:
    """Seconds a request from `x-rate-limit-limit: 5` and `x-rate-limit-interval: 1s`."""
    limit = headers.get("x-rate-limit-limit", "").strip()
    interval = re.fullmatch(r"(\d+(?:\.\d+)?)s?", headers.get("x-rate-limit-interval", "").strip())
    if not limit.isdigit() or not int(limit) or not interval:
        return None
    return min(float(interval[1]) / int(limit), _LONGEST)
