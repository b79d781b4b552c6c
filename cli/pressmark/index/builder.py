"""Sources in, the files of an index in a new folder out: from nothing, or from an earlier index.

Nothing here decides when or where to build; see `place` and `opening`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pressmark.disk import folders
from pressmark.index import engines, entries, rows, templates, vectors
from pressmark.index.cache import VectorCache
from pressmark.index.engines import Beginning
from pressmark.index.entries import Entry
from pressmark.index.manifest import Manifest, written
from pressmark.index.ports import Document, Progress, Segment, WordsWriter, quiet
from pressmark.index.rows import (
    BODY,
    FULLTEXT,
    NOTE,
    PAPER,
    PASSAGES,
    SETS,
    SUMMARY,
    TABLE,
    Row,
    Rows,
)
from pressmark.index.sources import Source, Sources

if TYPE_CHECKING:
    from pressmark.index.embed import Embedder

_IN_WORDS = frozenset({PAPER, BODY, FULLTEXT, NOTE})
"""An abstract's words are those of its paper: ranking papers by whole abstracts is better than by
their passages (nDCG@10 on SciFact +0.006), and half as much to index."""


class Scribe:
    """Writes entries into the table and into the index of words."""

    def __init__(self, folder: Path, table: Rows, writer: WordsWriter) -> None:
        self.folder = folder
        self.table = table
        self.writer = writer
        self.passages = 0

    def add(self, entry: Entry, short: set[bytes]) -> None:
        """Write one owner's rows; `short` names the short paragraphs of its full text."""
        source = entry.source
        owner = self.table.add_owner(source.name, source.files, note=source.note)
        self.table.add_short(owner, short)
        alone = sum(item.role == SUMMARY for item in entry.items) == 1
        for number, item in enumerate(entry.items):
            passage = item.passage
            name = b"" if alone and item.role == SUMMARY else entries.vector_name(item)
            row = self.table.add(Row(
                0, owner, item.role, passage.id if passage else "",
                passage.section if passage else "", passage.page if passage else "", item.path,
                passage.start if passage else 0, passage.end if passage else 0, name,
            ))  # fmt: skip
            self.passages += item.role in PASSAGES
            if item.role in _IN_WORDS:
                text = item.text if number else f"{item.text} | {entry.keywords}"
                self.writer.add(Document(row, owner, text, "" if number else entry.names))


def from_nothing(folder: Path, library: Sources, progress: Progress = quiet) -> Manifest:
    """An index of words of the whole library."""
    writer = Beginning(folder)
    table = Rows.create(folder / TABLE)
    texts = [source for source in library.owners if len(source.paths) > 1]
    known: frozenset[bytes] = frozenset()
    if len(texts) >= templates.MANY:
        known = templates.recurring(entries.short(library, source) for source in texts)
        table.set_templates(known)
    scribe = Scribe(folder, table, writer)
    for _ in _add(scribe, library, library.owners, known, progress):
        writer.reached(scribe.passages)
    segments = writer.finish()
    return _finished(scribe, written(Manifest(fingerprint=library.fingerprint), writer.engine),
                     segments)  # fmt: skip


def from_earlier(
    folder: Path, earlier: Path, manifest: Manifest, library: Sources, progress: Progress = quiet
) -> Manifest:
    """The index of an earlier state of the library, brought up to date."""
    _carry(folder, earlier, manifest)
    table = Rows(folder / TABLE, writable=True)
    fresh, gone = library.difference(earlier)
    for owner in gone:
        table.forget(owner)
    known, others = _templates(library, table, fresh)
    fresh, gone = (*fresh, *others.values()), (*gone, *others)
    for owner in others:
        table.forget(owner)
    writer = engines.extending(
        manifest.engine, folder, manifest.segments, table.dead(), gone, len(fresh)
    )
    scribe = Scribe(folder, table, writer)
    for _ in _add(scribe, library, fresh, known, progress):
        pass
    segments = writer.finish()
    return _finished(scribe, replace(manifest, fingerprint=library.fingerprint), segments)


