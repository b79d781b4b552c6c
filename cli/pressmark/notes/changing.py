"""A note and what is to change in; the note changed or gone, in one commit, out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from pressmark import disk, page
from pressmark.errors import Ambiguous, BadInput, Changed, NotFound, Unreadable
from pressmark.library import Outcome, Write
from pressmark.notes.anchor import Anchor, written
from pressmark.notes.making import TAG
from pressmark.notes.naming import get, path_of
from pressmark.record import Extra, Note
from pressmark.text import clean

if TYPE_CHECKING:
    from pressmark.library import Library


class Unset(Enum):
    """What an argument is that nobody gave, so that an empty value can clear."""

    UNSET = "unset"


UNSET: Final = Unset.UNSET

FIXED: Mapping[str, str] = {
    "about": "what a note is about stays; begin another note, or edit the file",
    "author": "who wrote a note stays; edit the file if it is wrong",
    "created": "when a note was begun stays; edit the file if it is wrong",
    "anchors": "give anchors whole, or edit the file",
}
"""Fields that `update` cannot set one by one, and what to do instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteChange:
    """What to change of a note: what is unset stays, an empty value clears.

    `metadata` replaces all fields that are the user's own; `fields` sets or clears (with an empty
    text) single ones. `text` is the whole body, for a program that owns the note it writes.
    """

    title: str | Unset = UNSET
    tags: Sequence[str] | Unset = UNSET
    aliases: Sequence[str] | Unset = UNSET
    anchors: Sequence[Anchor] | Unset = UNSET
    metadata: Mapping[str, str] | Unset = UNSET
    fields: Mapping[str, str] | Unset = UNSET
    add_tags: Sequence[str] = ()
    remove_tags: Sequence[str] = ()
    text: str | Unset = UNSET


def update(library: Library, name: str, change: NoteChange, write: Write | None = None) -> Outcome:
    """Change a note's front matter; everything else of the file keeps its bytes.

    A file without front matter gets one only for a value it has to hold. Raises BadInput for a
    field that cannot change, NotSpliceable for a form that is never rewritten.
    """
    from pressmark.library.writing import finish, writing

    write = write or Write()
    with writing(library, write) as draft:
        slug = get(library, name).slug
        path = f"notes/{slug}.md"
        held = page.read(Note, draft.require(path), path)
        draft.write(_changed(held, change), path)
        return finish(library, draft, f"note: edit {slug}", write)


def _changed(held: Note, change: NoteChange) -> Note:
    values: dict[str, Any] = {}
    if not isinstance(change.title, Unset):
        values["title"] = " ".join(clean(change.title).split())
    tags = held.tags if isinstance(change.tags, Unset) else tuple(map(_tag, change.tags))
    gone = {_tag(tag).casefold() for tag in change.remove_tags}
    tags = tuple(tag for tag in (*tags, *map(_tag, change.add_tags)) if tag.casefold() not in gone)
    if set(tags) != set(held.tags):
        values["tags"] = tuple(sorted(set(tags)))
    if not isinstance(change.aliases, Unset):
        values["aliases"] = tuple(sorted({clean(each).strip() for each in change.aliases} - {""}))
    if not isinstance(change.anchors, Unset):
        values["anchors"] = tuple(written(each) for each in change.anchors)
    extra = dict(held.extra)
    if not isinstance(change.metadata, Unset):
        extra = {}
        _assign(extra, change.metadata)
    if not isinstance(change.fields, Unset):
        own = {n: v for n, v in change.fields.items() if n not in ("title", "tags", "aliases")}
        _assign(extra, own)
        values |= _own(change.fields)
    if not isinstance(change.text, Unset):
        values["body"] = f"\n{change.text.strip(chr(10))}\n" if change.text.strip() else ""
    return replace(held, extra=extra, **values)


def _own(fields: Mapping[str, str]) -> dict[str, Any]:
    """Values for the fields of a note that are set by name."""
    found: dict[str, Any] = {}
    for name, value in fields.items():
        items = [each.strip() for each in clean(value).split(";") if each.strip()]
        if name == "title":
            found["title"] = clean(value).strip()
        elif name == "tags":
            found["tags"] = tuple(sorted(map(_tag, items)))
        elif name == "aliases":
            found["aliases"] = tuple(sorted(items))
    return found


def _assign(extra: dict[str, Extra], values: Mapping[str, str]) -> None:
    for name, value in values.items():
        name = clean(name).strip()
        if name in FIXED:
            raise BadInput(f"{name} cannot be set here.", next=FIXED[name])
        if not name or name in Note.FIELDS or any(sign in name for sign in ":#\n"):
            raise BadInput(f"{name!r} cannot be a field's name.")
        value = clean(value).strip()
        if value:
            extra[name] = value
        else:
            extra.pop(name, None)


def _tag(tag: str) -> str:
    tag = clean(tag).strip().removeprefix("#")
    if not TAG.fullmatch(tag):
        raise BadInput(f"{tag!r} cannot be a tag.", next="a tag is letters, digits, -, _ and /")
    return tag


def rewrite(library: Library, slug: str, before: bytes, after: bytes, write: Write) -> Outcome:
    """File what an editor made of a note; Changed when somebody else wrote it meanwhile."""
    from pressmark.library.writing import finish, writing

    path = f"notes/{slug}.md"
    with writing(library, write) as draft:
        if draft.require(path) != before:
            raise Changed(
                f"{path} was changed while the editor was open; nothing was written.",
                next=f"pressmark note edit {slug}",
            )
        page.read(Note, after, path)
        draft.write_bytes(path, after)
        return finish(library, draft, f"note: edit {slug}", write)


def remove(library: Library, name: str, write: Write | None = None) -> tuple[bool, Outcome]:
    """Delete a note; False, and nothing done, where there is none. Ambiguous names none."""
    from pressmark.library.writing import finish, writing

    write = write or Write()
    with writing(library, write) as draft:
        path = file_of(library, name)
        if path is None:
            return False, Outcome()
        draft.delete(path)
        slug = path.removeprefix("notes/").removesuffix(".md")
        return True, finish(library, draft, f"note: remove {slug}", write)


def file_of(library: Library, name: str) -> str | None:
    """The file of a note; one that cannot be read as a note is still a file to remove."""
    try:
        return path_of(get(library, name))
    except Ambiguous:
        raise
    except Unreadable as wreck:
        return wreck.path
    except NotFound:
        return None


def bytes_of(library: Library, slug: str) -> bytes:
    """The file's bytes as they stand."""
    return disk.read_bytes(library.root, f"notes/{slug}.md")
