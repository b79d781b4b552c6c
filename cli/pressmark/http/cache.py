"""Answers that a provider gave before, in `.pressmark/cache` of the library they were asked for."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pressmark import disk
from pressmark.errors import PressmarkError
from pressmark.http.answer import Answer

_DAY = 86400.0


@dataclass(frozen=True, slots=True)
class Cache:
    """One file an answer: a line of JSON about it, then its bytes. Only 200s are kept."""

    root: Path | None
    clock: Callable[[], float] = time.time

    def load(self, key: str, source: str, keep: float) -> tuple[Answer, float] | None:
        """The kept answer and its age in seconds; a damaged file counts as none."""
        if self.root is None:
            return None
        try:
            line, _, body = disk.read_bytes(self.root, _place(key, source, keep)).partition(b"\n")
            about = json.loads(line)
            if about["key"] != key or about["sha256"] != sha256(body).hexdigest():
                return None
            answer = Answer(
                status=200,
                headers={"content-type": str(about["type"])},
                body=body,
                url=str(about["url"]),
                source=source,
                date=str(about["date"]),
                from_cache=True,
                key=key,
            )
            return answer, max(0.0, self.clock() - float(about["time"]))
        except (PressmarkError, ValueError, KeyError, TypeError, RecursionError):
            return None

    def store(self, key: str, answer: Answer, keep: float) -> None:
        """Keep an answer; the first date of one that did not change stays."""
        if self.root is None or answer.status != 200 or not answer.body:
            return
        before = self.load(key, answer.source, keep)
        same = before is not None and before[0].body == answer.body
        about = {
            "key": key,
            "url": answer.url,
            "date": before[0].date if before and same else answer.date,
            "time": self.clock(),
            "type": answer.headers.get("content-type", ""),
            "sha256": sha256(answer.body).hexdigest(),
        }
        line = json.dumps(about, sort_keys=True).encode() + b"\n"
        place = self.root / _place(key, answer.source, keep)
        try:
            disk.write_file(place, line + answer.body, root=self.root)
            if keep < _DAY:
                self._tidy(place.parent)
        except PressmarkError:
            return  # a folder that takes no writes has no cache

    def drop(self, key: str, source: str) -> None:
        """Forget an answer that turned out to be of no use."""
        if self.root is None or not key:
            return
        for keep in (0.0, _DAY):
            try:
                disk.remove_file(self.root / _place(key, source, keep), root=self.root)
            except PressmarkError:
                continue

    def _tidy(self, folder: Path) -> None:
        """Drop the short-lived answers of other days; another process may do the same just now."""
        try:
            for path in folder.iterdir():
                if path.lstat().st_mtime < time.time() - _DAY:
                    disk.remove_file(path, root=self.root)
        except OSError:
            return


def _place(key: str, source: str, keep: float) -> str:
    kind = "recent" if keep < _DAY else "records"
    return f".pressmark/cache/{source}/{kind}/{sha256(key.encode()).hexdigest()[:40]}"
