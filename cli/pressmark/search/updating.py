"""References in; what the sources say of them now, filed where no person interfered, out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256

from pressmark import ids
from pressmark.errors import BadInput, NotFound, Offline, PressmarkError, Unavailable
from pressmark.http import Client, NullClient
from pressmark.ids import Identifier
from pressmark.library import Library, Write, matching
from pressmark.library.updating import Offer, Updated
from pressmark.library.updating import update as filed
from pressmark.record import Paper, Reference
from pressmark.sources import Looked, edges, look_up, merged

SLICE = 50
"""References that a call without names asks for; the next day it asks for the next ones."""

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What became of one reference: `changed`, `same`, `gone`, `unavailable` or `not asked`."""

    key: str
    status: str
    reason: str = ""
    fields: tuple[str, ...] = ()
    notice: str | None = None
    conflicts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Update:
    """What an update asked and did."""

    items: tuple[Asked, ...]
    outcome: Updated
    left: int = 0
    """References that this slice did not come to."""

    @property
    def failure(self) -> PressmarkError | None:
        """The error of an update of which nothing could be asked; None when something was."""
        down = [item for item in self.items if item.status == "unavailable"]
        if self.items and len(down) == len(self.items):
            return Unavailable(f"Nothing could be asked: {down[0].reason}", next="try again later")
        return None


def update(
    library: Library,
    client: Client | NullClient,
    references: Sequence[Reference],
    *,
    today: str,
    cites: bool = False,
    progress: Progress | None = None,
    write: Write | None = None,
) -> Update:
    """Ask past the cache for each reference, and file what the sources say now in one commit.

    Retractions and corrections, pages of what was in press, the journal of what was a preprint.
    A field that no person touched follows its source, another's offer becomes a conflict. With
    `cites` what each one cites is asked for too. Raises Offline without a network.
    """
    if client.offline:
        raise Offline("An update needs the network, which is off.")
    named = {held.key: identifier for held in references if (identifier := _surest(held))}
    looked = _looked(list(named.values()), client, library, today)
    offers: list[Offer] = []
    items: dict[str, Asked] = {}
    for number, held in enumerate(references, 1):
        identifier = named.get(held.key)
        if identifier is None:
            items[held.key] = Asked(key=held.key, status="not asked", reason="it has no identifier")
            continue
        offer = _offer(held, looked[identifier], client, library, today)
        if isinstance(offer, Asked):
            items[held.key] = offer
            if not cites:
                continue
            offer = Offer(held.key, Paper(sources=held.sources), follow=False)
        if cites:
            offer = _with_cites(held, offer, client, library, today)
        offers.append(offer)
        if progress:
            progress("asked", number, len(references))
    outcome = filed(library, offers, write or Write())
    did = {each.key: each for each in outcome.references}
    for held in references:
        if each := did.get(held.key):
            items[held.key] = Asked(
                key=held.key, status="changed", fields=each.fields, notice=each.notice,
                conflicts=each.conflicts,
            )  # fmt: skip
        items.setdefault(held.key, Asked(key=held.key, status="same"))
    return Update(items=tuple(items[held.key] for held in references), outcome=outcome)


def portion(references: Sequence[Reference], today: str, limit: int = SLICE) -> list[Reference]:
    """The slice of a day: every reference has its turn, and no file remembers whose it was.

    The references stand in an order of their keys' hashes; each day takes the next `limit`.
    """
    order = sorted(references, key=lambda held: sha256(held.key.encode()).digest())
    if len(order) <= limit:
        return order
    begin = date.fromisoformat(today).toordinal() * limit % len(order)
    return [*order, *order][begin : begin + limit]


def _surest(held: Reference) -> Identifier | None:
    """The identifier to ask by; of an arXiv paper its own, since arXiv knows its journal."""
    doi = held.doi or ""
    if held.arxiv and (not doi or doi.startswith("10.48550/arxiv.")):
        return Identifier("arxiv", held.arxiv)
    for kind in ("doi", "pmid", "pmcid", "arxiv", "openalex"):
        if value := getattr(held, kind):
            return ids.parse(f"{kind}:{value}") or Identifier(kind, value)
    return None


def _looked(
    identifiers: Sequence[Identifier], client: Client | NullClient, library: Library, today: str
) -> dict[Identifier, Looked]:
    unique = list(dict.fromkeys(identifiers))
    found = look_up(unique, client, library.config, today, refresh=True)
    return {each.identifier: each for each in found}


def _offer(
    held: Reference,
    looked: Looked,
    client: Client | NullClient,
    library: Library,
    today: str,
) -> Offer | Asked:
    """What is offered to a reference, or why nothing is."""
    paper = looked.paper
    if paper is None:
        error = looked.error or NotFound("Nobody has it.")
        status = "gone" if isinstance(error, NotFound) else "unavailable"
        return Asked(key=held.key, status=status, reason=str(error))
    known = bool(paper.title) and not matching.by_bytes(held)
    if known and not ids.same_title(paper.title, held.title) and _foreign(held, paper):
        return Asked(
            key=held.key,
            status="not asked",
            reason=f"{looked.identifier} is “{paper.title[:80]}” now",
        )
    failures = dict(looked.failures)
    doi = paper.doi or ""
    if looked.identifier.kind == "arxiv" and doi and not doi.startswith("10.48550/"):
        published = look_up([Identifier("doi", doi)], client, library.config, today, refresh=True)[
            0
        ]
        failures |= published.failures
        if published.paper is not None:
            paper = merged([paper, published.paper])
    return Offer(held.key, paper, follow=not _silent(held, failures))


def _foreign(held: Reference, paper: Paper) -> bool:
    """Whether an identifier now names a work by others altogether."""
    from pressmark.sources.lookup import similarity

    return similarity(held.title, paper) < 0.5


def _silent(held: Reference, failures: dict[str, PressmarkError]) -> bool:
    """Whether somebody this reference was made from did not answer."""
    made_from = {line.partition(":")[0] for line in held.sources}
    down = {n for n, e in failures.items() if not isinstance(e, NotFound | BadInput)}
    return bool(made_from & down)


def _with_cites(
    held: Reference, offer: Offer, client: Client | NullClient, library: Library, today: str
) -> Offer:
    found = edges(held, client, library.config, today, directions=("cites",), refresh=True)
    aliases = {
        other: identity
        for identity in found.cites
        if identity in found.known
        for other in ids.identities(found.known[identity])
    }
    return replace(offer, cites=found.cites or None, aliases=aliases)
