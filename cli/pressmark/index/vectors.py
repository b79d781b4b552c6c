"""Unit vectors in, a file of them out, and for one vector the nearest documents.

Up to 100,000 vectors every one is compared (8 ms); above, usearch's graph gives the nearest,
if at build it found nearly what comparing all finds. The vectors stand in the file as float16,
one after the other, so that it can be mapped into memory and a mask can pick from it.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pressmark import disk
from pressmark.errors import Integrity
from pressmark.index import native
from pressmark.index.ports import REBUILD, Hit, best_of_owner, cut, little, numbers

if TYPE_CHECKING:
    from pressmark.index.embed import Vector

EXACT = 100_000
"""Up to so many vectors are all compared."""

RECALL = 0.9
"""What the graph must find of the true ten nearest; it fell to 0.52 on bad data."""

SAMPLES = 50


@dataclass(frozen=True, slots=True)
class Stored:
    """A written set: its name, how many vectors of what size, and whether it has a graph."""

    name: str
    count: int
    dimension: int
    graph: bool

    @property
    def files(self) -> tuple[str, ...]:
        """The names of its files."""
        ends = (".f16", ".rows", ".usearch") if self.graph else (".f16", ".rows")
        return tuple(f"{self.name}{end}" for end in ends)


def write(
    folder: Path,
    name: str,
    rows: Sequence[int],
    owners: Sequence[int],
    vectors: Iterable[bytes],
    dimension: int,
) -> Stored:
    """Write the vectors (float16, little-endian) of some rows."""
    disk.write_file(folder / f"{name}.f16", b"".join(vectors))
    marks = little(array("I", rows)) + little(array("I", owners))
    disk.write_file(folder / f"{name}.rows", marks)
    graph = len(rows) > EXACT and _write_graph(folder, name, len(rows), dimension)
    return Stored(name, len(rows), dimension, graph)


def rows_of(folder: Path, stored: Stored) -> array[int]:
    """The rows of a written set."""
    return numbers((folder / f"{stored.name}.rows").read_bytes()[: 4 * stored.count])


class UsearchVectors:
    """A written set, open; `dead` rows are never found."""

    def __init__(self, folder: Path, stored: Stored, dead: Iterable[int] = ()) -> None:
        import numpy as np

        self.stored = stored
        self._matrix = _matrix(folder, stored)
        marks = (folder / f"{stored.name}.rows").read_bytes()
        size = 4 * stored.count
        if len(marks) != 2 * size:
            raise Integrity(f"The vectors {stored.name} are incomplete.", next=REBUILD)
        self._rows = np.array(numbers(marks[:size]), dtype=np.int64)
        self._owners = np.array(numbers(marks[size:]), dtype=np.int64)
        gone = list(dead)
        self._alive = ~np.isin(self._rows, gone) if gone else None
        self._graph = _open_graph(folder, stored) if stored.graph else None

    def count(self) -> int:
        """How many vectors are alive."""
        return self.stored.count if self._alive is None else int(self._alive.sum())

    def search(
        self,
        query: Vector,
        limit: int,
        *,
        allowed: Container[int] | None = None,
        each: bool = False,
    ) -> list[Hit]:
        """See `Vectors`."""
        if not self.stored.count or limit < 1:
            return []
        places = self._places(allowed)
        if self._graph is not None and places is None:
            found = self._graph.search(query, 4 * limit, threads=1)
            return cut(self._hits(found.keys, found.distances, each), limit)
        return self._exact(query, places, limit, each)

    def near(self, row: int) -> Vector | None:
        """The vector of a row."""
        import numpy as np

        found = np.flatnonzero(self._rows == row)
        return self._matrix[found[0]].astype(np.float32) if len(found) else None

    def _exact(self, query: Vector, places: Any, limit: int, each: bool) -> list[Hit]:
        """Of all, or of those at some places; more are asked for until there are enough owners."""
        matrix = self._matrix if places is None else self._matrix[places]
        if not len(matrix):
            return []
        engine = native.usearch()
        wanted = 4 * limit
        while True:
            wanted = min(wanted, len(matrix))
            found = engine.search(
                matrix, query.astype(matrix.dtype), wanted, engine.MetricKind.Cos,
                exact=True, threads=1,
            )  # fmt: skip
            keys = found.keys if places is None else places[found.keys.astype(int)]
            hits = self._hits(keys, found.distances, each)
            nearest = cut(hits, limit)
            # All that tie with the last are there only if something farther is there, too.
            if wanted == len(matrix) or len(nearest) < len(hits):
                return nearest
            wanted *= 4

    def _hits(self, keys: Any, distances: Any, each: bool) -> list[Hit]:
        rows, owners = self._rows[keys.astype(int)], self._owners[keys.astype(int)]
        found = zip(rows.tolist(), owners.tolist(), (1.0 - distances).tolist(), strict=True)
        hits = [Hit(*each_found) for each_found in found]
        return hits if each else best_of_owner(hits)

    def _places(self, allowed: Container[int] | None) -> Any:
        """The places a mask leaves; None for all of them."""
        import numpy as np

        mask = self._alive
        if isinstance(allowed, range):
            inside = (self._owners >= allowed.start) & (self._owners < allowed.stop)
        elif allowed is not None:
            inside = np.array([owner in allowed for owner in self._owners.tolist()], dtype=bool)
        else:
            return None if mask is None else np.flatnonzero(mask)
        mask = inside if mask is None else mask & inside
        return None if mask.all() else np.flatnonzero(mask)


def _matrix(folder: Path, stored: Stored) -> Any:
    import numpy as np

    shape = (stored.count, stored.dimension)
    paths = [folder / name for name in stored.files]
    path = paths[0]
    if not all(each.is_file() for each in paths) or path.stat().st_size != 2 * math.prod(shape):
        raise Integrity(f"The vectors {stored.name} are incomplete.", next=REBUILD)
    if not stored.count:
        return np.empty(shape, dtype=np.float16)
    matrix = np.memmap(path, dtype=np.dtype("<f2"), mode="r", shape=shape)
    return matrix if np.dtype("<f2").isnative else matrix.astype(np.float16)


def _write_graph(folder: Path, name: str, count: int, dimension: int) -> bool:
    """Build usearch's graph, and keep it if it finds what comparing all finds."""
    import numpy as np

    engine = native.usearch()
    matrix = _matrix(folder, Stored(name, count, dimension, graph=False))
    graph = engine.Index(ndim=dimension, metric=engine.MetricKind.Cos, dtype="f16")
    graph.add(np.arange(count, dtype=np.uint64), matrix, threads=1)
    sample = matrix[:: max(1, count // SAMPLES)][:SAMPLES]
    true = engine.search(matrix, sample, 10, engine.MetricKind.Cos, exact=True, threads=1)
    found = graph.search(sample, 10, threads=1)
    pairs = zip(true.keys, found.keys, strict=True)
    recall = sum(len(set(a.tolist()) & set(b.tolist())) for a, b in pairs) / (10 * len(sample))
    if recall < RECALL:
        return False
    graph.save(str(folder / f"{name}.usearch"))
    return True


def _open_graph(folder: Path, stored: Stored) -> Any:
    engine = native.usearch()
    graph = engine.Index.restore(str(folder / f"{stored.name}.usearch"), view=True)
    if graph is None or len(graph) != stored.count:
        raise Integrity(f"The graph of the vectors {stored.name} is damaged.", next=REBUILD)
    return graph
