"""A reference in; a note with what was highlighted and written in its PDF out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pressmark import disk
from pressmark.errors import FormatMissing, NotFound
from pressmark.fulltext import documents
from pressmark.fulltext.pdf.annotations import Mark, read_marks
from pressmark.notes.anchor import Anchor
from pressmark.notes.data import anchors_of, plain_key
from pressmark.notes.making import Draft, compose, text_of
from pressmark.notes.quoting import Text
from pressmark.text import fold

if TYPE_CHECKING:
    from pressmark.library import Library

MOSTLY = 60.0
"""The words under a mark may be a letter or two off; from here they are those of the text."""


def highlights(library: Library, reference: str, *, today: str) -> Draft:
    """A note, not filed, that holds every mark of the PDF which no note holds yet.

    Each quotation is taken from the full text where its words stand there. Raises FormatMissing
    without a PDF beside the reference, NotFound when it holds no mark, or no new one.
    """
    held = library.get(reference)
    marks, problems = read_marks(_pdf(library, held.key))
    if not marks:
        raise NotFound(f"The PDF of {held.key} holds no highlights or comments.")
    text = text_of(library, held.key)
    known = _known(library, held.key)
    found = [anchor for mark in marks if (anchor := _anchor(mark, held.key, text))]
    fresh = [anchor for anchor in found if _print(anchor) not in known]
    if not fresh:
        raise NotFound(f"Every mark of the PDF of {held.key} stands in a note already.")
    draft = compose(
        library, f"Highlights of {held.title}", about=[held.key], tags=["highlights"],
        anchors=fresh, today=today,
    )  # fmt: skip
    return replace(draft, warnings=(*problems, *draft.warnings))


def _pdf(library: Library, key: str) -> bytes:
    path = documents.place(library, key)
    if path is None:
        raise FormatMissing(f"{key} has no PDF here.", next=f"pressmark attach {key} FILE")
    return disk.read_bytes(path.parent, path.name)


def _anchor(mark: Mark, key: str, text: Text | None) -> Anchor | None:
    """The anchor of a mark: its words as the full text has them, else as the PDF gave them."""
    page = str(mark.page)
    # Some readers copy the highlighted words into the comment.
    words = mark.words or (mark.comment if mark.kind != "comment" else "")
    comment = "" if _same(mark.comment, words) else mark.comment
    if not words and not comment:
        return None
    bare = Anchor(reference=key, exact=words, page=page, comment=comment)
    place = text.find(bare, MOSTLY) if text and words else None
    return replace(place.anchor(key, comment), page=page) if place else bare


def _same(one: str, two: str) -> bool:
    return "".join(filter(str.isalnum, fold(one))) == "".join(filter(str.isalnum, fold(two)))


def _known(library: Library, key: str) -> set[tuple[str, str, str]]:
    """What the notes about a reference quote already."""
    notes = (n for n in library.notes() if key in map(plain_key, n.about))
    return {_print(anchor) for note in notes for anchor in anchors_of(note)}


def _print(anchor: Anchor) -> tuple[str, str, str]:
    def letters(words: str) -> str:
        return "".join(filter(str.isalnum, fold(words)))

    return anchor.page, letters(anchor.exact), letters(anchor.comment)
