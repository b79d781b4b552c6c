"""Prose in; the cite keys that no reference has, and the bibliography files it names, out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pressmark import disk
from pressmark.check.citing import lacks, surely
from pressmark.check.view import View
from pressmark.errors import NotFound, PressmarkError
from pressmark.links import Resolver, prose
from pressmark.links.bibliographies import MOST, SETTINGS, named, root

if TYPE_CHECKING:
    from pressmark.library import Library

LARGEST = 64 * 2**20
"""Bytes of a text of prose."""


@dataclass(frozen=True, slots=True)
class Text:
    """One file of prose: where it is, what it is called in an answer, what it says."""

    path: Path
    name: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Lacking:
    """A cited key that no reference has, and the first place that cites it."""

    key: str
    path: str
    line: int
    sure: bool
    """Whether it cites beyond doubt: in running text `@name` may address a person."""


@dataclass(frozen=True, slots=True)
class Bibliography:
    """A bibliography file that is there, and what it is called in an answer."""

    path: Path
    name: str


def given(library: Library, files: Sequence[str], start: Path) -> list[Text]:
    """The named files, and the files of prose in the named folders; outside the library too.

    Raises NotFound for a name that is nothing.
    """
    found: dict[Path, Text] = {}
    for word in files:
        paths = _named(library, word, start)
        if not paths:
            what = (
                f"There is no file or folder {word}." if paths is None else f"{word} has no prose."
            )
            raise NotFound(what, next="pressmark add --cited FILE")
        for path in paths:
            text = prose.decoded(disk.read_given(path, LARGEST))
            found.setdefault(path, Text(path, _called(library, path), _kind(library, path), text))
    return list(found.values())


def held(library: Library, kinds: Sequence[str] = ()) -> list[Text]:
    """The library's own prose that cites or names anything, of some kinds if asked."""
    found = []
    root = library.root.resolve()
    with disk.Tree(library.root) as tree:
        for path, kind in prose.paths(library).items():
            if kinds and kind not in kinds:
                continue
            try:
                data = tree.read(path)[0]
            except PressmarkError:
                continue
            if prose.points(data, path) or (kind != "reference" and b"bib" in data):
                found.append(Text(root / path, path, kind, prose.decoded(data)))
    return found


def keys(library: Library, texts: Iterable[Text]) -> list[Lacking]:
    """The keys that the texts cite and nothing holds, each once, in their order."""
    resolver = Resolver(library)
    left_out = View(library).left_out
    found: dict[str, Lacking] = {}
    for text in texts:
        for link in prose.Prose(text.name, text.kind, text.text).links():
            if lacks(resolver, left_out, link):
                before, sure = found.get(link.target), surely(link)
                if before is None:
                    found[link.target] = Lacking(link.target, text.name, link.line, sure)
                elif sure and not before.sure:
                    found[link.target] = Lacking(link.target, before.path, before.line, True)
    return list(found.values())


def bibliographies(library: Library, texts: Sequence[Text]) -> tuple[list[Bibliography], list[str]]:
    """The files that texts, their main files and the settings around them name, each once.

    With them a sentence for each that is not there.
    """
    found: dict[Path, Bibliography] = {}
    problems: dict[str, None] = {}
    for text in _with_others(library, texts):
        for each in named(text.text, text.path.name):
            path = _there(library, each.name, text.path)
            if path is not None:
                found.setdefault(path, Bibliography(path, _called(library, path)))
            elif len(problems) < MOST:
                problems[f"{text.name}:{each.line}: {_missing(each.name)}"] = None
    return list(found.values()), list(problems)


def _missing(name: str) -> str:
    if "://" in name:
        return f"the bibliography {name} is on the web and was not read; give a copy with --from."
    return f"there is no bibliography file {name}."


def _with_others(library: Library, texts: Sequence[Text]) -> Iterator[Text]:
    """The texts, the main files that chapters name, and the settings of the folders above."""
    seen = {text.path for text in texts}
    yield from texts
    for text in texts:
        main = root(text.text, text.path.name)
        others = [_beside(text.path.parent, main)] if main else []
        if text.kind == "prose":
            others += [folder / name for folder in _above(library, text.path) for name in SETTINGS]
        for path in others:
            if path not in seen:
                seen.add(path)
                try:
                    data = disk.read_given(path, LARGEST) if path.is_file() else None
                except (PressmarkError, OSError, ValueError):
                    continue
                if data is not None:
                    yield Text(path, _called(library, path), "prose", prose.decoded(data))


def _above(library: Library, path: Path) -> list[Path]:
    """The folder of a file and those above it, up to the library's; outside of it up to three."""
    root = library.root.resolve()
    inside = len(path.parent.relative_to(root).parts) + 1 if path.is_relative_to(root) else 3
    return list(path.parents)[:inside]


def _there(library: Library, name: str, source: Path) -> Path | None:
    """The regular file that a name in a text means: beside the text, or in a folder above.

    LaTeX and pandoc look from where they are started, which is the main file's folder or one above.
    """
    name = name.replace("\\jobname", source.stem)
    if "://" in name:
        return None
    if name.startswith(("/", "~/")):
        places = [Path(name).expanduser() if name.startswith("~/") else Path(name)]
        places += [folder / name.lstrip("/") for folder in _above(library, source)]
    else:
        places = [_beside(folder, name) for folder in _above(library, source)]
    return next((path for path in places if _is_file(path)), None)


def _beside(folder: Path, name: str) -> Path:
    import os

    return Path(os.path.normpath(folder / name.replace("\0", "")))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _named(library: Library, word: str, start: Path) -> list[Path] | None:
    """The file, or a folder's files of prose; seen from where the call stands, or the library."""
    for base in (start, library.root):
        path = _beside(base.resolve(), word)
        if _is_file(path):
            return [path]
        if word.strip() and path.is_dir():
            walked = (each.relative for each in disk.walk(path, "", suffix=""))
            return [path / each for each in walked if each.endswith(prose.SUFFIXES)
                    and not each.endswith(".fulltext.md")]  # fmt: skip
    return None


def _called(library: Library, path: Path) -> str:
    """A path from the library's root where it is inside, else its name."""
    root = library.root.resolve()
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.name


def _kind(library: Library, path: Path) -> str:
    from pressmark.catalogue import layout

    return layout.kind(_called(library, path)) or "prose"
