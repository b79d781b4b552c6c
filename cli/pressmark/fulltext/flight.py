"""References in; the sole right of this process to fetch them, one by one, out.

A second fetch of a reference waits for the first and takes its result. This is no lock of the
library: who writes is not kept waiting by who asks the network.
"""

from __future__ import annotations

import hashlib
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from pressmark import disk
from pressmark.errors import Busy, PressmarkError

if TYPE_CHECKING:
    from pressmark.library import Library

PATIENCE = 180.0
"""Seconds that a second fetch waits for the first."""


class Flights:
    """The references that this process is fetching; closed, all of them are free again."""

    def __init__(self, library: Library) -> None:
        folder = library.config.answers_dir
        self.folder: Path | None = folder / "fetching" if folder else None
        self._stack = ExitStack()
        self._taken: set[str] = set()

    def __enter__(self) -> Flights:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def take(self, key: str, wait: float = 0.0) -> bool:
        """Whether nobody else is fetching it (any more)."""
        if self.folder is None or key in self._taken:
            return True
        name = hashlib.sha256(key.casefold().encode()).hexdigest()[:16]
        try:
            disk.make_folder(self.folder)
            self._stack.enter_context(disk.Lock(self.folder / f"{name}.lock", timeout=wait))
        except Busy:
            return False
        except PressmarkError:  # a library that can only be read, or no locks there: nobody waits
            pass
        self._taken.add(key)
        return True
