"""The states of every reference's file in, and which verb of ours made each; and what proves it.

A trailer alone proves little: `git commit --amend` keeps it over what a person changed, and a
squash merge takes the last one of many commits. So a commit of ours also says which files it left
under `library/`; where it has others now, nobody can say who wrote what in it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pressmark.history import reading, run
from pressmark.text import clean

if TYPE_CHECKING:
    from pressmark.history.repository import Repository

TRAILER = "Pressmark-Files"
FOLDER = "library"


@dataclass(frozen=True, slots=True)
class Version:
    """One state of a file: the object it is, the verb of ours that made it, and its path then.

    `oid` is None where the file went. `verb` is empty where a person committed it, and where
    several commits were made one; a commit that takes another back is an `undo`, whoever made it.
    """

    oid: str | None
    verb: str
    path: str


@dataclass(frozen=True, slots=True)
class _Row:
    """What a commit did to one file; `before` is its former path, if it has one."""

    kind: str
    oid: str
    path: str
    before: str | None = None


def signed(text: str, prefix: str, files: Iterable[tuple[str, str]]) -> str:
    """A commit's message with a trailer for its files: paths from the top, and object ids."""
    below = [(path.removeprefix(prefix), oid) for path, oid in files if path.startswith(prefix)]
    mark = _mark(below)
    return f"{text.rstrip()}\n{TRAILER}: {mark}\n" if mark else text


def versions(repo: Repository) -> dict[str, list[Version]]:
    """The states of each file below `library`, newest first, in one pass; merges left out.

    A file keeps its states through renames; where it is gone, that is a state too. In a clone cut
    short there are none: its first commit has all files and wrote none of them.
    """
    if repo.head() is None or repo.is_shallow():
        return {}
    found: dict[str, list[Version]] = {}
    later: dict[str, str] = {}
    """The name that a file has today, by one that it had before."""
    for about, rows in _told(repo):
        verb = _verb(about, rows)
        for row in rows:
            today = later.get(row.path, row.path)
            state = Version(row.oid if row.oid.strip("0") else None, verb, row.path)
            found.setdefault(today, []).append(state)
            if row.kind == "R" and row.before:
                later[row.before] = today
    return found


def _told(repo: Repository) -> list[tuple[str, list[_Row]]]:
    """What commits did to files; where a partial clone cannot tell, without renames, or nothing."""
    said = "%x1f".join(
        f"%(trailers:key={key},valueonly,separator=%x20)" for key in ("Pressmark", TRAILER)
    )
    for renames in ("--find-renames", "--no-renames"):
        with suppress(run.NotHere):
            told = reading.told(
                repo, f"%s%x1f{said}", [FOLDER], "--raw", "--no-abbrev", renames
            )  # fmt: skip
            return [(about, list(_rows(words, repo.prefix))) for about, words in told]
    return []


def _rows(words: Iterator[str], prefix: str) -> Iterator[_Row]:
    for word in words:
        oid, kind = word.split()[3:5]
        path = next(words).removeprefix(prefix)
        if kind[0] in "RC":
            yield _Row(kind[0], oid, next(words).removeprefix(prefix), path)
        else:
            yield _Row(kind[0], oid, path)


def _verb(about: str, rows: Sequence[_Row]) -> str:
    """The verb of a commit of ours; what `git revert` writes above a commit is one too."""
    subject, said, mark = about.rsplit("\x1f", 2)
    verbs = set(clean(said).split())
    if not verbs and subject.startswith('Revert "'):
        return "undo"
    files = [(row.path, row.oid) for row in rows]
    files += [(row.before, "0") for row in rows if row.kind == "R" and row.before]
    as_it_was = not mark.strip() or mark.strip() == _mark(files)
    return verbs.pop() if len(verbs) == 1 and as_it_was else ""


def _mark(files: Iterable[tuple[str, str]]) -> str:
    """A hash of which files a commit left below the folder, and which it took away."""
    rows = sorted(
        f"{oid.strip('0') and oid} {path}\n"
        for path, oid in files
        if path.startswith(f"{FOLDER}/") and path.endswith(".md")
    )
    data = "".join(rows).encode("utf-8", "surrogateescape")
    return hashlib.sha256(data).hexdigest()[:16] if rows else ""
