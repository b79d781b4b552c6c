"""A document's bytes in; the file of them beside its reference, nothing of the user's lost, out."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pressmark import disk
from pressmark.errors import PressmarkError
from pressmark.fulltext import documents
from pressmark.fulltext.accept import SUFFIXES

if TYPE_CHECKING:
    from pressmark.library import Library


def keep(library: Library, key: str, data: bytes, kind: str) -> tuple[str, ...]:
    """Store a document as it came, beside its reference or in the user's own folder.

    What lies there already is replaced only when we fetched it and nobody changed it since: it
    can be had again. Any other stays, and the sentences say under which name.
    """
    suffix = SUFFIXES[kind]
    folder = library.config.documents
    if folder is not None:
        _in_folder(library, key, data, suffix, folder)
        return ()
    relative = library.path(key).removesuffix(".md") + suffix
    path, notes = library.root / relative, list[str]()
    if disk.exists(library.root, relative):
        held = library.read_page(relative)
        if held == data:
            return ()
        if not _ours(library, key, held):
            aside = next(one for one in _names(path, ".old") if not one.exists())
            disk.move_file(path, aside)
            notes.append(f"Another document lay at {relative}; it is kept as {aside.name}.")
    disk.write_file(path, data, root=library.root)
    return tuple(notes)


def _in_folder(library: Library, key: str, data: bytes, suffix: str, folder: Path) -> None:
    """Put it into the user's folder unless these bytes are there, whatever they are called."""
    if documents.holds(folder, data):
        return
    for path in _names(folder / f"{key}{suffix}", "-"):
        if not path.exists() or _ours(library, key, _read(folder, path.name)):
            disk.write_file(path, data)
            return


def _names(path: Path, mark: str) -> Iterator[Path]:
    """`key.pdf`, `key-2.pdf`, … in the user's folder; beside, `key.old.pdf`, `key.old2.pdf`, …."""
    first = path if mark == "-" else path.with_name(f"{path.stem}{mark}{path.suffix}")
    yield first
    for number in itertools.count(2):
        yield path.with_name(f"{path.stem}{mark}{number}{path.suffix}")


def _ours(library: Library, key: str, held: bytes) -> bool:
    """Whether these bytes are what we fetched for the text that is held."""
    text = library.fulltext(key)
    return text is not None and text.source != "attached" and text.sha256 == disk.sha256(held)


def _read(folder: Path, name: str) -> bytes:
    try:
        return disk.read_bytes(folder, name)
    except PressmarkError:
        return b""
