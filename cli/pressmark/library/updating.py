"""What the sources say now in; references that follow them where no person interfered, out.

A field follows when its value is the one that our own filing put there; a value that a person set
or changed stands, and the offer becomes a line of `conflicts`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from pressmark import ids
from pressmark.errors import PressmarkError
from pressmark.library import matching
from pressmark.library.makers import ASKED, Makers
from pressmark.library.outcome import Outcome, Write
from pressmark.library.writing import finish, writing
from pressmark.record import Paper, Reference, Work, grown, merge, stand

if TYPE_CHECKING:
    from pressmark.library.library import Library

_NEVER = frozenset({
    "notice", "notice_note", "cites", "related", "keywords", "isbn", "issn", "doi", "arxiv",
    "pmid", "pmcid", "openalex", "s2", "url", "oa", "language",
})  # fmt: skip
"""What is never replaced: identities and lists grow, a notice is taken by its gravity."""

_COUNTED = ("notice", "published", "venue", "volume", "issue", "pages", "doi", "cites")
"""The fields whose change a commit names, the gravest first."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What the sources say now of one reference."""

    key: str
    paper: Paper
    follow: bool = True
    """Whether all answered that it was made from: else nothing that stands is replaced."""
    cites: tuple[str, ...] | None = None
    """What it cites, in its own order; None when nobody was asked."""
    aliases: Mapping[str, str] | None = None
    """Other identity strings of what it cites to those in `cites`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """What an update did to one reference."""

    key: str
    fields: tuple[str, ...] = ()
    """Front-matter names of the fields that are new or follow their source."""
    notice: str | None = None
    """A notice that it did not have before."""
    conflicts: tuple[str, ...] = ()
    """Offers that were not taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Updated(Outcome):
    """What an update changed, reference by reference."""

    references: tuple[Changed, ...] = ()


def update(library: Library, offers: Sequence[Offer], write: Write) -> Updated:
    """Take what the sources say now, all in one commit whose subject names what changed."""
    changed: list[Changed] = []
    warnings: list[str] = []
    makers = Makers(library, len(offers))
    with writing(library, write) as draft:
        for offer in offers:
            held = library.catalogue.get(offer.key)
            if held is None:
                continue
            after = updated(held, offer, *_asked_of(makers, held))
            after = makers.without_removed(held, after)
            if after == held:
                continue
            try:
                path = draft.write(after, library.catalogue.path(held.key))
            except PressmarkError as error:
                warnings.append(str(error))
                continue
            if draft.differs(path):
                changed.append(_changed(held, after))
        outcome = finish(
            library, draft, _subject(changed), _with_body(write, changed),
            keys=[each.key for each in changed], warnings=warnings,
        )  # fmt: skip
    shared = {each.name: getattr(outcome, each.name) for each in fields(outcome)}
    return Updated(**shared, references=tuple(changed))


def updated(
    held: Reference,
    offer: Offer,
    untouched: Callable[[str], bool],
    person: Callable[[str], bool] = lambda _: False,
) -> Reference:
    """The reference with what the sources say now.

    `untouched` asks whether a field follows, `person` whether a value is known to be somebody's.
    """
    held_now, paper = matching.agree_on_doi(held, offer.paper)
    following: dict[str, object] = {}
    if offer.follow:
        for each in fields(Work):
            have, now = getattr(held_now, each.name), getattr(paper, each.name)
            if each.name in _NEVER or not now or not have or have == now:
                continue
            if untouched(each.name):
                following[each.name] = now
    after = merge(replace(held_now, **following), paper)  # type: ignore[arg-type]
    longer = [name for name in grown(held_now, after) if name not in following]
    after = stand(after, held_now, paper, [name for name in longer if person(name)])
    if not offer.follow:
        after = replace(after, conflicts=held.conflicts)
    settled = {line for line in after.conflicts if _settled(line, following)}
    after = replace(after, conflicts=tuple(c for c in after.conflicts if c not in settled))
    if offer.cites:
        after = replace(after, cites=joined(after.cites, offer.cites, offer.aliases or {}))
    return after


def _asked_of(
    makers: Makers, held: Reference
) -> tuple[Callable[[str], bool], Callable[[str], bool]]:
    """Whether a field's value is one that our own filing wrote, and whether one is somebody's."""

    def untouched(name: str) -> bool:
        told = not matching.by_hand(held) or matching.by_bytes(held)
        return told and bool(makers.made_by(ASKED, held, [name]))

    return untouched, lambda name: makers.person(held, name)


def joined(held: Sequence[str], new: Sequence[str], aliases: Mapping[str, str]) -> tuple[str, ...]:
    """What is cited, in the paper's own order; a held one that is a new one's other name goes."""
    named = {aliases.get(each, each) for each in new} | set(new)
    rest = [each for each in held if aliases.get(each, each) not in named]
    return tuple(dict.fromkeys([*new, *rest]))


def _settled(conflict: str, following: Mapping[str, object]) -> bool:
    """Whether an offer on record is what the field says now."""
    name, _, rest = conflict.partition(": ")
    now = following.get(name.replace("-", "_"))
    shown = "; ".join(now) if isinstance(now, tuple) else now
    return isinstance(shown, str) and rest.rpartition(" (")[0] == shown


def _changed(held: Reference, after: Reference) -> Changed:
    names = [
        name
        for name in Reference.FIELDS
        if name not in ("conflicts", "sources")
        and getattr(held, name.replace("-", "_")) != getattr(after, name.replace("-", "_"))
    ]
    if held.body != after.body:
        names.append("abstract")
    notice = after.notice if after.notice != held.notice else None
    new = tuple(line for line in after.conflicts if line not in held.conflicts)
    return Changed(key=held.key, fields=tuple(names), notice=notice, conflicts=new)


def _subject(changed: Sequence[Changed]) -> str:
    """`update: 1 retracted, 3 references (published, pages), 1 conflict`."""
    notices: dict[str, int] = {}
    for each in changed:
        if each.notice:
            notices[each.notice] = notices.get(each.notice, 0) + 1
    names = {name for each in changed for name in each.fields}
    shown = [name for name in _COUNTED if name in names and name != "notice"]
    parts = [f"{number} {notice}" for notice, number in sorted(notices.items())]
    what = changed[0].key if len(changed) == 1 else f"{len(changed)} references"
    parts.append(what + (f" ({', '.join(shown)})" if shown else ""))
    if conflicts := sum(len(each.conflicts) for each in changed):
        parts.append(f"{conflicts} conflict{'s' if conflicts > 1 else ''}")
    return f"update: {', '.join(parts)}"


def _with_body(write: Write, changed: Sequence[Changed]) -> Write:
    """The commit's body: a line a reference, so that a reader of the log sees what changed."""
    if write.body:
        return write
    lines = [
        f"{each.key}: {', '.join([*each.fields, *each.conflicts]) or 'sources'}" for each in changed
    ]
    return replace(write, body="\n".join(lines[:200]))


def asked_by(held: Reference) -> list[ids.Identifier]:
    """The identifiers by which a reference is looked up, the surest first."""
    found = []
    for kind in ("doi", "arxiv", "pmid", "pmcid", "openalex"):
        value = getattr(held, kind)
        if value:
            found.append(ids.Identifier(kind, value))
    return found
