"""Edits and a message in; written files and one commit out, or nothing changed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from pressmark import disk
from pressmark.disk import Edit, Replacement, Tree, replace
from pressmark.errors import BadInput, Busy, PressmarkError, Unavailable
from pressmark.history import committing, journal, locate, reading, run
from pressmark.history.journal import File, Journal
from pressmark.history.repository import Commit
from pressmark.text import clean

if TYPE_CHECKING:
    from pressmark.history.repository import Repository


LONGEST = 30_000
"""Characters of a message's body; the system limits one argument to 128 KiB."""


def message(subject: str, body: str, trailers: Mapping[str, str]) -> str:
    """A commit message whose last paragraph is trailers, `Pressmark:` among them."""
    first = clean(subject) or "change"
    lines = {key: clean(value) for key, value in trailers.items()}
    lines.setdefault("Pressmark", first.split(":")[0] if ":" in first else "change")
    parts = [first, _cut(clean(body, newlines=True).strip())]
    parts.append("\n".join(f"{key}: {value}" for key, value in lines.items()))
    return "\n\n".join(part for part in parts if part) + "\n"


def _cut(body: str) -> str:
    return body if len(body) <= LONGEST else f"{body[:LONGEST].rpartition(chr(10))[0]}\n…"


@dataclass(frozen=True, slots=True)
class Plan:
    """What will be written, and which of it will be committed (paths from the top)."""

    replacements: list[Replacement]
    committed: list[str]
    left: list[str]
    notes: list[str]


def transact(
    repo: Repository,
    root: Path,
    edits: Sequence[Edit],
    text: str,
    *,
    commit: bool,
    loose: Collection[str] = (),
) -> Commit | None:
    """The whole way of one change, under the lock."""
    prefix = _prefix(repo, root)
    with repo.lock():
        refuse(repo, commit=commit)
        with Tree(root) as tree:
            plan = _plan(repo, tree, prefix, edits, commit=commit, loose=loose)
            if not plan.replacements:
                return None
            _record(repo, prefix, plan, text)
            _write(repo, tree, plan)
            if not plan.committed:
                journal.drop(repo.git_dir)
                return _result(prefix, plan, None)
            return _commit(repo, tree, prefix, plan, text)


def _prefix(repo: Repository, root: Path) -> str:
    try:
        relative = root.resolve().relative_to(repo.top).as_posix()
    except ValueError:
        raise BadInput(f"{root} is not in the repository {repo.top}.") from None
    return "" if relative == "." else f"{relative}/"


def refuse(repo: Repository, *, commit: bool = True) -> None:
    """Raise while git is in the middle of something, or when a commit would be on no branch."""
    state = repo.state()
    if state not in ("clean", "unborn", "detached"):
        raise Busy(
            f"A {state} is under way in this repository; nothing was written.",
            next=f"finish it (git {state} --continue) or give it up (git {state} --abort)",
        )
    if state == "detached" and commit:
        raise Busy(
            "No branch is checked out, so a commit could get lost; nothing was written.",
            next="git switch BRANCH, or use --branch NAME",
        )


def _plan(
    repo: Repository,
    tree: Tree,
    prefix: str,
    edits: Sequence[Edit],
    *,
    commit: bool,
    loose: Collection[str],
) -> Plan:
    for edit in edits:
        run.check_path(prefix + edit.path)
    replacements = replace.check(tree, edits, _left_out(repo, tree, prefix, edits))
    plan = Plan(replacements, [], [], [])
    if not commit:
        plan.left.extend(prefix + item.path for item in replacements)
        return plan
    marks = _marks(repo, prefix, replacements)
    for item in replacements:
        mark = marks.get(prefix + item.path)
        if mark == "!!" and item.after is None and item.path in loose:
            plan.left.append(prefix + item.path)
        else:
            _sort(plan, item, prefix + item.path, mark)
    return plan


def _marks(repo: Repository, prefix: str, replacements: list[Replacement]) -> dict[str, str]:
    """What git says about each path: new ones can be ignored, others edited by the user."""
    fresh = [prefix + item.path for item in replacements if item.before is None]
    held = [prefix + item.path for item in replacements if item.before is not None]
    marks = dict.fromkeys(reading.ignored(repo, fresh) if fresh else (), "!!")
    return marks | (reading.status(repo, held) if held else {})


