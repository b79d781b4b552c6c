"""A library and a draft in, one commit out: how every writer begins and ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from pressmark import disk
from pressmark.catalogue import layout
from pressmark.errors import BadInput, Unavailable
from pressmark.library.draft import Draft
from pressmark.library.outcome import Change, Outcome, Write

if TYPE_CHECKING:
    from pressmark.config import Config
    from pressmark.history import Repository
    from pressmark.library.library import Library

FEW = 10
"""Deleting more references than this, and more than half of the library, takes `force`."""


@contextmanager
def writing(library: Library, write: Write) -> Iterator[Draft]:
    """A draft on fresh records, under the repository's lock unless nothing will be written."""
    refuse_newer(library.config)
    if write.dry_run:
        library.refresh()
        yield Draft(library.root)
        return
    with repository(library).lock():
        library.refresh()
        yield Draft(library.root)


def refuse_newer(config: Config) -> None:
    """Raise for a library that a newer program made."""
    if config.newer:
        raise BadInput(
            f"This library has format {config.format}, made by a newer Pressmark: "
            "it can be read here, not written.",
            next="pip install --upgrade pressmark",
        )


def finish(
    library: Library,
    draft: Draft,
    subject: str,
    write: Write,
    *,
    keys: Sequence[str] = (),
    warnings: Sequence[str] = (),
) -> Outcome:
    """Write the draft and commit it; with `dry_run` only say what it would be."""
    changes = draft.changes
    _refuse_mass_deletion(library, draft, write)
    if write.dry_run or not changes:
        return Outcome(changes=changes, keys=tuple(keys), warnings=tuple(warnings))
    commit = library.config.commit_mode == "auto" if write.commit is None else write.commit
    from pressmark.library import driver

    # A text without an open licence is out of git, and goes with its reference all the same.
    loose = {each.path for each in changes if each.after is None and _is_text(each.path)}
    edits = draft.edits
    if write.branch and loose:  # the branch never had it
        out = loose - set(repository(library).tracked("library"))
        edits = [edit for edit in edits if edit.path not in out]
    made = repository(library).transact(
        library.root,
        edits,
        write.message or subject,
        trailers={"Pressmark": subject.partition(":")[0], **write.trailers},
        commit=commit,
        branch=write.branch,
        body=write.body,
        merged=driver.merged,
        loose=loose,
    )
    library.refresh()
    return Outcome(
        changes=changes,
        commit=made.sha if made else None,
        left_uncommitted=made.left_uncommitted if made and commit else (),
        warnings=(*warnings, *(made.notes if made else ())),
        keys=tuple(keys),
    )


def _is_text(path: str) -> bool:
    return layout.kind(path) == "fulltext"


def undo(library: Library, revision: str | None, write: Write) -> Outcome:
    """Take a commit back with a commit."""
    refuse_newer(library.config)
    repo = repository(library)
    with repo.lock():
        edits = repo.undoing(revision).edits
        changes = tuple(_change(repo, edit) for edit in edits)
        if write.dry_run:
            return Outcome(changes=changes)
        commit = library.config.commit_mode == "auto" if write.commit is None else write.commit
        made = repo.revert(revision, subject=write.message, commit=commit, branch=write.branch)
    library.refresh()
    return Outcome(
        changes=changes,
        commit=made.sha,
        left_uncommitted=made.left_uncommitted if commit else (),
        warnings=made.notes,
    )


def _change(repo: Repository, edit: disk.Edit) -> Change:
    """An edit below the top of the repository, named from the library as far as it is in it."""
    before = None if edit.expected is None else disk.read_bytes(repo.top, edit.path)
    return Change(edit.path.removeprefix(repo.prefix), before, edit.data)


def repository(library: Library) -> Repository:
    """The repository that every change goes into."""
    found = library.repository
    if found is None:
        raise Unavailable(f"{library.root} is in no git repository.", next="git init")
    return found


def _refuse_mass_deletion(library: Library, draft: Draft, write: Write) -> None:
    kinds = [each.kind for each in draft.changes if layout.kind(each.path) == "reference"]
    lost = kinds.count("deleted") - kinds.count("new")
    if lost <= FEW or write.force:
        return
    held = library.catalogue.count()
    if lost > held / 2:
        raise BadInput(
            f"This would delete {lost} of {held} references.",
            next="give --force if that is what you want",
        )
