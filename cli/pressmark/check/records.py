"""Rules about the records: readable, one of each, well named, in their place and layout."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from shlex import quote

from pressmark import ids, page
from pressmark.catalogue import layout
from pressmark.catalogue.catalogue import File
from pressmark.check.finding import Finding
from pressmark.check.view import View, over
from pressmark.errors import NotSpliceable, PressmarkError, Unreadable
from pressmark.record import FullText, Record, Work

LAID_OUT = ("reference", "fulltext", "topic", "search", "collection", "vocabulary")
"""The kinds whose layout is ours to say; a note is the user's."""

IDENTIFIERS = {kind: each for kind, each in ids.NORMALISERS.items() if kind != "isbn"}
"""Of the identifiers, those of which a reference has one."""


def format(view: View) -> Iterator[Finding]:
    """FORMAT: a newer program made this library."""
    config = view.library.config
    if config.newer:
        yield Finding(
            code="FORMAT", severity="warning", path="pressmark.toml",
            message=f"The library has format {config.format}, which this Pressmark only reads.",
            next="pip install --upgrade pressmark",
        )  # fmt: skip


def unreadable(view: View) -> Iterator[Finding]:
    """UNREADABLE: a file whose front matter cannot be read."""
    for wreck in view.catalogue.unreadable():
        if view.covers(wreck.path):
            field = f" ({wreck.field})" if wreck.field else ""
            yield _unreadable(wreck.path, wreck.line, f"{wreck.message}{field}")
    yield from over("UNREADABLE", view.files("fulltext"), lambda file: _text(view, file))


def _text(view: View, file: File) -> Iterator[Finding]:
    data = view.read(file.path)
    try:
        if data is not None:
            page.read(FullText, data, file.path)
    except Unreadable as error:
        field = f" ({error.field})" if error.field else ""
        yield _unreadable(file.path, error.line, f"{error.message}{field}")


def _unreadable(path: str, line: int | None, message: str) -> Finding:
    return Finding(
        code="UNREADABLE", severity="error", path=path, line=line, message=message,
        next="correct it in an editor",
    )  # fmt: skip


def conflict(view: View) -> Iterator[Finding]:
    """CONFLICT: the marks of a merge that nobody finished."""
    yield from over("CONFLICT", view.texts, lambda path: _marks(view, path))


def _marks(view: View, path: str) -> Iterator[Finding]:
    data = b"\n" + (view.read(path) or b"")
    place = data.find(b"\n<<<<<<< ")
    if place >= 0 and b"\n>>>>>>> " in data:
        yield Finding(
            code="CONFLICT", severity="error", path=path, line=data.count(b"\n", 0, place) + 1,
            message="The marks of an unfinished merge stand here.",
            next="choose one side and delete the marks",
        )  # fmt: skip


def duplicate_id(view: View) -> Iterator[Finding]:
    """DUPLICATE-ID: two references are one work."""
    pairs: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for identity, held in view.catalogue.twins().items():
        pairs[tuple(sorted(set(held)))].append(identity)
    for paths, identities in pairs.items():
        for path in paths[1:]:
            if view.covers(path) or view.covers(paths[0]):
                yield _twins(view, paths[0], path, identities)


def _twins(view: View, first: str, second: str, identities: list[str]) -> Finding:
    names = [layout.name(path) for path in (first, second)]
    one, two = map(view.catalogue.get, names)
    if layout.folded(names[0]) == layout.folded(names[1]):
        advice = f"git mv {quote(second)} to another name, or git rm it"
    elif one and two and ids.same_title(one.title, two.title):
        advice = f"pressmark merge {quote(names[0])} {quote(names[1])}"
    else:
        advice = "correct the one that is wrong; their titles differ"
    return Finding(
        code="DUPLICATE-ID", severity="error", path=second,
        line=field_line(view, second, identities[0].partition(":")[0]),
        message=f"{first} has {', '.join(identities)} too.",
        next=advice,
    )  # fmt: skip


