"""A library, and what is about to be called otherwise, come in; the new bytes of its prose go out.

Each link is resolved as things are and as they will be. One that would lead elsewhere, or nowhere,
is written anew so that it leads where it led; no other character of a file changes.
"""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from pressmark import disk
from pressmark.errors import PressmarkError
from pressmark.links import foreign, prose
from pressmark.links.backlinks import POINTING
from pressmark.links.grammar import bare_key
from pressmark.links.link import Link
from pressmark.links.resolve import Resolver, Target, same

if TYPE_CHECKING:
    from pressmark.library import Library


@dataclass(frozen=True, slots=True)
class Moves:
    """Paths that change, keys that change, and texts that an editor holds unsaved."""

    paths: Mapping[str, str]
    keys: Mapping[str, str] = field(default_factory=dict)
    unsaved: Mapping[str, str] = field(default_factory=dict)

    def path(self, old: str) -> str:
        """Where a path will be."""
        return self.paths.get(old, old)

    def key(self, old: str) -> str:
        """What a reference will be called."""
        return self.keys.get(old, old)


class Renamed(Resolver):
    """A resolver for the library as it will be; old names answer no more."""

    def __init__(self, before: Resolver, moves: Moves) -> None:
        super().__init__(before.library)
        self.before, self.moves = before, moves

    def reference(self, key: str) -> Target:
        return super().reference(self.moves.key(key))

    @property
    def names(self) -> dict[str, str]:
        if self._names is None:
            gone = {same(old) for old in self.moves.keys}
            kept = {n: self.moves.key(k) for n, k in self.before.names.items() if n not in gone}
            for new in self.moves.keys.values():
                kept[same(new)] = new
            self._names = kept
        return self._names

    _names: dict[str, str] | None = None

    def _paths_of_references(self) -> dict[str, str]:
        held = self.before._reference_paths
        return {self.moves.key(key): self.moves.path(path) for key, path in held.items()}

    def _every_file(self) -> list[str]:
        moved = (self.moves.path(path) for path in self.before._files)
        return sorted(moved, key=lambda path: (path.count("/"), path))

    def _titled_files(self) -> Iterator[tuple[str, str]]:
        for title, path in self.before._titled_files():
            yield title, self.moves.path(path)

    def _every_attachment(self) -> dict[str, list[str]]:
        names: dict[str, list[str]] = {}
        for paths in self.before._attachments.values():
            for path in map(self.moves.path, paths):
                names.setdefault(same(posixpath.basename(path)), []).append(path)
        return names

    def _on_disk(self, path: str) -> Target | None:
        if path in self.moves.paths:
            return None
        for old, new in self.moves.paths.items():
            if new == path:
                found = super()._on_disk(old)
                return Target(found.kind, posixpath.basename(new), new) if found else None
        return super()._on_disk(path)


def edits(library: Library, moves: Moves, resolver: Resolver | None = None) -> dict[str, bytes]:
    """New bytes, by the path as it is, of every file whose links have to follow."""
    before = resolver or Resolver(library)
    after = Renamed(before, moves)
    found: dict[str, bytes] = {}
    for path, kind, text in _candidates(library, moves):
        changed = relinked(prose.Prose(path, kind, text), before, after, moves)
        if changed != text:
            found[path] = prose.encoded(changed)
    return found


def relinked(text: prose.Prose, before: Resolver, after: Renamed, moves: Moves) -> str:
    """One file's text with its links to what moves, or from where it moves, written anew."""
    spans: dict[tuple[int, int], str] = {}
    for link in text.links():
        if link.kind not in POINTING or link.external:
            continue
        target = before.resolve(link, text.path)
        if target is None or target.kind == "outside":
            continue
        there = moves.path(target.path)
        now = after.resolve(link, moves.path(text.path))
        if now is not None and now.path == there and not _by_old_name(link, target, there):
            continue
        new = _written(text, link, target, there, after, moves)
        if new is not None:
            spans[link.target_start, link.target_end] = new
    return replaced(text.text, spans)


def replaced(text: str, spans: Mapping[tuple[int, int], str]) -> str:
    """The text with some of its spans replaced; spans never overlap."""
    parts, place = [], 0
    for (start, end), new in sorted(spans.items()):
        parts += [text[place:start], new]
        place = end
    return "".join(parts) + text[place:]


def _by_old_name(link: Link, target: Target, there: str) -> bool:
    """Whether a wikilink says the name that is going, though a title may still answer to it."""
    if link.kind not in ("wikilink", "embed"):
        return False
    old, new = (same(posixpath.basename(path).removesuffix(".md")) for path in (target.path, there))
    return old != new and same(posixpath.basename(link.target).removesuffix(".md")) == old


def _written(
    text: prose.Prose, link: Link, target: Target, there: str, after: Renamed, moves: Moves
) -> str | None:
    """How a link's target has to be written; None where no spelling leads there."""
    written = text.text[link.target_start : link.target_end]
    source = moves.path(text.path)
    if link.kind == "cite":
        return _cited(text, link, moves.key(target.name), written)
    if link.kind in ("link", "image"):
        return _pathed(link, written, there, source)
    if written.startswith(("./", "../")):
        return _with_ending(_relative(there, source), written)
    if written.startswith("@"):
        return f"@{moves.key(target.name)}"
    if written.startswith("/"):
        return _with_ending(f"/{there}", written)
    return after.shortest(there, source, _with_ending("x", written) != "x", link)


def _cited(text: prose.Prose, link: Link, key: str, written: str) -> str:
    if foreign.scanner(text.path):
        return key
    braced = text.text[link.target_start - 1 : link.target_start] == "{"
    return key if braced or bare_key(key) else f"{{{key}}}"


def _pathed(link: Link, written: str, there: str, source: str) -> str:
    """A Markdown destination, relative as it was, with what Markdown would misread encoded."""
    new = f"/{there}" if written.startswith("/") else _relative(there, source)
    if written.startswith("./") and not new.startswith("."):
        new = f"./{new}"
    if not posixpath.basename(link.target).lower().endswith(".md"):
        new = new.removesuffix(".md")
    encoded = "%" in written or any(sign in new for sign in " ()<>?#\\\"'\t")
    return quote(new, safe="/.-_~@+,;:!$&*=") if encoded else new


def _relative(path: str, source: str) -> str:
    return posixpath.relpath(path, posixpath.dirname(source) or ".")


def _with_ending(path: str, written: str) -> str:
    """The path with `.md` where it was written with it."""
    bare = path.removesuffix(".md")
    return f"{bare}.md" if written.lower().endswith(".md") else bare


def _candidates(library: Library, moves: Moves) -> Iterator[tuple[str, str, str]]:
    """The files of prose in which an old or a new name stands, and those that move."""
    names = {same(name) for each in (*moves.paths.items(), *moves.keys.items()) for name in each}
    stems = {posixpath.basename(name).partition(".")[0] for name in names} - {""}
    with disk.Tree(library.root) as tree:
        for path, kind in prose.paths(library).items():
            text = moves.unsaved.get(path)
            if text is None:
                with suppress(PressmarkError):
                    text = prose.decoded(tree.read(path)[0])
            if text is None:
                continue
            if (
                path in moves.paths
                or _names_one(same(text), stems)
                or ("%" in text and _names_one(same(unquote(text)), stems))
            ):
                yield path, kind, text


def _names_one(folded: str, stems: Collection[str]) -> bool:
    return any(stem in folded for stem in stems)
