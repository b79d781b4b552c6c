"""A library's catalogue in; what of it is indexed, and what differs from an index, out.

The unit is the owner (a reference with its full text, or a note): a changed title is part of
every passage's text, so then all of them are made anew.
"""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from pressmark import disk
from pressmark.catalogue import Catalogue, filters, layout
from pressmark.errors import PressmarkError
from pressmark.index.rows import TABLE, Rows

_KINDS = ("reference", "fulltext", "note")


class Source(NamedTuple):
    """A reference or note as it stands in the files: its name, and their paths and hashes."""

    name: str
    note: bool
    files: tuple[tuple[str, str], ...]

    @property
    def paths(self) -> tuple[str, ...]:
        """Its own file first, then its full text."""
        return tuple(path for path, _ in self.files)


class Difference(NamedTuple):
    """The sources that an index does not hold as they are now, and owners it holds in vain."""

    fresh: tuple[Source, ...]
    gone: tuple[int, ...]


class Sources:
    """The library as it stands, as far as it is indexed.

    With `until` only the references published up to that year, and no notes: nothing that is
    younger, or of no known age, may leak into what is measured on them.
    """

    def __init__(self, root: Path, catalogue: Catalogue, until: int | None = None) -> None:
        self.root = root
        self.catalogue = catalogue
        self.until = until
        self._differences: dict[Path, Difference] = {}

    @cached_property
    def fingerprint(self) -> str:
        """A hash of everything that is indexed; the same for the same files."""
        if self.until is None:
            return self.catalogue.fingerprint(*_KINDS)
        lines = [f"{path}\x1f{sha256}" for path, sha256 in sorted(self._hashes.items())]
        return disk.sha256("\x1e".join(lines).encode("utf-8", "surrogatepass"))

    @cached_property
    def owners(self) -> list[Source]:
        """Every owner, references first, in the order of their paths."""
        found = [self._source(path, key) for key, path in self._own.items()]
        found += [self._source(path) for path in self._hashes if path.startswith("notes/")]
        return sorted(found, key=lambda source: (source.note, source.paths[0]))

    def owner(self, name: str, *, note: bool) -> Source | None:
        """One owner by its name."""
        path = f"notes/{name}.md" if note else self._own.get(name)
        return self._source(path, name) if path in self._hashes else None

    def difference(self, folder: Path) -> Difference:
        """What changed since the index in a folder was made, which itself never changes."""
        if folder not in self._differences:
            table = Rows(folder / TABLE)
            try:
                self._differences[folder] = self._compare(table)
            finally:
                table.close()
        return self._differences[folder]

    def _compare(self, table: Rows) -> Difference:
        held = table.files()
        changed = {path for path, _ in held.items() ^ self._hashes.items()}
        names = {(path.startswith("notes/"), layout.name(path)) for path in changed}
        owned = ((note, name, table.owner(name, note=note)) for note, name in sorted(names))
        gone = tuple(number for _, _, number in owned if number is not None)
        found = (self.owner(name, note=note) for note, name in names)
        fresh = sorted(filter(None, found), key=lambda source: (source.note, source.paths[0]))
        return Difference(tuple(fresh), gone)

    @cached_property
    def _hashes(self) -> dict[str, str]:
        found = self.catalogue.hashes(*_KINDS)
        if self.until is None:
            return found
        own = {each for path in self._own.values() for each in (path, layout.beside(path))}
        return {path: sha256 for path, sha256 in found.items() if path in own}

    @cached_property
    def _own(self) -> dict[str, str]:
        """The path of each reference."""
        found = self.catalogue.paths()
        if self.until is None:
            return found
        old = set(self.catalogue.select_keys(filters.parse([f"year:..{self.until}"])))
        return {key: path for key, path in found.items() if key in old}

    def _source(self, path: str, key: str = "") -> Source:
        note = not key or path.startswith("notes/")
        beside = "" if note else layout.beside(path)
        paths = (path, beside) if beside in self._hashes else (path,)
        name = layout.name(path) if note else key
        return Source(name, note, tuple((each, self._hashes.get(each, "")) for each in paths))


def text_of(root: Path, path: str) -> str | None:
    """A file's text, with LF for CRLF and without a byte order mark: what places count in."""
    try:
        data = disk.read_bytes(root, path)
        return data.decode().removeprefix("\ufeff").replace("\r\n", "\n")
    except (PressmarkError, OSError, UnicodeDecodeError):
        return None


def body_of(text: str) -> int:
    """Where the body of a file's text begins, behind its front matter."""
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end() - 1) if opening else None
    return closing.end() if closing else 0


_OPENING = re.compile(r"---[ \t]*\n")
_CLOSING = re.compile(r"\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
"""As `page.frame` reads LF text, which is slow to import for who only asks."""
