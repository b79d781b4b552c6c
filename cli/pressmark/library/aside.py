"""Files that git does not have, put aside when an undo takes their reference away, and back again.

They lie in git's own folder, `pressmark-undone`, each with its hash in its name: no `git clean`
takes them, and an undo of the undo finds them by what they hold.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from pressmark import disk
from pressmark.errors import PressmarkError

if TYPE_CHECKING:
    from pressmark.library.library import Library

FOLDER = "pressmark-undone"


def copy(library: Library, relative: str) -> Path:
    """Put a copy of a file of the library aside; where it is."""
    data = library.read_page(relative)
    name, _, ending = relative.rpartition("/")[2].rpartition(".")
    place = _folder(library) / f"{name}.{disk.sha256(data)}.{ending}"
    disk.write_file(place, data)
    return place


def copies(library: Library, paths: Iterable[str]) -> list[str]:
    """Put copies of those aside that are in no commit, for an undo to find; where they are."""
    from pressmark.library.writing import repository

    paths, known = list(paths), set[str]()
    for folder in {path.rpartition("/")[0] for path in paths}:
        known.update(repository(library).tracked(folder))
    return [shown(library, copy(library, path)) for path in paths if path not in known]


def shown(library: Library, place: Path) -> str:
    """A place as the user is told it: from the library's folder where it is below it."""
    return str(place.relative_to(library.root) if place.is_relative_to(library.root) else place)


def move(library: Library, relative: str) -> Path:
    """Put a file of the library aside; where it is now."""
    place = copy(library, relative)
    disk.remove_file(library.root / relative, root=library.root)
    return place


def bring_back(library: Library, relative: str, sha256: str | None = None) -> bool:
    """Put a file that was put aside to its place: by what it holds, else the newest of its name.

    Nothing is written over a file that is there.
    """
    name, _, ending = relative.rpartition("/")[2].rpartition(".")
    pattern = f"*.{sha256}.{ending}" if sha256 else f"{name}.{'?' * 64}.{ending}"
    found = sorted(_folder(library).glob(pattern), key=lambda one: one.stat().st_mtime_ns)
    if not found or disk.exists(library.root, relative):
        return False
    try:
        data = disk.read_bytes(found[-1].parent, found[-1].name)
    except PressmarkError:
        return False
    if disk.sha256(data) != found[-1].name.split(".")[-2]:
        return False
    disk.write_file(library.root / relative, data, root=library.root)
    disk.remove_file(found[-1])
    return True


def _folder(library: Library) -> Path:
    from pressmark.library.writing import repository

    return repository(library).place.common / FOLDER
