"""Records to write and paths to delete in; the edits of one commit, with the bytes before, out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pressmark import disk, page
from pressmark.catalogue import layout
from pressmark.disk import Edit
from pressmark.errors import BadInput, NotFound
from pressmark.library import places
from pressmark.library.outcome import Change
from pressmark.record import FullText, Record


class Draft:
    """What one command is going to write; nothing touches the disk before it is committed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._before: dict[str, bytes | None] = {}
        self._after: dict[str, bytes | None] = {}

    def read(self, path: str) -> bytes | None:
        """The bytes a path will hold; None where no file is."""
        if path not in self._after:
            self._after[path] = self._before[path] = self._read(path)
        return self._after[path]

    def require(self, path: str) -> bytes:
        """The bytes of a file that must be there."""
        data = self.read(path)
        if data is None:
            raise NotFound(f"{path} is not there.")
        return data

    def write(self, record: Record, path: str | None = None) -> str:
        """Put a record at its path: spliced into what stands there, or a new file."""
        path = path or places.new(record)
        data = self.read(path)
        self._after[path] = _bytes(data, record, path)
        return path

    def write_bytes(self, path: str, data: bytes) -> None:
        """Put bytes at a path."""
        self.read(path)
        self._after[path] = data

    def delete(self, path: str) -> None:
        """Take a file away."""
        self.require(path)
        self._after[path] = None

    def move(self, old: str, new: str, record: Record) -> None:
        """Take a file to another path, its record changed on the way and nothing else."""
        data = self.require(old)
        if old != new:
            if self.read(new) is not None:
                raise BadInput(f"{new} is already there.", next="choose another key")
            self._after[old] = None
        self._after[new] = _bytes(data, record, new)

    def move_fulltext(self, old: str, new: str, key: str) -> bool:
        """Take a full text along with its reference; False where there is none to take."""
        data = self.read(old)
        if data is None:
            return False
        held = page.read(FullText, data, old)
        slug = layout.name(new) + ".fulltext"
        self.move(old, new, replace(held, reference=key, slug=slug))
        return True

    def differs(self, path: str) -> bool:
        """Whether a path will hold other bytes than it does."""
        return self._after.get(path) != self._before.get(path)

    @property
    def changes(self) -> tuple[Change, ...]:
        """Every path whose bytes will differ, sorted."""
        pairs = ((path, self._before[path], after) for path, after in sorted(self._after.items()))
        return tuple(Change(*each) for each in pairs if each[1] != each[2])

    @property
    def edits(self) -> list[Edit]:
        """The same as edits that refuse to run over what somebody else wrote meanwhile."""
        return [
            Edit(each.path, each.after, None if each.before is None else disk.sha256(each.before))
            for each in self.changes
        ]

    def _read(self, path: str) -> bytes | None:
        try:
            return disk.read_bytes(self.root, path)
        except NotFound:
            return None


def _bytes(data: bytes | None, record: Record, path: str) -> bytes:
    if data is None:
        return page.write(record)
    return page.update(data, record, path)
