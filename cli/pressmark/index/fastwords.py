"""A bag of terms in, the best documents out: tantivy finds candidates, our BM25 ranks them.

The only module that imports tantivy. Its own scores have other constants, lengths rounded to a
byte, and statistics that count deleted documents; so it is asked for more than is wanted, and
what it gives is scored again from the terms that it stores. The order is then the one that the
other engine gives, to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pressmark import disk
from pressmark.errors import Integrity, Unavailable
from pressmark.index.bm25 import NAMES, TEXT, Bm25
from pressmark.index.ports import REBUILD, Document, Hit, Segment, best_of_owner, cut
from pressmark.index.stems import analyser

T = TypeVar("T")

ROW, OWNER, LENGTH = "row", "owner", "length"

HEAP = 64_000_000
"""Bytes that tantivy collects before it writes a segment."""

_WHITE = "white"
_LOCKS = (".tantivy-meta.lock", ".tantivy-writer.lock")
_RANGE_END = 1 << 40


def version() -> str:
    """What an index must have been written by."""
    return f"tantivy-{_imported().__version__}/1"


class FastWords(Bm25):
    """An index of tantivy's, open; deleted documents are never found and never counted."""

    def __init__(self, folder: Path) -> None:
        self.analyser = analyser()
        self._tantivy = _imported()
        self._index = _asked(_opened, self._tantivy, folder)
        self._schema = self._index.schema
        self._searcher = _asked(self._index.searcher)
        everything = self._tantivy.Query.all_query()
        summed = {"all": {"sum": {"field": LENGTH}}}
        total = _asked(self._searcher.aggregate, everything, summed)["all"]["value"]
        self._measure(self._searcher.num_docs, int(total or 0))
        self._numbers: dict[tuple[str, str], int] = {}

    def search(
        self,
        bag: Mapping[str, int],
        limit: int,
        *,
        allowed: Container[int] | None = None,
        each: bool = False,
    ) -> list[Hit]:
        """See `Words`."""
        asked = self._telling(bag)
        if limit < 1 or not asked or not self._count:
            return []
        query = self._query(asked, allowed)
        wanted = max(64, limit + limit // 2)
        while True:
            wanted = min(wanted, self._count)
            found = _asked(self._searcher.search, query, wanted, count=False).hits
            hits = self._scored(asked, [address for _, address in found])
            last = max((hit.score for hit in hits[-(len(hits) // 4 + 1) :]), default=0.0)
            best = cut(hits if each else best_of_owner(hits), limit)
            # Enough only when what tantivy puts last is clearly below what is given.
            if len(found) < wanted or wanted == self._count:
                return best
            if len(best) >= limit and last < best[-1].score:
                return best
            wanted *= 2

    def phrase(self, terms: Sequence[str]) -> set[int]:
        """See `Words`."""
        if not terms:
            return set()
        must, query = self._tantivy.Occur.Must, self._tantivy.Query
        parts = [(must, self._term(TEXT, term)) for term in dict.fromkeys(terms)]
        asked = query.boolean_query(parts)
        found = _asked(self._searcher.search, asked, max(1, self._count), count=False).hits
        addresses = [address for _, address in found]
        owners = _asked(self._searcher.fast_field_values, OWNER, addresses)
        wanted = _stored(terms)
        texts = (self._text(address, TEXT) for address in addresses)
        return {owner for owner, text in zip(owners, texts, strict=True) if wanted in text}

    def starting(self, prefix: str, limit: int) -> list[str]:
        """See `Words`."""
        found = _asked(self._searcher.terms_with_prefix, TEXT, prefix, limit=4 * limit)
        return sorted(term for term, _ in found if self._holding(TEXT, term))[:limit]

    def close(self) -> None:
        """Let go of the files; they are mapped, and go with the last reference to them."""
        self._searcher = self._index = None

    def _query(self, asked: Mapping[str, int], allowed: Container[int] | None) -> Any:
        occur, query = self._tantivy.Occur, self._tantivy.Query
        parts = [
            (occur.Should, query.boost_query(self._term(TEXT, term), float(times)))
            for term, times in asked.items()
            if self._holding(TEXT, term)
        ]
        for term, weight in self._named(asked):
            same = query.const_score_query(self._term(NAMES, term), 1.0)
            parts.append((occur.Should, query.boost_query(same, weight)))
        whole = query.boolean_query(parts)
        if allowed is None:
            return whole
        mask = query.const_score_query(self._mask(allowed), 0.0)
        return query.boolean_query([(occur.Must, whole), (occur.Must, mask)])

    def _mask(self, allowed: Container[int]) -> Any:
        query, schema = self._tantivy.Query, self._schema
        if isinstance(allowed, range):
            kind = self._tantivy.FieldType.Unsigned
            low, high = allowed.start, min(allowed.stop, _RANGE_END)
            return query.range_query(schema, OWNER, kind, low, high, True, False)
        assert isinstance(allowed, Collection)
        return query.term_set_query(schema, OWNER, sorted(allowed))

    def _scored(self, asked: Mapping[str, int], addresses: list[Any]) -> list[Hit]:
        """Candidates with our own scores, in the order they came in."""
        if not addresses:
            return []
        rows, owners, lengths = (
            _asked(self._searcher.fast_field_values, field, addresses)
            for field in (ROW, OWNER, LENGTH)
        )
        factors = [(f" {term} ", factor) for term, factor in self._factors(asked)]
        named = [(f" {term} ", weight) for term, weight in self._named(asked)]
        hits = []
        for at, address in enumerate(addresses):
            document = _asked(self._searcher.doc, address)
            text, norm, score = document.get_first(TEXT) or "", self._norm(lengths[at]), 0.0
            for term, factor in factors:
                count = text.count(term)
                if count:
                    score += factor * count / (count + norm)
            if named:
                names = document.get_first(NAMES) or ""
                for term, weight in named:
                    if term in names:
                        score += weight
            hits.append(Hit(rows[at], owners[at], score))
        return hits

    def _holding(self, field: str, term: str) -> int:
        held = self._numbers.get((field, term))
        if held is None:
            query = self._term(field, term)
            held = int(_asked(self._searcher.search, query, 1, count=True).count)
            self._numbers[field, term] = held
        return held

    def _term(self, field: str, term: str) -> Any:
        return self._tantivy.Query.term_query(self._schema, field, term, "freq")

    def _text(self, address: Any, field: str) -> str:
        return str(_asked(self._searcher.doc, address).get_first(field) or "")


class FastWriter:
    """Adds documents to an index of tantivy's in a folder, and takes those of some owners out."""

    def __init__(self, folder: Path, gone: Collection[int] = ()) -> None:
        self.folder = folder
        self.analyser = analyser()
        self._tantivy = _imported()
        self._index = _written(_opened, self._tantivy, folder, make=True)
        # One thread: a second one only leaves more segments to look through.
        self._writer = _written(self._index.writer, HEAP, 1)
        if gone:
            query = self._tantivy.Query.term_set_query(self._index.schema, OWNER, sorted(gone))
            _written(self._writer.delete_documents_by_query, query)

    def add(self, document: Document) -> None:
        """See `WordsWriter`."""
        terms = self.analyser.terms(document.text)
        made = self._tantivy.Document()
        made.add_text(TEXT, _stored(terms))
        if document.names:
            made.add_text(NAMES, _stored(self.analyser.names(document.names)))
        made.add_unsigned(ROW, document.row)
        made.add_unsigned(OWNER, document.owner)
        made.add_unsigned(LENGTH, len(terms))
        _written(self._writer.add_document, made)

    def finish(self) -> tuple[Segment, ...]:
        """See `WordsWriter`."""
        _written(self._writer.commit)
        _written(self._writer.wait_merging_threads)
        _written(self._index.reload)
        documents = _written(self._index.searcher).num_docs
        self._writer = self._index = None
        for name in _LOCKS:  # whoever opens the index would make them; so they are ours from now on
            disk.write_file(self.folder / name, b"")
        return (Segment("tantivy", documents, tuple(_files(self.folder))),)


def _files(folder: Path) -> list[str]:
    """The files of an index of tantivy's among those of a folder."""
    kept = ("meta.json", ".managed.json", *_LOCKS)
    names = [path.name for path in folder.iterdir()]
    return sorted(name for name in names if name in kept or _is_hex(name.partition(".")[0]))


def _is_hex(name: str) -> bool:
    return len(name) == 32 and all(each in "0123456789abcdef" for each in name)


def _stored(terms: Sequence[str]) -> str:
    """Terms in order with a blank on each side of each of its own, so that they can be counted."""
    return f" {'  '.join(terms)} ".encode("utf-8", "replace").decode() if terms else ""


def _opened(tantivy: Any, folder: Path, *, make: bool = False) -> Any:
    if make:
        builder = tantivy.SchemaBuilder()
        builder.add_text_field(TEXT, stored=True, tokenizer_name=_WHITE, index_option="freq")
        builder.add_text_field(NAMES, stored=True, tokenizer_name=_WHITE, index_option="basic")
        for name in (ROW, OWNER, LENGTH):
            builder.add_unsigned_field(name, indexed=name == OWNER, fast=True)
        index = tantivy.Index(builder.build(), path=str(folder))
    else:
        index = tantivy.Index.open(str(folder))
    blanks = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer(_WHITE, blanks)
    return index


def _imported() -> Any:
    import tantivy

    return tantivy


def _asked(ask: Callable[..., T], *given: Any, **named: Any) -> T:
    """An answer of tantivy's; whatever else it does with damaged files is one error of ours."""
    try:
        return ask(*given, **named)
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # a panic of its own is no Exception
        raise Integrity("The index of words is damaged.", next=REBUILD) from error


def _written(write: Callable[..., T], *given: Any, **named: Any) -> T:
    """What tantivy writes; a disk that is full or read-only is named as such."""
    try:
        return write(*given, **named)
    except (KeyboardInterrupt, SystemExit, GeneratorExit):
        raise
    except BaseException as error:  # a panic of its own is no Exception
        raise Unavailable(f"The index of words cannot be written: {error}.") from error
