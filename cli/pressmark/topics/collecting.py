"""Reading lists: a name and references by any identifier in; the list's file, one commit, out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pressmark import ids, page
from pressmark.errors import BadInput, NotFound, PressmarkError
from pressmark.library import Library, Outcome, Write
from pressmark.library.draft import Draft
from pressmark.library.outcome import subject
from pressmark.library.writing import finish, writing
from pressmark.record import Collection, Record, Reference
from pressmark.text import clean


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """What became of each word: the keys that went in or out, and why others did not."""

    outcome: Outcome
    slug: str
    keys: tuple[str, ...] = ()
    rejected: tuple[tuple[str, str], ...] = ()
    """The word as it was given, and the reason."""


def new_collection(library: Library, title: str, *, write: Write | None = None) -> Collected:
    """An empty reading list under a name of its own."""
    name = clean(title)
    if not name:
        raise BadInput("A collection needs a name.")
    slug = ids.slug(name)
    with writing(library, write or Write()) as draft:
        if library.catalogue.record("collection", slug):
            raise BadInput(
                f"There is a collection {slug} already.", next=f"pressmark collection show {slug}"
            )
        draft.write(Collection(slug=slug, title=name))
        outcome = finish(library, draft, f"collection: {name}", write or Write())
    return Collected(outcome=outcome, slug=slug)


def collect(
    library: Library, slug: str, words: Sequence[str], *, write: Write | None = None
) -> Collected:
    """Put references into a list, made if it is not there; a bad word is rejected, not fatal."""
    return _changed(library, slug, words, "add", write or Write())


def uncollect(
    library: Library, slug: str, words: Sequence[str], *, write: Write | None = None
) -> Collected:
    """Take references out of a list."""
    return _changed(library, slug, words, "remove", write or Write())


def collection(library: Library, slug: str) -> Collection:
    """The list of this slug, or of this title."""
    found = _found(library, slug)
    if found is None or not isinstance(found[1], Collection):
        known = ", ".join(each.slug for each in library.collections()) or "none yet"
        raise NotFound(
            f"There is no collection {slug} (collections: {known}).",
            next="pressmark collection list",
        )
    return found[1]


def members(library: Library, held: Collection) -> tuple[list[Reference], list[str]]:
    """The references of a list, in its order, and the keys that nothing holds any more."""
    found = [(key, library.catalogue.get(key)) for key in held.members]
    return [ref for _, ref in found if ref], [key for key, ref in found if ref is None]


def _changed(
    library: Library, slug: str, words: Sequence[str], verb: str, write: Write
) -> Collected:
    with writing(library, write) as draft:
        path, held = _open(library, draft, slug, verb)
        folded = {key.casefold(): key for key in held.members}
        keys: list[str] = []
        rejected: list[tuple[str, str]] = []
        for word in words:
            try:
                key = _key(library, word, folded, verb)
            except PressmarkError as problem:
                rejected.append((word, str(problem)))
            else:
                keys += [key] if key not in keys else []
        after = {*held.members, *keys} if verb == "add" else {*held.members} - {*keys}
        if keys:
            fresh = replace(held, members=tuple(sorted(after, key=str.casefold)))
            draft.write(fresh, path)
        title = f"{subject(f'collection: {verb}', keys)} ({held.slug})"
        outcome = finish(library, draft, title, write, keys=keys)
    return Collected(outcome=outcome, slug=held.slug, keys=tuple(keys), rejected=tuple(rejected))


def _open(library: Library, draft: Draft, slug: str, verb: str) -> tuple[str | None, Collection]:
    found = _found(library, slug)
    if found is None:
        if verb == "remove":
            collection(library, slug)  # raises, with the names there are
        if not clean(slug):
            raise BadInput("A collection needs a name.")
        return None, Collection(slug=ids.slug(slug), title=clean(slug))
    return found[0], page.read(Collection, draft.require(found[0]), found[0])


def _found(library: Library, name: str) -> tuple[str, Record] | None:
    """A list's path and record, by its slug or what its title makes for one."""
    record = library.catalogue.record
    return record("collection", name) or record("collection", ids.slug(clean(name)) or name)


def _key(library: Library, word: str, members: dict[str, str], verb: str) -> str:
    """The key that a word means; a member whose reference is gone can still be taken out."""
    if verb == "remove" and word.strip().casefold() in members:
        return members[word.strip().casefold()]
    key = library.key(word)
    if verb == "remove":
        if key.casefold() not in members:
            raise NotFound(f"{key} is not in it.")
        return members[key.casefold()]
    return key
