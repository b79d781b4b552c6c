"""A library with a remote in; pulled, checked again and pushed, no local commit lost, out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pressmark import page
from pressmark.catalogue import layout
from pressmark.check import Finding, check
from pressmark.errors import BadInput, Busy, Integrity, Offline, PressmarkError
from pressmark.fulltext.licenses import is_open
from pressmark.history import exchange
from pressmark.history.reading import read_blobs, tree
from pressmark.library import Library, driver
from pressmark.library.writing import repository as repository_of
from pressmark.record import FullText
from pressmark.render import counted
from pressmark.topics.changing import Changes, between

if TYPE_CHECKING:
    from pressmark.history import Repository

TRIES = 5
"""How often a push is tried that somebody else's came before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Synced:
    """What a sync did."""

    remote: str
    branch: str
    pulled: int = 0
    """Commits that came."""
    pushed: int = 0
    """Commits that went."""
    tries: int = 1
    changes: Changes | None = None
    """What the commits that came did to the references."""
    warnings: tuple[str, ...] = ()


def sync(
    library: Library,
    *,
    push: bool = True,
    force: bool = False,
    told: Callable[[str], None] = lambda _: None,
) -> Synced:
    """Pull by rebasing, check again, push; a push that came too late is tried again.

    Local commits are rebased apart from the checkout, which moves only when all went well: a
    conflict, a finding of the check or a texts' licence stops the sync and loses nothing.
    """
    if library.config.offline:
        raise Offline("A sync needs the network, which is off.", next="run it without --offline")
    repo = repository_of(library)
    branch = _ready(repo)
    driver.install(repo)
    name = exchange.remote(repo, branch)
    start, pulled = repo.head(), 0
    for tries in range(1, TRIES + 1):
        exchange.fetch(repo, name)
        pulled += _pull(library, repo, name, branch, told)
        ahead = _ahead(repo, name, branch)
        if not ahead or not push:
            break
        _recheck(library, force=force)
        _licences(library, repo, name, branch)
        try:
            exchange.push(repo, name, branch)
        except exchange.Rejected as late:
            if tries == TRIES:
                raise
            told(f"{late.message} Once more.")
            continue
        break
    head = repo.head() or ""
    came = between(repo, start, head) if pulled else None
    return Synced(
        remote=name, branch=branch, pulled=pulled, pushed=ahead if push else 0, tries=tries,
        changes=came,
    )  # fmt: skip


def closed_texts(library: Library, since: str | None, until: str = "HEAD") -> list[str]:
    """Full texts without an open licence that commits bring, by path."""
    repo = repository_of(library)
    rows = exchange.names(repo, since, until, "library")
    paths = [p for mark, p in rows if mark != "D" and layout.kind(p) == "fulltext"]
    blobs = tree(repo, until, [repo.prefix + path for path in paths]) if paths else {}
    contents = read_blobs(repo, list(blobs.values()))
    closed = []
    for path, oid in blobs.items():
        try:
            text = page.read(FullText, contents[oid], path)
        except PressmarkError:
            continue
        if not is_open(text.license):
            closed.append(path.removeprefix(repo.prefix))
    return sorted(closed)


def _ready(repo: Repository) -> str:
    """The branch that is out; a sentence where there is nothing to sync from or to."""
    state = repo.state()
    branch = repo.branch()
    if state not in ("clean", "unborn") or branch is None:
        what = "No branch is checked out" if branch is None else f"A {state} is under way"
        raise Busy(f"{what}, so nothing was synced.", next="git status says more")
    if repo.head() is None:
        raise Busy("There is no commit yet to sync.", next="pressmark add, or git commit")
    return branch


def _theirs(repo: Repository, name: str, branch: str) -> str | None:
    """The commit that the branch follows, else the remote's branch of its name."""
    followed = exchange.upstream(repo, branch)
    return followed or exchange.commit(repo, f"refs/remotes/{name}/{branch}")


def _pull(
    library: Library, repo: Repository, name: str, branch: str, told: Callable[[str], None]
) -> int:
    """Take what the branch's upstream has; how many commits that were."""
    with repo.lock():
        theirs, ours = _theirs(repo, name, branch), repo.head() or ""
        if theirs is None:
            return 0
        apart = exchange.apart(repo, ours, theirs)
        if not apart.behind:
            return 0
        told(f"{counted(apart.behind, 'commit')} came.")
        to = exchange.rebased(repo, theirs) if apart.ahead else theirs
        exchange.move(repo, branch, to)
    library.refresh()
    return apart.behind


def _ahead(repo: Repository, name: str, branch: str) -> int:
    """How many commits the remote has not."""
    theirs = _theirs(repo, name, branch)
    ours = repo.head() or ""
    return exchange.apart(repo, ours, theirs).ahead if theirs else exchange.count(repo, ours)


def _recheck(library: Library, *, force: bool) -> None:
    """Refuse to push what breaks the library's rules, the local commits staying as they are."""
    findings = [each for each in check(library) if each.severity == "error"]
    if findings and not force:
        raise Integrity(
            f"The check found {counted(len(findings), 'error')}, so nothing was pushed: "
            f"{_first(findings)}",
            next="pressmark check names them all; pressmark sync --force pushes all the same",
        )


def _first(findings: Sequence[Finding]) -> str:
    one = findings[0]
    place = f"{one.path}:{one.line}" if one.line else one.path
    return f"{place}: {one.message}".rstrip(".") + "."


def _licences(library: Library, repo: Repository, name: str, branch: str) -> None:
    """Open access is a right to read, not to republish: the user says it once, in writing."""
    if library.config.fulltext_commit == "all":
        return
    theirs = _theirs(repo, name, branch)
    closed = closed_texts(library, theirs)
    if closed:
        raise BadInput(
            f"{counted(len(closed), 'full text')} without an open licence would be pushed "
            f"(the first: {closed[0]}), so nothing was.",
            next='write [fulltext] commit = "all" into pressmark.toml if the remote may have them, '
            "or take them out of the commits",
        )
