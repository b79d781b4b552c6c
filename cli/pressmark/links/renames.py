"""A library, an old name and a new one come in; the files whose prose must follow go out."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from pressmark import disk, page
from pressmark.catalogue import layout
from pressmark.errors import NotSpliceable, PressmarkError, Unreadable
from pressmark.library.places import renamed
from pressmark.links import prose
from pressmark.links.backlinks import Mention, mentions
from pressmark.links.moves import Moves, edits
from pressmark.links.resolve import Resolver, same
from pressmark.record import Collection, Extra, Note

if TYPE_CHECKING:
    from pressmark.library import Library

_ITEM = re.compile(r"(\[\[|@|\[@)?(.*?)(\]\]|\])?", re.S)

BESIDE = (".md", ".fulltext.md", ".pdf", ".xml", ".html")
"""The files of a reference, which move together."""

NOTHING: Mapping[str, str] = {}


def rename_edits(
    library: Library, old: str, new: str, unsaved: Mapping[str, str] = NOTHING
) -> dict[str, bytes]:
    """New bytes of every file that cites, links or lists a reference by its key.

    Paths are those before the rename. `unsaved` are texts of files that an editor holds.
    """
    own = library.path(old)
    there = renamed(own, old, new)
    paths = {own.removesuffix(".md") + e: there.removesuffix(".md") + e for e in BESIDE}
    return _all(library, Moves(paths, {old: new}, unsaved), old, new)


def note_edits(
    library: Library, old: str, new: str, unsaved: Mapping[str, str] = NOTHING
) -> dict[str, bytes]:
    """New bytes of every file that links or lists a note, by the paths of the note."""
    moves = Moves({old: new}, {}, unsaved)
    return _all(library, moves, layout.name(old), layout.name(new))


def left_behind(library: Library, names: list[str]) -> list[Mention]:
    """The mentions of names that lead nowhere now: in files that a change could not take along."""
    wanted = {same(name) for name in names}
    resolver = Resolver(library)
    texts = prose.read(library, prose.paths(library).items())
    near = (text for text in texts if any(name in same(text.text) for name in wanted))
    found = (each for text in near for each in mentions(text, resolver))
    return [each for each in found if each.target is None and _stem(each.link.target) in wanted]


def _stem(target: str) -> str:
    return same(target.rpartition("/")[2].removesuffix(".md").removeprefix("@"))


def _all(library: Library, moves: Moves, old: str, new: str) -> dict[str, bytes]:
    """The edits of links, and those of the lists in front matter."""
    found = edits(library, moves)
    with disk.Tree(library.root) as tree:
        for file in library.catalogue.files():
            if file.kind not in ("note", "collection") or not _may_list(moves, file.path):
                continue
            data = found.get(file.path)
            if data is None:
                held = moves.unsaved.get(file.path)
                try:
                    data = prose.encoded(held) if held is not None else tree.read(file.path)[0]
                except PressmarkError:
                    continue
            if same(old).encode("utf-8", "replace") in same(prose.decoded(data)).encode(
                "utf-8", "replace"
            ):
                after = _listed(file.path, data, old, new)
                if after != data:
                    found[file.path] = after
    return found


def _may_list(moves: Moves, path: str) -> bool:
    return path not in moves.paths or bool(moves.keys) or path.startswith("notes/")


def _listed(path: str, data: bytes, old: str, new: str) -> bytes:
    """The file with the key renamed in the list of its front matter."""
    kind = layout.kind(path)
    try:
        if kind == "note":
            note = page.read(Note, data, path)
            about = _renamed(note.about, old, new)
            anchors = tuple(_anchored(each, old, new) for each in note.anchors)
            return page.update(data, replace(note, about=about, anchors=anchors), path)
        if kind == "collection":
            held = page.read(Collection, data, path)
            members = _renamed(held.members, old, new)
            if members != held.members:
                return page.update(data, replace(held, members=tuple(sorted(members))), path)
    except NotSpliceable:
        raise
    except Unreadable:
        pass  # `check` names it; its prose can follow all the same
    return data


def _renamed(items: tuple[str, ...], old: str, new: str) -> tuple[str, ...]:
    """The list with the key replaced, whatever signs stand around it."""
    return tuple(_item(item, old, new) for item in items)


def _anchored(anchor: Extra, old: str, new: str) -> Extra:
    """An anchor with the key of its reference renamed."""
    if isinstance(anchor, Mapping) and isinstance(held := anchor.get("reference"), str):
        return {**anchor, "reference": _item(held, old, new)}
    return anchor


def _item(item: str, old: str, new: str) -> str:
    found = _ITEM.fullmatch(item)
    if found is None or found.group(2).casefold() != old.casefold():
        return item
    return f"{found.group(1) or ''}{new}{found.group(3) or ''}"
