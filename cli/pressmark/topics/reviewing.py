"""A refresh for review: topics in; branches of at most a hundred references, and their texts, out.

Each topic is one commit of `refresh/<date>`; the user's checkout never moves. GitHub shows 300
files of a pull request, ignores merge drivers and cannot be asked to fetch a text, so a branch
holds no full text and a refresh of many references becomes several branches.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pressmark import page
from pressmark.catalogue import layout
from pressmark.check import Finding, check
from pressmark.errors import BadInput, Busy, PressmarkError
from pressmark.history import branches, exchange
from pressmark.library import Library, Write
from pressmark.library.writing import repository as repository_of
from pressmark.record import Paper, Topic
from pressmark.topics import memory
from pressmark.topics.proposing import Proposal, base_of, opened, written
from pressmark.topics.refreshing import Ran, updated
from pressmark.topics.running import LIMIT, Answer, Run, ask, file
from pressmark.topics.summing import Summed, text

if TYPE_CHECKING:
    from pressmark.history import Repository
    from pressmark.http import Client, NullClient
    from pressmark.search.updating import Update

MOST = 100
"""New references of one branch; each is a file, and GitHub shows 300."""

PREFIX = "refresh/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """What a refresh for review made."""

    topics: tuple[Ran, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    findings: tuple[Finding, ...] = ()
    """What the check says of the branches."""

    @property
    def failed(self) -> bool:
        """Whether there were topics and nobody answered any."""
        return bool(self.topics) and not any(each.answered for each in self.topics)


@dataclass
class _Branch:
    """One branch while it is filled."""

    name: str
    runs: list[Run] = field(default_factory=list)
    new: int = 0
    update: Update | None = None

    @property
    def news(self) -> bool:
        """Whether it brings anything."""
        filed = any(run.added is not None and run.added.changes for run in self.runs)
        return filed or bool(self.update and self.update.outcome.changes)


def review(
    library: Library,
    client: Client | NullClient,
    topics: Sequence[Topic],
    *,
    today: str,
    branch: str | None = None,
    limit: int | None = None,
    update_limit: int = 0,
    told: Callable[[Ran], None] = lambda _: None,
    opens: bool = True,
    write: Write | None = None,
) -> Reviewed:
    """Run topics on `refresh/<today>` or the branch named, and write the pull requests' texts.

    With `opens` the requests are opened where `gh` and a token are.
    """
    write = replace(write or Write(), branch=None)
    if write.commit is False:
        raise BadInput("A branch for review is made of commits.", next="leave --no-commit out")
    repo = repository_of(library)
    base = base_of(repo)
    first = branch or f"{PREFIX}{today}"
    if repo.branch() == first:
        raise Busy(f"The branch {first} is checked out here.", next=f"git switch {base}")
    elsewhere = _open(repo, base, besides=first)
    waits, keys = _pending(repo, elsewhere), _keys(repo, base, elsewhere)
    ran = [_asked(library, client, topic, today, limit or LIMIT) for topic in topics]
    made: list[_Branch] = []
    done: dict[str, Ran] = {each.slug: each for each, _ in ran}
    parts = _parts([answer for _, answer in ran if answer is not None], library, waits)
    for number, answers in enumerate(parts):
        name = first if not number else f"{first}-{number + 1}"
        filled = _fill(library, repo, base, name, answers, today, (waits, keys), write)
        waits |= {i for run in filled.runs for i in _offers(run)}
        keys |= {key for run in filled.runs for key in run.new}
        made.append(filled)
        for run in filled.runs:
            done[run.topic.slug] = _joined(done[run.topic.slug], run)
    if update_limit:
        _renew(library, client, repo, base, made, (first, today, update_limit), write)
    for each in done.values():
        told(each)
    failures = tuple(each for each in done.values() if not each.answered)
    proposals, findings = _proposals(library, repo, base, made, failures, write)
    if opens:
        proposals = [opened(library, each) for each in proposals]
    return Reviewed(
        topics=tuple(done.values()), proposals=tuple(proposals), findings=tuple(findings)
    )


def _asked(
    library: Library, client: Client | NullClient, topic: Topic, today: str, limit: int
) -> tuple[Ran, Answer | None]:
    """What a topic's providers say; nothing is filed yet."""
    try:
        answer = ask(library, client, topic, today=today, limit=limit)
    except PressmarkError as problem:
        return Ran(slug=topic.slug, error=problem), None
    return Ran(slug=topic.slug, run=Run(topic, answer.reports, None, notes=answer.notes)), answer


