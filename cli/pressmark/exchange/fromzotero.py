"""A Zotero in; its items as references, with reading lists, notes and marks, in one commit, out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pressmark import ids
from pressmark.catalogue import layout
from pressmark.errors import NotFound, PressmarkError
from pressmark.exchange import zotero, zoteroapi
from pressmark.formats import zotero as reading
from pressmark.library import Item, Library, Write
from pressmark.notes.anchor import Anchor, written
from pressmark.record import Collection, Note, Paper, Record
from pressmark.search.importing import Imported, file
from pressmark.search.intake import Gathered
from pressmark.text import clean, from_jats

if TYPE_CHECKING:
    from pressmark.library.adding import Tell

MARK = "zotero"
"""The field of a note or reading list that says which of Zotero's it is."""


@dataclass(slots=True)
class _Zotero:
    """What was read: papers with the keys they have in Zotero, and what hangs on them."""

    got: Gathered = field(default_factory=Gathered)
    keys: list[str] = field(default_factory=list)
    shelf: zotero.Shelf = field(default_factory=zotero.Shelf)
    folder: zotero.Database | None = None
    files: dict[str, Path] = field(default_factory=dict)


def import_zotero(
    library: Library,
    place: Path | None = None,
    *,
    with_files: bool = False,
    tell: Tell | None = None,
    write: Write | None = None,
) -> Imported:
    """File a Zotero: its database first, then the program that runs here; it is never written to.

    Raises NotFound with both reasons where neither can be read.
    """
    found = _read(library, place or zotero.home())
    write = write or Write()
    subject = f"import: {len(found.got.papers)} items of Zotero"
    done = file(
        library, found.got, subject, tell=tell, write=write,
        records=lambda items: _records(library, found, items),
    )  # fmt: skip
    if with_files and not write.dry_run:
        done.problems += _copied(library, found, done)
    return done


def _read(library: Library, place: Path) -> _Zotero:
    found = _Zotero()
    try:
        with zotero.opened(place) as held:
            found.shelf = held.shelf()
            _take(found, held.items())
            found.files = _files(held, found)
            return found
    except PressmarkError as problem:
        why = str(problem)
    try:
        works, found.shelf = zoteroapi.everything(zoteroapi.client(library.config))
    except PressmarkError as problem:
        raise NotFound(
            f"{why} And no Zotero answers on this machine: {problem}",
            next="pressmark import --zotero DIR, the folder that holds zotero.sqlite",
        ) from None
    _take(found, works)
    return found


def _take(found: _Zotero, items: Any) -> None:
    for item in items:
        made, problems = reading.paper(item)
        key = str(item.get("key", ""))
        name = str(item.get("citationKey") or key)
        found.got.problems += [f"Zotero: {name}: {problem}" for problem in problems]
        if made is None:
            found.got.problems.append(f"Zotero: {name}: it has no title and was left out")
            continue
        paths = [str(c["path"]) for c in _children(found, key, "attachment") if c.get("path")]
        extra = {**made.extra, "file": paths} if paths else made.extra
        notice = "retracted" if item.get("retracted") else made.notice
        clean_extra = {n: v for n, v in extra.items() if n != "retracted"}
        found.got.places[len(found.got.papers)] = "Zotero", None
        found.got.papers.append(_with(made, clean_extra, notice))
        found.keys.append(key)


def _with(made: Paper, extra: Mapping[str, Any], notice: str | None) -> Paper:
    return replace(made, extra=extra, notice=notice)


def _children(found: _Zotero, key: str, kind: str) -> list[dict[str, Any]]:
    return [each for each in found.shelf.children.get(key, []) if each["itemType"] == kind]


def _files(held: zotero.Database, found: _Zotero) -> dict[str, Path]:
    """The first PDF of each item that is on this machine."""
    files: dict[str, Path] = {}
    for key in found.keys:
        for each in _children(found, key, "attachment"):
            path = held.file(each)
            if path and path.suffix.lower() == ".pdf" and key not in files:
                files[key] = path
    return files


def _records(library: Library, found: _Zotero, items: Sequence[Item]) -> list[Record]:
    """Reading lists and notes, once it is known under which keys the items were filed."""
    keys = {own: item.key for own, item in zip(found.keys, items, strict=True) if item.key}
    made: list[Record] = [*_collections(library, found, keys)]
    return [*made, *_notes(library, found, keys)]


