"""A library in, its current index out, held open between the questions of one process.

Threads share it: each use of its files happens under the index's own lock, and one that was
replaced is closed when the last question that borrowed it is answered.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pressmark.index import opening
from pressmark.index.opening import READY, Index, open_index
from pressmark.index.ports import Progress, quiet
from pressmark.library import Library

_NAME = "index"


@contextmanager
def borrowed(library: Library, progress: Progress = quiet) -> Iterator[Index]:
    """The index as it should be now: the one that is open, or what another process put in place."""
    with library.keeping:
        index = _current(library, progress)
        index.users += 1
    try:
        yield index
    finally:
        with library.keeping:
            index.users -= 1
            if library.kept.get(_NAME) is not index:
                _close(index)


def drop(library: Library, index: Index) -> None:
    """Use this index no longer: it turned out to be damaged."""
    with library.keeping:
        if library.kept.get(_NAME) is index:
            del library.kept[_NAME]
        opening.distrust(library, index)


def _current(library: Library, progress: Progress) -> Index:
    held = library.kept.get(_NAME)
    if isinstance(held, Index) and held.state == READY and opening.is_current(library, held):
        return held
    fresh = open_index(library, progress=progress)
    library.kept[_NAME] = fresh
    if isinstance(held, Index):
        _close(held)
    return fresh


def _close(index: Index) -> None:
    if not index.users:
        index.close()
