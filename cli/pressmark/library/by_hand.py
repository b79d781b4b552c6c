"""The bytes that a person's editor left in; the reference's file with them, committed, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pressmark import page
from pressmark.errors import Changed
from pressmark.library.outcome import Outcome, Write
from pressmark.library.writing import finish, writing
from pressmark.record import Reference

if TYPE_CHECKING:
    from pressmark.library.library import Library


def rewrite(library: Library, key: str, before: bytes, after: bytes, write: Write) -> Outcome:
    """File what an editor made of a reference, in one commit.

    Raises Unreadable, with the line, when it is no reference any more, and Changed when the file
    was changed by somebody else while the editor was open; then nothing is written.
    """
    with writing(library, write) as draft:
        path = library.path(key)
        if draft.require(path) != before:
            raise Changed(
                f"{path} was changed while the editor was open; nothing was written.",
                next=f"pressmark edit {key}",
            )
        page.read(Reference, after, path)
        draft.write_bytes(path, after)
        return finish(library, draft, f"edit: {key}", write, keys=[key])
