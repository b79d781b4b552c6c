"""A topic and the library in; what a run must never offer again, and what still waits, out.

A reviewer who deletes a reference from a pull request leaves no word about it. So a topic's file
lists the identities it offered on which nobody has decided; one that is neither held nor kept
when the topic next runs was rejected, however its pull request was merged.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from pressmark import ids
from pressmark.library import Library
from pressmark.record import Reference, Topic, Work

DELETED = "deleted in review"

_ARXIV_DOI = "doi:10.48550/arxiv."

_COMMON = ("doi:", "pmid:", "pmcid:", "arxiv:")


@dataclass(frozen=True, slots=True)
class Memory:
    """What is remembered of a topic at the moment of a run."""

    waiting: tuple[str, ...]
    """Its `offered` lines whose works are held as candidates still."""
    dropped: tuple[str, ...]
    """Its `dropped` lines, with those that were deleted in review."""
    refused: frozenset[str]
    """Identities that are never offered again."""
    titles: frozenset[tuple[str, str]] = frozenset()
    """Title and first author of the same: a refused preprint's journal version is no news."""

    def refuses(self, work: Work) -> bool:
        """Whether somebody said no to a work."""
        found = ids.identities(work)
        return not self.refused.isdisjoint(found) or not self.titles.isdisjoint(_titled(found))


def recall(library: Library, topic: Topic) -> Memory:
    """What became of what the topic offered, and what was refused by whatever found it.

    A paper that somebody said no to is not offered by another topic either.
    """
    waiting, deleted = _decided(library, topic)
    dropped = tuple(sorted({*topic.dropped, *deleted}))
    lines = {*dropped, *(line for search in library.searches() for line in search.dropped)}
    for other in library.topics():
        if other.slug != topic.slug:
            lines |= {*other.dropped, *_decided(library, other)[1]}
    refused = frozenset(each for line in lines for each in identities_of(line))
    return Memory(tuple(waiting), dropped, refused, frozenset(_titled(refused)))


def _decided(library: Library, topic: Topic) -> tuple[list[str], list[str]]:
    """The `offered` lines that wait still, and a `dropped` line for each that was deleted."""
    waiting, deleted = [], []
    sparse = _is_sparse(library) if topic.offered else False
    known = {each: line for line in topic.dropped for each in identities_of(line)}
    for line in topic.offered:
        identities = offered(line)
        # A title alone is no proof that the work is held: its preprint may be, or another.
        sure = [each for each in identities if not each.startswith("title:")] or identities
        holders = library.catalogue.holders(sure)
        if sparse or library.catalogue.wrecked(identities):
            waiting.append(line)
        elif not holders:
            said = next(
                (known[e].removeprefix(e).strip() for e in identities if e in known), DELETED
            )
            deleted += [f"{each} {said}".strip() for each in identities if each not in known]
        elif any(_is_candidate(library, key) for key in holders):
            waiting.append(line)
    return waiting, deleted


def remembered(
    topic: Topic, memory: Memory, new: Iterable[Reference | Work], today: str | None
) -> Topic:
    """The topic's record after a run that brought something."""
    waiting = {*memory.waiting, *(" ".join(_all(work)) for work in new)}
    return replace(
        topic,
        last_run=today or topic.last_run,
        offered=tuple(sorted(waiting)),
        dropped=memory.dropped,
    )


def lasting(work: Work) -> tuple[str, ...]:
    """The identities a source may offer a work under: all of the common ones, else the first.

    The DOI that arXiv makes of its own id says no more than the id.
    """
    found = ids.identities(work)
    common = [each for each in found if each.startswith(_COMMON)]
    return tuple(each for each in common if not each.startswith(_ARXIV_DOI)) or found[:1]


def _all(work: Work) -> list[str]:
    """What an `offered` line says of a work: its identifiers, and its title last."""
    titles = [each for each in ids.identities(work) if each.startswith("title:")]
    return [*(each for each in lasting(work) if not each.startswith("title:")), *titles]


def offered(line: str) -> list[str]:
    """The identities of one work in an `offered` line; a title's comes last and holds blanks."""
    head, mark, title = f" {line}".partition(" title:")
    return [*head.split(), *([f"title:{title}"] if mark else [])]


def _titled(identities: Iterable[str]) -> set[tuple[str, str]]:
    """Title and first author of titles that are long enough to mean one work."""
    found = set()
    for identity in identities:
        parts = identity.split(":")
        if parts[0] == "title" and len(parts) == 4 and parts[3] and parts[1].count(" ") >= 3:
            found.add((parts[1], parts[3]))
    return found


def identities_of(line: str) -> Sequence[str]:
    """The identity of a `dropped` line; a title's holds blanks, so every reading of it counts."""
    if not line.startswith("title:"):
        return (line.split(" ", 1)[0],)
    words = line.split(" ")
    return [" ".join(words[:end]) for end in range(1, len(words) + 1)]


def pending(topics: Iterable[Topic]) -> Collection[str]:
    """Identities that wait on other branches: versions of topics as those have them."""
    return frozenset(each for topic in topics for line in topic.offered for each in offered(line))


def _is_candidate(library: Library, key: str) -> bool:
    held = library.catalogue.get(key)
    return held is not None and held.stage is not None


def _is_sparse(library: Library) -> bool:
    repository = library.repository
    return repository is not None and repository.is_sparse()
