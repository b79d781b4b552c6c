"""A branch in; its pull request's text in a file, pushed and opened where that can be, out."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pressmark import disk
from pressmark.errors import BadInput, NotFound, Offline, PressmarkError
from pressmark.history import exchange
from pressmark.history.forge import Forge, forge
from pressmark.library import Library
from pressmark.library.writing import repository as repository_of
from pressmark.topics.changing import Changes, changes
from pressmark.topics.telling import as_markdown, summary

if TYPE_CHECKING:
    from pressmark.history import Repository

LONGEST = 60_000
"""Characters of a pull request's text: GitHub takes 65,536."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A branch for review."""

    branch: str
    base: str
    title: str
    text: Path
    """The file that holds the pull request's text."""
    pushed: bool = False
    url: str | None = None
    """The pull request, when it was opened."""
    note: str = ""
    """Why it was not pushed or opened, in a sentence."""


def propose(library: Library, branch: str | None = None, *, base: str | None = None) -> Proposal:
    """Push a branch and open its pull request with `changes` as the text.

    Without `gh` and a token the branch is pushed and the text is in a file.
    """
    if library.config.offline:
        raise Offline("A proposal needs the network, which is off.")
    repo = repository_of(library)
    branch, base = _branches(repo, branch, base)
    found = changes(library, base, branch)
    if not found:
        raise BadInput(f"{branch} changes nothing that {base} has not.", next="git log --oneline")
    made = written(library, branch, base, title(found, branch), as_markdown(found))
    return opened(library, made, push_without_forge=True)


def written(library: Library, branch: str, base: str, title: str, text: str) -> Proposal:
    """A proposal whose text is in a file of the sidecars."""
    name = re.sub(r"[^\w.-]+", "-", branch)
    place = library.root / ".pressmark" / "proposals" / f"{name}.md"
    disk.write_file(place, _cut(text).encode("utf-8", "replace"), root=library.root)
    return Proposal(branch=branch, base=base, title=title, text=place)


def opened(library: Library, made: Proposal, *, push_without_forge: bool = False) -> Proposal:
    """The proposal pushed, and its pull request opened or brought up to date."""
    repo = repository_of(library)
    there = _forge(library, repo)
    if library.config.offline or (there is None and not push_without_forge):
        why = "the network is off" if library.config.offline else "gh or its token is not there"
        return replace(made, note=f"Not pushed: {why}.")
    try:
        name = exchange.remote(repo, made.base)
    except NotFound as problem:
        return replace(made, note=f"Not pushed. {problem.message}")
    try:
        exchange.push(repo, name, made.branch)
    except exchange.Rejected as problem:
        return replace(made, note=f"Not pushed: {problem.message}")
    if there is None:
        return replace(
            made, pushed=True,
            note=f"Open the pull request yourself, with {made.text.name} as its text: "
            "gh or its token is not there.",
        )  # fmt: skip
    try:
        url = there.open(made.branch, made.base, made.title, made.text)
    except PressmarkError as problem:
        return replace(made, pushed=True, note=problem.message)
    return replace(made, pushed=True, url=url)


def title(found: Changes, branch: str) -> str:
    """`3 added, 1 changed (new/graph-transformers)`."""
    return f"{summary(found).rstrip('.')} ({branch})"


def base_of(repo: Repository) -> str:
    """The branch that proposals are for: the one checked out, else the remote's own."""
    branch = repo.branch()
    if branch and not branch.startswith("refresh/"):
        return branch
    for name in ("main", "master"):
        if exchange.commit(repo, f"refs/heads/{name}"):
            return name
    raise NotFound("No branch is checked out to propose to.", next="git switch main")


def _branches(repo: Repository, branch: str | None, base: str | None) -> tuple[str, str]:
    out = repo.branch()
    if branch is None:
        branch = out or ""
        base = base or _default(repo)
    if not branch or exchange.commit(repo, f"refs/heads/{branch}") is None:
        raise NotFound(f"There is no branch {branch!r}.", next="git branch --list")
    base = base or (out if out and out != branch else _default(repo))
    if base == branch:
        raise BadInput(
            f"There is nothing to propose: {branch} is the branch that proposals go to.",
            next="write with --branch NAME, then pressmark propose NAME",
        )
    return branch, base


def _default(repo: Repository) -> str:
    """The branch that the remote calls its own, else main or master."""
    for name in exchange.remotes(repo):
        ref = exchange.refs(repo, f"refs/remotes/{name}/HEAD")
        if ref and (target := exchange.symbolic(repo, ref[0])):
            return target.removeprefix(f"refs/remotes/{name}/")
    for name in ("main", "master"):
        if exchange.commit(repo, f"refs/heads/{name}"):
            return name
    raise NotFound("No branch is there to propose to.", next="pressmark propose BRANCH --base NAME")


def _forge(library: Library, repo: Repository) -> Forge | None:
    return forge(repo.top, library.config.programs, os.environ)


def _cut(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    head = text[:LONGEST].rpartition("\n")[0]
    return f"{head}\n\nThe rest is cut: see the files of this branch.\n"
