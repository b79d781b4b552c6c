"""A folder in, its git repository out: what readers ask, and the one way writers change files."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pressmark import disk
from pressmark.errors import Busy, PressmarkError, Unavailable
from pressmark.history import locate, reading, run, stale
from pressmark.history.locate import Place
from pressmark.history.reading import Entry

if TYPE_CHECKING:
    from pressmark.history.authorship import Version
    from pressmark.history.branches import Merge
    from pressmark.history.undo import Undoing

WRITER = "PRESSMARK_WRITER"
"""Set for the hooks of our commits: a writer in a hook would wait for itself."""
MINIMUM = (2, 36)


@dataclass(frozen=True, slots=True)
class Commit:
    """What a change became.

    `sha` is None when nothing was committed; `left_uncommitted` names the files that were written
    and not committed; `notes` are sentences for the user.
    """

    sha: str | None
    paths: tuple[str, ...]
    left_uncommitted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Repository:
    """A library's repository; nothing is held open and git starts only when it is needed."""

    def __init__(self, place: Place, root: Path, patience: float = 120.0) -> None:
        self.place = place
        self.root = root.resolve()
        self.patience = patience
        self._lock = disk.Lock(place.git_dir / "pressmark.lock", patience)
        # Who waits holds the queue, so a writer that has just finished goes behind: without it
        # one that writes again at once is always faster, and others starve (3 of 16 did).
        self._queue = disk.Lock(place.git_dir / "pressmark.queue", patience)
        self.held: set[Path] = set()
        self._notes: list[str] = []
        self._committed = False

    @classmethod
    def find(cls, path: Path) -> Repository | None:
        """The repository around a library's root; starts no git."""
        place = locate.find(path)
        return None if place is None else cls(place, path)

    @classmethod
    def init(cls, path: Path, *, committing: bool = False) -> Repository:
        """A new repository at the path, or the one that is there.

        Where its first commit is to follow and git has no name for its author, that is said
        before anything is made.
        """
        if committing:
            above = next(folder for folder in (path, *path.parents) if folder.is_dir())
            who = run.read(above, "var", "GIT_AUTHOR_IDENT", quiet=True)
            if who.status:
                raise run.explain(who)
        disk.make_folder(path)
        named = run.read(path, "config", "--get", "init.defaultBranch", quiet=True).stdout.strip()
        branch = () if named else ("--initial-branch=main",)
        output = run.arrange(path, "init", "--quiet", *branch)
        if output.status:
            raise run.explain(output)
        found = cls.find(path)
        if found is None:
            raise Unavailable(f"git made no repository in {path}.", next="git status says more")
        return found

    @property
    def top(self) -> Path:
        """The top of the work tree."""
        return self.place.top

    @property
    def git_dir(self) -> Path:
        """This work tree's own git folder."""
        return self.place.git_dir

    @property
    def prefix(self) -> str:
        """The library's root below the top: empty, or ending in a slash."""
        relative = self.root.relative_to(self.top).as_posix()
        return "" if relative == "." else f"{relative}/"

    # What readers ask: no lock; git only where files do not tell.

    def head(self) -> str | None:
        """The commit of HEAD; None before the first one."""
        if locate.uses_files(self.place):
            return locate.head(self.place)
        output = run.read(self.top, "rev-parse", "--verify", "--quiet", "HEAD", quiet=True)
        return output.stdout.decode("ascii").strip() or None

    def branch(self) -> str | None:
        """The branch that is checked out; None when HEAD is detached."""
        ref = locate.symbolic_head(self.place)
        if not locate.uses_files(self.place):
            output = run.read(self.top, "symbolic-ref", "--quiet", "HEAD", quiet=True)
            ref = output.stdout.decode("utf-8", "surrogateescape").strip() or None
        return ref and ref.removeprefix("refs/heads/")

    def checked_out(self) -> frozenset[str]:
        """The branches that this or another work tree is on."""
        from pressmark.history import branches

        return branches.checked_out(self)

    def state(self) -> str:
        """`clean`, `unborn`, `detached`, or what git is in the middle of (`merge`, `rebase`, …)."""
        word = locate.under_way(self.place)
        if word:
            return word
        if self.branch() is None:
            return "detached"
        return "clean" if self.head() else "unborn"

    def is_shallow(self) -> bool:
        """Whether the history was cut when it was cloned."""
        return (self.place.common / "shallow").is_file()

    def cut(self) -> frozenset[str]:
        """The commits whose parents were left behind when it was cloned."""
        try:
            return frozenset((self.place.common / "shallow").read_text("ascii").split())
        except (OSError, UnicodeDecodeError):
            return frozenset()

    def is_sparse(self) -> bool:
        """Whether the checkout leaves files out."""
        return reading.setting(self, "core.sparseCheckout") == "true"

    def is_partial(self) -> bool:
        """Whether objects were left with a promisor when it was cloned."""
        return reading.is_partial(self)

    def setting(self, name: str) -> str | None:
        """A value of git's configuration."""
        return reading.setting(self, name)

    def attribute(self, name: str, path: str) -> str | None:
        """What git's attributes say of a path from the top."""
        return reading.attribute(self, name, path)

    def configure(self, name: str, value: str) -> None:
        """Set a value in this clone's own configuration."""
        output = run.write(self.top, "config", "--local", name, value)
        if output.status:
            raise run.explain(output)

    def git_version(self) -> tuple[int, ...]:
        """The version of the git program; below 2.36 a commit is less durable."""
        return reading.git_version(self)

    def dirty(self, paths: Iterable[str]) -> set[str]:
        """Which of these paths differ from HEAD, in the work tree or staged."""
        full = [self.prefix + path for path in paths]
        return {path.removeprefix(self.prefix) for path in reading.dirty(self, full)}

    def histories(self, folders: Sequence[str]) -> dict[str, list[Entry]]:
        """The commits of every file below some folders, newest first, from one run of git."""
        return reading.histories(self, folders)

    def log(self, path: str | None = None, n: int = 50) -> list[Entry]:
        """The commits of a path, through renames, or of the library; newest first."""
        return reading.log(self, path, n)

    def versions(self) -> dict[str, list[Version]]:
        """The states of each file below `library`, newest first, with the verb that made each."""
        from pressmark.history import authorship

        return authorship.versions(self)

    def objects(self, oids: Sequence[str]) -> dict[str, bytes]:
        """The bytes of those of some objects that are here."""
        return reading.objects(self, oids)

    def show(self, rev: str, path: str) -> bytes:
        """The bytes of a path as they were in a revision."""
        return reading.show(self, rev, path)

    def tracked(self, prefix: str = "") -> list[str]:
        """The paths below a folder that git tracks."""
        return reading.tracked(self, prefix)

    def added_since(self, path: str, line: str, folder: str) -> list[str]:
        """Markdown files added below a folder after the last change of a line of a file."""
        return reading.added_since(self, path, line, folder)

    def added_on(self, folder: str) -> dict[str, str]:
        """The files below a folder and the day each was first committed."""
        return reading.added_on(self, folder)

    def list_head(self, folder: str = "") -> reading.Listing:
        """Iterate over (path, bytes) of HEAD below a folder, without a checkout."""
        return reading.Listing(self, folder)

    def files_at(self, rev: str, folder: str = "") -> dict[str, bytes]:
        """Every file below a folder in a revision: path → bytes."""
        return reading.files_at(self, rev, folder)

    # What writers do.

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Sole right to write; what a dead writer left is finished first."""
        from pressmark.history import recovery

        outermost = not self._lock.held
        in_hook = os.environ.get(WRITER) == str(self.git_dir)
        self._lock.timeout = 0 if in_hook else self.patience
        with self._queue if outermost and not in_hook else nullcontext():
            try:
                self._lock.__enter__()
            except Busy:
                if in_hook:
                    raise Busy(
                        "A hook of Pressmark's own commit cannot write to the library.",
                        next="let the hook only check, or commit without it",
                    ) from None
                raise
        try:
            if outermost:
                self._notes = recovery.recover(self)
            yield
        finally:
            self._lock.__exit__(None, None, None)
        if outermost and self._committed:
            self._committed = False
            self._maintain()

    def recover(self) -> list[str]:
        """Finish what a writer left that died; sentences about what was done."""
        with self.lock():
            return list(self._notes)

    def transact(
        self,
        root: Path,
        edits: Sequence[disk.Edit],
        subject: str,
        *,
        trailers: Mapping[str, str] | None = None,
        commit: bool = True,
        branch: str | None = None,
        body: str = "",
        merged: Merge | None = None,
        loose: Collection[str] = (),
    ) -> Commit | None:
        """Write all edits or none, and make them one commit; None when nothing changes.

        Files that carry uncommitted edits of the user's are written and not committed. What git
        ignores is deleted only where it is among `loose`: no commit has it.
        With `branch` the commit goes there, and the user's checkout stays as it is; `merged`
        carries an edit over to a file that is another one there.
        """
        from pressmark.history import branches, transaction

        message = transaction.message(subject, body, trailers or {})
        if branch is not None and branch != self.branch():
            return branches.transact(self, root, edits, message, branch, merged)
        return transaction.transact(self, root, edits, message, commit=commit, loose=loose)

    def undoing(self, rev: str | None = None) -> Undoing:
        """What `revert` would write, without writing it."""
        from pressmark.history import undo

        return undo.plan(self, rev)

    def revert(
        self,
        rev: str | None = None,
        *,
        subject: str | None = None,
        commit: bool = True,
        branch: str | None = None,
    ) -> Commit:
        """Undo a commit: the one named, else the last one of Pressmark's not yet undone."""
        from pressmark.history import undo

        return undo.revert(self, rev, subject=subject, commit=commit, branch=branch)

    def git(self, *arguments: str, stdin: bytes = b"", index: Path | None = None) -> run.Output:
        """Run a git command that writes, on another index file if one is given."""
        extra = {WRITER: str(self.git_dir)} | ({"GIT_INDEX_FILE": str(index)} if index else {})
        output = self._patient(partial(run.write, self.top, *arguments, stdin=stdin, extra=extra))
        self._committed = self._committed or (arguments[0] == "commit" and not output.status)
        return output

    def arrange(self, *arguments: str) -> run.Output:
        """Make or remove a branch or a work tree."""
        extra = {WRITER: str(self.git_dir)}
        return self._patient(partial(run.arrange, self.top, *arguments, extra=extra))

    def _patient(self, once: Callable[[], run.Output]) -> run.Output:
        """Waits for another git that holds a lock just now."""
        output = once()
        for _ in range(3):
            if not output.status or b".lock': File exists" not in output.stderr:
                break
            stale.clear(self.place, ours_died=False, mine=self.held)
            output = once()
        return output

    def _maintain(self) -> None:
        """Git's own housekeeping, once objects have gathered: after the lock, never an error."""
        try:
            loose = len(list((self.place.common / "objects" / "17").iterdir()))
        except OSError:
            return
        if loose >= 8:
            with suppress(PressmarkError):
                run.maintain(self.top)
