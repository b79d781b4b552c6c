"""A library in; an Atom feed of it, of each topic and of each tag out, dated by filing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from pressmark import disk, ids
from pressmark.errors import NotFound, PressmarkError
from pressmark.formats import atom
from pressmark.library import Library
from pressmark.record import Author, Reference
from pressmark.topics.running import get
from pressmark.topics.telling import address

ENTRIES = 100
"""Entries of one feed, the ones filed last."""

SUMMARY = 2000
"""Characters of an abstract that an entry quotes."""

NOWHERE = "library.invalid"
"""The host of tag URIs of a library without an address: no host has this name (RFC 2606)."""


@dataclass(frozen=True, slots=True)
class Feed:
    """One feed: where it belongs below the site's root, and its bytes."""

    path: str
    title: str
    data: bytes
    entries: int


def feeds(library: Library, *, candidates: bool = False) -> Iterator[Feed]:
    """The feed of the whole library, then of each topic, then of each tag."""
    refs = list(_chosen(library.all(), candidates))
    made = Maker(library)
    yield made.feed("feed.xml", "Library", refs)
    for topic in library.topics():
        found = [ref for ref in refs if topic.slug in ref.topics]
        yield made.feed(f"topics/{topic.slug}.xml", topic.title, found)
    tags = sorted({tag for ref in refs for tag in ref.tags}, key=str.casefold)
    taken: set[str] = set()
    for tag in tags:
        slug = ids.slug(tag, taken)
        taken.add(slug)
        yield made.feed(f"tags/{slug}.xml", tag, [ref for ref in refs if tag in ref.tags])


def topic_feed(library: Library, slug: str, *, candidates: bool = False) -> Feed:
    """The feed of one topic."""
    topic = get(library, slug)
    refs = _chosen(library.select([f"topic:{topic.slug}"]), candidates)
    return Maker(library).feed(f"topics/{topic.slug}.xml", topic.title, refs)


def tag_feed(library: Library, tag: str, *, candidates: bool = False) -> Feed:
    """The feed of one tag; NotFound when nothing carries it."""
    refs = list(_chosen(library.select([f'tag:"{tag}"']), candidates))
    if not refs:
        raise NotFound(f"Nothing carries the tag {tag!r}.", next="pressmark list")
    return Maker(library).feed(f"tags/{ids.slug(tag)}.xml", tag, refs)


class Maker:
    """Makes the feeds of one library: one authority for the ids, one look at the dates."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.authority = _authority(library)
        self._added: dict[str, str] | None = None

    def feed(self, path: str, title: str, refs: Iterable[Reference]) -> Feed:
        """The newest filed first; the same library, the same bytes."""
        dated = sorted(((self.filed(ref), ref) for ref in refs), key=lambda p: (p[0], p[1].key))
        newest = dated[::-1][:ENTRIES]
        data = atom.write(
            title, atom.tag(self.authority, path), None,
            [self._entry(ref, day) for day, ref in newest], author=title,
        )  # fmt: skip
        return Feed(path, title, data, len(newest))

    def filed(self, ref: Reference) -> str:
        """The day a reference came: of its first source, else of the commit that added it."""
        days = [line.rpartition(" ")[2] for line in ref.sources if " " in line]
        if days:
            return min(days)
        if self._added is None:
            repository = self.library.repository
            self._added = repository.added_on("library") if repository else {}
        return self._added.get(self.library.path(ref.key), "") or ref.published or ""

    def _entry(self, ref: Reference, day: str) -> atom.Entry:
        return atom.Entry(
            id=atom.tag(self.authority, "reference", ref.key), title=ref.title, updated=day,
            published=day or None, url=address(ref),
            authors=tuple(Author.parse(name).readable for name in ref.authors[:20]),
            summary=(ref.abstract or "")[:SUMMARY], categories=ref.tags,
        )  # fmt: skip


def _chosen(refs: Iterable[Reference], candidates: bool) -> Iterable[Reference]:
    return refs if candidates else (ref for ref in refs if ref.stage is None)


def _authority(library: Library) -> str:
    """The host of the site's address in mkdocs.yml."""
    try:
        text = disk.read_bytes(library.root, "mkdocs.yml").decode("utf-8", "replace")
    except PressmarkError:
        return NOWHERE
    found = re.search(r"^site_url:[ \t]*[\"']?([^\s\"'#]+)", text, re.M)
    return (urlsplit(found[1]).hostname if found else None) or NOWHERE


def names(made: Sequence[Feed]) -> list[str]:
    """A line a feed: its path, how many entries it has, its title."""
    return [f"{each.path}  {each.entries}  {each.title}" for each in made]
