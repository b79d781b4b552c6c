"""Postings of words in, files of a segment out, and back: the only module that imports whoosh.

whoosh's codec keeps the dictionary and the postings (`.trm`, `.pst`); beside them `.docs` holds
each document's row, owner and length. A segment is written once, the same bytes for the same
documents. Its blocks are pickles: whoever opens a segment must know who wrote it (see `trust`).
"""

from __future__ import annotations

import warnings
from array import array
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pressmark import disk
from pressmark.errors import Integrity
from pressmark.index.analysis import Analyser
from pressmark.index.ports import REBUILD, Document, Segment, little, numbers

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # its string literals have invalid escapes
    from whoosh.codec.whoosh3 import W3Codec, W3Segment
    from whoosh.filedb.filestore import FileStorage
    from whoosh.formats import Existence
    from whoosh.lang.porter2 import stem

TEXT, NAMES = "t", "n"
"""The two fields: what a document says, and who wrote it."""


def analyser() -> Analyser:
    """The analyser of documents and queries."""
    return Analyser(stem)


class SegmentWriter:
    """Collects documents, then writes them as one segment."""

    def __init__(self, folder: Path, name: str, words: Analyser | None = None) -> None:
        self.folder = folder
        self.name = name
        self.analyser = words or analyser()
        self._rows, self._owners, self._lengths = array("I"), array("I"), array("I")
        self._postings: dict[str, dict[str, tuple[array[int], array[int]]]] = {NAMES: {}, TEXT: {}}

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, document: Document) -> None:
        """Take one document; rows must come in rising order."""
        number = len(self._rows)
        bag = self.analyser.bag(document.text)
        self._rows.append(document.row)
        self._owners.append(document.owner)
        self._lengths.append(bag.total())
        self._post(TEXT, number, bag)
        if document.names:
            self._post(NAMES, number, Counter(self.analyser.names(document.names)))

    def take(self, part: Part, dead: Container[int]) -> None:
        """Take over what is alive in a segment that is open."""
        new: dict[int, int] = {}
        for at, row in enumerate(part.rows):
            if row not in dead:
                new[at] = len(self._rows)
                self._rows.append(row)
                self._owners.append(part.owners[at])
                self._lengths.append(part.lengths[at])
        for field, term in part.dictionary():
            for at, count in zip(*part.postings(field, term), strict=True):
                if at in new:
                    self._post(field, new[at], {term: int(count)})

    def finish(self) -> Segment:
        """Write the segment; nothing of it is in use before its name is known to an index."""
        storage = _Storage(str(self.folder))
        try:
            self._write(storage)
        except BaseException:
            storage.abandon()
            raise
        data = b"".join(little(each) for each in (self._rows, self._owners, self._lengths))
        disk.write_file(self.folder / f"{self.name}.docs", data)
        return Segment(self.name, len(self._rows))

    def _write(self, storage: _Storage) -> None:
        codec = W3Codec()
        writer = codec.field_writer(storage, _segment(codec, self.name))
        for field in (NAMES, TEXT):
            writer.start_field(field, _FIELD)
            terms = self._postings[field]
            for encoded, term in sorted((term.encode(), term) for term in terms):
                writer.start_term(encoded)
                for number, count in zip(*terms[term], strict=True):
                    writer.add(number, float(count), b"", None)
                writer.finish_term()
            writer.finish_field()
        writer.close()

    def _post(self, field: str, number: int, counts: Mapping[str, int]) -> None:
        postings = self._postings[field]
        for term, count in counts.items():
            held = postings.get(term)
            if held is None:
                held = postings[term] = (array("I"), array("I"))
            held[0].append(number)
            held[1].append(count)


class _Storage(FileStorage):  # type: ignore[misc]
    """Knows the files it made: one left open on a full disk complains when it is collected."""

    def __init__(self, folder: str) -> None:
        super().__init__(folder)
        self.files: list[Any] = []

    def create_file(self, name: str, **options: Any) -> Any:
        file = super().create_file(name, **options)
        self.files.append(file)
        return file

    def abandon(self) -> None:
        """Close what was made; what cannot be written any more is given up."""
        for file in self.files:
            with suppress(Exception):
                file.close()


class _Field:
    """What whoosh's codec asks of a field."""

    format = Existence()


_FIELD = _Field()


class Part:
    """One segment, open: its postings, and of each document the row, the owner and the length."""

    def __init__(self, folder: Path, segment: Segment) -> None:
        codec = W3Codec()
        try:
            data = (folder / f"{segment.name}.docs").read_bytes()
            self._terms = codec.terms_reader(
                FileStorage(str(folder)), _segment(codec, segment.name)
            )
        except Exception as error:  # whatever unpickling damaged bytes can raise
            raise Integrity(f"The index part {segment.name} is damaged.", next=REBUILD) from error
        if len(data) != 12 * segment.documents:
            raise Integrity(f"The index part {segment.name} is incomplete.", next=REBUILD)
        self._closed = False
        size = 4 * segment.documents
        self.rows, self.owners, self.lengths = (
            numbers(data[at : at + size]) for at in (0, size, 2 * size)
        )

    def postings(self, field: str, term: str) -> tuple[Sequence[int], Sequence[float]]:
        """The documents a term stands in, and how often."""
        encoded = term.encode()
        try:
            if (field, encoded) not in self._terms:
                return (), ()
            return _postings(self._terms.matcher(field, encoded, _FIELD.format))
        except Exception as error:  # whatever unpickling damaged bytes can raise
            raise Integrity("The index of words is damaged.", next=REBUILD) from error

    def dictionary(self) -> Iterator[tuple[str, str]]:
        """Every field and term."""
        for field, encoded in self._terms.terms():
            yield field, encoded.decode()

    def close(self) -> None:
        """Let go of the files."""
        if not self._closed:
            self._terms.close()
        self._closed = True


def _postings(matcher: Any) -> tuple[Sequence[int], Sequence[float]]:
    """All postings of whoosh's reader, a block at a time."""
    ids: list[int] = []
    weights: list[float] = []
    while True:
        matcher._read_ids()
        matcher._read_weights()
        ids.extend(matcher._ids)
        weights.extend(matcher._weights)
        if matcher._lastblock:
            return ids, weights
        matcher._next_block()


def _segment(codec: Any, name: str) -> Any:
    return W3Segment(codec, "words", segid=name)
