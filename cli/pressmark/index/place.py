"""Where the indexes of a library are kept: a folder in, its current index and new ones out.

`<place>/<id>/` is one index, never changed once it is there; `<place>/current` names the one in
use and is replaced as a whole. The others go as soon as that is done: who reads one holds it open.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pressmark import disk
from pressmark.disk import folders
from pressmark.errors import NotFound, Unavailable
from pressmark.index.trust import Trust

CURRENT = "current"
_ID = re.compile(r"[0-9a-f]{12}-\d{1,9}")


class Place:
    """One folder of indexes, and this user's record of which of them are his."""

    def __init__(self, folder: Path, state: Path, *, inside: Path | None = None) -> None:
        self.folder = folder
        self.trust = Trust(state, folder)
        self._inside = inside

    def current(self) -> Path | None:
        """The index in use, when this user's own processes wrote it."""
        try:
            name = (self.folder / CURRENT).read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            return None
        folder = self.folder / name
        return folder if _ID.fullmatch(name) and self.trust.trusted(folder) else None

    def foreign(self) -> bool:
        """Whether another user keeps an index here; each would rebuild the other's for ever."""
        try:
            return (self.folder / CURRENT).stat().st_uid != os.getuid()
        except OSError:
            return False

    def serial(self) -> int:
        """A number for the next index, that none here has had."""
        try:
            names = [path.name for path in self.folder.iterdir() if _ID.fullmatch(path.name)]
        except OSError:
            return 1
        return 1 + max((int(name.partition("-")[2]) for name in names), default=0)

    @contextmanager
    def building(self, timeout: float) -> Iterator[Path]:
        """The sole right to build here, and an empty folder for it, gone afterwards."""
        try:
            disk.make_folder(self.folder, root=self._inside)
        except NotFound as error:  # a link into nowhere, such as a disk that is not mounted
            raise Unavailable(f"{self.folder} cannot be made: {error}") from error
        with disk.Lock(self.folder / "lock", timeout):
            for path in self.folder.glob(".new-*"):
                folders.discard(path)  # of a builder that died: we have the lock
            fresh = self.folder / f".new-{secrets.token_hex(8)}"
            disk.make_folder(fresh, root=self._inside)
            try:
                yield fresh
            finally:
                folders.discard(fresh)

    def publish(self, fresh: Path, name: str) -> Path:
        """Put a finished folder into use; only inside `building`."""
        final = self.folder / name
        folders.settle(fresh, final)
        if not self.trust.vouch(final):
            folders.discard(final)
            raise Unavailable("The state folder cannot be written, so no index can be trusted.")
        disk.write_file(self.folder / CURRENT, f"{name}\n".encode(), root=self._inside)
        for path in self.folder.iterdir():
            if _ID.fullmatch(path.name) and path != final:
                folders.discard(path)
                self.trust.withdraw(path)
        # Files that both had have one name less now, and so another change time.
        self.trust.vouch(final)
        return final


def scratch() -> tuple[Place, Path]:
    """A place for this process only, and the private folder to discard when it is done."""
    private = folders.private_folder()
    return Place(private / "index", private / "state"), private
