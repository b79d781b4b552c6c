"""A library's folder in; a shelf that is always ready, renewed in a thread as files change, out."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from pressmark.catalogue import Catalogue, layout
from pressmark.config import load
from pressmark.errors import PressmarkError
from pressmark.library import Library
from pressmark.lsp.shelf import Shelf, build

PAUSE = 2.0
"""Seconds between two looks at the disk while somebody types; longer where a look is dear."""

SHARE = 20
"""A look may take one part in so many of the time."""


class Desk:
    """One library as an editor uses it; `shelf` is None until the first look is done."""

    def __init__(
        self, root: Path, changed: Callable[[Desk], None], offline: bool | None = None
    ) -> None:
        self.root, self.offline = root, offline
        self.shelf: Shelf | None = None
        self.problem: str | None = None
        self._changed = changed
        self._known: dict[str, tuple[str, ...]] = {}
        self._mark: object = None
        self._reader: Library | None = None
        self._settings: object = None
        self._catalogue: Catalogue | None = None
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="pressmark-desk")
        self._turn = threading.Lock()
        self._waiting = self._again = False
        self._last, self._cost = 0.0, 0.0

    def look(self, *, now: bool = False) -> None:
        """Have the disk looked at in the thread: at once, or when it was long enough ago."""
        due = max(PAUSE, self._cost * SHARE)
        if not now and (self.shelf is None or time.monotonic() - self._last < due):
            return
        with self._turn:
            if self._waiting:
                self._again = self._again or now
                return
            self._waiting = True
        self._last = time.monotonic()
        with suppress(RuntimeError):  # the editor is leaving
            self._pool.submit(self._look, now)

    def fresh(self) -> Library:
        """A library of its own, for work that must see every file as it is now."""
        return Library.open(self.root, load(self.root, os.environ, offline=self.offline))

    def relative(self, path: str) -> str | None:
        """A file's path from the root; None outside of the library."""
        with suppress(ValueError):
            return Path(path).relative_to(self.root).as_posix()
        with suppress(ValueError, OSError):  # the editor may come through a link
            return Path(path).resolve().relative_to(self.root.resolve()).as_posix()
        return None

    def close(self) -> None:
        """Wait for nothing."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _stamp(self) -> object:
        """What tells that the library's settings were changed."""
        found = (self.root / name for name in ("pressmark.toml", "pyproject.toml"))
        return [each.stat().st_mtime_ns if each.exists() else None for each in found]

    def _look(self, forced: bool) -> None:
        began = time.monotonic()
        try:
            self._renew(forced)
            self.problem = None
        except Exception as error:
            # An editor lives longer than a moment's trouble: the old shelf answers on.
            self.problem = str(error) or type(error).__name__
        finally:
            self._cost = time.monotonic() - began
            with self._turn:
                self._waiting, again, self._again = False, self._again, False
            if again:
                self.look(now=True)

    def _renew(self, forced: bool) -> None:
        catalogue = self._catalogue = self._catalogue or Catalogue(self.root)
        delta = catalogue.refresh()
        mark = catalogue.fingerprint(*layout.CLASSES)
        if self.shelf is not None and not delta and not forced and mark == self._mark:
            return
        if self._reader is None or self._settings != self._stamp():
            self._settings, self._reader = self._stamp(), self.fresh()
        if delta and catalogue.is_private:
            self._reader.refresh()
        self.shelf = build(self._reader, self._known)
        self._mark = mark
        self._changed(self)


def desk_error(error: Exception) -> str:
    """What an editor shows of a failure: the sentence, and what to do next."""
    if isinstance(error, PressmarkError):
        return f"{error}" + (f" ({error.next})" if error.next else "")
    return f"{type(error).__name__}: {error}"
