"""What an undo changed in; the texts and documents that git does not have brought in line, out.

A document beside a reference is in no commit, and a text without an open licence neither. Where
an undo takes away the text that was made of a document, or their reference, they go aside; where
it brings the text or the reference back, so do they. Nothing is deleted, and a document whose
bytes changed since stays where it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from pressmark import disk, page
from pressmark.catalogue import layout
from pressmark.errors import PressmarkError
from pressmark.fulltext import documents
from pressmark.library import Outcome, aside, excluding
from pressmark.library.writing import repository
from pressmark.record import FullText, Reference

if TYPE_CHECKING:
    from pressmark.library import Library


def settle(library: Library, outcome: Outcome) -> tuple[str, ...]:
    """Move what git does not have with what an undo changed; a sentence for each file."""
    notes: list[str] = []
    with repository(library).lock():
        stems = dict.fromkeys(_stem(change.path) for change in outcome.changes
                              if layout.kind(change.path) in ("reference", "fulltext"))  # fmt: skip
        notes += _renamed_back(library, outcome)
        for stem in stems:
            notes += _put_aside(library, stem, outcome)
        for stem in stems:
            notes += _brought(library, stem)
        library.refresh()
    return tuple(notes)


def _stem(path: str) -> str:
    return path.removesuffix(".md").removesuffix(".fulltext")


def _renamed_back(library: Library, outcome: Outcome) -> Iterator[str]:
    """What git does not have goes back to the old key with the reference."""
    refs = [change for change in outcome.changes if layout.kind(change.path) == "reference"]
    gone = [_stem(change.path) for change in refs if change.after is None]
    came = [_stem(change.path) for change in refs if change.before is None]
    if len(gone) != 1 or len(came) != 1:
        return
    for suffix in documents.SUFFIXES:
        if disk.exists(library.root, gone[0] + suffix):
            _move(library, gone[0] + suffix, came[0] + suffix)
    old, new = f"{gone[0]}.fulltext.md", f"{came[0]}.fulltext.md"
    if disk.exists(library.root, old) and not disk.exists(library.root, new):
        data = library.read_page(old)
        key = layout.name(new)
        text = replace(page.read(FullText, data, old), reference=key, slug=f"{key}.fulltext")
        excluding.follow(library, old, new)
        _move(library, old, new, page.update(data, text, new))
        yield f"{old} is {new} again; it is in no commit."


def _move(library: Library, old: str, new: str, data: bytes | None = None) -> None:
    if not disk.exists(library.root, new):
        data = library.read_page(old) if data is None else data
        disk.write_file(library.root / new, data, root=library.root)
        disk.remove_file(library.root / old, root=library.root)


def _put_aside(library: Library, stem: str, outcome: Outcome) -> Iterator[str]:
    gone = not disk.exists(library.root, f"{stem}.md")
    undone = {sha256 for change in outcome.changes if _stem(change.path) == stem
              for sha256 in _hashes(change.path, change.before, gone=gone)}  # fmt: skip
    text = f"{stem}.fulltext.md"
    if gone and disk.exists(library.root, text):  # one that git does not have
        undone |= set(_hashes(text, library.read_page(text)))
        yield _told(library, text)
    wanted = _wanted(library, stem)
    tracked = set(repository(library).tracked(stem.rpartition("/")[0]))
    for path in (stem + suffix for suffix in documents.SUFFIXES):
        if path in tracked or not disk.exists(library.root, path):
            continue
        held = disk.sha256(library.read_page(path))
        if held in undone and held != wanted:
            yield _told(library, path)
        elif gone:
            yield f"{path} is yours and stays: its reference is gone."


def _hashes(path: str, data: bytes | None, *, gone: bool = True) -> Iterator[str]:
    """The hashes of the documents that a file of the library speaks of."""
    with suppress(PressmarkError):
        if data is not None and layout.kind(path) == "fulltext":
            text = page.read(FullText, data, path)
            yield from [text.sha256] if text.sha256 else []
        elif data is not None and gone:
            own = documents.file_hash(page.read(Reference, data, path))
            yield from [own] if own else []


def _wanted(library: Library, stem: str) -> str | None:
    """The hash of the document that belongs beside a reference now."""
    for path in (f"{stem}.fulltext.md", f"{stem}.md"):
        if disk.exists(library.root, path):
            found = next(_hashes(path, library.read_page(path)), None)
            if found:
                return found
    return None


def _brought(library: Library, stem: str) -> Iterator[str]:
    if not disk.exists(library.root, f"{stem}.md"):
        return
    text = f"{stem}.fulltext.md"
    if not disk.exists(library.root, text) and aside.bring_back(library, text):
        yield f"{text} is back; it is in no commit."
    wanted = _wanted(library, stem)
    for path in (stem + suffix for suffix in documents.SUFFIXES):
        if wanted and aside.bring_back(library, path, wanted):
            yield f"{path} is back; it is in no commit."


def _told(library: Library, path: str) -> str:
    """Move a file aside, and say where it is."""
    place = aside.shown(library, aside.move(library, path))
    return f"{path} was in no commit: it lies in {place} now; undo this undo to have it back."
