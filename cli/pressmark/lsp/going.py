"""A link or a query in; the files and places it leads to, and those that lead to it, out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from pressmark.catalogue import layout
from pressmark.links import Link, Target, headings, parse, prose
from pressmark.links.backlinks import mentions
from pressmark.links.resolve import same
from pressmark.lsp.document import Document
from pressmark.lsp.shelf import Shelf
from pressmark.lsp.text import Text
from pressmark.text import fold

if TYPE_CHECKING:
    from pressmark.library import Library

Open = Callable[[str], str | None]
"""The text of a file as an editor holds it, or None where it is not open."""

SYMBOLS = 100


def uri_of(root: Path, path: str) -> str:
    """The address of a file of the library."""
    return (root / path).as_uri()


def definition(shelf: Shelf, document: Document, link: Link, reader: Reader) -> lsp.Location | None:
    """Where a link leads: the file, at its heading or block where it names one."""
    if link.kind in ("tag", "block"):
        return None
    target = shelf.resolver.resolve(link, document.path)
    if target is None or target.kind in ("outside", "folder"):
        return None
    line = _line(reader.text(target.path), link) if link.heading else 0
    place = lsp.Position(line, 0)
    return lsp.Location(uri_of(reader.root, target.path), lsp.Range(place, place))


class Reader:
    """Reads files as the editor holds them, else as they are on disk."""

    def __init__(self, library: Library, open_text: Open) -> None:
        self.library, self.root, self._open = library, library.root, open_text

    def text(self, path: str) -> str:
        """A file's text; empty where it cannot be read."""
        held = self._open(path)
        if held is not None:
            return held
        from pressmark import disk
        from pressmark.errors import PressmarkError

        try:
            return prose.decoded(disk.read_bytes(self.root, path))
        except PressmarkError:
            return ""

    def all(self) -> Iterator[prose.Prose]:
        """Every file of prose, those that are open with their unsaved text."""
        saved = []
        for path, kind in prose.paths(self.library).items():
            held = self._open(path)
            if held is not None:
                yield prose.Prose(path, kind, held)
            else:
                saved.append((path, kind))
        yield from prose.read(self.library, saved)


def _line(text: str, link: Link) -> int:
    """The line (from 0) of the heading or block that a link names; the first where it is gone."""
    if link.block:
        found = (
            e.line for e in parse(text) if e.kind == "block" and same(e.target) == same(link.block)
        )
        return next(found, 1) - 1
    wanted = _letters(link.heading.rpartition("#")[2])
    return next((line for _, title, line in headings(text) if _letters(title) == wanted), 1) - 1


def _letters(title: str) -> str:
    return re.sub(r"[\W_]+", "", fold(title))


def target_at(shelf: Shelf, document: Document, offset: int) -> Target | None:
    """What is meant at a place: a link's target, else the reference or note that the file is."""
    link = document.link_at(offset)
    if link is not None and link.kind not in ("tag", "block"):
        found = shelf.resolver.resolve(link, document.path)
        return found if found and found.kind not in ("outside", "folder") else None
    if layout.kind(document.path) in ("reference", "note", "fulltext", "topic"):
        return shelf.resolver.at(document.path)
    return None


def references(
    shelf: Shelf, reader: Reader, target: Target, encoding: str, *, declared: bool
) -> list[lsp.Location]:
    """Every place of the prose that leads to a file; its own too where `declared`."""
    wanted = {target.path}
    if target.kind in ("reference", "fulltext"):
        own = target.path.replace(".fulltext.md", ".md")
        wanted = {own, layout.beside(own)}
    names = _names(shelf, target)
    found = []
    for text in reader.all():
        if not any(name in same(text.text) for name in names):
            continue
        lines = Text(text.text, encoding)
        for each in mentions(text, shelf.resolver):
            if each.target and each.target.path in wanted and each.path not in wanted:
                place = lines.range(each.link.target_start, each.link.target_end)
                found.append(lsp.Location(uri_of(reader.root, each.path), place))
    found.sort(key=lambda each: (each.uri, each.range.start.line, each.range.start.character))
    if declared:
        start = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
        found.insert(0, lsp.Location(uri_of(reader.root, target.path), start))
    return found


def _names(shelf: Shelf, target: Target) -> set[str]:
    """Words one of which stands in every file that points to a target."""
    names = {same(target.name.rpartition("/")[2])}
    choice = shelf.by_path.get(target.path)
    if choice:
        names |= {same(choice.title), same(choice.detail)}
        held = shelf.resolver.library.catalogue
        ref = held.get(target.name) if target.kind == "reference" else None
        if ref is not None:
            from pressmark import ids

            names |= {same(each.partition(":")[2]) for each in ids.identities(ref)}
            names |= {same(alias) for alias in ref.aliases}
        else:
            entry = held.record(target.kind, target.name)
            names |= {same(alias) for alias in getattr(entry[1] if entry else None, "aliases", ())}
    return names - {""}


def document_links(shelf: Shelf, document: Document, root: Path) -> list[lsp.DocumentLink]:
    """Every link of a document that leads to a file of the library."""
    found = []
    for link in document.pointing():
        target = shelf.resolver.resolve(link, document.path)
        if target and target.kind not in ("outside", "folder"):
            place = document.text.range(link.start, link.end)
            choice = shelf.by_path.get(target.path)
            found.append(lsp.DocumentLink(
                place, uri_of(root, target.path), choice.label if choice else target.path
            ))  # fmt: skip
    return found


def symbols(shelf: Shelf, query: str, root: Path) -> list[lsp.WorkspaceSymbol]:
    """The references, notes and topics that answer to a query."""
    kinds = {"reference": lsp.SymbolKind.Constant, "note": lsp.SymbolKind.File}
    start = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
    return [
        lsp.WorkspaceSymbol(
            location=lsp.Location(uri_of(root, each.path), start), name=each.label,
            kind=kinds.get(each.kind, lsp.SymbolKind.Namespace), container_name=each.detail,
        )
        for each in shelf.look(query, limit=SYMBOLS)
    ]  # fmt: skip


def hints(shelf: Shelf, document: Document, span: tuple[int, int]) -> list[lsp.InlayHint]:
    """`Vaswani & Shazeer 2017` behind each citation of a stretch."""
    found = []
    for link in document.pointing():
        if link.kind != "cite" or not span[0] <= link.start <= span[1]:
            continue
        target = shelf.resolver.cite(link.target)
        choice = shelf.references.get(target.name) if target else None
        if choice:
            short = choice.label.removesuffix(choice.title).strip() or choice.label[:40]
            place = document.text.position(link.target_end)
            found.append(lsp.InlayHint(place, short, padding_left=True))
    return found