def _parts(answers: Sequence[Answer], library: Library, waits: set[str]) -> list[list[Answer]]:
    """The answers in lots of at most a hundred new papers; what is held already costs nothing."""
    lots: list[list[Answer]] = [[]]
    room = MOST
    for answer in answers:
        if not answer.answered:
            continue
        rest = list(answer.papers)
        while True:
            taken, rest, used = _take(library, rest, room, waits)
            if taken or not rest:
                lots[-1].append(replace(answer, papers=tuple(taken)))
                answer = replace(answer, skipped=0, unnamed=())
            room -= used
            if not rest:
                break
            lots.append([])
            room = MOST
    return [lot for lot in lots if lot]


def _take(
    library: Library, papers: Sequence[Paper], room: int, waits: set[str]
) -> tuple[list[Paper], list[Paper], int]:
    """As many papers as there is room for, the rest, and how many of them are new."""
    used = 0
    for at, paper in enumerate(papers):
        names = memory.lasting(paper)
        is_new = not library.catalogue.holders(names) and waits.isdisjoint(names)
        if is_new and used == room:
            return list(papers[:at]), list(papers[at:]), used
        used += is_new
    return list(papers), [], used


def _fill(
    library: Library,
    repo: Repository,
    base: str,
    name: str,
    answers: Sequence[Answer],
    today: str,
    elsewhere: tuple[set[str], set[str]],
    write: Write,
) -> _Branch:
    """File a lot of answers on a branch, one commit a topic; a branch without news is not made."""
    filled = _Branch(name)
    waits, keys = elsewhere

    def work(there: Library) -> bool:
        for answer in answers:
            run = file(there, answer, today, pending=waits, reserved=keys, write=write)
            filled.runs.append(run)
            filled.new += len(run.new)
        return any(run.added and run.added.changes for run in filled.runs)

    _on_branch(library, repo, base, name, work, write)
    return filled


def _on_branch(
    library: Library,
    repo: Repository,
    base: str,
    name: str,
    work: Callable[[Library], bool],
    write: Write,
) -> None:
    """Work in a checkout of a branch, new or gone on with; one that brings nothing is not made."""
    where = _start(repo, name) or base
    is_new = where != name
    news = False
    try:
        with branches.worktree(repo, *(("-b", name) if is_new else ()), at=where) as other:
            if where != base:
                exchange.merge(other, base, f"Merge {base} into {name}")
            news = work(_inside(library, repo, other)) and not write.dry_run
    finally:
        if is_new and not news:
            repo.arrange("branch", "--quiet", "-D", "--end-of-options", name)


def _renew(
    library: Library,
    client: Client | NullClient,
    repo: Repository,
    base: str,
    made: list[_Branch],
    asked: tuple[str, str, int],
    write: Write,
) -> None:
    """Ask the day's slice anew, one more commit of the first branch."""
    name, today, limit = asked
    one = next((each for each in made if each.name == name), _Branch(name))

    def work(there: Library) -> bool:
        one.update = updated(there, client, today, limit, write)
        return one.news

    _on_branch(library, repo, base, name, work, write)
    if one not in made and one.news:
        made.append(one)


def _inside(library: Library, repo: Repository, other: Repository) -> Library:
    """The library as it stands in another checkout, under the same settings."""
    root = other.top / repo.prefix if repo.prefix else other.top
    return Library(root, replace(library.config, root=root))


