"""A library and what is asked of it in; the text of a bibliography file, and the file, out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from pressmark import disk, formats
from pressmark.config import load
from pressmark.disk import folders
from pressmark.errors import BadInput, NotFound, PressmarkError
from pressmark.library import Library
from pressmark.links import Resolver, cited_keys, prose
from pressmark.links.backlinks import POINTING, below
from pressmark.record import Reference
from pressmark.text import fold

LARGEST = 200 * 2**20
"""Bytes of a file that may be one of ours."""

MADE = "exports.json"
"""Below the library's cache: the sha256 of each file without a mark that an export wrote."""

OLD = (".md", ".toml", ".tex", ".ltx", ".typ", ".org", ".rst", ".qmd", ".Rmd", ".markdown")
"""What of an old revision can be read or cite."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What to export and how; no words and no paths mean everything that is kept."""

    words: tuple[str, ...] = ()
    cited_in: tuple[str, ...] = ()
    form: str = "bibtex"
    letters: str = "latin"
    abbreviations: Mapping[str, str] | None = None
    """Full name of a journal → its short one; None leaves the names as they are."""


@dataclass(slots=True)
class Exported:
    """The references of an export, its text, and what a person should know."""

    references: list[Reference]
    text: str
    warnings: list[str] = field(default_factory=list)


def export(library: Library, asked: Asked) -> Exported:
    """The text, the same for the same library; candidates only where cited or asked for."""

    def cited(path: str) -> set[str]:
        return cited_keys(library, path)

    words = list(asked.words)
    found = library.select(words, stage="kept", cited=cited, required=bool(words))
    warnings: list[str] = []
    if asked.cited_in:
        wanted, unknown = _cited(library, asked.cited_in)
        known = {each.key for each in found}
        if not words:  # a document that cites a candidate needs it
            found += [library.get(key) for key in sorted(wanted - known)]
        found = [each for each in found if each.key in wanted]
        warnings += [f"{key} is cited and no reference has that key" for key in unknown]
    warnings += _renamed(found, asked.form, asked.letters)
    shown = [_abbreviated(each, asked.abbreviations) for each in found]
    return Exported(found, formats.write(shown, asked.form, letters=asked.letters), warnings)


def _cited(library: Library, paths: Sequence[str]) -> tuple[set[str], list[str]]:
    """The references that files of prose cite or link, and the keys that none has."""
    resolver = Resolver(library)
    found: set[str] = set()
    unknown: dict[str, None] = {}
    texts = ((each, "prose") for path in paths for each in below(library, path))
    for text in prose.read(library, texts):
        for link in text.links():
            target = resolver.resolve(link, text.path) if link.kind in POINTING else None
            if target and target.kind in ("reference", "fulltext"):
                found.add(target.name)
            elif link.kind == "cite" and link.group and target is None:
                unknown[link.target] = None
    return found, sorted(unknown)


def _renamed(found: Sequence[Reference], form: str, letters: str) -> list[str]:
    """A sentence for each key that people cite and the file cannot hold."""
    if form not in ("bibtex", "biblatex"):
        return []
    from pressmark.formats.bibtex.latex import Letters
    from pressmark.formats.bibtex.parts import keyed

    kind = Letters.ASCII if form == "bibtex" else Letters(letters)
    pairs = keyed(sorted(found, key=lambda each: each.key), kind)
    return [
        f"{each.cite_as} cannot stand as a key in {form}; it is {key} there"
        for key, each in pairs
        if each.cite_as and key != each.cite_as
    ]


def _abbreviated(reference: Reference, table: Mapping[str, str] | None) -> Reference:
    """The reference with its journal's short name, from the table or as a source told it."""
    if table is None or not reference.venue:
        return reference
    told = reference.extra.get("container-title-short") or reference.extra.get("shortjournal")
    short = table.get(fold(reference.venue)) or (told if isinstance(told, str) else "")
    return replace(reference, venue=short or reference.venue)


@contextmanager
def revision(library: Library, rev: str) -> Iterator[Library]:
    """The library as it was in a revision, in a folder that is gone afterwards."""
    repository = library.repository
    if repository is None:
        raise NotFound(f"{library.root} is in no git repository, so there is no {rev}.")
    files = repository.files_at(rev)
    folder = folders.private_folder()
    try:
        wanted = {path: data for path, data in files.items() if path.endswith(OLD)}
        folders.spread(folder, wanted)
        yield Library(folder, replace(load(folder, {}), offline=True))
    finally:
        folders.discard(folder)


def write(library: Library, path: Path, text: str, *, force: bool = False) -> bool:
    """Put an export in its file; False when it says the very same already.

    Raises BadInput for a file that Pressmark did not make, unless `force`.
    """
    if not path.parent.is_dir():
        raise NotFound(f"There is no folder {path.parent}.", next="make it, or write elsewhere")
    if path.exists() and not path.is_file():
        raise BadInput(f"{path.name} is no file that can be replaced.", next="leave -o out")
    data = text.encode("utf-8")
    if path.exists():
        held = disk.read_given(path, LARGEST, path.name)
        if held == data:
            _remember(library, path, data)
            return False
        made = formats.is_ours(held) or _made(library).get(_place(path)) == disk.sha256(held)
        if not force and not made:
            raise BadInput(
                f"{path.name} was not written by Pressmark, as far as it says; it stays as it is.",
                next="choose another name, or give --force",
            )
    disk.write_file(path, data)
    _remember(library, path, data)
    return True


def _place(path: Path) -> str:
    return str(path.resolve())


def _made(library: Library) -> dict[str, str]:
    """The files of formats that have no place for a mark, as this library wrote them last."""
    folder = library.config.answers_dir
    try:
        data = disk.read_given(folder / MADE, LARGEST) if folder else b"{}"
        found = json.loads(data)
    except (PressmarkError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _remember(library: Library, path: Path, data: bytes) -> None:
    folder = library.config.answers_dir
    if folder is None or formats.is_ours(data):
        return
    made = {**_made(library), _place(path): disk.sha256(data)}
    with suppress(PressmarkError):  # a library that cannot be written to still exports
        disk.write_file(folder / MADE, json.dumps(made, indent=1).encode(), root=library.root)
