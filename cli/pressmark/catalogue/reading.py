"""A file of the library in; its record, or the reason there is none, out."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pressmark import disk, ids, page
from pressmark.catalogue import layout, rows
from pressmark.errors import NotFound, PressmarkError, Unreadable
from pressmark.record import Record, Reference

RACY_NS = 2_000_000_000
"""Two seconds: the coarsest clock among the file systems in use (FAT)."""


class State(NamedTuple):
    """What was seen of a file: its stat, whether that proves nothing, and its hash."""

    stat: tuple[int, ...]  # size, mtime_ns, ctime_ns, inode
    racy: int
    sha256: str


@dataclass(frozen=True, slots=True)
class File:
    """One file as it stands now."""

    path: str
    state: State
    record: Record | None = None
    trouble: Unreadable | None = None
    identities: frozenset[str] = frozenset()
    touched: bool = False  # the same bytes under another time stamp


def read(tree: disk.Tree, stat: disk.Stat, held: Mapping[str, State]) -> File | None:
    """The file behind a stat; None when it went away meanwhile."""
    path, seen = rows.safe(stat.relative), tuple(stat[1:])
    if path != stat.relative:
        trouble = Unreadable("the file's name is not valid UTF-8.", path=path)
        return File(path, State(seen, 1, ""), trouble=trouble)
    racy = int(time.time_ns() - stat.mtime_ns < RACY_NS)
    try:
        data = tree.read(path)[0]
    except NotFound:
        return None
    except PressmarkError as error:
        trouble = Unreadable(error.message, path=path)
        return File(path, State(seen, 1, ""), trouble=trouble)
    state = State(seen, racy, disk.sha256(data))
    if path in held and held[path].sha256 == state.sha256:
        return File(path, state, touched=True)
    return parse(path, data, state)


def parse(path: str, data: bytes, state: State) -> File:
    """The record in the bytes of a file."""
    kind = layout.kind(path)
    if kind is None or kind == "fulltext":
        return File(path, state)
    try:
        record: Record = page.read(layout.CLASSES[kind], data, path)
    except Unreadable as error:
        wreck = frozenset(_identities_in_wreck(data)) if kind == "reference" else frozenset()
        return File(path, state, trouble=error, identities=wreck)
    if isinstance(record, Reference):
        return File(path, state, record, identities=frozenset(ids.identities(record)))
    return File(path, state, record)


_QUOTES = "'\""


def _identities_in_wreck(data: bytes) -> set[str]:
    """Identities that stand as plain lines in a file that cannot be read, lest it get a twin."""
    text = data[:65536].decode("utf-8", "replace")
    lines = re.findall(r"^(doi|arxiv|pmid|pmcid|openalex):[ \t]*(\S+)", text, re.M)
    found = (ids.parse(f"{kind}:{value.strip(_QUOTES)}") for kind, value in lines)
    return {str(identifier) for identifier in found if identifier}
