"""Postings of words in, files of a segment out, and back, by whoosh's codec.

whoosh's codec keeps the dictionary and the postings (`.trm`, `.pst`); beside them `.docs` holds
each document's row, owner, length and where its terms stand in `.terms`, one after another, for
phrases. A segment is written once, the same bytes for the same documents. Its blocks are pickles:
whoever opens a segment must know who wrote it (see `trust`).
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from pressmark import disk
from pressmark.errors import Integrity
from pressmark.index.analysis import Analyser
from pressmark.index.bm25 import NAMES, TEXT
from pressmark.index.ports import REBUILD, Document, Segment, little, numbers
from pressmark.index.stems import analyser, codec

W3Codec, W3Segment, FileStorage, Existence = codec()


class SegmentWriter:
    """Collects documents, then writes them as one segment."""

    def __init__(self, folder: Path, name: str, words: Analyser | None = None) -> None:
        self.folder = folder
        self.name = name
        self.analyser = words or analyser()
        self._rows, self._owners, self._lengths = array("I"), array("I"), array("I")
        self._stops = array("I")
        self._streams: list[bytes] = []
        self._postings: dict[str, dict[str, tuple[array[int], array[int]]]] = {NAMES: {}, TEXT: {}}

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, document: Document) -> None:
        """Take one document; rows must come in rising order."""
        number = len(self._rows)
        terms = self.analyser.terms(document.text)
        bag = Counter(terms)
        self._stream(stream(terms))
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
                self._stream(part.stream(at))
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
        columns = (self._rows, self._owners, self._lengths, self._stops)
        disk.write_file(self.folder / f"{self.name}.docs", b"".join(map(little, columns)))
        disk.write_file(self.folder / f"{self.name}.terms", b"".join(self._streams))
        return Segment(self.name, len(self._rows), files_of(self.name))

    def _stream(self, terms: bytes) -> None:
        self._streams.append(terms)
        self._stops.append((self._stops[-1] if self._stops else 0) + len(terms))

    def _write(self, storage: _Storage) -> None:
        form = W3Codec()
        writer = form.field_writer(storage, _segment(form, self.name))
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


def stream(terms: Sequence[str]) -> bytes:
    """Terms in order as they are looked through for phrases."""
    return f" {' '.join(terms)} ".encode("utf-8", "replace") if terms else b""


def files_of(name: str) -> tuple[str, ...]:
    """The names of a segment's files."""
    return f"{name}.docs", f"{name}.terms", f"words_{name}.pst", f"words_{name}.trm"


class _Storage(FileStorage):  # type: ignore[misc,valid-type]
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
        form = W3Codec()
        try:
            data = (folder / f"{segment.name}.docs").read_bytes()
            self._terms = form.terms_reader(FileStorage(str(folder)), _segment(form, segment.name))
        except Exception as error:  # whatever unpickling damaged bytes can raise
            raise Integrity(f"The index part {segment.name} is damaged.", next=REBUILD) from error
        if len(data) != 16 * segment.documents:
            raise Integrity(f"The index part {segment.name} is incomplete.", next=REBUILD)
        self._closed = False
        size = 4 * segment.documents
        self.rows, self.owners, self.lengths, self._stops = (
            numbers(data[at : at + size]) for at in (0, size, 2 * size, 3 * size)
        )
        self._terms_file = folder / f"{segment.name}.terms"

    @cached_property
    def _all(self) -> bytes:
        try:
            data = self._terms_file.read_bytes()
        except OSError as error:
            raise Integrity("The index of phrases is damaged.", next=REBUILD) from error
        if len(data) != (self._stops[-1] if self._stops else 0):
            raise Integrity("The index of phrases is incomplete.", next=REBUILD)
        return data

    def stream(self, at: int) -> bytes:
        """The terms of a document in order, a blank on each side of each."""
        return self._all[self._stops[at - 1] if at else 0 : self._stops[at]]

    def starting(self, prefix: str) -> Iterator[str]:
        """The terms of texts that begin so, in order."""
        try:
            for field, encoded in self._terms.terms_from(TEXT, prefix.encode()):
                term = encoded.decode()
                if field != TEXT or not term.startswith(prefix):
                    return
                yield term
        except Exception as error:  # whatever damaged bytes can raise
            raise Integrity("The index of words is damaged.", next=REBUILD) from error

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


def _segment(form: Any, name: str) -> Any:
    return W3Segment(form, "words", segid=name)
