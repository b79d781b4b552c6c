"""A library comes in; where its prose names a reference or a note without a link goes out.

A name is a title of several words, an alias, a note's own name, or a bare cite key. Nothing is
ever written: a person decides whether the words mean the thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pressmark.catalogue import layout
from pressmark.links import blocks, foreign, prose
from pressmark.links.resolve import Resolver, Target, first_heading
from pressmark.links.sentence import sentence
from pressmark.record import Note
from pressmark.text import fold

if TYPE_CHECKING:
    from pressmark.library import Library

LEAST_WORDS: Final = 3
"""A paper's title of fewer words is mostly an ordinary phrase."""

LEAST_LETTERS: Final = 4
MOST_WORDS: Final = 40

_WORD = re.compile(r"[^\W_]+")
_HIDDEN = re.compile(
    r"(`+)(?!`).+?(?<!`)\1(?!`)|\$\$.+?\$\$|<!--.*?-->|(?:https?://|www\.)\S+|<[^<>\n]+>", re.S
)

Phrases = dict[str, list[tuple[tuple[str, ...], str]]]
"""First word -> every name that begins with it, and the path it means."""


@dataclass(frozen=True, slots=True)
class Unlinked:
    """Words that name something: where they stand (from 1), what they mean, what to write."""

    path: str
    line: int
    column: int
    start: int
    end: int
    words: str
    target: Target
    write: str
    sentence: str


def unlinked(library: Library, path: str | None = None) -> list[Unlinked]:
    """Every mention without a link, or only those of the file at a path, sorted by place."""
    resolver = Resolver(library)
    phrases = _phrases(library, path)
    found: list[Unlinked] = []
    for text in _texts(library):
        found += mentioned(text, phrases, resolver)
    return sorted(found, key=lambda each: (each.path, each.start))


def mentioned(text: prose.Prose, phrases: Phrases, resolver: Resolver) -> Iterator[Unlinked]:
    """The mentions of one file."""
    taken = [(link.start, link.end) for link in text.links()]
    taken += [link.group for link in text.links() if link.group]
    seen = foreign.blanked(text.text, _HIDDEN)
    for start, end in _prose(text):
        words = list(_WORD.finditer(seen, start, end))
        folded = [fold(word.group()) for word in words]
        at = 0
        while at < len(words):
            hit = _longest(phrases, folded, at)
            if hit is None:
                at += 1
                continue
            count, target_path = hit
            low, high = words[at].start(), words[at + count - 1].end()
            at += count
            if target_path == text.path or any(a < high and low < b for a, b in taken):
                continue
            yield _mention(text, low, high, target_path, resolver)


def _texts(library: Library) -> Iterator[prose.Prose]:
    """The notes and the prose outside; a reference's own remarks belong to it."""
    from pressmark import disk
    from pressmark.errors import PressmarkError

    with disk.Tree(library.root) as tree:
        for path, kind in prose.paths(library).items():
            if kind in ("note", "prose", "topic"):
                try:
                    yield prose.Prose(path, kind, prose.decoded(tree.read(path)[0]))
                except PressmarkError:
                    continue


def _prose(text: prose.Prose) -> Iterable[tuple[int, int]]:
    """The stretches of running text; headings are titles of their own."""
    if foreign.scanner(text.path):
        return [(0, len(text.text))]
    return [(span.start, span.end) for span in blocks.spans(text.text) if not span.level]


def _phrases(library: Library, path: str | None) -> Phrases:
    names: dict[tuple[str, ...], str | None] = {}
    for name, target, least in _names(library, path):
        words = tuple(_WORD.findall(fold(name)))
        if len(words) < least or len(words) > MOST_WORDS or len("".join(words)) < LEAST_LETTERS:
            continue
        # What two things are called says of neither that it is meant.
        names[words] = target if names.get(words, target) == target else None
    found: Phrases = {}
    for words, meant in names.items():
        if meant is not None:
            found.setdefault(words[0], []).append((words, meant))
    for each in found.values():
        each.sort(key=lambda pair: -len(pair[0]))
    return found


def _names(library: Library, path: str | None) -> Iterator[tuple[str, str, int]]:
    """Every name, the path it means, and how many words it needs."""
    catalogue = library.catalogue
    kinds = {layout.name(f.path): f.path for f in catalogue.files("note")}
    for record in catalogue.records("note"):
        own = kinds.get(getattr(record, "slug", ""), "")
        if isinstance(record, Note) and path in (None, own):
            stem = record.slug.rpartition("/")[2].replace("-", " ")
            for name in (record.title, first_heading(record.body), stem, *record.aliases):
                yield name, own, 1
    paths = catalogue.paths()
    for reference in catalogue.all():
        own = paths[reference.key]
        if path in (None, own):
            yield reference.title, own, LEAST_WORDS
            for key in (reference.key, *reference.aliases):
                yield key, own, 1 if any(map(str.isdigit, key)) else LEAST_WORDS


def _longest(phrases: Phrases, folded: list[str], at: int) -> tuple[int, str] | None:
    """The longest name that stands at a word: how many words it has, and what it means."""
    for words, path in phrases.get(folded[at], ()):
        if tuple(folded[at : at + len(words)]) == words:
            return len(words), path
    return None


def _mention(text: prose.Prose, start: int, end: int, path: str, resolver: Resolver) -> Unlinked:
    target = resolver.at(path)
    words = text.text[start:end]
    line = text.text.count("\n", 0, start) + 1
    return Unlinked(
        text.path, line, start - text.text.rfind("\n", 0, start), start, end,
        " ".join(words.split()), target, _link(words, target, text.path, resolver),
        sentence(text.text, start, end),
    )  # fmt: skip


def _link(words: str, target: Target, source: str, resolver: Resolver) -> str:
    """What to write in their place."""
    if target.kind == "reference":
        if not any(map(str.isspace, words)):
            return f"@{target.name}"
        return f"{' '.join(words.split())} [@{target.name}]"
    name = resolver.shortest(target.path, source)
    shown = " ".join(words.split())
    return f"[[{name}]]" if name == shown else f"[[{name}|{shown}]]"
