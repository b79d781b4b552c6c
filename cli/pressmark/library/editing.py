"""Keys and a change in, the changed library out: every verb one commit, nothing lost silently."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pressmark import disk, ids, page
from pressmark.catalogue import layout
from pressmark.disk import Edit
from pressmark.errors import BadInput, PressmarkError
from pressmark.library import aside, excluding, fields, folding, places
from pressmark.library.draft import Draft
from pressmark.library.outcome import Outcome, Write, subject
from pressmark.library.writing import finish, repository, writing
from pressmark.record import Reference, Search, Topic
from pressmark.text import clean

if TYPE_CHECKING:
    from pressmark.library.library import Library

Fields = Mapping[str, Sequence[str]]
Prose = Mapping[str, bytes] | Callable[[], Mapping[str, bytes]]

DOCUMENTS = (".pdf", ".xml", ".html")
"""What stands beside a reference: the user's own, moved along and never deleted."""


def edit(
    library: Library,
    keys: Sequence[str],
    assigned: Mapping[str, str | None],
    added: Fields,
    removed: Fields,
    write: Write,
) -> Outcome:
    """Set, clear, extend and shrink fields of references."""

    given: dict[str, str] = {}

    def change(held: Reference) -> Reference:
        after = held
        for name, value in assigned.items():
            after = fields.assign(after, name, value)
        for name, items in added.items():
            after = fields.extend(after, name, items)
        for name, items in removed.items():
            after = fields.shrink(after, name, items)
        _check_unique(library, held, after, given)
        return after

    with writing(library, write) as draft:
        _change_each(library, draft, keys, change)
        return finish(library, draft, subject("edit", keys), write, keys=keys)


def keep(library: Library, keys: Sequence[str], write: Write) -> Outcome:
    """Take the candidate mark off."""
    with writing(library, write) as draft:
        _change_each(library, draft, keys, lambda held: replace(held, stage=None))
        return finish(library, draft, subject("keep", keys), write, keys=keys)


def remove(library: Library, keys: Sequence[str], write: Write) -> Outcome:
    """Delete references with their full texts, and their lines in reading lists."""
    with writing(library, write) as draft:
        warnings = _delete(library, draft, keys, write)
        return finish(library, draft, subject("remove", keys), write, keys=keys, warnings=warnings)


def drop(library: Library, keys: Sequence[str], reason: str, write: Write) -> Outcome:
    """Delete candidates, and remember it in what found them, so that they do not come back."""
    with writing(library, write) as draft:
        dropped = [_held(library, name) for name in keys]
        for held in dropped:
            if not held.stage:
                raise BadInput(
                    f"{held.key} is no candidate: you kept it.", next=f"pressmark remove {held.key}"
                )
        remembered = _remember(library, draft, dropped, clean(reason).strip())
        warnings = [
            f"No topic or search on record found {held.key}; it may be found again."
            for held in dropped if held.key not in remembered
        ]  # fmt: skip
        warnings += _delete(library, draft, keys, write)
        write = replace(write, force=True)  # nobody has kept one of them, however many they are
        return finish(library, draft, subject("drop", keys), write, keys=keys, warnings=warnings)


def rename(library: Library, old: str, new: str, prose: Prose | None, write: Write) -> Outcome:
    """Another key: the files move, lists and prose follow, and the old key stays an alias.

    `prose` is the new bytes of files whose citations change, or what computes them.
    """
    with writing(library, write) as draft:
        held = _held(library, old)
        _check_key(library, held, new)
        source = library.path(held.key)
        target = places.renamed(source, held.key, new)
        aliases = {*held.aliases, held.key} - {new}
        if new.casefold() != held.key.casefold():
            aliases = {alias for alias in aliases if alias.casefold() != new.casefold()}
        changed = prose() if callable(prose) else prose or {}
        for path, data in changed.items():
            draft.write_bytes(path, data)
        if source in changed:  # it links to itself
            held = page.read(Reference, changed[source], source)
        draft.move(source, target, replace(held, key=new, aliases=tuple(sorted(aliases))))
        moved = draft.move_fulltext(layout.beside(source), layout.beside(target), new)
        if moved and not write.dry_run:
            excluding.follow(library, layout.beside(source), layout.beside(target))
        folding.rename_members(library, draft, {held.key: new})
        stay = _documents_that_stay(library, source, target)
        documents = _take_documents(library, draft, source, target)
        title = f"rename: {held.key} to {new}"
        outcome = finish(library, draft, title, write, keys=[new], warnings=stay)
        return _with_documents(library, outcome, documents, write)


