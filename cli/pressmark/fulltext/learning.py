"""A converted document in; what its reference learns from it out: what it cites, what befell it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pressmark import ids
from pressmark.fulltext.citing import Entry, entries_of, read_entry
from pressmark.fulltext.extracted import Extracted
from pressmark.record import NOTICES, Reference
from pressmark.text import fold

if TYPE_CHECKING:
    from pressmark.library import Library

_ORDER = ("doi", "arxiv", "pmid", "pmcid")
_PRINTED = re.compile(r"^(?:doi|arxiv|pmid|pmcid):")


def cites(library: Library, ref: Reference, found: Extracted) -> tuple[str, ...]:
    """What a reference cites, with what its text's list adds.

    An entry counts by the identifier it prints, else by the title of a reference that is held.
    What a provider listed already stays first; where its list is of other kinds of identifiers,
    which cannot be compared, nothing is added.
    """
    listed = [read_entry(number, text) for number, text in enumerate(found.references, 1)]
    if not listed or not all(_PRINTED.match(one) for one in ref.cites):
        return ref.cites
    held = _held(library, listed)
    own = set(ids.identities(ref))
    new = [one for entry in listed for one in _identity(entry, held) if one not in own]
    return (*ref.cites, *_unlisted(library, ref.cites, new))


def _unlisted(library: Library, listed: Sequence[str], new: Iterable[str]) -> list[str]:
    """What is new to a list, where one work may go by several identifiers."""
    known = {_work(one) for one in listed}
    keys = set(library.catalogue.holders(listed))
    found = []
    for one in new:
        if _work(one) not in known and keys.isdisjoint(library.catalogue.holders([one])):
            known.add(_work(one))
            found.append(one)
    return found


def _work(identity: str) -> str:
    """An identity; the DOI that arXiv registers for its own id is that id."""
    return identity.replace("doi:10.48550/arxiv.", "arxiv:")


def _identity(entry: Entry, held: dict[int, str]) -> Iterable[str]:
    printed = sorted(entry.identities, key=lambda one: _ORDER.index(one.partition(":")[0]))
    if printed:
        return printed[:1]
    return [held[entry.number]] if entry.number in held else []


def _held(library: Library, listed: Sequence[Entry]) -> dict[int, str]:
    """The entries that print no identifier and are references of the library, by their title."""
    plain = [entry for entry in listed if not entry.identities]
    words = "\n".join(re.sub(r"[\W_]+", "", fold(entry.text)) for entry in plain)
    found: dict[int, str] = {}
    for ref in library.all() if plain else ():
        title = re.sub(r"[\W_]+", "", fold(ref.title))
        identity = ids.identity(ref)
        if len(title) >= 15 and title in words and _PRINTED.match(identity):
            for entry in entries_of(ref, plain):
                found.setdefault(entry.number, identity)
    return found


def taught(library: Library, ref: Reference, found: Extracted) -> list[Reference]:
    """The references that a document changes: its own, and the one that a notice is about."""
    changed = {ref.key: replace(ref, cites=cites(library, ref, found))}
    for about, notice, note in found.notices:
        keys = library.catalogue.resolve(about) if about else [ref.key]
        for key in keys if len(keys) == 1 else ():
            held = changed.get(key) or library.get(key)
            changed[key] = _noticed(held, notice, note)
    return [one for key, one in changed.items() if one != library.get(key)]


def _noticed(ref: Reference, notice: str, note: str) -> Reference:
    """The graver of two notices stands."""
    if ref.notice in NOTICES and NOTICES.index(ref.notice) <= NOTICES.index(notice):
        return ref
    return replace(ref, notice=notice, notice_note=note or ref.notice_note)
