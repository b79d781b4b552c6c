"""Notes and the tags of references in; the notes by the tag that they carry out."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from pressmark import links
from pressmark.record import Note
from pressmark.text import fold


class Tagged:
    """The notes of every tag, from their fields and from the `#tags` of their texts.

    A note's tag that a reference writes with other capitals or accents is that reference's.
    """

    def __init__(self, notes: Iterable[Note], held: Iterable[str]) -> None:
        self._names: dict[str, str] = {}
        self._exact = set(held)
        for tag in sorted(self._exact):
            self._names.setdefault(fold(tag), tag)
        self.notes: dict[str, list[Note]] = {}
        for note in notes:
            for name in dict.fromkeys(self._named(tag) for tag in _written(note)):
                self.notes.setdefault(name, []).append(note)

    def name(self, tag: str) -> str:
        """How the page of a tag is called; the tag itself where none carries it."""
        return tag if tag in self._exact else self._names.get(fold(tag), tag)

    def _named(self, tag: str) -> str:
        self._names.setdefault(fold(tag), tag)
        return self.name(tag)


def _written(note: Note) -> Iterable[str]:
    yield from note.tags
    yield from _in_text(note.body) if "#" in note.body else ()


@lru_cache(maxsize=4_096)
def _in_text(body: str) -> tuple[str, ...]:
    """The `#tags` of a text; a preview asks for those of every note at each build."""
    found = (link.target for link in links.parse(body) if link.kind == "tag")
    return tuple(tag.removeprefix("#") for tag in found)
