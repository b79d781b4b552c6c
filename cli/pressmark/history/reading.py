"""Questions about a repository in, answers out: nothing here writes, locks, fetches, runs hooks."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pressmark.errors import NotFound
from pressmark.history import run
from pressmark.text import clean

if TYPE_CHECKING:
    from pressmark.history.repository import Repository

MANY = 100
"""From so many paths on, the state of the whole tree is cheaper than that of each path."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One commit, as a log shows it."""

    sha: str
    date: str
    author: str
    subject: str


def _text(data: bytes) -> str:
    return os.fsdecode(data)


def setting(repo: Repository, name: str) -> str | None:
    """A value of git's configuration."""
    output = run.read(repo.top, "config", "--get", name, quiet=True)
    return _text(output.stdout).strip() if output.status == 0 else None


def attribute(repo: Repository, name: str, path: str) -> str | None:
    """The value of an attribute; None where it is not set."""
    output = run.read(repo.top, "check-attr", "-z", name, "--", path, quiet=True, globs=True)
    fields = _text(output.stdout).split("\0")
    return fields[2] if len(fields) > 2 and fields[2] not in ("unspecified", "unset") else None


def is_partial(repo: Repository) -> bool:
    """Whether some remote promised objects that are not here."""
    pattern = r"^(extensions\.partialclone|remote\..*\.promisor)$"
    return not run.read(repo.top, "config", "--get-regexp", pattern, quiet=True).status


def git_version(repo: Repository) -> tuple[int, ...]:
    """The numbers of `git --version`."""
    text = _text(run.read(repo.top, "version").stdout)
    found = re.search(r"\d+(?:\.\d+)+", text)
    return tuple(int(part) for part in found[0].split(".")) if found else ()


def dirty(repo: Repository, paths: Sequence[str]) -> dict[str, str]:
    """`status` for readers: the repository's filters, which are programs, do not run."""
    output = run.read(repo.top, "config", "-z", "--get-regexp", r"^filter\.", quiet=True)
    names = {
        _text(row).split("\n")[0].rpartition(".")[0] for row in output.stdout.split(b"\0") if row
    }
    off: list[str] = []
    for name in sorted(names):
        for key, value in (("clean", ""), ("process", ""), ("required", "false")):
            off += ["-c", f"{name}.{key}={value}"]
    return status(repo, paths, off)


def status(repo: Repository, paths: Sequence[str], settings: Sequence[str] = ()) -> dict[str, str]:
    """Of these paths from the top, those that differ from HEAD: path → git's two letters.

    `??` is not tracked, `!!` is ignored, `UU` is in conflict.
    """
    if not paths:
        return {}
    few = [f"./{path}" for path in paths] if len(paths) < MANY else []
    options = ("--porcelain=v1", "-z", "--no-renames", "--untracked-files=all")
    output = run.read(
        repo.top,
        *settings,
        "status",
        *options,
        "--ignored=matching",
        "--ignore-submodules=all",
        "--",
        *few,
    )
    asked = set(paths)
    rows = (_text(row) for row in output.stdout.split(b"\0") if row)
    found = {row[3:]: row[:2] for row in rows}
    folders = [name for name in found if name.endswith("/")]
    if folders:
        below = {p: found[f] for p in paths for f in folders if p.startswith(f)}
        found.update({path: word for path, word in below.items() if path not in found})
    return {path: found[path] for path in found if path in asked}


def log(repo: Repository, path: str | None, n: int) -> list[Entry]:
    """Newest first; a path is followed through its renames."""
    if repo.head() is None:
        return []
    command = ["log", "-z", f"--max-count={int(n)}", f"--format={_ENTRY}", "--no-show-signature"]
    if path is None:
        output = run.read(repo.top, *command, "--end-of-options", "HEAD", "--", repo.prefix or ".")
        return _entries(output)
    where = ("--end-of-options", "HEAD", "--", repo.prefix + path)
    output = run.read(repo.top, *command, "--follow", *where, quiet=True)
    if output.status:
        # Following a rename may need objects that a partial clone has not got.
        output = run.read(repo.top, *command, *where)
    return _entries(output)


def told(
    repo: Repository, form: str, folders: Sequence[str], *options: str
) -> Iterator[tuple[str, Iterator[str]]]:
    """Commits below some folders, newest first: what a format says of each, and what it changed.

    The mark between them is new each time: a subject or a file's name may hold any character.
    """
    mark = os.urandom(16).hex()
    output = run.read(
        repo.top, "log", "-z", *options, f"--format={mark}{form}{mark}", "--no-show-signature",
        "--end-of-options", "HEAD", "--", *((repo.prefix + folder) or "." for folder in folders),
    )  # fmt: skip
    pieces = _text(output.stdout).split(mark)
    for about, changes in zip(pieces[1::2], pieces[2::2], strict=False):
        yield about, filter(None, changes.lstrip("\n\0").split("\0"))


