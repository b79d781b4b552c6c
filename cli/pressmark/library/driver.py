"""Git's merge driver: three versions of a file in, the merged one in the place of ours, out.

`git config merge.pressmark.driver` names it and `.gitattributes` says for which files; where the
program is missing, git's own merge takes over. https://git-scm.com/docs/gitattributes
"""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pressmark import disk, ids, page
from pressmark.catalogue import layout
from pressmark.errors import PressmarkError
from pressmark.page import schema, threeway
from pressmark.record import Record, Reference

if TYPE_CHECKING:
    from pressmark.history import Repository

NAME = "pressmark"
ATTRIBUTE = f"*.md merge={NAME}"
LARGEST = 64 * 2**20


@dataclass(frozen=True, slots=True)
class Versions:
    """The three files that git hands over: the ancestor, ours (where the result goes), theirs."""

    base: Path
    ours: Path
    theirs: Path

    def read(self) -> tuple[bytes, bytes, bytes]:
        """Their bytes."""
        files = (self.base, self.ours, self.theirs)
        base, ours, theirs = (disk.read_given(path, LARGEST) for path in files)
        return base, ours, theirs

    def write(self, base: bytes, ours: bytes, theirs: bytes) -> None:
        """Put other bytes into git's temporary files."""
        for path, data in ((self.base, base), (self.ours, ours), (self.theirs, theirs)):
            disk.write_file(path, data)


def merge_files(versions: Versions, path: str) -> int:
    """Merge; 0 when it is clean, 1 when an ordinary conflict is left in the file."""
    from pressmark.history import merge_file

    bytes_ = versions.read()
    text, conflicts = merge_file(*_paths(versions), labels=("ours", "base", "theirs"))
    better = _by_field(bytes_, (text, conflicts), path)
    if better is None:
        disk.write_file(versions.ours, text)
        return 1 if conflicts else 0
    if isinstance(better, bytes):
        disk.write_file(versions.ours, better)
        return 0
    versions.write(*better.sides)
    text, conflicts = merge_file(*_paths(versions), labels=better.labels)
    disk.write_file(versions.ours, text)
    return 1 if conflicts else 0


def merged(path: str, base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Three versions of a file merged in memory; None where a person has to decide."""
    from pressmark.disk import folders

    folder = folders.private_folder()
    try:
        versions = Versions(folder / "base", folder / "ours", folder / "theirs")
        versions.write(base, ours, theirs)
        return disk.read_given(versions.ours, LARGEST) if not merge_files(versions, path) else None
    finally:
        folders.discard(folder)


def install(repository: Repository) -> bool:
    """Tell git of the driver, and for which files where the library does not; whether it is new."""
    command = f"{shlex.quote(sys.executable)} -m pressmark merge-driver %O %A %B %P"
    # Any status but 0 and 1 means that it did not run: git's own merge is better than none.
    fallback = "git merge-file -L ours -L base -L theirs %A %O %B"
    line = f'{command}; s=$?; if [ "$s" -gt 1 ]; then {fallback}; else exit "$s"; fi'
    fresh = repository.setting(f"merge.{NAME}.driver") != line
    if fresh:
        repository.configure(f"merge.{NAME}.name", "Pressmark: field by field")
        repository.configure(f"merge.{NAME}.driver", line)
    sample = f"{repository.prefix}library/nd/x.md"
    if repository.attribute("merge", sample) != NAME:
        attributes = repository.place.common / "info" / "attributes"
        disk.append_line(attributes, f"{repository.prefix}{_pattern(repository.prefix)}")
        fresh = True
    return fresh


def _pattern(prefix: str) -> str:
    """Below a prefix a pattern with a slash is anchored, so it must say `in any folder`."""
    return f"**/*.md merge={NAME}" if prefix else ATTRIBUTE


@dataclass(frozen=True, slots=True)
class _Sides:
    """Versions that differ in nothing but the body and the fields nobody but a person decides."""

    sides: tuple[bytes, bytes, bytes]
    labels: tuple[str, str, str]


def _by_field(
    bytes_: tuple[bytes, bytes, bytes], text: tuple[bytes, int], path: str
) -> bytes | _Sides | None:
    """The merged file, or what is left for git to merge, or None when git's merge must do."""
    inside, cls = _kind(path)
    if cls is None:
        return None
    base, ours, theirs = bytes_
    try:
        mine, other = page.read(cls, ours, inside), page.read(cls, theirs, inside)
        was = page.read(cls, base, inside) if base.strip() else None
        if was is None and _are_two_works(mine, other):
            return None  # two papers under one key: one of them needs another
        merged = threeway.merge(was, mine, other)
        if not text[1] and not merged.clashes and _says(cls, text[0], merged.record, inside):
            return text[0]  # git's own keeps the comments and the layout of both sides
        root = was if was is not None else threeway.nothing(mine)
        return _sides(ours, merged, (root, mine, other), inside)
    except PressmarkError:
        return None


def _are_two_works(mine: Record, other: Record) -> bool:
    if not (isinstance(mine, Reference) and isinstance(other, Reference)):
        return False
    return set(ids.identities(mine)).isdisjoint(ids.identities(other))


def _sides(
    ours: bytes, merged: threeway.Merged[Any], versions: tuple[Record, Record, Record], path: str
) -> _Sides:
    """Our file three times over, with the fields in question and the body of each version."""
    from dataclasses import replace

    rows = []
    for version in versions:
        record = threeway.taking(merged.record, version, merged.clashes)
        for name in type(record).REQUIRED:  # an ancestor that was no file has not even a title
            if not getattr(record, name):
                record = replace(record, **{name: getattr(merged.record, name)})
        rows.append(page.update(ours, replace(record, body=version.body), path))
    names = ", ".join(merged.clashes)
    told = f" ({names})" if names else ""
    return _Sides((rows[0], rows[1], rows[2]), (f"ours{told}", "base", f"theirs{told}"))


def _says(cls: type[Record], data: bytes, record: Record, path: str) -> bool:
    """Whether a file means this record, whatever its body."""
    try:
        found = page.read(cls, data, path)
    except PressmarkError:
        return False
    return not schema.differing(found, record)


def _kind(path: str) -> tuple[str, type[Record] | None]:
    """The path from the library's root, and what stands there; a library may be below the top."""
    parts = path.split("/")
    for at in range(len(parts)):
        inside = "/".join(parts[at:])
        if parts[at] in layout.FOLDERS and (kind := layout.kind(inside)):
            return inside, layout.CLASSES[kind]
    return path, None


def _paths(versions: Versions) -> tuple[Path, Path, Path]:
    return versions.ours, versions.base, versions.theirs
