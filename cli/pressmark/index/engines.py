"""The name of an engine of words in, its reader or writer out, and which engine is the better one.

whoosh is always there; tantivy takes over where it is installed and the library holds more than
10,000 passages.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Sequence
from pathlib import Path

from pressmark.index import native
from pressmark.index.ports import Document, Segment, Words, WordsWriter

WHOOSH, TANTIVY = "whoosh", "tantivy"

LIMIT = 10_000
"""Passages up to which whoosh is quick enough."""

INSTALL = "pip install 'pressmark[fast]'"

_WHOOSH_VERSION = "whoosh-2.7.4/2"


def version(engine: str) -> str | None:
    """What an index of an engine must have been written by; None where it cannot be read here."""
    if engine == WHOOSH:
        return _WHOOSH_VERSION
    if engine != TANTIVY or not native.installed(TANTIVY):
        return None
    from pressmark.index import fastwords

    return fastwords.version()


def better(passages: int) -> str:
    """The engine for a library of so many passages."""
    return TANTIVY if passages > LIMIT and native.installed(TANTIVY) else WHOOSH


def advice(engine: str, passages: int) -> str | None:
    """What installing the quicker engine would save, where that is worth it."""
    if engine != WHOOSH or passages <= LIMIT or native.installed(TANTIVY):
        return None
    return (
        f"{passages:,} passages: with tantivy ({INSTALL}, then pressmark index) "
        "their words are indexed in half the time, in half the memory, and asked in a fifth."
    )


def opened(engine: str, folder: Path, segments: Sequence[Segment], dead: Iterable[int]) -> Words:
    """The index of words in a folder."""
    if engine == TANTIVY:
        from pressmark.index.fastwords import FastWords

        return FastWords(folder)
    from pressmark.index.words import SegmentedWords

    return SegmentedWords(folder, segments, dead)


def extending(
    engine: str, folder: Path, segments: Sequence[Segment], dead: Container[int],
    gone: Collection[int], fresh: int,
) -> WordsWriter:  # fmt: skip
    """A writer that brings an index in a folder up to date."""
    if engine == TANTIVY:
        from pressmark.index.fastwords import FastWriter

        return FastWriter(folder, gone)
    from pressmark.index.words import WhooshWriter

    return WhooshWriter(folder, segments, dead, fresh)


class Beginning:
    """A writer of a new index, which takes the engine that its size asks for.

    Until it is known to be large its documents are kept; `engine` is right after `finish`.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.engine = WHOOSH
        self._kept: list[Document] | None = [] if native.installed(TANTIVY) else None
        self._writer: WordsWriter | None = None

    def add(self, document: Document) -> None:
        """See `WordsWriter`."""
        if self._kept is None:
            self._begun().add(document)
        else:
            self._kept.append(document)

    def reached(self, passages: int) -> None:
        """Be told how many passages there are so far."""
        if self._kept is not None and better(passages) != WHOOSH:
            self.engine = TANTIVY
            self._pour()

    def finish(self) -> tuple[Segment, ...]:
        """See `WordsWriter`."""
        self._pour()
        return self._begun().finish()

    def _pour(self) -> None:
        kept, self._kept = self._kept or [], None
        for document in kept:
            self._begun().add(document)

    def _begun(self) -> WordsWriter:
        if self._writer is None:
            self._writer = extending(self.engine, self.folder, (), (), (), 0)
        return self._writer
