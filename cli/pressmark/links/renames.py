"""A library, an old key and a new one come in; the files whose prose must follow go out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from pressmark import disk, page
from pressmark.catalogue import layout
from pressmark.errors import NotSpliceable, PressmarkError, Unreadable
from pressmark.links import foreign, prose
from pressmark.links.link import Link
from pressmark.links.parse import parse
from pressmark.links.resolve import Resolver
from pressmark.links.rewrite import rewrite
from pressmark.record import Collection, Note

if TYPE_CHECKING:
    from pressmark.library import Library

_ITEM = re.compile(r"(\[\[|@|\[@)?(.*?)(\]\]|\])?", re.S)


def rename_edits(library: Library, old: str, new: str) -> dict[str, bytes]:
    """New bytes of every file that cites, links or lists a reference by its key.

    The reference's own file and its full text are the caller's, who moves them.
    """
    resolver = Resolver(library)
    own = library.path(old)
    edits: dict[str, bytes] = {}
    with disk.Tree(library.root) as tree:
        for path in _candidates(library, old, tree):
            if path == own:
                continue
            before = tree.read(path)[0]
            after = _linked(_listed(path, before, old, new), path, old, new, resolver, own)
            if after != before:
                edits[path] = after
    return edits


def _candidates(library: Library, old: str, tree: disk.Tree) -> Iterator[str]:
    """The files of prose in which the key stands at all."""
    folded = old.casefold().encode()
    for path in prose.paths(library):
        with suppress(PressmarkError):
            if folded in tree.read(path)[0].lower():
                yield path


def _linked(data: bytes, path: str, old: str, new: str, resolver: Resolver, own: str) -> bytes:
    """The file with its links to the reference, or to a file beside it, renamed."""

    def belongs(link: Link) -> bool:
        target = resolver.resolve(link, path)
        return target is not None and _bare(target.path) == _bare(own)

    read = foreign.scanner(path) or parse
    return prose.encoded(rewrite(prose.decoded(data), {old: new}, belongs, read))


def _bare(path: str) -> str:
    """A path up to the first dot of its file's name."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{name.partition('.')[0]}"


def _listed(path: str, data: bytes, old: str, new: str) -> bytes:
    """The file with the key renamed in the list of its front matter."""
    kind = layout.kind(path)
    try:
        if kind == "note":
            note = page.read(Note, data, path)
            return page.update(data, replace(note, about=_renamed(note.about, old, new)), path)
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


def _item(item: str, old: str, new: str) -> str:
    found = _ITEM.fullmatch(item)
    if found is None or found.group(2).casefold() != old.casefold():
        return item
    return f"{found.group(1) or ''}{new}{found.group(3) or ''}"
