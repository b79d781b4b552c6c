"""Papers in; new, merged and enriched references out, in one pass and one commit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING

from pressmark import ids, page
from pressmark.catalogue import layout
from pressmark.errors import PressmarkError
from pressmark.library import folding, matching, places
from pressmark.library.draft import Draft
from pressmark.library.following import Followed
from pressmark.library.outcome import Added, Item, Outcome, Write, subject
from pressmark.library.shelf import Shelf
from pressmark.library.writing import finish, writing
from pressmark.record import Collection as ReadingList
from pressmark.record import Paper, Record, Reference, Topic, grown, merge, reference, stand

if TYPE_CHECKING:
    from pressmark.library.library import Library

CANDIDATE = "candidate"

Records = Sequence[Record] | Callable[[Sequence[Item]], Sequence[Record]]
"""Records for the same commit; as a function, of what became of each paper."""

Tell = Callable[[int, int], None]
"""Told now and then how many papers of how many have been looked at."""


@dataclass
class Filing:
    """One call of `add` while it runs."""

    shelf: Shelf
    stage: str | None = None
    topic: str | None = None
    tags: tuple[str, ...] = ()
    said_no: frozenset[str] = frozenset()
    wrecks: bool = False
    promised: frozenset[str] = frozenset()
    items: list[Item] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    folded: dict[str, str] = field(default_factory=dict)
    new: set[str] = field(default_factory=set)
    followed: Followed | None = None
    formula: str = ""


def add(
    library: Library,
    papers: Sequence[Paper],
    *,
    stage: str | None = None,
    topic: str | None = None,
    collection: str | None = None,
    tags: Sequence[str] = (),
    named: str | None = None,
    records: Records = (),
    tell: Tell | None = None,
    reserved: Collection[str] = (),
    write: Write,
) -> Added:
    """File papers; `records` (a search's log, a topic's last run) go into the same commit."""
    with writing(library, write) as draft:
        elsewhere = _elsewhere(library)
        filing = Filing(
            Shelf(library.catalogue, len(papers), elsewhere),
            stage,
            topic,
            _asked(tags),
            _said_no(library, stage, topic),
            bool(library.catalogue.unreadable()),
            frozenset(
                {
                    *(paper.key_hint.casefold() for paper in papers if paper.key_hint),
                    *(key.casefold() for key in reserved),
                }
            ),
            followed=Followed(library, len(papers)),
            formula=library.config.key_formula,
        )
        for number, paper in enumerate(papers):
            if tell and not number % 100:
                tell(number, len(papers))
            filing.items.append(_file(library, filing, paper))
        _draft(library, draft, filing, write)
        keys = tuple(dict.fromkeys(item.key for item in filing.items if item.key))
        if collection:
            enrol(library, draft, collection, keys)
        made = records(filing.items) if callable(records) else records
        for record in made:
            draft.write(record, places.place(library.catalogue, record))
        title = named or _subject(filing)
        outcome = finish(library, draft, title, write, keys=keys, warnings=filing.warnings)
    shared = {each.name: getattr(outcome, each.name) for each in fields(outcome)}
    return Added(**shared, items=tuple(filing.items), conflicts=tuple(filing.conflicts))


def put(library: Library, records: Sequence[Record], subject: str, write: Write) -> Outcome:
    """Write records at their places: what stands there is spliced, the rest is new."""
    with writing(library, write) as draft:
        for record in records:
            draft.write(record, places.place(library.catalogue, record))
        return finish(library, draft, subject, write)


def _file(library: Library, filing: Filing, paper: Paper) -> Item:
    """What becomes of one paper; a failing one never stops the rest."""
    identities = ids.identities(paper)
    title = paper.title or next(iter(identities), "(no title)")
    wrecks = library.catalogue.wrecked(identities) if filing.wrecks else []
    if wrecks:
        return Item("failed", "", title, f"it is in {wrecks[0]}, which cannot be read")
    if not filing.said_no.isdisjoint(identities):
        return Item("dropped", "", title, "dropped before")
    if files := filing.shelf.namesakes(identities):
        return Item("failed", "", title, f"its key names several files: {', '.join(files)}")
    found = matching.match(paper, filing.shelf, identities)
    if found.key is not None:
        return _join(filing, paper, found, title)
    again = _entry(filing, paper)
    if again is not None:
        return _join(filing, paper, matching.Match(again), title)
    if not paper.title.strip():
        return Item("failed", "", title, "it has no title")
    if found.clash and not matching.by_hand(paper):
        return Item("failed", "", title, found.clash)
    return _new(filing, paper, found, identities)


def _entry(filing: Filing, paper: Paper) -> str | None:
    """The reference that an earlier import made of this very entry, where either was corrected."""
    hint, shelf = paper.key_hint, filing.shelf
    if not hint or not matching.by_hand(paper) or hint.casefold() not in shelf:
        return None
    key = shelf.bearer(hint)
    if key is None or key in filing.new or key in shelf.elsewhere:
        return None
    return key if matching.same_entry(shelf.get(key), paper) else None


def _new(filing: Filing, paper: Paper, found: matching.Match, identities: Sequence[str]) -> Item:
    shelf = filing.shelf
    key, cite_as = ids.choose_key(paper, shelf, filing.promised, filing.formula)
    made = reference(matching.without(paper, found.shared), key, stage=filing.stage)
    if cite_as and cite_as.casefold() not in shelf:
        made = replace(made, cite_as=cite_as)
    elif cite_as:
        _other_name(filing, cite_as, made)
    made = _tagged(filing, _cited_too(filing, made, paper))
    if filing.topic:
        made = replace(made, topics=(filing.topic,))
    if found.linked:
        linked = {ids.identity(shelf.get(other)) for other in found.linked}
        made = replace(made, related=tuple(sorted({*made.related, *linked})))
    if found.shared:
        offered = {f"{each.replace(':', ': ', 1)} (held elsewhere)" for each in found.shared}
        made = replace(made, conflicts=tuple(sorted(offered)))
    shelf.put(made, None if found.shared else identities)
    filing.new.add(key)
    if found.clash:
        filing.conflicts.append(f"{key}: {found.clash}")
    return Item("added", key, paper.title, found.clash)


def _join(filing: Filing, paper: Paper, found: matching.Match, title: str) -> Item:
    """Merge a paper into the reference that is the same work."""
    shelf = filing.shelf
    key = found.key or ""
    if key in shelf.elsewhere:
        return Item("unchanged", key, title, "it is outside this sparse checkout")
    before = shelf.get(key)
    for other in found.also:
        key = folding.fold_on_shelf(shelf, key, other, filing.folded)
    held = shelf.get(key)
    after = _merged(filing, held, matching.without(paper, found.shared))
    filing.conflicts += [f"{key}: {line}" for line in after.conflicts if line not in held.conflicts]
    if after != held:
        shelf.put(after)
    if found.also or key in filing.new:
        return Item("merged", key, title)
    return Item("unchanged" if after == before else "enriched", key, title)


def _merged(filing: Filing, held: Reference, paper: Paper) -> Reference:
    held, paper = matching.agree_on_doi(held, paper)
    if filing.followed and held.key not in filing.new and matching.by_hand(paper):
        held = filing.followed.ready(held, paper)
    after = merge(held, paper)
    if (longer := grown(held, after)) and filing.followed and held.key not in filing.new:
        mine = [name for name in longer if filing.followed.makers.person(held, name)]
        after = stand(after, held, paper, mine)
    if filing.followed and held.key not in filing.new:
        after = filing.followed.makers.without_removed(held, after)
    after = _tagged(filing, after)
    if filing.stage is None:
        after = replace(after, stage=None)
    if filing.topic and filing.topic not in after.topics:
        after = replace(after, topics=tuple(sorted((*after.topics, filing.topic))))
    hint = paper.key_hint
    if hint and ids.valid_key(hint) and hint.casefold() not in filing.shelf:
        after = replace(after, aliases=tuple(sorted((*after.aliases, hint))))
    elif hint and not after.cite_as and hint.casefold() not in filing.shelf:
        after = replace(after, cite_as=hint)
    elif hint:
        _other_name(filing, hint, after)
    return _cited_too(filing, after, paper)


def _asked(tags: Sequence[str]) -> tuple[str, ...]:
    """Tags as a person gave them, each cleaned."""
    from pressmark.library.fields import checked

    return tuple(tag for each in tags if (tag := checked("tags", each)))


def _tagged(filing: Filing, filed: Reference) -> Reference:
    """The reference with the tags that the caller asks for."""
    new = set(filing.tags).difference(filed.tags)
    return replace(filed, tags=tuple(sorted((*filed.tags, *new)))) if new else filed


def _cited_too(filing: Filing, filed: Reference, paper: Paper) -> Reference:
    """The reference with the further keys of its paper as aliases, where they are nobody else's."""
    own = {each.casefold() for each in (filed.key, *filed.aliases, filed.cite_as or "")}
    more = []
    for name in paper.other_keys:
        folded = name.casefold()
        if folded in own or folded in filing.promised:  # an entry's own key goes before
            continue
        if ids.valid_key(name) and folded not in filing.shelf:
            more.append(name)
            own.add(folded)
        else:
            _other_name(filing, name, filed)
    return replace(filed, aliases=tuple(sorted((*filed.aliases, *more)))) if more else filed


