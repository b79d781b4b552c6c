"""A place and a new name in; the edits of every file, and the files that move, out.

No file is written here: the editor applies the edits, and the person saves and commits.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from pressmark import disk
from pressmark.errors import BadInput, Unavailable
from pressmark.library import Change, Write
from pressmark.links import Target, note_edits, prose, rename_edits
from pressmark.lsp.going import uri_of
from pressmark.lsp.text import Text

if TYPE_CHECKING:
    from pressmark.library import Library


def rename(
    library: Library, target: Target, new: str, unsaved: Mapping[str, str], encoding: str
) -> lsp.WorkspaceEdit:
    """The edits that give a reference or a note another name; the old one stays an alias."""
    if target.kind in ("reference", "fulltext"):
        key = target.name
        write = Write(dry_run=True)
        outcome = library.rename(
            key, new, prose=lambda: rename_edits(library, key, new, unsaved), write=write
        )
        changes = outcome.changes
    elif target.kind == "note":
        changes = _note(library, target, new, unsaved)
    else:
        raise BadInput(f"{target.path} is no reference and no note.")
    return _edit(library.root, changes, unsaved, encoding)


def _note(
    library: Library, target: Target, new: str, unsaved: Mapping[str, str]
) -> tuple[Change, ...]:
    from pressmark.notes.renaming import target_of, with_alias

    there = target_of(library, target.path, new)
    data = note_edits(library, target.path, there, unsaved)
    before = {path: _held(library, path, unsaved) for path in (*data, target.path)}
    own = with_alias(data.pop(target.path, before[target.path]), target.path, there)
    changes = [Change(path, before[path], after) for path, after in data.items()]
    return (*changes, Change(target.path, before[target.path], None), Change(there, None, own))


def _held(library: Library, path: str, unsaved: Mapping[str, str]) -> bytes:
    held = unsaved.get(path)
    return prose.encoded(held) if held is not None else library.read_page(path)


def _edit(
    root: Path, changes: tuple[Change, ...], unsaved: Mapping[str, str], encoding: str
) -> lsp.WorkspaceEdit:
    """Changed files as text edits, a file gone and one come as a move of the file."""
    moved = _moves(changes)
    done: list[lsp.TextDocumentEdit | lsp.CreateFile | lsp.RenameFile | lsp.DeleteFile] = []
    for change in changes:
        if change.before is not None and change.after is not None:
            before = unsaved.get(change.path, prose.decoded(change.before))
            done.append(
                _text_edit(root, change.path, before, prose.decoded(change.after), encoding)
            )
    for old, new in moved.items():
        # Some editors move a file only into a folder that is there; git sees no empty one.
        disk.make_folder((root / new).parent)
        gone = next(c for c in changes if c.path == old)
        came = next(c for c in changes if c.path == new)
        assert gone.before is not None and came.after is not None
        before = unsaved.get(old, prose.decoded(gone.before))
        after = prose.decoded(came.after)
        if before != after:  # the text first, under its old name: an editor may have it open
            done.append(_text_edit(root, old, before, after, encoding))
        done.append(lsp.RenameFile(uri_of(root, old), uri_of(root, new)))
    for old, new in _documents(root, moved).items():
        done.append(lsp.RenameFile(uri_of(root, old), uri_of(root, new)))
    return lsp.WorkspaceEdit(document_changes=done)


def _moves(changes: tuple[Change, ...]) -> dict[str, str]:
    """Old path -> new path of each file that moves: what is gone came under the same ending."""
    gone = [change.path for change in changes if change.after is None]
    came = [change.path for change in changes if change.before is None]

    def ending(path: str) -> str:
        return path.rpartition("/")[2].partition(".")[2] if path.startswith("library/") else "md"

    pairs = {ending(path): path for path in came}
    found = {path: pairs[ending(path)] for path in gone if ending(path) in pairs}
    if len(found) != len(gone) or len(found) != len(came):
        raise Unavailable("This rename makes or deletes files.", next="pressmark rename OLD NEW")
    return found


def _documents(root: Path, moved: Mapping[str, str]) -> dict[str, str]:
    """The PDF and its like beside a reference, which git may not know."""
    found = {}
    for old, new in moved.items():
        if old.startswith("library/") and not old.endswith(".fulltext.md"):
            for ending in (".pdf", ".xml", ".html"):
                here, there = old.removesuffix(".md") + ending, new.removesuffix(".md") + ending
                if here not in moved and (root / here).is_file() and not (root / there).exists():
                    found[here] = there
    return found


def _text_edit(
    root: Path, path: str, before: str, after: str, encoding: str
) -> lsp.TextDocumentEdit:
    text = Text(before, encoding)
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line))
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    edits = [
        _least(text, starts[a], "".join(old[a:b]), "".join(new[c:d]))
        for what, a, b, c, d in matcher.get_opcodes()
        if what != "equal"
    ]
    identifier = lsp.OptionalVersionedTextDocumentIdentifier(uri_of(root, path))
    return lsp.TextDocumentEdit(identifier, list(edits))


def _least(text: Text, start: int, old: str, new: str) -> lsp.TextEdit:
    """The change of a stretch without what is the same at both its ends."""
    limit = min(len(old), len(new))
    head = next((n for n in range(limit) if old[n] != new[n]), limit)
    tail = next((n for n in range(limit - head) if old[-1 - n] != new[-1 - n]), limit - head)
    place = text.range(start + head, start + len(old) - tail)
    return lsp.TextEdit(place, new[head : len(new) - tail])
