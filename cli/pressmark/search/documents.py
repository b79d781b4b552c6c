"""PDFs that a person holds in; the works they are, filed with their text in one commit, out."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from pressmark import disk, ids
from pressmark.errors import Ambiguous, FormatMissing, NotFound, Offline
from pressmark.library import Added, Write
from pressmark.record import Paper, Record, Reference
from pressmark.text import clean, fold

if TYPE_CHECKING:
    from pressmark.fulltext import Extracted
    from pressmark.library import Library

SUFFIX = ".pdf"
LARGEST = 50 * 2**20
FEWEST_WORDS = 3
"""Words of a title that a paper nobody knows is filed under."""

MOST = 4
"""Identifiers of a first page that are looked up; a page that names more is a list of others."""


SCANS = frozenset({"no_text_layer", "garbled", "empty"})
"""What a person can read all the same: such a document is held without a text."""


@dataclass(frozen=True)
class Document:
    """A PDF and what was read in it."""

    path: Path
    data: bytes
    found: Extracted
    unknown: str = ""  # why nobody could say which paper it is; empty when somebody could

    @cached_property
    def sha256(self) -> str:
        """The hash that its bytes are known by."""
        return disk.sha256(self.data)

    @property
    def has_text(self) -> bool:
        """Whether there is a text to file beside it."""
        return self.found.state == "ok"


def is_document(path: Path) -> bool:
    """Whether a file's name says that it is one."""
    return path.suffix.lower() == SUFFIX


def load(path: Path, password: str = "") -> Document:
    """Read a PDF; an error says why it can be no document of a reference."""
    from pressmark.fulltext import accept

    data = disk.read_given(path, LARGEST)
    found = accept.extract(data, "pdf", password)
    if found.state == "ok" or found.state in SCANS:
        return Document(path, data, found)
    why = f" ({found.warnings[0]})" if found.warnings else ""
    key = f"pressmark add ID, then: pressmark attach KEY {path.name} --force"
    raise FormatMissing(
        f"{path.name} does not say which paper it is: {found.sentence}{why}.",
        next="--password-stdin" if found.state == "encrypted" and not password else key,
    )


def identify(
    document: Document,
    by_identifier: Callable[[ids.Identifier], Paper],
    by_title: Callable[[str], Paper],
) -> tuple[Paper, Document]:
    """The paper that a PDF is, by an identifier on its first page whose title is the PDF's own.

    A page may name other works too, so an identifier alone is no proof. Where none fits, the
    title is asked for. A document that nobody knows, or that nobody could be asked about, is a
    paper of its own, and says why. A source that is down raises: it may know tomorrow.
    """
    from pressmark.fulltext import accept

    if not document.has_text:
        return _alone(document, document.found.sentence)
    why, off = [], False
    for name, named in _names(document)[:MOST]:
        identifier = ids.parse(name)
        if identifier is None:
            continue
        try:
            paper = by_identifier(identifier)
        except NotFound:
            why.append(f"{named}, which no source knows")
        except Offline:
            why.append(named)
            off = True
        else:
            if accept.likeness(paper.title, document.found) >= accept.CLOSE:
                return paper, document
            why.append(f"{named}, which is {paper.title[:80]!r}")
    if off:
        return _alone(document, *why, OFF)
    if not document.found.title:
        return _alone(
            document, *(why or ["its first page shows neither an identifier nor a title"])
        )
    unknown = "no source knows its title"
    try:
        paper = by_title(document.found.title)
    except NotFound:
        return _alone(document, *why, unknown)
    except Offline:
        return _alone(document, *why, OFF)
    except Ambiguous as problem:
        return _alone(document, *why, f"its title could be {' or '.join(problem.candidates[:3])}")
    if accept.likeness(paper.title, document.found) >= accept.CLOSE:
        return paper, document
    return _alone(document, *why, unknown)


OFF = "the network is off"


def _names(document: Document) -> list[tuple[str, str]]:
    """The identifiers that its first page states, then the one that its file is called by."""
    shown = [(name, f"its first page names {name}") for name in document.found.identifiers]
    called = ids.parse(document.path.stem) or ids.parse(document.path.stem.replace("_", "/", 1))
    if called is not None and str(called) not in document.found.identifiers:
        shown.append((str(called), f"its file is called {called}"))
    return shown


def _alone(document: Document, *why: str) -> tuple[Paper, Document]:
    """What a document says of itself, known by its bytes alone."""
    paper = Paper(
        title=_title(document), authors=_authors(document), type="document",
        sources=(f"file:{document.sha256}",),
    )  # fmt: skip
    return paper, replace(document, unknown="; ".join(why))


