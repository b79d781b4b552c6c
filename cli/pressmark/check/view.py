"""A library and the chosen paths come in; what several rules look at goes out, read once."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pressmark import disk
from pressmark.catalogue import layout
from pressmark.catalogue.catalogue import File
from pressmark.check.finding import Finding
from pressmark.errors import NotFound, PressmarkError
from pressmark.links import Mention, Resolver, bibliographies, prose
from pressmark.links.backlinks import mentions
from pressmark.links.resolve import same

if TYPE_CHECKING:
    from pressmark.library import Library
    from pressmark.record import Reference

Item = TypeVar("Item")


class View:
    """The library as the rules see it; `chosen` limits what is reported, not what is known."""

    def __init__(self, library: Library, chosen: Collection[str] | None = None) -> None:
        self.library = library
        self.catalogue = library.catalogue
        self.root = library.root
        self.chosen = None if chosen is None or "" in chosen else frozenset(chosen)

    def covers(self, path: str) -> bool:
        """Whether findings about a path were asked for."""
        if self.chosen is None or path in self.chosen:
            return True
        return any(path.startswith(f"{folder}/") for folder in self.chosen)

    def files(self, *kinds: str) -> Iterator[File]:
        """The catalogued files of these kinds that are covered, but for the unreadable ones."""
        for kind in kinds:
            yield from self._covered.get(kind, ())

    @cached_property
    def _covered(self) -> dict[str, list[File]]:
        """The covered files by kind."""
        found: dict[str, list[File]] = {}
        for file in self.catalogue.files():
            if self.covers(file.path) and file.path not in self.wrecked:
                found.setdefault(file.kind, []).append(file)
        return found

    @cached_property
    def texts(self) -> list[str]:
        """Every covered file of records and prose, the unreadable ones too."""
        held = {file.path for file in self.catalogue.files()} | self.prose.keys()
        return sorted(path for path in held if self.covers(path))

    def read(self, path: str) -> bytes | None:
        """The bytes of a file; None when it cannot be read."""
        try:
            return disk.read_bytes(self.root, path)
        except PressmarkError:
            return None

    @cached_property
    def wrecked(self) -> frozenset[str]:
        """The paths of the catalogue's unreadable files."""
        return frozenset(wreck.path for wreck in self.catalogue.unreadable())

    @cached_property
    def resolver(self) -> Resolver:
        return Resolver(self.library)

    @cached_property
    def prose(self) -> dict[str, str]:
        """The files of prose that are covered; a file that was named is prose by that."""
        named = {each: "prose" for each in self.chosen or () if self._is_prose(each)}
        held = prose.paths(self.library)
        return {path: kind for path, kind in {**named, **held}.items() if self.covers(path)}

    @cached_property
    def references(self) -> dict[str, Reference]:
        """Every reference by its key."""
        return {reference.key: reference for reference in self.catalogue.all()}

    @cached_property
    def mentions(self) -> list[Mention]:
        """Every citation and link of the covered prose."""
        found: list[Mention] = []
        for text in prose.read(self.library, self.prose.items()):
            try:
                found += mentions(text, self.resolver)
            except Exception as error:
                self.failures.append(failure("UNREADABLE", text.path, error))
        return found

    def named(self, mention: Mention) -> str:
        """The first bibliography file that the text around a mention names, or nothing."""
        if mention.path not in self._named:
            files = bibliographies.named(mention.text, mention.path)
            self._named[mention.path] = files[0].name if files else ""
        return self._named[mention.path]

    @cached_property
    def _named(self) -> dict[str, str]:
        return {}

    @cached_property
    def failures(self) -> list[Finding]:
        """Files of prose on which our own parser failed."""
        return []

    @cached_property
    def left_out(self) -> frozenset[str]:
        """Folded stems of the records that a sparse checkout leaves in git alone."""
        repository = self.library.repository
        if repository is None or not repository.is_sparse():
            return frozenset()
        tracked = (path for folder in layout.FOLDERS for path in repository.tracked(folder))
        return frozenset(same(layout.name(path).rpartition("/")[2]) for path in tracked)

    def _is_prose(self, path: str) -> bool:
        kind = layout.kind(path)
        return kind is None and path.endswith(prose.SUFFIXES) and disk.exists(self.root, path)


def over(
    code: str, items: Iterable[Item], rule: Callable[[Item], Iterable[Finding]]
) -> Iterator[Finding]:
    """What a rule finds in each item; one on which it fails does not stop the others."""
    for item in items:
        try:
            yield from list(rule(item))
        except Exception as error:
            yield failure(code, str(getattr(item, "path", item)), error)


def failure(code: str, path: str, error: Exception) -> Finding:
    """A rule that failed itself."""
    return Finding(
        code=code, severity="error", path=path,
        message=f"The rule {code} stopped here: {type(error).__name__}: {error}",
        next="report it, with the file if you can share it",
    )  # fmt: skip


def chosen(library: Library, paths: Sequence[str | Path]) -> frozenset[str]:
    """Paths as a person or a hook gives them, from the root; what lies outside is left out."""
    found = (_inside(library.root, os.fspath(path)) for path in paths)
    return frozenset(each for each in found if each is not None)


def _inside(root: Path, path: str) -> str | None:
    bases = (Path.cwd(), root)
    for base in bases:
        full = Path(os.path.normpath(base / path))
        if os.path.lexists(full) and full.is_relative_to(root):
            inside = full.relative_to(root).as_posix()
            return "" if inside == "." else inside
    if any(os.path.lexists(base / path) for base in bases):
        return None
    raise NotFound(f"There is no file or folder {path}.")