def merge(library: Library, a: str, b: str, write: Write) -> Outcome:
    """Fold reference B into A: A's values stand, B's key becomes an alias of A."""
    with writing(library, write) as draft:
        kept, gone = _held(library, a), _held(library, b)
        if kept.key == gone.key:
            raise BadInput(f"{a} and {b} are the same reference.")
        source, target = library.path(gone.key), library.path(kept.key)
        draft.write(folding.fold(kept, gone), target)
        moved = folding.move_files(library, draft, gone.key, kept.key, write)
        folding.rename_members(library, draft, {gone.key: kept.key})
        moved += _documents_that_stay(library, source, target)
        documents = _take_documents(library, draft, source, target)
        title = f"merge: {gone.key} into {kept.key}"
        outcome = finish(library, draft, title, write, keys=[kept.key], warnings=moved)
        return _with_documents(library, outcome, documents, write)


def _change_each(
    library: Library,
    draft: Draft,
    keys: Iterable[str],
    change: Callable[[Reference], Reference],
) -> None:
    for key in keys:
        held = _held(library, key)
        draft.write(change(held), library.path(held.key))


def _held(library: Library, name: str) -> Reference:
    """The reference that a key, an alias or an identifier names; never a mere beginning of one."""
    found = library.catalogue.resolve(name)
    held = library.catalogue.get(found[0]) if len(found) == 1 else None
    if held is None:
        raise library.missing(name)
    return held


def _check_key(library: Library, held: Reference, new: str) -> None:
    if not ids.valid_key(new):
        raise BadInput(
            f"{new!r} cannot be a key.",
            next="a key is letters, digits, - and _, and begins with a letter or a digit",
        )
    if new == held.key:
        raise BadInput(f"{new} is its key already.")
    own = {name.casefold() for name in (held.key, *held.aliases, held.cite_as or "")}
    if new.casefold() not in own and library.catalogue.is_taken(new.casefold()):
        holder = library.catalogue.resolve(new)
        raise BadInput(
            f"{new} is taken by {holder[0] if holder else 'a file that cannot be read'}.",
            next="choose another key",
        )


def _check_unique(
    library: Library, before: Reference, after: Reference, given: dict[str, str]
) -> None:
    """No two references may get one name or one identifier; `given` is what this call gave."""
    for name in sorted(_names(after) - _names(before)):
        others = [key for key in library.catalogue.resolve(name) if key != before.key]
        others.append(given.setdefault(f"name:{name.casefold()}", before.key))
        if others[0] != before.key:
            raise BadInput(f"{name} is taken by {others[0]}.")
    for identity in sorted({*ids.identities(after)} - {*ids.identities(before)}):
        if identity.startswith(("title:", "isbn:")):
            continue
        others = [key for key in library.catalogue.holders([identity]) if key != before.key]
        others.append(given.setdefault(identity, before.key))
        if others[0] != before.key:
            raise BadInput(
                f"{identity} is held by {others[0]}.",
                next=f"pressmark merge {others[0]} {before.key}, if they are one work",
            )


def _names(reference: Reference) -> set[str]:
    return {*reference.aliases, *([reference.cite_as] if reference.cite_as else [])}


def _delete(library: Library, draft: Draft, keys: Iterable[str], write: Write) -> list[str]:
    """Delete files; sentences about the documents that stay."""
    warnings: list[str] = []
    gone: list[str] = []
    texts: list[str] = []
    for name in keys:
        key = _held(library, name).key
        path = library.path(key)
        draft.delete(path)
        gone.append(key)
        text = layout.beside(path)
        if draft.read(text) is not None:
            texts.append(text)
            draft.delete(text)
        left = [path[:-3] + ending for ending in DOCUMENTS]
        warnings += [f"{each} is yours and stays." for each in left
                     if disk.exists(library.root, each)]  # fmt: skip
    folding.rename_members(library, draft, dict.fromkeys(gone, ""))
    if not write.dry_run:
        aside.copies(library, texts)
    return warnings


