"""A library comes in; who cites and links whom goes out, each mention with its sentence."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pressmark import disk, ids
from pressmark.errors import NotFound
from pressmark.links import prose
from pressmark.links.link import Link
from pressmark.links.resolve import Resolver, Target, same
from pressmark.links.sentence import sentence

if TYPE_CHECKING:
    from pressmark.library import Library

POINTING = frozenset({"cite", "wikilink", "embed", "link", "image"})


@dataclass(frozen=True, slots=True)
class Mention:
    """One link of one file: what it points to, and the sentence that says why."""

    path: str
    kind: str  # of the file: note, topic, collection, vocabulary, reference or prose
    link: Link
    target: Target | None
    text: str = field(repr=False)  # the whole file's

    @property
    def sentence(self) -> str:
        """The sentence around the link, cut out when somebody asks for it."""
        return sentence(self.text, self.link.start, self.link.end, self.path)

    @property
    def line(self) -> int:
        return self.link.line

    @property
    def column(self) -> int:
        return self.link.column


class Backlinks:
    """Every mention of a library's prose, by the file it points to."""

    def __init__(self, mentions: Iterable[Mention], resolver: Resolver) -> None:
        self.mentions = tuple(mentions)
        self.resolver = resolver
        self._to: dict[str, list[Mention]] = {}
        for mention in self.mentions:
            if mention.target:
                self._to.setdefault(mention.target.path, []).append(mention)

    def to(self, path: str) -> list[Mention]:
        """Who mentions a file, itself left out."""
        return [mention for mention in self._to.get(path, []) if mention.path != path]

    def of(self, key: str) -> list[Mention]:
        """Who cites or links a reference, by any of its names; its full text counts as it."""
        found = self.resolver.cite(key)
        if not found:
            return []
        text = found.path.removesuffix(".md") + ".fulltext.md"
        return [each for path in (found.path, text) for each in self.to(path)]

    def within(self, path: str) -> list[Mention]:
        """What a file mentions."""
        return [mention for mention in self.mentions if mention.path == path]

    @property
    def unresolved(self) -> list[Mention]:
        """The mentions that lead nowhere."""
        return [mention for mention in self.mentions if mention.target is None]


def index(library: Library, kinds: Collection[str] | None = None) -> Backlinks:
    """Read the prose of a library, of some kinds if asked, and resolve what it cites and links."""
    resolver = Resolver(library)
    wanted = [each for each in prose.paths(library).items() if kinds is None or each[1] in kinds]
    texts = prose.remembered(library, wanted)
    return Backlinks((each for text in texts for each in mentions(text, resolver)), resolver)


def mentioning(library: Library, key: str, kinds: Collection[str] | None = None) -> list[Mention]:
    """Who cites or links one reference: as `index(…).of(key)`, reading only what may name it."""
    held = library.get(key)
    known = (each.partition(":")[2] for each in ids.identities(held))
    names = {held.key, *held.aliases, held.cite_as or held.key, held.title, *known} - {""}
    folded = [same(name) for name in names]
    resolver = Resolver(library)
    wanted = [each for each in prose.paths(library).items() if kinds is None or each[1] in kinds]
    texts = (t for t in prose.read(library, wanted) if any(n in same(t.text) for n in folded))
    found = Backlinks((each for text in texts for each in mentions(text, resolver)), resolver)
    return found.of(held.key)


def mentions(text: prose.Prose, resolver: Resolver) -> Iterator[Mention]:
    """What one file points to; links that leave the library are none of its business."""
    for link in text.links():
        if link.kind in POINTING and not link.external:
            target = resolver.resolve(link, text.path)
            if target is None or target.kind != "outside":
                yield Mention(text.path, text.kind, link, target, text.text)


def cited_keys(library: Library, path: str) -> set[str]:
    """Keys of the references that a file, or every file of a folder, cites or links."""
    resolver = Resolver(library)
    found: set[str] = set()
    for text in prose.read(library, ((each, "prose") for each in below(library, path))):
        for link in text.links():
            target = resolver.resolve(link, text.path) if link.kind in POINTING else None
            if target and target.kind in ("reference", "fulltext"):
                found.add(target.name)
    return found


def below(library: Library, path: str) -> list[str]:
    """The file, or the folder's files of prose; seen from the library or from where one stands."""
    relative = path.strip().rstrip("/") or "."
    for base in (library.root, Path.cwd()):
        full = (base / relative).resolve()
        if not full.exists() or not full.is_relative_to(library.root.resolve()):
            continue
        inside = full.relative_to(library.root.resolve()).as_posix()
        if full.is_file():
            return [inside]
        walked = disk.walk(library.root, "" if inside == "." else inside, suffix="")
        return [
            each.relative
            for each in walked
            if each.relative.lower().endswith(prose.SUFFIXES)
            and not each.relative.endswith(".fulltext.md")
        ]
    raise NotFound(f"There is no file or folder {path} in the library.", next="see the spelling")
