"""What retrieval asks of its two engines: documents and bags of words in, ranked hits out."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from pressmark.index.analysis import Analyser
    from pressmark.index.embed import Vector

REBUILD = "run pressmark index --rebuild"
"""What helps against a damaged index."""


Progress = Callable[[str, int, int], None]
"""What is being done, how many are done, of how many."""


def quiet(_what: str, _done: int, _of: int) -> None:
    """Progress that nobody watches."""


class Document(NamedTuple):
    """What is indexed: a row number for ever, whose it is, its text, and the authors' names."""

    row: int
    owner: int
    text: str
    names: str = ""


class Segment(NamedTuple):
    """A part of the index that is never rewritten: its name, its documents, its files' names."""

    name: str
    documents: int
    files: tuple[str, ...]


class Hit(NamedTuple):
    """A found document; a higher score is better."""

    row: int
    owner: int
    score: float


class Words(Protocol):
    """A set of documents that can be asked for the best ones for a bag of terms."""

    analyser: Analyser

    def search(
        self,
        bag: Mapping[str, int],
        limit: int,
        *,
        allowed: Container[int] | None = None,
        each: bool = False,
    ) -> list[Hit]:
        """The best hits, best first: one an owner, or with `each` every document.

        Only owners in `allowed` are counted. All that tie with the last are given too, so that
        the caller may break ties by something that outlives the index.
        """

    def phrase(self, terms: Sequence[str]) -> set[int]:
        """The owners of the documents in which some terms follow one another, as analysed."""

    def starting(self, prefix: str, limit: int) -> list[str]:
        """Terms that begin with a folded text, in order, at most so many."""

    def weight(self, term: str) -> float:
        """How much a term tells (its inverse document frequency); 0 where it is unknown."""

    def count(self) -> int:
        """How many documents are held."""

    def close(self) -> None:
        """Let go of the files."""


class WordsWriter(Protocol):
    """Takes documents, rows rising, and writes an index of them into a folder."""

    def add(self, document: Document) -> None:
        """Take one document."""

    def finish(self) -> tuple[Segment, ...]:
        """Write what was taken; every part that the index then has."""


class Vectors(Protocol):
    """A set of vectors that can be asked for the nearest ones to another."""

    def search(
        self,
        query: Vector,
        limit: int,
        *,
        allowed: Container[int] | None = None,
        each: bool = False,
    ) -> list[Hit]:
        """The nearest, as `Words.search`; the score is the cosine."""

    def near(self, row: int) -> Vector | None:
        """The vector of a row; None where it has none."""

    def count(self) -> int:
        """How many vectors are held."""


def best_of_owner(hits: Iterable[Hit]) -> list[Hit]:
    """The best hit of each owner; of two equal ones the first."""
    best: dict[int, Hit] = {}
    for hit in hits:
        held = best.get(hit.owner)
        if held is None or hit.score > held.score:
            best[hit.owner] = hit
    return list(best.values())


def cut(hits: list[Hit], limit: int) -> list[Hit]:
    """The best `limit` hits, best first, with all that tie with the last of them."""
    hits.sort(key=lambda hit: (-hit.score, hit.row))
    if limit < 1:
        return []
    if len(hits) > limit:
        least = hits[limit - 1].score
        while limit < len(hits) and hits[limit].score == least:
            limit += 1
    return hits[:limit]


def little(values: array[int]) -> bytes:
    """Numbers as little-endian bytes of four, on every machine."""
    if sys.byteorder == "big":
        values = array("I", values)
        values.byteswap()
    return values.tobytes()


def numbers(data: bytes) -> array[int]:
    """The numbers again."""
    values = array("I")
    values.frombytes(data)
    if sys.byteorder == "big":
        values.byteswap()
    return values
