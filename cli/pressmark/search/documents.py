"""PDFs that a person holds in; the works they are, filed with their text in one commit, out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pressmark import disk, ids
from pressmark.errors import FormatMissing, NotFound
from pressmark.library import Added, Write
from pressmark.record import FullText, Paper, Reference

if TYPE_CHECKING:
    from pressmark.fulltext import Extracted
    from pressmark.library import Library

SUFFIX = ".pdf"
LARGEST = 50 * 2**20
FEWEST_WORDS = 3
"""Words of a title that a paper nobody knows is filed under."""

MOST = 4
"""Identifiers of a first page that are looked up; a page that names more is a list of others."""


@dataclass(frozen=True, slots=True)
class Document:
    """A PDF and what was read in it."""

    path: Path
    data: bytes
    found: Extracted


def is_document(path: Path) -> bool:
    """Whether a file's name says that it is one."""
    return path.suffix.lower() == SUFFIX


def load(path: Path) -> Document:
    """Read a PDF; an error says why it gives no text."""
    from pressmark.fulltext import accept

    data = disk.read_given(path, LARGEST)
    found = accept.extract(data, "pdf")
    if found.state != "ok":
        why = f" ({found.warnings[0]})" if found.warnings else ""
        raise FormatMissing(
            f"{path.name} does not say which paper it is: {found.sentence}{why}.",
            next=f"pressmark add ID, then: pressmark attach KEY {path.name} --force",
        )
    return Document(path, data, found)


def identify(
    document: Document,
    by_identifier: Callable[[ids.Identifier], Paper],
    by_title: Callable[[str], Paper],
) -> Paper:
    """The paper that a PDF is, by an identifier on its first page whose title is the PDF's own.

    A page may name other works too, so an identifier alone is no proof. Where none fits, the
    title is asked for. A document with a title that no source knows is a paper of its own.
    """
    from pressmark.fulltext import accept

    others = []
    for name in document.found.identifiers[:MOST]:
        identifier = ids.parse(name)
        if identifier is None:
            continue
        try:
            paper = by_identifier(identifier)
        except NotFound:
            continue
        if accept.likeness(paper.title, document.found) >= accept.CLOSE:
            return paper
        others.append(f"{name} is {paper.title!r}")
    if document.found.title:
        with suppress(NotFound):
            paper = by_title(document.found.title)
            if accept.likeness(paper.title, document.found) >= accept.CLOSE:
                return paper
        if len(document.found.title.split()) >= FEWEST_WORDS:
            return alone(document)
    why = f"; {'; '.join(others)}" if others else ""
    raise NotFound(
        f"{document.path.name} is no paper that a source knows{why}.",
        next=f"pressmark add ID, then: pressmark attach KEY {document.path.name}",
    )


def alone(document: Document) -> Paper:
    """What a document says of itself, known by its bytes alone."""
    source = f"file:{disk.sha256(document.data)}"
    return Paper(title=document.found.title, type="document", sources=(source,))


def file(
    library: Library,
    papers: Sequence[Paper],
    documents: Sequence[tuple[int, Document]],
    *,
    topic: str | None,
    collection: str | None,
    today: str,
    write: Write,
) -> Added:
    """File papers, and beside them the text of the documents; `(3, d)`: d is the fourth paper."""
    if not documents:
        return library.add(papers, topic=topic, collection=collection, write=write)
    repository = library.repository
    # A text names its reference's key, which only filing decides on: look first, under one lock.
    with repository.lock() if repository and not write.dry_run else nullcontext():
        plan = library.add(papers, write=replace(write, dry_run=True))
        held = _held(plan, documents)
        texts, warnings = _texts(library, plan, held, today, write)
        added = library.add(papers, topic=topic, collection=collection, records=texts, write=write)
        if not write.dry_run and not write.branch:
            _keep(library, held)
    return replace(added, warnings=(*added.warnings, *warnings))


def _held(plan: Added, documents: Sequence[tuple[int, Document]]) -> dict[str, Document]:
    """The key that each document belongs to; the first one where several are the same paper."""
    held: dict[str, Document] = {}
    for at, document in documents:
        if plan.items[at].key:
            held.setdefault(plan.items[at].key, document)
    return held


def _texts(
    library: Library, plan: Added, held: dict[str, Document], today: str, write: Write
) -> tuple[list[FullText], list[str]]:
    """The texts to file, and a sentence for each that is not needed."""
    from pressmark.fulltext import filing
    from pressmark.library.places import place

    texts, warnings = [], []
    for key, document in held.items():
        if key in library.catalogue.with_fulltext():
            warnings.append(
                f"{key} has a text already; it stays "
                f"(pressmark attach {key} {document.path.name} replaces it)."
            )
            continue
        ref = _planned(library, plan, key)
        text = filing.record(
            ref, document.found, document.data, today=today, filename=document.path.name
        )
        if not write.dry_run:
            filing.settle(library, place(library.catalogue, text), text)
        texts.append(text)
    return texts, warnings


def _planned(library: Library, plan: Added, key: str) -> Reference:
    """The reference as it will be."""
    from pressmark import page

    for change in plan.changes:
        if change.after is not None and change.path.endswith(f"/{key}.md"):
            return page.read(Reference, change.after, change.path)
    return library.get(key)


def _keep(library: Library, held: dict[str, Document]) -> None:
    """Put the documents beside their references, but never over one that is there."""
    from pressmark.fulltext import filing

    for key, document in held.items():
        if library.artefact(key, "pdf") is None:
            filing.keep_original(library, library.get(key), document.data, "pdf")
