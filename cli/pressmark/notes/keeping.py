"""A library's notes in; which of their quotations still stand in the full texts, out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pressmark.errors import BadInput, FormatMissing, NotFound
from pressmark.notes.anchor import Anchor
from pressmark.notes.data import anchors_of, plain_key
from pressmark.notes.making import text_of
from pressmark.notes.quoting import Place, Text
from pressmark.record import Note

if TYPE_CHECKING:
    from pressmark.library import Library


@dataclass(frozen=True, slots=True)
class Kept:
    """One quotation of a note: where it is now, or None where it is lost."""

    anchor: Anchor
    key: str
    place: Place | None


class Keeper:
    """Looks quotations up; each full text is read once."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._texts: dict[str, Text | None] = {}

    def of(self, note: Note) -> Iterator[Kept]:
        """Every quotation of a note whose reference has a full text."""
        first = plain_key(note.about[0]) if note.about else ""
        for anchor in anchors_of(note):
            found = self.library.catalogue.resolve(anchor.reference or first)
            if anchor.exact and len(found) == 1:
                text = self._text(found[0])
                if text is not None:
                    yield Kept(anchor, found[0], text.find(anchor))

    def _text(self, key: str) -> Text | None:
        if key not in self._texts:
            self._texts[key] = text_of(self.library, key)
        return self._texts[key]


def quote(library: Library, reference: str, words: str, *, page: str = "") -> list[Place]:
    """Where words stand in the full text of a reference: every place, or the one most like them.

    Raises FormatMissing without a full text, NotFound where nothing like the words is there.
    """
    key = library.get(reference).key
    if not words.strip():
        raise BadInput("There are no words to look for.")
    text = text_of(library, key)
    if text is None:
        raise FormatMissing(
            f"{key} has no full text to look in.", next=f"pressmark fetch {key}, or attach a copy"
        )
    found = text.places(words)
    if page:
        found = [place for place in found if place.page == page] or found
    if not found:
        raise NotFound(
            f"The words are not in the full text of {key}.",
            next="see the spelling, or quote fewer words",
        )
    return found
