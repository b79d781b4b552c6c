"""A note and its new name in; the file moved, every link to it written anew, an alias left, out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pressmark import disk, page
from pressmark.errors import BadInput, Unreadable
from pressmark.library import Outcome, Write
from pressmark.links import note_edits
from pressmark.links.resolve import same
from pressmark.notes.changing import file_of
from pressmark.record import Note

if TYPE_CHECKING:
    from pressmark.library import Library

_FORBIDDEN = '[]|#^\\:*?"<>\n\t'
"""What a wikilink or a file system would read otherwise."""


def rename(library: Library, old: str, new: str, write: Write | None = None) -> Outcome:
    """Give a note another name or folder; links follow, the old name stays in `aliases`.

    `new` is a name beside the old one, or a path below `notes/`. Its title stays. A file whose
    front matter cannot be read is moved byte for byte, without an alias.
    """
    from pressmark.library.writing import finish, writing

    write = write or Write()
    with writing(library, write) as draft:
        source = file_of(library, old)
        if source is None:
            raise library.missing(old)
        target = target_of(library, source, new)
        warnings = []
        for path, data in note_edits(library, source, target).items():
            draft.write_bytes(path, data)
        data = draft.require(source)
        try:
            data = with_alias(data, source, target)
        except Unreadable as wreck:
            warnings.append(f"No alias was left: {wreck}")
        if draft.read(target) is not None and same(target) != same(source):
            raise BadInput(f"{target} is already there.", next="choose another name")
        draft.delete(source)
        draft.write_bytes(target, data)
        names = [path.removeprefix("notes/").removesuffix(".md") for path in (source, target)]
        subject = f"rename: note {names[0]} to {names[1]}"
        return finish(library, draft, subject, write, warnings=warnings)


def with_alias(data: bytes, source: str, target: str) -> bytes:
    """The file with its old name among its aliases, where the name itself changed."""
    held = page.read(Note, data, source)
    before, after = (path.rpartition("/")[2].removesuffix(".md") for path in (source, target))
    kept = [each for each in held.aliases if same(each) != same(after)]
    if same(before) != same(after):
        kept.append(before)
    return page.update(data, replace(held, aliases=tuple(sorted(set(kept)))), source)


def target_of(library: Library, source: str, new: str) -> str:
    """Where a note goes by a new name; BadInput for a name that cannot be one."""
    name = new.strip().removeprefix("./")
    name = name[:-3] if name.lower().endswith(".md") else name
    if not name or name.endswith("/") or any(sign in name for sign in _FORBIDDEN):
        raise BadInput(
            f"{new!r} cannot be a note's name.",
            next='leave out [ ] | # ^ \\ : * ? " < >, which links and systems read otherwise',
        )
    folder = source.rpartition("/")[0]
    if name.startswith("notes/"):
        target = f"{name}.md"
    elif "/" in name:
        target = f"notes/{name}.md"
    else:
        target = f"{folder}/{name}.md"
    if target.startswith("notes/templates/"):
        raise BadInput("notes/templates/ holds templates, no notes.")
    disk.safe_path(library.root, target)
    if target == source:
        raise BadInput(f"{name} is its name already.")
    held = library.catalogue.resolve(target.rpartition("/")[2].removesuffix(".md"))
    if held:
        raise BadInput(
            f"{name} is the name of the reference {held[0]}, which a link would mean.",
            next="choose another name",
        )
    if disk.exists(library.root, target) and same(target) != same(source):
        raise BadInput(f"{target} is already there.", next="choose another name")
    return target