def with_vectors(
    folder: Path, earlier: Path, manifest: Manifest, library: Sources, embedder: Embedder,
    store: VectorCache, name: str, progress: Progress = quiet,
) -> Manifest:  # fmt: skip
    """The same index with the vectors of its `papers` or of its `passages` made anew."""
    same = manifest.model == embedder.id
    kept = {other: each for other, each in manifest.vectors.items() if same and other != name}
    held = replace(manifest, model=embedder.id, vectors=kept)
    _carry(folder, earlier, held)
    table = Rows(folder / TABLE)
    wanted = [row for row in table.each(*SETS[name]) if row.text]
    names = [row.text for row in wanted]
    missing = set(names).difference(store.held(names))
    owners = dict.fromkeys(row.owner for row in wanted if row.text in missing)
    for done in store.fill(_texts(library, table, owners, missing), embedder):
        progress(f"embedding {name}", done, len(missing))
    table.close()
    held_now = store.held(names)
    found = [row for row in wanted if row.text in held_now]
    made = vectors.write(
        folder, name, [row.id for row in found], [row.owner for row in found],
        store.each([row.text for row in found]), embedder.dimension,
    )  # fmt: skip
    counts = {**manifest.counts, f"{name}_embedded": made.count}
    return replace(held, counts=counts, vectors={**kept, name: made})


def _texts(
    library: Sources, table: Rows, owners: Collection[int], missing: set[bytes]
) -> Iterator[str]:
    """The texts that have no vector yet, read from the files again."""
    names, known = table.names(owners), table.templates()
    for owner in owners:
        source = library.owner(names[owner], note=owner >= rows.NOTES)
        entry = source and entries.read(library, source, known)
        for item in entry.items if entry else ():
            if entries.vector_name(item) in missing:
                yield item.text


def _add(
    scribe: Scribe, library: Sources, found: Collection[Source], known: frozenset[bytes],
    progress: Progress,
) -> Iterator[None]:  # fmt: skip
    """Index some sources, one at a time."""
    for number, source in enumerate(found, 1):
        entry = entries.read(library, source, known)
        if entry is not None:
            scribe.add(entry, entries.short(library, source))
            yield
        if number % 100 == 0 or number == len(found):
            progress("indexing words", number, len(found))


def _templates(
    library: Sources, table: Rows, fresh: Collection[Source]
) -> tuple[frozenset[bytes], dict[int, Source]]:
    """What recurs now, and the owners beside the fresh ones whose passages that changes."""
    counted = Counter(dict(table.shorts()))
    for source in fresh:
        counted.update(entries.short(library, source))
    known = frozenset(name for name, number in counted.items() if number >= templates.MANY)
    changed = known ^ table.templates()
    owners = table.having(changed) if changed else set()
    table.set_templates(known)
    names = table.names(owners)
    held = {owner: library.owner(names[owner], note=False) for owner in sorted(owners)}
    return known, {owner: source for owner, source in held.items() if source is not None}


def _finished(scribe: Scribe, manifest: Manifest, segments: tuple[Segment, ...]) -> Manifest:
    table = scribe.table
    dead = table.dead()
    counts = {
        "references": table.number(notes=False),
        "notes": table.number(notes=True),
        "passages": table.count(*PASSAGES),
        "documents": table.count(*_IN_WORDS),
    }
    for name, roles in SETS.items():
        stored = manifest.vectors.get(name)
        held = vectors.rows_of(scribe.folder, stored) if stored else ()
        counts[f"{name}_to_embed"] = table.to_embed(*roles)
        counts[f"{name}_embedded"] = sum(row not in dead for row in held)
    table.commit()
    table.close()
    return replace(manifest, segments=segments, counts=counts)


def _carry(folder: Path, earlier: Path, manifest: Manifest) -> None:
    """The files of an earlier index that stay as they are, and a copy of its table."""
    folders.copy(earlier / TABLE, folder / TABLE)
    names = [name for each in manifest.segments for name in each.files]
    names += [name for each in manifest.vectors.values() for name in each.files]
    for name in names:
        folders.link_or_copy(earlier / name, folder / name)