def _title(document: Document) -> str:
    """Its own title where it shows one, else the name of its file without what names collect."""
    found = document.found.title
    words = re.findall(r"[^\W\d_]{2,}", found)
    if len(words) >= FEWEST_WORDS or (len(words) == 2 and not re.search(r"\d", found)):
        return found
    stem = clean(unquote(document.path.stem))
    named = re.sub(r"[_+\s]+", " ", stem).strip()
    named = named if " " in named else re.sub(r"-+|(?<!\d)\.+|\.+(?!\d)", " ", named)
    return _COPY.sub("", named).strip(" -.,;") or stem or "Untitled document"


_COPY = re.compile(r"(?:[\s-]*\((?:\d+|copy)\)|[\s-]+copy(?:\s\d+)?)+$", re.I)
"""What systems add to the name of a second copy."""


def _authors(document: Document) -> tuple[str, ...]:
    """The authors that the file names, where its first page shows every one of them."""
    from pressmark.sources import names

    stated = document.found.author
    parts = [part.strip() for part in re.split(r";|,?\s+(?:and|&)\s+|,", stated) if part.strip()]
    page = fold(document.found.opening[:2000])
    told = [len(part.split()) > 1 and fold(part) in page for part in parts]
    if not parts or not all(told):
        return ()
    return tuple(name for part in parts if (name := names.author(part)))


def file(
    library: Library,
    papers: Sequence[Paper],
    documents: Sequence[tuple[int, Document]],
    *,
    topic: str | None,
    collection: str | None,
    tags: Sequence[str] = (),
    today: str,
    write: Write,
) -> Added:
    """File papers, and beside them the text of the documents; `(3, d)`: d is the fourth paper."""
    if not documents:
        return library.add(papers, topic=topic, collection=collection, tags=tags, write=write)
    repository = library.repository
    # A text names its reference's key, which only filing decides on: look first, under one lock.
    with repository.lock() if repository and not write.dry_run else nullcontext():
        plan = library.add(papers, topic=topic, write=replace(write, dry_run=True))
        held = _held(plan, documents)
        records, warnings = _records(library, plan, held, today, write)
        added = library.add(
            papers, topic=topic, collection=collection, tags=tags, records=records, write=write
        )
        if not write.dry_run and not write.branch:
            warnings += _keep(library, held, {getattr(one, "reference", "") for one in records})
    warnings += [_unknown(key, one, papers[at]) for key, (at, one) in held.items() if one.unknown]
    return replace(added, warnings=(*added.warnings, *warnings))


def _unknown(key: str, document: Document, paper: Paper) -> str:
    """What a person can do for a document that nobody could be asked about."""
    return (
        f"{key} is {document.path.name} itself, as nobody could be asked: {document.unknown}. "
        f"Its title is {paper.title[:80]!r}; edit it with: pressmark edit {key} --set title=…, or "
        f"give it its identifier: pressmark edit {key} --set doi=…, then: pressmark update {key}"
    )


Held = dict[str, tuple[int, Document]]


def _held(plan: Added, documents: Sequence[tuple[int, Document]]) -> Held:
    """The key that each document belongs to; the first one where several are the same paper."""
    held: Held = {}
    for at, document in documents:
        if plan.items[at].key:
            held.setdefault(plan.items[at].key, (at, document))
    return held


def _records(
    library: Library, plan: Added, held: Held, today: str, write: Write
) -> tuple[list[Record], list[str]]:
    """The texts to file, a mark for who has none, and a sentence for each that is not needed."""
    from pressmark.fulltext import asking, filing
    from pressmark.library.places import place

    records: list[Record] = []
    warnings = []
    texts = library.catalogue.with_fulltext()
    for key, (_, document) in held.items():
        if key in texts:
            text = library.fulltext(key)
            same = text is not None and text.sha256 == document.sha256
            warnings.append(
                f"{key} has its text from this very file already." if same else
                f"{key} has a text already; it stays "
                f"(pressmark attach {key} {document.path.name} replaces it)."
            )  # fmt: skip
            continue
        ref = _planned(library, plan, key)
        if not document.has_text:
            if not ref.fulltext:
                mark = asking.mark(f"file: {document.found.sentence}", today)
                records.append(replace(ref, fulltext=mark))
            continue
        made = filing.record(
            ref, document.found, document.data, today=today, filename=document.path.name
        )
        if not write.dry_run:
            filing.settle(library, place(library.catalogue, made), made)
        records.append(made)
    return records, warnings


def _planned(library: Library, plan: Added, key: str) -> Reference:
    """The reference as it will be."""
    from pressmark import page

    for change in plan.changes:
        if change.after is not None and change.path.endswith(f"/{key}.md"):
            return page.read(Reference, change.after, change.path)
    return library.get(key)


def _keep(library: Library, held: Held, filed: set[str]) -> list[str]:
    """Put the documents beside their references; one that is there without need is let be."""
    from pressmark.fulltext import keeping

    notes: list[str] = []
    for key, (_, document) in held.items():
        if key in filed or library.artefact(key, "pdf") is None:
            notes += keeping.keep(library, key, document.data, "pdf")
    return notes