def _left_out(repo: Repository, tree: Tree, prefix: str, edits: Sequence[Edit]) -> dict[str, bytes]:
    """What HEAD holds of files that a sparse checkout leaves out."""
    if not (repo.git_dir / "info" / "sparse-checkout").exists() or not repo.is_sparse():
        return {}
    absent = [edit.path for edit in edits if replace.current(tree, edit.path) is None]
    skipped = reading.skipped(repo, [prefix + path for path in absent])
    contents = reading.read_blobs(repo, list(skipped.values()))
    return {path.removeprefix(prefix): contents[oid] for path, oid in skipped.items()}


def _sort(plan: Plan, item: Replacement, path: str, mark: str | None) -> None:
    """Put one path where it belongs: committed, or left to the user."""
    if mark in ("UU", "AA", "DD", "AU", "UA", "DU", "UD"):
        raise Busy(
            f"{path} is in conflict; nothing was written.",
            next=f"resolve it and git add {quote(path)}, then run the command again",
        )
    if mark is None:
        plan.committed.append(path)
        return
    if item.after is None:
        raise Unavailable(
            f"{path} has edits that are not committed, and deleting it would lose them.",
            next=f"commit them first: git add {quote(path)} && git commit -- {quote(path)}",
        )
    plan.left.append(path)
    why = "git ignores it" if mark == "!!" else "it has uncommitted edits of yours"
    plan.notes.append(f"{path} was written and not committed: {why}.")


def _record(repo: Repository, prefix: str, plan: Plan, text: str) -> None:
    committed = set(plan.committed)
    files = tuple(
        File(
            prefix + item.path,
            None if item.before is None else disk.sha256(item.before),
            None if item.after is None else disk.sha256(item.after),
            item.temporary,
            prefix + item.path in committed,
        )
        for item in plan.replacements
    )
    Journal(locate.symbolic_head(repo.place), text, files).save(repo.git_dir)


def _write(repo: Repository, tree: Tree, plan: Plan) -> None:
    """Stage and rename; when that fails, what was there before comes back."""
    try:
        replace.stage(tree, plan.replacements)
    except BaseException:
        with suppress(PressmarkError):
            journal.drop(repo.git_dir)
        raise
    try:
        replace.promote(tree, plan.replacements)
    except BaseException as error:
        raise _undone(repo, tree, plan, error) from error


def _undone(repo: Repository, tree: Tree, plan: Plan, error: BaseException) -> BaseException:
    """Put the old bytes back; when even that fails the journal stays, and the error says so."""
    try:
        replace.restore(tree, plan.replacements)
        replace.discard(tree, plan.replacements)
        journal.drop(repo.git_dir)
    except PressmarkError as second:
        if isinstance(error, PressmarkError):
            error.message = (
                f"{error.message.rstrip('.')}, and what was written could not be taken back "
                f"({second.message.rstrip('.')})."
            )
            error.next = "run any writing command again: it finishes this one first"
    return error


def _commit(repo: Repository, tree: Tree, prefix: str, plan: Plan, text: str) -> Commit:
    before = repo.head()
    try:
        output = committing.commit(repo, plan.committed, text)
        if output.status:
            raise refused(output)
    except PressmarkError as error:
        if not _made(repo, before, text):
            raise _undone(repo, tree, plan, error) from error
        # The journal stays: the next writer brings the index up to the commit.
        plan.notes.append(f"The commit is made, but git's index is not: {error.message}")
        return _result(prefix, plan, repo.head())
    except BaseException as error:
        if not _made(repo, before, text):
            raise _undone(repo, tree, plan, error) from error
        raise
    journal.drop(repo.git_dir)
    return _result(prefix, plan, repo.head())


def _made(repo: Repository, before: str | None, text: str) -> bool:
    """Whether HEAD is our commit, although something failed after it."""
    head = repo.head()
    if head is None or head == before:
        return False
    output = run.read(repo.top, "log", "-1", "--format=%P%n%s", head, "--", quiet=True)
    parent, _, subject = output.stdout.decode("utf-8", "replace").partition("\n")
    return parent == (before or "") and subject.strip() == text.splitlines()[0]


def refused(output: run.Output) -> PressmarkError:
    """The error for a commit that git or a hook would not make."""
    error = run.explain(output)
    if error.message.startswith("Git failed: "):
        words = error.message.removeprefix("Git failed: ")
        if not output.words:
            words = "a hook said no, without a word."
        return Unavailable(
            f"The commit was refused and nothing was changed: {words}",
            next="do what the hook asks for, or commit by hand with --no-commit",
        )
    return error


def _result(prefix: str, plan: Plan, sha: str | None) -> Commit:
    written = [item.path for item in plan.replacements]
    left = tuple(path.removeprefix(prefix) for path in plan.left)
    return Commit(sha, tuple(written), left, tuple(plan.notes))