def _collections(library: Library, found: _Zotero, keys: Mapping[str, str]) -> list[Collection]:
    """A reading list a collection; one that is here already gains what is new."""
    here = {str(each.extra.get(MARK, "")): each for each in library.collections()}
    taken = {each.slug for each in library.collections()}
    made = []
    for own, (name, members) in found.shelf.collections.items():
        named = {keys[member] for member in members if member in keys}
        if own in here:
            held = here[own]
            members_now = tuple(sorted({*held.members, *named}, key=str.casefold))
            if members_now != held.members:
                made.append(replace(held, members=members_now))
        elif named:
            slug = ids.slug(name, taken)
            taken.add(slug)
            listed = tuple(sorted(named, key=str.casefold))
            made.append(Collection(slug=slug, title=clean(name), members=listed, extra={MARK: own}))
    return made


def _notes(library: Library, found: _Zotero, keys: Mapping[str, str]) -> list[Note]:
    """A note a note, and one for the marks in each document; what is here is left to its owner."""
    here = {str(note.extra.get(MARK, "")) for note in library.notes()}
    taken = {note.slug for note in library.notes()}
    titles = dict(zip(found.keys, (paper.title for paper in found.got.papers), strict=True))
    made: list[Note] = []
    for parent, children in found.shelf.children.items():
        for child in children:
            own = str(child["key"])
            if own in here:
                continue
            about = keys.get(parent)
            if child["itemType"] == "note" and (about or not parent):
                made.append(_note(child, about, taken))
            marks = _children(found, own, "annotation")
            if child["itemType"] == "attachment" and about and marks:
                title = f"Highlights of {titles.get(parent, about)}"
                made.append(_marks(own, title, about, marks, taken))
    return made


def _note(child: Mapping[str, Any], about: str | None, taken: set[str]) -> Note:
    text = from_jats(str(child.get("note", "")))
    first = text.partition("\n")[0].strip("*#_ ")
    title = clean(str(child.get("title") or "")) or first[:80] or "Note"
    slug = ids.slug(title, taken)
    taken.add(slug)
    cites = f"\n[@{about}]\n" if about else ""
    return Note(
        slug=slug, title=title, about=(about,) if about else (),
        extra={MARK: str(child["key"])}, body=f"\n{text}\n{cites}",
    )  # fmt: skip


def _marks(
    own: str, title: str, about: str, marks: Sequence[Mapping[str, Any]], taken: set[str]
) -> Note:
    """The highlights and comments of one document, each fastened to its words and page."""
    anchors, lines = [], []
    for mark in marks:
        words, comment = clean(str(mark["text"])), clean(str(mark["comment"]))
        page = clean(str(mark["page"]))
        if not (words or comment):
            continue
        anchors.append(written(Anchor(reference=about, exact=words, page=page, comment=comment)))
        place = f"[@{about}, p. {page}]" if page else f"[@{about}]"
        lines.append(f"> {words} {place}\n" if words else f"{place}\n")
        lines += [f"{comment}\n"] if comment else []
    slug = ids.slug(title, taken)
    taken.add(slug)
    return Note(
        slug=slug, title=title, about=(about,), tags=("highlights",), anchors=tuple(anchors),
        extra={MARK: own}, body="\n" + "\n".join(lines),
    )  # fmt: skip


def _copied(library: Library, found: _Zotero, done: Imported) -> list[str]:
    """Put the PDFs beside their references, where none is yet; a sentence for each that failed."""
    said = []
    keys = {own: item.key for own, item in zip(found.keys, done.added.items, strict=True)}
    folder = library.config.documents
    for own, source in found.files.items():
        key = keys.get(own)
        path = library.catalogue.path(key) if key else None
        if not key or not path:
            continue
        beside = library.root / layout.beside(path).replace(".fulltext.md", ".pdf")
        target = folder / f"{key}.pdf" if folder else beside
        if target.exists():
            continue
        try:
            zotero.copy(source, target)
        except (PressmarkError, OSError) as problem:
            said.append(f"Zotero: {source.name}: not copied: {problem}")
    return said