def duplicate_key(view: View) -> Iterator[Finding]:
    """DUPLICATE-KEY: two references answer to one name."""
    for name, held in view.catalogue.namesakes().items():
        for path in held[1:]:
            if view.covers(path) or view.covers(held[0]):
                yield Finding(
                    code="DUPLICATE-KEY", severity="error", path=path,
                    message=f"{held[0]} answers to {name!r} too, as key, alias or cite-as.",
                    next=_apart(name, held[0], path),
                )  # fmt: skip


def _apart(name: str, first: str, second: str) -> str:
    """How two files stop answering to one name; a command cannot tell two keys apart."""
    if all(layout.folded(layout.name(path)) == name for path in (first, second)):
        return f"git mv {quote(second)} to another name"
    return "pressmark rename one of them, or take the alias away"


def bad_key(view: View) -> Iterator[Finding]:
    """BAD-KEY: a file name that cannot be cited, or not everywhere."""
    for file in view.files("reference"):
        if not ids.valid_key(file.name):
            yield Finding(
                code="BAD-KEY", severity="warning", path=file.path,
                message=f"{file.name!r} cannot be a cite key: letters, digits, - and _ only.",
                next="rename the file, and keep the old name in cite-as",
            )  # fmt: skip


def wrong_folder(view: View) -> Iterator[Finding]:
    """WRONG-FOLDER: a reference that does not stand in the year of its key."""
    for file in view.files("reference"):
        place = f"library/{ids.folder(file.name)}/{file.name}.md"
        if ids.valid_key(file.name) and file.path != place:
            yield Finding(
                code="WRONG-FOLDER", severity="warning", path=file.path,
                message=f"The file belongs at {place}.",
                next=f"git mv {quote(file.path)} {place}, with all that stands beside it",
            )  # fmt: skip


def bad_identifier(view: View) -> Iterator[Finding]:
    """BAD-IDENTIFIER: an identifier that is none."""
    yield from over("BAD-IDENTIFIER", view.files("reference"), lambda f: _identifiers(view, f))


def _identifiers(view: View, file: File) -> Iterator[Finding]:
    held = view.references.get(file.name)
    for name, value in _wrong_identifiers(held) if held else ():
        yield Finding(
            code="BAD-IDENTIFIER", severity="warning", path=file.path,
            line=field_line(view, file.path, name), message=f"{value!r} is no {name}.",
            next="correct it, or take it away",
        )  # fmt: skip


def _wrong_identifiers(work: Work) -> Iterator[tuple[str, str]]:
    for name, normalise in IDENTIFIERS.items():
        value = getattr(work, name)
        if value and not normalise(value):
            yield name, value
    for value in work.isbn:
        if not ids.normalise_isbn(value):
            yield "isbn", value


def lay_out(view: View) -> Iterator[Finding]:
    """LAYOUT: a layout that merges badly."""
    yield from over("LAYOUT", view.files(*LAID_OUT), lambda file: _layout(view, file))


def _layout(view: View, file: File) -> Iterator[Finding]:
    data = view.read(file.path)
    after = relaid(view, file, data) if data is not None else data
    if after != data:
        yield Finding(
            code="LAYOUT", severity="warning", path=file.path,
            message="The front matter has a layout that git merges badly.",
            next="pressmark check --fix" if after is not None else "lay it out by hand",
        )  # fmt: skip


def relaid(view: View, file: File, data: bytes) -> bytes | None:
    """The bytes in the canonical layout; None for a form that we never rewrite."""
    if _as_written(file, data, view.references.get(file.name)):
        return data
    try:
        return page.canonical(data, layout.CLASSES[file.kind], file.path)
    except NotSpliceable:
        return None
    except Unreadable:
        return data  # UNREADABLE names it


def _as_written(file: File, data: bytes, held: Record | None) -> bool:
    """Whether the bytes are those of a new file: the quick way to most answers."""
    return file.kind == "reference" and held is not None and page.write(held) == data


def field_line(view: View, path: str, name: str) -> int | None:
    """The line of a field in a file."""
    data = view.read(path)
    try:
        return page.parse(data, path).lines.get(name) if data is not None else None
    except PressmarkError:
        return None