def _other_name(filing: Filing, name: str, filed: Reference) -> None:
    """Say so when a paper is not cited by the key it came with, which is somebody else's."""
    own = (filed.key, *filed.aliases, filed.cite_as or "")
    if name.casefold() not in {each.casefold() for each in own}:
        bearer = filing.shelf.bearer(name)
        called = f", {bearer}" if bearer and bearer.casefold() != name.casefold() else ""
        why = f"means another reference here{called}" if bearer else "cannot be a key here"
        filing.warnings.append(f"{name} {why}; cite “{filed.title[:60]}” as {filed.key}.")


def _draft(library: Library, draft: Draft, filing: Filing, write: Write) -> None:
    """Put what the filing changed into the draft; a file that cannot be spliced fails its paper."""
    for old, new in filing.folded.items():
        folding.move_files(library, draft, old, new, write)
    refused: dict[str, str] = {}
    same: set[str] = set()
    for held in filing.shelf.changed:
        try:
            path = draft.write(held, library.catalogue.path(held.key))
        except PressmarkError as error:
            refused[held.key] = str(error)
            continue
        if not draft.differs(path):
            same.add(held.key)
    for at, item in enumerate(filing.items):
        key = folding.final(filing.folded, item.key)
        if key in refused:
            filing.items[at] = Item("failed", "", item.title, refused[key])
        elif key in same and item.outcome == "enriched":
            filing.items[at] = replace(item, outcome="unchanged")
        elif key != item.key:
            filing.items[at] = replace(item, key=key)
    if filing.folded:
        folding.rename_members(library, draft, filing.folded)