def _remember(
    library: Library, draft: Draft, dropped: Sequence[Reference], reason: str
) -> set[str]:
    """Write the identities into the topics and searches that brought the references; whose.

    A search names each by the key that it had then.
    """
    lines = {each.key: [f"{one} {reason}".strip() for one in _lasting(each)] for each in dropped}
    now = {name: each.key for each in dropped for name in (each.key, *each.aliases)}
    remembered: set[str] = set()
    for slug in sorted({slug for each in dropped for slug in each.topics}):
        entry = library.catalogue.record("topic", slug)
        if entry is not None and isinstance(entry[1], Topic):
            keys = {each.key for each in dropped if slug in each.topics}
            topic = page.read(Topic, draft.require(entry[0]), entry[0])
            draft.write(replace(topic, dropped=_with(topic.dropped, lines, keys)), entry[0])
            remembered |= keys
    for file in library.catalogue.files("search"):
        data = draft.read(file.path)
        if data is None or not any(name.encode() in data for name in now):
            continue
        search = page.read(Search, data, file.path)
        named = {entry.rpartition("→")[2].strip() for entry in search.body.splitlines()}
        keys = {now[name] for name in named & set(now)}
        if keys:
            draft.write(replace(search, dropped=_with(search.dropped, lines, keys)), file.path)
            remembered |= keys
    return remembered


def _with(
    held: Iterable[str], lines: Mapping[str, Sequence[str]], keys: Iterable[str]
) -> tuple[str, ...]:
    return tuple(sorted({*held, *(line for key in keys for line in lines[key])}))


def _lasting(held: Reference) -> list[str]:
    """The identities another source may offer it under: all of the common ones, else the first."""
    found = ids.identities(held)
    common = [each for each in found if each.startswith(_COMMON)]
    return [*common, *_offered(held)] or list(found[:1])


_COMMON = ("doi:", "pmid:", "pmcid:", "arxiv:")


def _offered(held: Reference) -> list[str]:
    """Identities that stand in `conflicts`: of another reference that was merged into this one."""
    lines = [line.rpartition(" (")[0] for line in held.conflicts if line.startswith(_COMMON)]
    return [line.replace(": ", ":", 1) for line in lines]


def _documents_that_stay(library: Library, source: str, target: str) -> list[str]:
    """A sentence for each document whose new place is taken by another."""
    pairs = ((source[:-3] + ending, target[:-3] + ending) for ending in DOCUMENTS)
    return [
        f"{old} stays where it is: {new} is there already."
        for old, new in pairs
        if old.casefold() != new.casefold()
        and disk.exists(library.root, old)
        and disk.exists(library.root, new)
    ]


def _take_documents(library: Library, draft: Draft, source: str, target: str) -> dict[str, str]:
    """Old and new paths of the documents to take along; those that git tracks go in the commit."""
    moves = {source[:-3] + ending: target[:-3] + ending for ending in DOCUMENTS}
    here = {old: new for old, new in moves.items() if disk.exists(library.root, old)}
    free = {old: new for old, new in here.items() if not disk.exists(library.root, new)}
    tracked = repository(library).tracked(source.rpartition("/")[0]) if free else []
    for old in free.keys() & set(tracked):
        draft.write_bytes(free.pop(old), draft.require(old))
        draft.delete(old)
    return free


def _with_documents(
    library: Library, outcome: Outcome, moves: Mapping[str, str], write: Write
) -> Outcome:
    """The outcome, once the documents that git does not know have followed."""
    if write.dry_run or write.branch:
        return outcome
    return replace(outcome, warnings=(*outcome.warnings, *_move(library, moves)))


def _move(library: Library, moves: Mapping[str, str]) -> list[str]:
    """Move documents that git does not know; a sentence for each that could not be."""
    warnings = []
    for old, new in moves.items():
        try:
            data = library.read_page(old)
            disk.apply(library.root, [Edit(new, data, None), Edit(old, None, disk.sha256(data))])
        except PressmarkError as error:
            warnings.append(f"{old} stays where it is: {error}")
    return warnings
