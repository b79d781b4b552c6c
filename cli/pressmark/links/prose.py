"""A library comes in; the files in which a person cites and links go out, with their text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pressmark import disk
from pressmark.catalogue import layout
from pressmark.errors import PressmarkError
from pressmark.links import foreign
from pressmark.links.link import Link
from pressmark.links.parse import parse

if TYPE_CHECKING:
    from pressmark.library import Library

KINDS = ("note", "topic", "collection", "vocabulary", "reference")
"""The records whose bodies are prose; a search's log and a full text are not."""

MARKDOWN = (".md", ".markdown", ".qmd", ".Rmd", ".rmd")
SUFFIXES = (*MARKDOWN, *foreign.SUFFIXES)

_MARKS = re.compile(rb"@|\[\[|\]\(|\]:|\]\[")
_FOREIGN = re.compile(_MARKS.pattern + rb"|[cC]ite|\]_")
"""In Markdown the word `cites` links nothing, and the front matter of most references has it."""
_ABSTRACT = re.compile(
    r"^##[ \t]+abstract[ \t]*#*[ \t]*\r?$.*?(?=^#{1,2}[ \t]|\Z)", re.M | re.I | re.S
)


@dataclass(frozen=True, slots=True)
class Prose:
    """One file: its path from the root, what it holds, its bytes' text."""

    path: str
    kind: str
    text: str
    _found: list[list[Link]] = field(default_factory=list, compare=False, repr=False)
    """What `links` found, once it looked."""

    def links(self) -> list[Link]:
        """Its links; a reference's abstract is the publisher's and not the library's prose."""
        if not self._found:
            self._found.append(self._links())
        return self._found[0]

    def _links(self) -> list[Link]:
        found = links(self.text, self.path)
        if self.kind != "reference" or not found:
            return found
        spans = [each.span() for each in _ABSTRACT.finditer(self.text)]
        return [link for link in found if not any(a <= link.start < b for a, b in spans)]


def links(text: str, path: str) -> list[Link]:
    """The links of a text, in the grammar that its file's name says."""
    return (foreign.scanner(path) or parse)(text)


def decoded(data: bytes) -> str:
    """The text of a file; bytes that are no UTF-8 survive `encoded`."""
    return data.decode("utf-8", "surrogateescape")


def encoded(text: str) -> bytes:
    """The bytes again."""
    return text.encode("utf-8", "surrogateescape")


def paths(library: Library) -> dict[str, str]:
    """Every file of prose and its kind, sorted: the records, and what `[prose] paths` names."""
    found = {f.path: f.kind for f in library.catalogue.files() if f.kind in KINDS}
    for pattern in library.config.prose_paths:
        for path in matching(library, pattern):
            if layout.kind(path) is None:
                found.setdefault(path, "prose")
    return dict(sorted(found.items()))


def matching(library: Library, pattern: str) -> Iterator[str]:
    """The files that a pattern of `[prose] paths` names: `*`, `?`, `[…]` and `**/`."""
    parts = pattern.strip("/").split("/")
    fixed = [n for n, part in enumerate(parts) if re.search(r"[*?\[]", part)]
    folder = "/".join(parts[: fixed[0] if fixed else -1])
    shape = re.compile(_shape(parts))
    for stat in disk.walk(library.root, folder, suffix=""):
        if shape.fullmatch(stat.relative):
            yield stat.relative


def _shape(parts: Sequence[str]) -> str:
    words = [r"(?:[^/]+/)*" if part == "**" else f"{_part(part)}/" for part in parts]
    if parts[-1] == "**":
        return "".join(words) + "[^/]+"
    return "".join(words).removesuffix("/")


def _part(part: str) -> str:
    signs = {"*": "[^/]*", "?": "[^/]"}
    tokens = re.findall(r"\[[!^]?\]?[^\]]*\]|.", part)
    return "".join(_class(t) if len(t) > 1 else signs.get(t, re.escape(t)) for t in tokens)


def _class(token: str) -> str:
    inside = token[1:-1].replace("\\", "\\\\").replace("[", "\\[")
    negated = inside.startswith(("!", "^"))
    return f"[{'^/' if negated else ''}{inside[1:] if negated else inside}]"


def read(library: Library, wanted: Iterable[tuple[str, str]]) -> Iterator[Prose]:
    """The texts of files in which anything cites or links; what cannot be read is left out."""
    with disk.Tree(library.root) as tree:
        for path, kind in wanted:
            try:
                data = tree.read(path)[0]
            except PressmarkError:
                continue
            if points(data, path):
                yield Prose(path, kind, decoded(data))


def remembered(library: Library, wanted: Iterable[tuple[str, str]]) -> Iterator[Prose]:
    """As `read`, for who only looks: a library that lives on keeps the texts of its records.

    One whose bytes the catalogue knows to be the same is not read again.
    """
    held: dict[str, tuple[str, Prose | None]]
    held = library.kept.setdefault("links prose", {})  # type: ignore[assignment]
    hashes = library.catalogue.hashes(*KINDS)
    with disk.Tree(library.root) as tree:
        for path, kind in wanted:
            known = held.get(path)
            if known is None or known[0] != hashes.get(path):
                try:
                    data = tree.read(path)[0]
                except PressmarkError:
                    continue
                text = Prose(path, kind, decoded(data)) if points(data, path) else None
                known = (disk.sha256(data), text)
                if path in hashes:
                    held[path] = known
            if known[1] is not None:
                yield known[1]


def points(data: bytes, path: str) -> bool:
    """Whether anything in a file may cite or link."""
    return bool((_FOREIGN if foreign.scanner(path) else _MARKS).search(data))
