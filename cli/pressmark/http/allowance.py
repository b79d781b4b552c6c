"""A lane in; one more request of its hourly, daily or monthly allowance, or a refusal, out.

Some providers lock out whoever asks too often in an hour or a day. What was asked is counted in a
file of the state folder, by all processes of a user together.
"""

from __future__ import annotations

import calendar
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pressmark import disk
from pressmark.errors import PressmarkError, RateLimited

HOUR, DAY = 3600, 86400
MONTH = 0
"""A calendar month, in UTC; the others are the last so many seconds."""

LIMITS: dict[str, tuple[tuple[int, int], ...]] = {
    "plos": ((300, HOUR), (7200, DAY)),
    "scite": ((250, MONTH),),
    "core": ((100, DAY),),
    "core+key": ((1000, DAY),),
    "zenodo": ((2000, HOUR),),
}
"""Requests and the seconds they are for. scite counts searches, the others every request."""

_NAMES = {HOUR: "hourly", DAY: "daily", MONTH: "monthly"}
_PARTS = 60


@dataclass(slots=True)
class Allowances:
    """What this user has asked of the lanes that count."""

    folder: Path
    clock: Callable[[], float] = time.time
    own: dict[str, dict[str, int]] = field(default_factory=dict)
    """What this process has counted, where no file can be kept."""

    def take(self, lane: str, *, key: bool = False) -> None:
        """Count one request; RateLimited when the allowance is spent."""
        limits = limits_of(lane, key=key)
        if not limits:
            return
        spent: RateLimited | None = None

        def count(table: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
            nonlocal spent
            now = self.clock()
            counts = dict(table.get(lane, {}))
            for most, seconds in limits:
                if _used(counts, now, seconds) >= most:
                    spent = _spent(lane, most, seconds, now)
                    return table
            for _, seconds in limits:
                name = _bucket(now, seconds)
                counts[name] = counts.get(name, 0) + 1
            return {**table, lane: _recent(counts, now, limits)}

        if not self._change(count):
            self.own = count(self.own)
        if spent is not None:
            raise spent

    def used(self, lane: str, *, key: bool = False) -> list[tuple[int, int, str]]:
        """Used, most and `monthly` (or another word) for each allowance of a lane."""
        counts = self._read().get(lane, {}) or self.own.get(lane, {})
        now = self.clock()
        return [
            (_used(counts, now, seconds), most, _NAMES[seconds])
            for most, seconds in limits_of(lane, key=key)
        ]

    def _change(
        self, change: Callable[[dict[str, dict[str, int]]], dict[str, dict[str, int]]]
    ) -> bool:
        try:
            disk.make_folder(self.folder)
            with disk.Lock(self.folder / "allowances.lock", timeout=5):
                before = self._read()
                after = change(before)
                if after is not before:
                    disk.write_file(self._path, json.dumps(after, sort_keys=True).encode(), 0o600)
        except PressmarkError:
            return False
        return True

    def _read(self) -> dict[str, dict[str, int]]:
        try:
            table = json.loads(self._path.read_bytes())
            return {
                str(lane): {str(name): int(count) for name, count in counts.items()}
                for lane, counts in table.items()
            }
        except (OSError, ValueError, TypeError, AttributeError, RecursionError):
            return {}

    @property
    def _path(self) -> Path:
        return self.folder / "allowances.json"


def limits_of(lane: str, *, key: bool = False) -> tuple[tuple[int, int], ...]:
    """The allowances of a lane; a mirror's are its provider's, counted by themselves."""
    name = lane.partition("@")[0]
    return LIMITS.get(f"{name}+key", LIMITS.get(name, ())) if key else LIMITS.get(name, ())


def month_left(now: float) -> float:
    """Seconds until the calendar month ends, in UTC."""
    moment = time.gmtime(now)
    days = calendar.monthrange(moment.tm_year, moment.tm_mon)[1]
    return calendar.timegm((moment.tm_year, moment.tm_mon, days, 23, 59, 60)) - now


def _bucket(now: float, seconds: int) -> str:
    """Where a request is counted: a sixtieth of an hour or a day, or its month."""
    if seconds == MONTH:
        return time.strftime("month:%Y-%m", time.gmtime(now))
    return f"{seconds}:{int(now // (seconds // _PARTS))}"


def _used(counts: Mapping[str, int], now: float, seconds: int) -> int:
    if seconds == MONTH:
        return counts.get(_bucket(now, MONTH), 0)
    last = int(now // (seconds // _PARTS))
    return sum(counts.get(f"{seconds}:{last - back}", 0) for back in range(_PARTS))


def _recent(
    counts: Mapping[str, int], now: float, limits: tuple[tuple[int, int], ...]
) -> dict[str, int]:
    """Without what no allowance counts any more."""
    wanted = {_bucket(now, MONTH)}
    for _, seconds in limits:
        if seconds != MONTH:
            last = int(now // (seconds // _PARTS))
            wanted |= {f"{seconds}:{last - back}" for back in range(_PARTS)}
    return {name: count for name, count in counts.items() if name in wanted}


def _spent(lane: str, most: int, seconds: int, now: float) -> RateLimited:
    period = _NAMES[seconds]
    name = lane.partition("@")[0]
    wait = month_left(now) if seconds == MONTH else seconds / _PARTS
    return RateLimited(
        f"{name} is not asked: its {period} allowance of {most:,} is spent.",
        retry_after=wait, allowance=period, next="try again later, or search with --refresh",
    )  # fmt: skip
