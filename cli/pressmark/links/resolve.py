"""A link and the file it stands in come in; the file it points to goes out, or nothing.

A wikilink's target is the whole stem of a file, a cite key, an alias, or a title, in any letter
case; a Markdown link's is a path.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from pressmark import disk
from pressmark.catalogue import layout
from pressmark.errors import PressmarkError
from pressmark.library.lasting import lasting
from pressmark.links import prose
from pressmark.links.link import Link, has_scheme
from pressmark.links.parse import headings, parse
from pressmark.text import fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pressmark.catalogue.catalogue import File
    from pressmark.library import Library

FIRST = 20_000
"""How far into a note its first heading is looked for."""

Of = Literal["key", "file"]


@dataclass(frozen=True, slots=True)
class Target:
    """What a link points to: `kind` is a record's, or `prose`, `file`, `folder`, `outside`."""

    kind: str
    name: str
    path: str


class Resolver:
    """Knows every name that a link of a library can use; made once for many links."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._headings: dict[str, tuple[frozenset[str], frozenset[str]]] = {}

    def resolve(self, link: Link, source: str) -> Target | None:
        """What a link in the file `source` points to; None when nothing is there."""
        if link.kind == "cite":
            return self.cite(link.target)
        if link.kind in ("link", "image"):
            return self.path(link.target, source)
        return self.wiki(link.target, source)

    def cite(self, key: str) -> Target | None:
        """The reference that a cite key, an alias, a `cite-as` or an identifier names."""
        found = self.names.get(same(key))
        if found is None and re.search(r"[:/.]", key):
            resolved = self.library.catalogue.resolve(key)
            found = resolved[0] if len(resolved) == 1 else None
        return self.reference(found) if found else None

    def reference(self, key: str) -> Target:
        """The reference with this very key."""
        return Target("reference", key, self._reference_paths[key])

    def wiki(self, target: str, source: str) -> Target | None:
        """What a wikilink's words before `#` name, seen from a file."""
        name = target.strip()
        if not name:
            return self.at(source)
        if name.startswith("@"):
            return self.cite(name[1:])
        if name.startswith(("./", "../", "/")):
            return self.path(name, source)
        return self._named(name) or self._titled(name) or self._attached(name)

    def path(self, target: str, source: str) -> Target | None:
        """What a Markdown link's path leads to, seen from a file."""
        if has_scheme(target):
            return Target("outside", target, target)
        if not target:
            return self.at(source)
        base = "" if target.startswith("/") else posixpath.dirname(source)
        path = posixpath.normpath(posixpath.join(base, target.lstrip("/")))
        if path == ".." or path.startswith("../"):
            return Target("outside", target, path)
        known = self._by_path.get(same(path)) or self._by_path.get(same(f"{path}.md"))
        return self.at(known) if known else self._on_disk(path)

    def at(self, path: str) -> Target:
        """The target that a known file is."""
        kind = layout.kind(path) or "prose"
        name = layout.name(path) if kind != "prose" else posixpath.basename(path)
        return Target(kind, name, path)

    def shortest(
        self, path: str, source: str, ending: bool = False, link: Link | None = None
    ) -> str:
        """The shortest words of a wikilink in `source` that lead to a file; a path at worst."""
        bare = path.removesuffix(".md") if path.endswith(".md") else path
        parts = bare.split("/")
        for count in range(1, len(parts) + 1):
            words = "/".join(parts[-count:]) + (".md" if ending and bare != path else "")
            if any(sign in words for sign in "[]|#^") and count < len(parts):
                continue
            found = self.wiki(words, source)
            if found is not None and found.path == path:
                return words
        return f"/{bare}"

    def nearest(self, name: str, of: Of = "key") -> str | None:
        """The key, or the stem of a file, that looks most like a name that leads nowhere."""
        from rapidfuzz import fuzz, process

        choices = self.names if of == "key" else {**self._stems, **self.names}
        found = process.extractOne(same(name), list(choices), scorer=fuzz.ratio, score_cutoff=75)
        if not found:
            return None
        if of == "key" or found[0] in self.names:
            return self.names[found[0]]
        return posixpath.basename(self._stems[found[0]][0]).removesuffix(".md")

    def has(self, target: Target, heading: str) -> bool:
        """Whether a target has the heading or block that a link names; other files always do."""
        if not heading or not target.path.endswith(prose.MARKDOWN):
            return True
        titles, blocks = self._anchors(target.path)
        if heading.startswith("^"):
            return heading[1:].casefold() in blocks
        wanted = _letters(heading.rpartition("#")[2])
        return wanted in titles or re.sub(r"\d+$", "", wanted) in titles or not wanted

    @cached_property
    def names(self) -> dict[str, str]:
        """Every folded name of a reference and its key; an unreadable file answers by its stem."""
        answering = self.library.catalogue.names()

        def made() -> dict[str, str]:
            names = {same(key): key for key in self._reference_paths}
            for name, key in answering.items():
                names.setdefault(same(name), key)
            return names

        return lasting(self.library, "links names", (self._reference_paths, answering), made)

    @cached_property
    def _reference_paths(self) -> dict[str, str]:
        return self._paths_of_references()

    def _paths_of_references(self) -> dict[str, str]:
        held = {f.name: f.path for f in self._catalogued if f.kind == "reference"}
        return {**held, **self.library.catalogue.paths()}

    @cached_property
    def _files(self) -> list[str]:
        return self._every_file()

    def _every_file(self) -> list[str]:
        """Every catalogued file, and every other file of prose."""
        held = {f.path for f in self._catalogued}
        return sorted(held | prose.paths(self.library).keys(), key=lambda p: (p.count("/"), p))

    @cached_property
    def _catalogued(self) -> list[File]:
        return self.library.catalogue.files()

    @cached_property
    def _by_path(self) -> dict[str, str]:
        def made() -> dict[str, str]:
            return {same(path): path for path in reversed(self._files)}

        return lasting(self.library, "links paths", self._files, made)

    @cached_property
    def _stems(self) -> dict[str, list[str]]:
        def made() -> dict[str, list[str]]:
            stems: dict[str, list[str]] = {}
            for path in self._files:
                stems.setdefault(_stem(path), []).append(path)
            return stems

        return lasting(self.library, "links stems", self._files, made)

    @cached_property
    def _titles(self) -> dict[str, str]:
        """Paths by folded title and alias; references come last."""
        titles: dict[str, str] = {}
        for title, path in self._titled_files():
            titles.setdefault(_words(title), path)
        return titles

    def _titled_files(self) -> Iterator[tuple[str, str]]:
        catalogue = self.library.catalogue
        for kind in ("note", "topic", "collection", "vocabulary"):
            paths = {f.name: f.path for f in self._catalogued if f.kind == kind}
            for record in catalogue.records(kind):
                path = paths.get(getattr(record, "slug", ""))
                for title in (getattr(record, "title", ""), *getattr(record, "aliases", ())):
                    if path and title:
                        yield title, path
                if path and kind == "note" and (heading := first_heading(record.body)):
                    yield heading, path

        def of_references() -> list[tuple[str, str]]:
            return [(each.title, self._reference_paths[each.key]) for each in catalogue.cards()]

        mark = catalogue.fingerprint("reference")
        yield from lasting(self.library, "links titles", mark, of_references)

    @cached_property
    def _attachments(self) -> dict[str, list[str]]:
        return self._every_attachment()

    def _every_attachment(self) -> dict[str, list[str]]:
        names: dict[str, list[str]] = {}
        for stat in disk.walk(self.library.root, "", suffix=""):
            if stat.relative.startswith(("_", ".")):
                continue  # what was built of the library is no part of it
            name = same(posixpath.basename(stat.relative))
            names.setdefault(name, []).append(stat.relative)
        return names

    def _named(self, name: str) -> Target | None:
        """By key, or by the whole stem; with slashes, by the last parts of the path."""
        folded = same(name).removesuffix(".md")
        if "/" not in folded and (key := self.names.get(folded)):
            return self.reference(key)
        held = self._stems.get(posixpath.basename(folded), [])
        return self._first(path for path in held if _ends(same(path), folded))

    def _titled(self, name: str) -> Target | None:
        found = self._titles.get(_words(name))
        return self.at(found) if found else None

    def _attached(self, name: str) -> Target | None:
        held = self._attachments.get(same(posixpath.basename(name)), [])
        found = next((path for path in held if _ends(same(path), same(name))), None)
        return Target("file", posixpath.basename(found), found) if found else None

    def _first(self, paths: Iterable[str]) -> Target | None:
        found = next(iter(paths), None)
        return self.at(found) if found else None

    def _on_disk(self, path: str) -> Target | None:
        full = self.library.root / path
        try:
            if not full.exists():
                return None
            kind = "folder" if full.is_dir() else "file"
        except (OSError, ValueError):
            return None
        return Target(kind, posixpath.basename(path), path)

    def _anchors(self, path: str) -> tuple[frozenset[str], frozenset[str]]:
        """The headings and ids of a file, letters only, and its block ids."""
        if path not in self._headings:
            try:
                text = prose.decoded(disk.read_bytes(self.library.root, path))
            except PressmarkError:
                text = ""
            titles = [title for _, title, _ in headings(text)]
            titles += re.findall(r"(?:\{#|\b(?:id|name)=[\"'])([^\s\"'}]+)", text)
            blocks = (link.target.casefold() for link in parse(text) if link.kind == "block")
            self._headings[path] = frozenset(map(_letters, titles)), frozenset(blocks)
        return self._headings[path]


def first_heading(body: str) -> str:
    """What a note is called that has no title of its own: its first heading of level 1."""
    head = body[:FIRST]
    if "#" not in head and "\n=" not in head:
        return ""
    return next((title for level, title, _ in headings(head) if level == 1), "")


def same(name: str) -> str:
    """A name as it is compared: whatever its letter case and its composition."""
    return name.casefold() if name.isascii() else unicodedata.normalize("NFC", name).casefold()


def _stem(path: str) -> str:
    return same(posixpath.basename(path).removesuffix(".md"))


def _ends(path: str, wanted: str) -> bool:
    """Whether a path ends in these whole parts."""
    return f"/{path.removesuffix('.md')}".endswith(f"/{wanted}") or f"/{path}".endswith(
        f"/{wanted}"
    )


def _words(title: str) -> str:
    return " ".join(fold(title).split())


def _letters(title: str) -> str:
    return re.sub(r"[\W_]+", "", fold(title))
