"""The stored texts and documents of a library in; a list of them, or the same without some, out.

A reference has up to two artefacts: its text, which the library holds, and its document, the
file that the text was made from. Either can go without the other.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

from pressmark import disk, page
from pressmark.errors import BadInput, NotFound, PressmarkError
from pressmark.fulltext.documents import SUFFIXES
from pressmark.fulltext.licenses import is_open
from pressmark.library import Outcome, Write, aside
from pressmark.library.outcome import subject
from pressmark.library.writing import finish, writing
from pressmark.record import FullText

if TYPE_CHECKING:
    from pressmark.library import Library

Artefact: TypeAlias = Literal["text", "document"]
DEFAULT = Write()
LIMIT = 50


@dataclass(frozen=True, slots=True)
class Stored:
    """One artefact of one reference."""

    key: str
    artefact: Artefact
    path: str
    source: str | None
    format: str | None
    license: str | None
    open: bool
    date: str | None  # when the text was made; for a document, when its file was written
    bytes: int
    sha256: str | None = None  # the document's, as it was when the text was made
    pages: int | None = None
    filename: str | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """A part of the list: `offset + len(entries) < total` says that there is more."""

    entries: tuple[Stored, ...]
    offset: int
    limit: int
    total: int

    @property
    def has_more(self) -> bool:
        return self.offset + len(self.entries) < self.total


@dataclass(frozen=True, slots=True)
class Removed:
    """What went, what was not there, and the commit."""

    removed: tuple[str, ...]
    missing: tuple[str, ...]
    outcome: Outcome


def texts(
    library: Library,
    keys: Sequence[str] | None = None,
    *,
    source: str | None = None,
    form: str | None = None,
    offset: int = 0,
    limit: int = LIMIT,
) -> Listing:
    """The stored texts and documents, by key; of some references, a source or a form only."""
    if offset < 0 or limit < 1:
        raise BadInput("An offset is at least 0 and a limit at least 1.")
    wanted = None if keys is None else set(keys)
    paths = library.catalogue.with_fulltext()
    beside = _all_documents(library)
    names = sorted(paths.keys() | beside.keys())
    found = [
        one
        for key in names
        if wanted is None or key in wanted
        for one in _of(library, key, paths.get(key), beside.get(key, []))
    ]
    kept = [
        one for one in found
        if (source is None or one.source == source) and (form is None or one.format == form)
    ]  # fmt: skip
    return Listing(tuple(kept[offset : offset + limit]), offset, limit, len(kept))


def _of(
    library: Library, key: str, path: str | None, documents: Sequence[disk.Stat]
) -> list[Stored]:
    text = _read(library, path)
    found = []
    if path is not None and text is not None:
        licence = text.license or text.rights
        pages = int(text.pages) if text.pages and text.pages.isdigit() else None
        found.append(Stored(
            key, "text", path, text.source, text.format, text.license, is_open(licence),
            text.extracted, len(library.read_page(path)), text.sha256, pages, text.filename,
        ))  # fmt: skip
    for each in documents:
        suffix = "." + each.relative.rpartition(".")[2]
        form = next(kind for kind, end in _FORMS.items() if suffix.startswith(end))
        same = text is not None and suffix.startswith(_FORMS.get(text.format or "", "?"))
        mine = text if same else None
        written = datetime.date.fromtimestamp(each.mtime_ns / 1e9)
        found.append(Stored(
            key, "document", each.relative, mine.source if mine else None,
            mine.format if mine else form, mine.license if mine else None,
            is_open(mine.license or mine.rights) if mine else False, written.isoformat(),
            each.size, mine.sha256 if mine else None, None,
            mine.filename if mine else None,
        ))  # fmt: skip
    return found


_FORMS = {"pdf": ".pdf", "jats": ".xml", "tei": ".xml", "html": ".htm"}


def _all_documents(library: Library) -> dict[str, list[disk.Stat]]:
    """Every document that lies beside a reference, by its key."""
    held = frozenset(library.catalogue.keys())
    found: dict[str, list[disk.Stat]] = {}
    for each in disk.walk(library.root, "library", suffix=""):
        key, dot, ending = each.relative.rpartition("/")[2].rpartition(".")
        if dot and f".{ending}" in SUFFIXES and key in held:
            found.setdefault(key, []).append(each)
    return found


def _read(library: Library, path: str | None) -> FullText | None:
    if path is None:
        return None
    with suppress(PressmarkError):
        return page.read(FullText, library.read_page(path), path)
    return None


def _documents(library: Library, key: str) -> list[str]:
    stem = library.path(key).removesuffix(".md")
    return [stem + end for end in SUFFIXES if disk.exists(library.root, stem + end)]


def remove(
    library: Library, keys: Sequence[str], what: Sequence[Artefact], write: Write = DEFAULT
) -> Removed:
    """Delete texts, documents or both; what is not there is named, and the rest goes all the same.

    A text goes in a commit. A document is in no commit: it is deleted from the disk, the one
    beside the reference only, never one in a folder of the user's.
    """
    removed: list[str] = []
    missing: list[str] = []
    later: list[str] = []
    with writing(library, write) as draft:
        paths = library.catalogue.with_fulltext()
        for key in dict.fromkeys(keys):
            if "text" in what:
                path = paths.get(key)
                if path is None:
                    missing.append(f"{key} text")
                else:
                    draft.delete(path)
                    removed.append(path)
            if "document" in what:
                found = _documents(library, key)
                missing += [] if found else [f"{key} document"]
                tracked = _tracked(library, found)
                for one in found:
                    (draft.delete if one in tracked else later.append)(one)
                removed += found
        if not removed:
            raise NotFound(f"There is nothing to remove: {', '.join(missing)}.")
        texts = [path for path in removed if path.endswith(".fulltext.md")]
        copies = [] if write.dry_run else aside.copies(library, texts)
        title = subject(f"remove {' and '.join(what)}", list(dict.fromkeys(keys)))
        outcome = finish(library, draft, title, write, keys=tuple(keys))
        if not write.dry_run and not write.branch:
            _delete(library, later)
    return Removed(tuple(removed), tuple(missing), _with(outcome, later, copies))


def _tracked(library: Library, paths: Sequence[str]) -> set[str]:
    """The documents that git knows: some libraries keep them there."""
    repository = library.repository
    folders = {path.rpartition("/")[0] for path in paths}
    return {one for folder in folders for one in (repository.tracked(folder) if repository else ())}


def _delete(library: Library, paths: Sequence[str]) -> None:
    remover: Callable[..., None] = disk.remove_file
    for path in paths:
        remover(library.root / path, root=library.root)


def _with(outcome: Outcome, documents: Sequence[str], copies: Sequence[str]) -> Outcome:
    notes = [f"{path} is in no commit: undo does not bring it back." for path in documents]
    notes += [f"A text that was in no commit is kept as {place}." for place in copies]
    return replace(outcome, warnings=(*outcome.warnings, *notes))