def _with_renames(repo: Repository, form: str, folder: str) -> Sequence[tuple[str, Iterator[str]]]:
    """What commits did to files; where a partial clone cannot tell, without renames, or nothing."""
    for renames in ("--find-renames", "--no-renames"):
        with suppress(run.NotHere):
            return list(told(repo, form, [folder], "--raw", "--no-abbrev", renames))
    return []


def _verb(subject: str, said: str) -> str:
    """The verb of a commit of ours; what `git revert` writes above a commit is one too."""
    verbs = set(clean(said).split())
    if not verbs and subject.startswith('Revert "'):
        return "undo"
    return verbs.pop() if len(verbs) == 1 else ""


def histories(repo: Repository, folders: Sequence[str]) -> dict[str, list[Entry]]:
    """The commits of every file below some folders, newest first, in one pass; merges left out.

    A path is as the library has it; a renamed file begins anew under its new name. The commits at
    which a clone was cut short are left out: they have all files and wrote none of them.
    """
    if repo.head() is None:
        return {}
    cut = repo.cut()
    found: dict[str, list[Entry]] = {}
    with suppress(run.NotHere):
        for about, names in told(repo, _ENTRY, folders, "--name-only", "--no-renames"):
            entry = _entry(about)
            for name in names if entry.sha not in cut else ():
                found.setdefault(name.removeprefix(repo.prefix), []).append(entry)
    return found


_ENTRY = "%H%x1f%aI%x1f%an%x1f%s"


def _entry(about: str) -> Entry:
    return Entry(*(clean(field) for field in about.strip("\n").split("\x1f", 3)))


def _entries(output: run.Output) -> list[Entry]:
    rows = [row.decode("utf-8", "replace") for row in output.stdout.split(b"\0") if row.strip()]
    return [_entry(row) for row in rows]


def show(repo: Repository, rev: str, path: str) -> bytes:
    """The blob at a path in a revision."""
    name = f"{run.revision(rev)}:{repo.prefix}{path}"
    output = run.read(repo.top, "cat-file", "blob", "--end-of-options", name, quiet=True)
    if output.status:
        raise NotFound(
            f"{path} is not in {rev}, or this clone has not got it.", next=f"git log -- {path}"
        )
    return output.stdout


def tracked(repo: Repository, prefix: str) -> list[str]:
    """Paths from the library's root."""
    folder = (repo.prefix + prefix) or "."
    output = run.read(repo.top, "ls-files", "-z", "--", folder)
    names = {_text(name).removeprefix(repo.prefix) for name in output.stdout.split(b"\0") if name}
    return sorted(names)


def added_since(repo: Repository, path: str, line: str, folder: str) -> list[str]:
    """Paths below a folder that were added after the last commit that changed a line of a file.

    Nothing when no commit did, or when the history was cut before it.
    """
    if repo.head() is None:
        return []
    where = ("--end-of-options", "HEAD", "--", repo.prefix + path)
    found = run.read(
        repo.top, "log", "-1", "--format=%H", f"-G^{re.escape(line)}", *where, quiet=True
    )
    since = found.stdout.decode("ascii", "replace").strip()
    if not since or since == repo.head():
        return []
    output = run.read(
        repo.top, "diff", "--name-only", "-z", "--no-renames", "--diff-filter=A",
        "--end-of-options", since, "HEAD", "--", repo.prefix + folder, quiet=True,
    )  # fmt: skip
    names = [_text(name) for name in output.stdout.split(b"\0") if name]
    return [n.removeprefix(repo.prefix) for n in names if n.endswith(".md")]


def added_on(repo: Repository, folder: str) -> dict[str, str]:
    """The files below a folder and the day each was first committed."""
    if repo.head() is None:
        return {}
    found: dict[str, str] = {}
    days = told(repo, "%as", [folder], "--name-only", "--no-renames", "--diff-filter=A")
    for day, names in days:
        for name in names:
            found[name.removeprefix(repo.prefix)] = day  # the eldest comes last, and stays
    return found


class Listing:
    """(path, bytes) of every file of HEAD below a folder; `missing` counts what a promisor kept."""

    def __init__(self, repo: Repository, folder: str) -> None:
        self.repo = repo
        self.folder = folder
        self.missing = 0

    def __iter__(self) -> Iterator[tuple[str, bytes]]:
        self.missing = 0
        if self.repo.head() is None:
            return
        blobs = tree(self.repo, "HEAD", [self.repo.prefix + self.folder])
        absent = _absent(self.repo) if self.repo.is_partial() else set()
        wanted = {path: oid for path, oid in blobs.items() if oid not in absent}
        self.missing = len(blobs) - len(wanted)
        contents = read_blobs(self.repo, list(wanted.values()))
        for path, oid in wanted.items():
            yield path.removeprefix(self.repo.prefix), contents[oid]


