"""A folder in, a library in it out: layout, settings, git, a first commit; nothing overwritten."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from pressmark import disk
from pressmark.config import find_root, load, standing
from pressmark.disk import Edit
from pressmark.errors import BadInput
from pressmark.library import driver, templates
from pressmark.library.outcome import Change, Outcome, Write
from pressmark.library.workflows import workflows
from pressmark.library.writing import refuse_newer

if TYPE_CHECKING:
    from pressmark.history import Repository

KEPT_FOLDERS = ("library", "topics", "notes")
"""Folders that git would forget while they are empty."""


PANDOC_FILTER = "pandoc/pressmark.lua"
"""Where the filter goes that makes citations of wikilinks."""


def create(
    root: Path,
    *,
    minimal: bool = False,
    pandoc_filter: bool = False,
    write: Write | None = None,
) -> Outcome:
    """Make a library, or complete one: what is there stays, ignore rules are appended once."""
    from pressmark.history import Repository

    write = write or Write()
    root = standing(Path(root))
    _refuse(root)
    repository = Repository.find(root)
    branch = repository.branch() if repository else None
    is_top = repository is None or not repository.prefix
    changes = list(_changes(root, minimal, is_top, branch or "main"))
    if pandoc_filter and _held(root, PANDOC_FILTER) is None:
        lua = Path(__file__).with_name("pandoc.lua").read_bytes()
        changes.append(Change(PANDOC_FILTER, None, lua))
    warnings = tuple(_warnings(root, minimal, is_top))
    if write.dry_run:
        return Outcome(changes=tuple(changes), warnings=warnings)
    repository = repository or Repository.init(root, committing=write.commit is not False)
    if not changes:
        driver.install(repository)
        return Outcome(warnings=warnings)
    outcome = _commit(repository, root, changes, warnings, write)
    driver.install(repository)
    return outcome


def _commit(
    repository: Repository,
    root: Path,
    changes: list[Change],
    warnings: tuple[str, ...],
    write: Write,
) -> Outcome:
    edits = [
        Edit(each.path, each.after, None if each.before is None else disk.sha256(each.before))
        for each in changes
    ]
    subject = write.message or "init: a Pressmark library"
    disk.make_folder(root)
    made = repository.transact(root, edits, subject, commit=write.commit is not False)
    return Outcome(
        changes=tuple(changes),
        commit=made.sha if made else None,
        left_uncommitted=made.left_uncommitted if made and write.commit is not False else (),
        warnings=(*warnings, *(made.notes if made else ())),
    )


def _refuse(root: Path) -> None:
    from pressmark.history.locate import git_folder

    if root.exists() and not root.is_dir():
        raise BadInput(f"{root} is a file.", next="name a folder")
    if (git := git_folder(root)) is not None:
        raise BadInput(
            f"{git} is a folder of git's own, without a work tree.",
            next=f"git clone {quote(str(git))} FOLDER, then pressmark init FOLDER",
        )
    if find_root(root, {}) == root:
        refuse_newer(load(root, {}))
    around = find_root(root.parent, {})
    if around is not None and find_root(root, {}) != root:
        raise BadInput(
            f"{root} is inside the library {around}.", next="choose a folder outside of it"
        )


def _changes(root: Path, minimal: bool, is_top: bool, branch: str) -> Iterator[Change]:
    yield from _appended(root, ".gitignore", _ignore_rules(minimal))
    if find_root(root, {}) != root:
        yield Change("pressmark.toml", None, templates.SETTINGS.encode())
    for folder in ("library",) if minimal else KEPT_FOLDERS:
        if not _has_files(root / folder):
            yield Change(f"{folder}/.gitkeep", None, b"")
    if minimal:
        return
    yield from _appended(root, ".gitattributes", templates.GITATTRIBUTES)
    name = json.dumps(root.name or "Library", ensure_ascii=False)
    files = {
        "site/index.md": templates.HOME.format(name=root.name or "Library"),
        "mkdocs.yml": templates.MKDOCS.format(name=name),
    }
    if is_top:  # GitHub reads workflows only there
        files |= {f".github/workflows/{name}.yml": text for name, text in workflows(branch).items()}
    for path, text in files.items():
        if _held(root, path) is None:
            yield Change(path, None, text.encode())


def _ignore_rules(minimal: bool) -> str:
    site = "" if minimal else templates.GITIGNORE_SITE
    return templates.GITIGNORE + site + templates.GITIGNORE_DOCUMENTS


def _appended(root: Path, path: str, text: str) -> Iterator[Change]:
    """The lines that a file lacks, added at its end; comments come along with what they explain."""
    before = _held(root, path)
    held = {line.strip() for line in (before or b"").decode("utf-8", "replace").splitlines()}
    missing: list[str] = []
    comment: list[str] = []
    for line in text.splitlines():
        if line.startswith("#"):
            comment = [line]
        elif line not in held:
            missing += [*comment, line]
            comment = []
    if not missing:
        return
    gap = b"" if not before or before.endswith(b"\n") else b"\n"
    yield Change(path, before, (before or b"") + gap + "\n".join(missing).encode() + b"\n")


def _held(root: Path, path: str) -> bytes | None:
    there = root.is_dir() and disk.exists(root, path)
    return disk.read_bytes(root, path) if there else None


def _has_files(folder: Path) -> bool:
    return folder.is_dir() and any(folder.iterdir())


def _warnings(root: Path, minimal: bool, is_top: bool) -> Iterator[str]:
    if minimal:
        return
    if b"pressmark" not in (_held(root, "mkdocs.yml") or b"pressmark"):
        yield "mkdocs.yml was there and stays: add `pressmark` to its plugins to publish."
    if not is_top:
        yield "GitHub reads workflows only at the top of a repository, so none were written."
