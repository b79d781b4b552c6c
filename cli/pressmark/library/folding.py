"""Two references that are one work in, one reference out, with every trace of the other kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING

from pressmark import page
from pressmark.catalogue import layout
from pressmark.errors import Unreadable
from pressmark.library import aside, excluding, matching
from pressmark.library.draft import Draft
from pressmark.library.outcome import Write
from pressmark.library.shelf import Shelf
from pressmark.record import Collection, Paper, Reference, Work, cut_section, merge

if TYPE_CHECKING:
    from pressmark.library.library import Library


def fold(kept: Reference, other: Reference) -> Reference:
    """`kept` with all that `other` adds; its key becomes an alias, its own prose is appended."""
    kept, offered = matching.agree_on_doi(kept, _as_paper(other))
    merged = merge(kept, offered)
    aliases = {*kept.aliases, *other.aliases, other.key} - {kept.key}
    return replace(
        merged,
        aliases=tuple(sorted(aliases)),
        cite_as=kept.cite_as or other.cite_as,
        topics=tuple(sorted({*kept.topics, *other.topics})),
        conflicts=tuple(sorted({*merged.conflicts, *other.conflicts})),
        stage=kept.stage if other.stage else None,
        notice_note=kept.notice_note or other.notice_note,
        extra={**other.extra, **kept.extra},
        body=_bodies(merged.body, other),
    )


def fold_on_shelf(shelf: Shelf, key: str, other: str, folded: dict[str, str]) -> str:
    """Fold two held references while papers are filed; the key that stays."""
    kept, gone = matching.elder(shelf.get(key), shelf.get(other))
    shelf.drop(gone.key)
    shelf.put(fold(kept, gone))
    folded[gone.key] = kept.key
    return kept.key


def final(folded: Mapping[str, str], key: str) -> str:
    """The key that a key has become, through however many foldings."""
    while key in folded:
        key = folded[key]
    return key


def move_files(library: Library, draft: Draft, old: str, new: str, write: Write) -> list[str]:
    """Delete the file of a folded reference; its full text goes along where there is none.

    A sentence about a full text that had to go.
    """
    source, target = library.catalogue.path(old), library.catalogue.path(new)
    if source is None or target is None:
        return []
    draft.delete(source)
    text, place = layout.beside(source), layout.beside(target)
    if draft.read(place) is None:
        if draft.move_fulltext(text, place, new) and not write.dry_run:
            excluding.follow(library, text, place)
    elif draft.read(text) is not None:
        kept = [] if write.dry_run else aside.copies(library, [text])
        draft.delete(text)
        where = f"a copy is at {kept[0]}" if kept else "git has it"
        return [f"{text} is deleted, because {place} is there; {where}."]
    return []


def rename_members(library: Library, draft: Draft, renames: Mapping[str, str]) -> None:
    """Write new keys for old ones into every reading list; an empty one takes the line away."""
    names = {old.casefold(): new for old, new in renames.items()}
    for each in library.catalogue.files("collection"):
        data = draft.read(each.path)
        if data is None:
            continue
        try:
            held = page.read(Collection, data, each.path)
        except Unreadable:
            continue
        members = {names.get(member.casefold(), member) for member in held.members} - {""}
        if members != set(held.members):
            draft.write(replace(held, members=tuple(sorted(members))), each.path)


def _as_paper(held: Reference) -> Paper:
    shared = {each.name: getattr(held, each.name) for each in fields(Work)}
    return Paper(**shared, abstract=held.abstract, sources=held.sources, tags=held.tags)


def _bodies(body: str, other: Reference) -> str:
    """The kept body, and what a person wrote in the other one beside its abstract."""
    prose = cut_section(other.body, "Abstract").strip()
    if not prose or prose in body:
        return body
    return f"{body.rstrip()}\n\n{prose}\n"