def tree(repo: Repository, rev: str, paths: Sequence[str]) -> dict[str, str]:
    """The regular files of a revision at or below the paths: path → object id."""
    few = [path for path in paths if path] if len(paths) < MANY else []
    output = run.read(repo.top, "ls-tree", "-r", "-z", "--full-tree", "--end-of-options", rev, *few)
    found = {}
    for row in output.stdout.split(b"\0"):
        about, _, name = row.partition(b"\t")
        if about.startswith(b"100"):
            found[_text(name)] = about.split()[2].decode("ascii")
    if few or not paths or "" in paths:
        return found
    asked = set(paths)
    return {path: oid for path, oid in found.items() if path in asked}


def _absent(repo: Repository) -> set[str]:
    """The objects of HEAD that are not here; asking for one of them would fetch it."""
    output = run.read(
        repo.top, "rev-list", "--objects", "--missing=print", "--no-walk", "HEAD", quiet=True
    )
    rows = output.stdout.decode("ascii", "replace").split("\n")
    return {row[1:] for row in rows if row.startswith("?")}


def objects(repo: Repository, oids: Sequence[str]) -> dict[str, bytes]:
    """The bytes of those of many objects that are here."""
    try:
        return read_blobs(repo, oids)
    except run.NotHere:
        every = ("--batch-all-objects", "--unordered", "--batch-check=%(objectname)")
        here = set(run.read(repo.top, "cat-file", *every).stdout.decode("ascii").split())
        return read_blobs(repo, [oid for oid in oids if oid in here])


def read_blobs(repo: Repository, oids: Sequence[str]) -> dict[str, bytes]:
    """The bytes of many objects, from one process."""
    if not oids:
        return {}
    names = "".join(f"{oid}\n" for oid in dict.fromkeys(oids)).encode("ascii")
    data = run.read(repo.top, "cat-file", "--batch", stdin=names).stdout
    found, at = {}, 0
    while at < len(data):
        end = data.index(b"\n", at)
        about = data[at:end].split()
        at = end + 1
        if len(about) == 3:
            size = int(about[2])
            found[about[0].decode("ascii")] = data[at : at + size]
            at += size + 1
    return found


def files_at(repo: Repository, rev: str, folder: str) -> dict[str, bytes]:
    """Every file below a folder in a revision: path from the library's root → bytes."""
    commit = run.read(
        repo.top, "rev-parse", "--verify", "--quiet", "--end-of-options",
        f"{run.revision(rev)}^{{commit}}", quiet=True,
    )  # fmt: skip
    if commit.status:
        raise NotFound(f"There is no revision {rev}.", next="git log --oneline")
    name = commit.stdout.decode("ascii").strip()
    blobs = tree(repo, name, [repo.prefix + folder])
    contents = read_blobs(repo, list(blobs.values()))
    return {p.removeprefix(repo.prefix): contents[o] for p, o in blobs.items() if o in contents}


def skipped(repo: Repository, paths: Sequence[str]) -> dict[str, str]:
    """Which of these paths a sparse checkout leaves out: path → object id."""
    if not paths:
        return {}
    few = paths if len(paths) < MANY else ()
    output = run.read(repo.top, "ls-files", "-z", "-t", "--stage", "--", *few)
    found = {}
    for row in output.stdout.split(b"\0"):
        about, _, name = row.partition(b"\t")
        if about.startswith(b"S "):
            found[_text(name)] = about.split()[2].decode("ascii")
    return {path: found[path] for path in paths if path in found}


def overlooked(repo: Repository, paths: Sequence[str]) -> list[str]:
    """Which of these paths git takes for unchanged, whatever the disk says, because it was told."""
    if not paths:
        return []
    output = run.read(repo.top, "ls-files", "-z", "-v", "--", *(paths if len(paths) < MANY else ()))
    rows = (_text(row) for row in output.stdout.split(b"\0") if row)
    marks = {row[2:]: row[0] for row in rows}
    return [path for path in paths if marks.get(path, "H") == "S" or marks.get(path, "H").islower()]


def ignored(repo: Repository, paths: Sequence[str]) -> list[str]:
    """Which of these paths the ignore rules name."""
    # The command knows no literal pathspecs; after `./` a path has no magic.
    names = b"".join(b"./" + os.fsencode(path) + b"\0" for path in paths)
    output = run.read(
        repo.top, "check-ignore", "--no-index", "-z", "--stdin", stdin=names, globs=True, quiet=True
    )
    if output.status > 1:
        raise run.explain(output)
    return [_text(name[2:]) for name in output.stdout.split(b"\0") if name]