def _start(repo: Repository, name: str) -> str | None:
    """The branch to go on with: ours, else the remote's; None for a new one."""
    if exchange.commit(repo, f"refs/heads/{name}"):
        return name
    for remote in exchange.remotes(repo):
        if exchange.commit(repo, f"refs/remotes/{remote}/{name}"):
            return f"refs/remotes/{remote}/{name}"
    return None


def _open(repo: Repository, base: str, besides: str) -> list[str]:
    """The other branches of refreshes that are not merged, ours and the remotes'."""
    patterns = [f"refs/heads/{PREFIX}"]
    patterns += [f"refs/remotes/{name}/{PREFIX}" for name in exchange.remotes(repo)]
    found = (ref for each in patterns for ref in exchange.refs(repo, each, not_merged_into=base))
    return [ref for ref in found if not ref.endswith(f"/{besides}")]


def _pending(repo: Repository, refs: Sequence[str]) -> set[str]:
    """What other branches offer already: it is not offered on a second one."""
    return {i for ref in refs for i in memory.pending(_topics_of(repo, ref))}


def _keys(repo: Repository, base: str, refs: Sequence[str]) -> set[str]:
    """The keys of what other branches add: two papers must not get one."""
    found = set()
    for ref in refs:
        rows = exchange.names(repo, exchange.merge_base(repo, base, ref), ref, "library")
        found |= {layout.name(path) for mark, path in rows if mark == "A"}
    return found


def _topics_of(repo: Repository, ref: str) -> list[Topic]:
    """The topics as a branch has them; one that cannot be read offers nothing."""
    found = []
    for path, data in exchange.files(repo, ref, "topics"):
        if layout.kind(path) == "topic":
            try:
                found.append(page.read(Topic, data, path))
            except PressmarkError:
                continue
    return found


def _offers(run: Run) -> list[str]:
    return [each for line in run.topic.offered for each in memory.offered(line)]


def _joined(ran: Ran, run: Run) -> Ran:
    """A topic's run over several branches as one."""
    held = ran.run
    if held is None or held.added is None or run.added is None:
        return replace(ran, run=run)
    added = replace(
        held.added,
        items=(*held.added.items, *run.added.items),
        conflicts=(*held.added.conflicts, *run.added.conflicts),
        changes=(*held.added.changes, *run.added.changes),
        commit=run.added.commit or held.added.commit,
    )
    more = {
        "skipped": held.skipped + run.skipped, "unnamed": (*held.unnamed, *run.unnamed),
        "matched": (*held.matched, *run.matched), "refused": held.refused + run.refused,
    }  # fmt: skip
    return replace(ran, run=replace(run, added=added, **more))  # type: ignore[arg-type]


def _proposals(
    library: Library,
    repo: Repository,
    base: str,
    made: Sequence[_Branch],
    failures: Sequence[Ran],
    write: Write,
) -> tuple[list[Proposal], list[Finding]]:
    """The pull request of every branch that brings something, its text from what was filed."""
    proposals: list[Proposal] = []
    findings: list[Finding] = []
    live = [b for b in made if not write.dry_run and exchange.commit(repo, f"refs/heads/{b.name}")]
    for number, one in enumerate(live, 1):
        if not one.news:
            continue
        of = f" ({number} of {len(live)})" if len(live) > 1 else ""
        day = one.name.removeprefix(PREFIX)
        title = f"Refresh {day}: {one.new} new{of}" if one.new else f"Refresh {day}{of}"
        found, summed = _looked_over(library, repo, one, failures)
        findings += found
        proposals.append(written(library, one.name, base, title, text(summed)))
    return proposals, findings


def _looked_over(
    library: Library, repo: Repository, one: _Branch, failures: Sequence[Ran]
) -> tuple[list[Finding], Summed]:
    """What the check says of a branch, and what its text is made of."""
    with branches.worktree(repo, "--detach", at=one.name) as other:
        there = _inside(library, repo, other)
        findings = check(there)
        summed = Summed.of(there, one.runs, failures, findings, one.update)
    return findings, summed
