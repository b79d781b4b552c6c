"""A library in; the texts that its newest references lack fetched, the others counted, out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pressmark.fulltext import asking, documents
from pressmark.fulltext.fetch import DEFAULT, Fetched, Report, fetch
from pressmark.library import Write
from pressmark.record import Reference

if TYPE_CHECKING:
    from pressmark.http import Client, NullClient
    from pressmark.library import Library


@dataclass(frozen=True, slots=True)
class Lacking:
    """The kept references without a text: whom to ask for, the newest first, and the others."""

    refs: tuple[Reference, ...]
    waiting: int = 0  # had none to get less than 30 days ago
    unidentified: int = 0  # have no identifier by which anybody could be asked


def lacking(library: Library, today: str, *, again: bool = False) -> Lacking:
    """Who lacks a text; with `again` those that wait too, and those whose text is stale."""
    without = library.select(["missing:fulltext"], stage="kept")
    named = [ref for ref in without if asking.askable(ref)]
    due = [ref for ref in named if again or asking.waiting(ref, today) is None]
    stale = [library.get(key) for key in documents.stale(library)] if again else []
    refs = sorted([*due, *stale], key=lambda ref: (ref.published or "", ref.key), reverse=True)
    return Lacking(tuple(refs), len(named) - len(due), len(without) - len(named))


def fetch_newest(
    library: Library,
    client: Client | NullClient,
    *,
    limit: int = 10,
    again: bool = False,
    today: str,
    progress: Callable[[Fetched], None] | None = None,
    collection: str | None = None,
    write: Write = DEFAULT,
) -> Report:
    """Fetch the text of the newest that lack one, `limit` at most; nobody else is a line of it.

    Offline only stale texts are made anew: who lacks one is left for later, without a mark.
    """
    found = lacking(library, today, again=again)
    held = library.catalogue.with_fulltext()
    refs = [ref for ref in found.refs if not client.offline or ref.key in held]
    report = fetch(
        library, client, refs, limit=limit, again=again, today=today, progress=progress,
        collection=collection, write=write,
    )  # fmt: skip
    left = report.left + len(found.refs) - len(refs)
    return replace(report, left=left, waiting=found.waiting, unidentified=found.unidentified)
