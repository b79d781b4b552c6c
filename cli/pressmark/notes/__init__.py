"""Notes: the user's own Markdown, begun, found, quoted from and kept true; each name loads late."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pressmark.notes.anchor import Anchor
    from pressmark.notes.changing import UNSET, NoteChange, bytes_of, remove, rewrite, update
    from pressmark.notes.data import anchors_of, note_data
    from pressmark.notes.finding import Found, NoteQuery, find
    from pressmark.notes.highlighting import highlights
    from pressmark.notes.keeping import Keeper, Kept, quote
    from pressmark.notes.making import Draft, begin, compose, file
    from pressmark.notes.naming import exists, get, path_of, titled
    from pressmark.notes.quoting import Place, Text
    from pressmark.notes.renaming import rename

_HOMES = {
    "anchor": ("Anchor",),
    "changing": ("UNSET", "NoteChange", "bytes_of", "remove", "rewrite", "update"),
    "data": ("anchors_of", "note_data"),
    "finding": ("Found", "NoteQuery", "find"),
    "highlighting": ("highlights",),
    "keeping": ("Keeper", "Kept", "quote"),
    "making": ("Draft", "begin", "compose", "file"),
    "naming": ("exists", "get", "path_of", "titled"),
    "quoting": ("Place", "Text"),
    "renaming": ("rename",),
}
"""Module -> the names that live there."""

_MODULE_OF = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "UNSET",
    "Anchor",
    "Draft",
    "Found",
    "Keeper",
    "Kept",
    "NoteChange",
    "NoteQuery",
    "Place",
    "Text",
    "anchors_of",
    "begin",
    "bytes_of",
    "compose",
    "exists",
    "file",
    "find",
    "get",
    "highlights",
    "note_data",
    "path_of",
    "quote",
    "remove",
    "rename",
    "rewrite",
    "titled",
    "update",
]


def __getattr__(name: str) -> object:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
