"""A folder in, the repository it lies in out, read from the files of git without starting git."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from pressmark.errors import Unavailable

OID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
MERGING = (
    ("rebase-merge", "rebase"),
    ("rebase-apply/applying", "am"),
    ("rebase-apply", "rebase"),
    ("MERGE_HEAD", "merge"),
    ("CHERRY_PICK_HEAD", "cherry-pick"),
    ("REVERT_HEAD", "revert"),
)
"""Files that say what git is in the middle of."""


@dataclass(frozen=True, slots=True)
class Place:
    """A work tree, its own git folder, and the git folder that all worktrees share."""

    top: Path
    git_dir: Path
    common: Path


def find(path: Path) -> Place | None:
    """The repository around a path: a plain clone, a linked worktree or a submodule."""
    start = path.resolve()
    for folder in (start, *start.parents):
        dot_git = folder / ".git"
        if dot_git.is_file():
            return _place(folder, _pointed(dot_git), required=True)
        if dot_git.is_dir():
            place = _place(folder, dot_git, required=False)
            if place is not None:
                return place
    return None


def git_folder(path: Path) -> Path | None:
    """The bare repository or `.git` folder that a path is in: a place for git alone."""
    start = path.resolve()
    for folder in (start, *start.parents):
        if (folder / "HEAD").is_file() and all((folder / n).is_dir() for n in ("objects", "refs")):
            return folder
    return None


def _pointed(dot_git: Path) -> Path:
    """The git folder that a `.git` file names."""
    text = dot_git.read_bytes()[:8192].decode("utf-8", "surrogateescape")
    return (dot_git.parent / text.removeprefix("gitdir:").strip()).resolve()


def _place(top: Path, git_dir: Path, *, required: bool) -> Place | None:
    common = git_dir
    pointer = git_dir / "commondir"
    if pointer.is_file():
        common = (git_dir / pointer.read_text(encoding="utf-8").strip()).resolve()
    if (git_dir / "HEAD").exists() and (common / "objects").is_dir():
        return Place(top, git_dir, common)
    if required:
        raise Unavailable(
            f"{top / '.git'} points to a git folder that is not there.",
            next="repair it: git worktree repair, or git submodule update",
        )
    return None


def symbolic_head(place: Place) -> str | None:
    """The branch that HEAD names (`refs/heads/main`); None when it is detached."""
    text = (place.git_dir / "HEAD").read_text(encoding="utf-8", errors="surrogateescape").strip()
    return text.removeprefix("ref:").strip() if text.startswith("ref:") else None


def head(place: Place) -> str | None:
    """The commit of HEAD; None when there is none yet."""
    ref = symbolic_head(place)
    if ref is None:
        return (place.git_dir / "HEAD").read_text(encoding="utf-8").strip()
    return resolve(place, ref)


def resolve(place: Place, ref: str, depth: int = 5) -> str | None:
    """The commit that a full reference name holds, loose or packed or by another name."""
    try:
        value = (place.common / ref).read_text(encoding="utf-8").strip()
    except OSError:
        return _packed(place, ref)
    if value.startswith("ref:") and depth:
        return resolve(place, value.removeprefix("ref:").strip(), depth - 1)
    return value if OID.fullmatch(value) else None


def _packed(place: Place, ref: str) -> str | None:
    try:
        text = (place.common / "packed-refs").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    for line in text.splitlines():
        oid, _, name = line.partition(" ")
        if name == ref and OID.fullmatch(oid):
            return oid
    return None


def uses_files(place: Place) -> bool:
    """Whether references are files (else they are a reftable, which only git reads)."""
    return not (place.common / "reftable").is_dir()


def under_way(place: Place) -> str | None:
    """The merge, rebase, am, cherry-pick or revert that is not finished."""
    for name, word in MERGING:
        if (place.git_dir / name).exists():
            return word
    return None