def enrol(library: Library, draft: Draft, slug: str, keys: Sequence[str]) -> None:
    """Add keys to a reading list, made if it is not there."""
    found = library.catalogue.record("collection", slug)
    path, held = found if found else (None, ReadingList(slug=ids.slug(slug), title=slug))
    assert isinstance(held, ReadingList)
    if path is not None:
        held = page.read(ReadingList, draft.require(path), path)
    members = tuple(sorted({*held.members, *keys}, key=str.casefold))
    draft.write(replace(held, members=members), path)


def _said_no(library: Library, stage: str | None, topic: str | None) -> frozenset[str]:
    """Identities that a person dropped from this topic, or from any search."""
    if stage != CANDIDATE:
        return frozenset()
    if topic is not None:
        found = library.catalogue.record("topic", topic)
        lists = [found[1].dropped] if found and isinstance(found[1], Topic) else []
    else:
        lists = [search.dropped for search in library.searches()]
    return frozenset(identity for lines in lists for line in lines for identity in dropped(line))


def dropped(line: str) -> tuple[str, ...]:
    """The identity of a `dropped` line; a title's holds blanks, so every reading of it counts."""
    if not line.startswith("title:"):
        return (line.split(" ", 1)[0],)
    words = line.split(" ")
    return tuple(" ".join(words[:end]) for end in range(1, len(words) + 1))


def _elsewhere(library: Library) -> list[Reference]:
    """References of HEAD that a sparse checkout leaves out: they are held all the same."""
    repository = library.repository
    if repository is None or not (repository.git_dir / "info" / "sparse-checkout").is_file():
        return []
    if not repository.is_sparse():
        return []
    here = {each.path for each in library.catalogue.files()}
    found = []
    for path, data in repository.list_head("library"):
        if path not in here and layout.kind(path) == "reference":
            try:
                found.append(page.read(Reference, data, path))
            except PressmarkError:
                continue
    return found


def _subject(filing: Filing) -> str:
    keys = [item.key for item in filing.items if item.outcome == "added"]
    if len(keys) == 1:
        title = next(item.title for item in filing.items if item.key == keys[0])
        return f"add: {keys[0]} ({title[:60]})"
    if keys:
        return f"add: {len(keys)} references"
    grown = {item.key for item in filing.items if item.outcome in ("enriched", "merged")}
    return f"{subject('add', sorted(grown))} learnt more"
