"""Rules about full texts: they belong to their reference, and their originals are unchanged."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from pressmark import disk, ids, page
from pressmark.catalogue.catalogue import File
from pressmark.check.finding import Finding, Severity
from pressmark.check.view import View, over
from pressmark.errors import PressmarkError, Unreadable
from pressmark.record import FullText, Reference
from pressmark.text import fold

HEAD = 6000
"""How much of a text may pass before its reference's title has been named."""

ORIGINALS = (".pdf", ".xml", ".html", ".htm")

_TITLE = re.compile(r"^#[ \t]+(.+?)[ \t]*#*[ \t]*$", re.M)


def wrong_text(view: View) -> Iterator[Finding]:
    """WRONG-TEXT: a full text without its reference, or of another paper."""
    yield from over("WRONG-TEXT", view.files("fulltext"), lambda file: _wrong_text(view, file))


def _wrong_text(view: View, file: File) -> Iterator[Finding]:
    text = _read(view, file)
    own = file.path.removesuffix(".fulltext.md") + ".md"
    if text is None or own in view.wrecked:
        return
    held = view.references.get(file.name) if disk.exists(view.root, own) else None
    if held is None:
        yield _wrong(file.path, "There is no reference beside this full text.", "error")
    elif text.reference.casefold() != held.key.casefold():
        yield _wrong(file.path, f"The text says it is of {text.reference}.", "error", 2)
    elif finding := _other_title(view, file.path, text, held):
        yield finding


def _read(view: View, file: File) -> FullText | None:
    """The full text in a file; None where UNREADABLE names it."""
    data = view.read(file.path)
    try:
        return page.read(FullText, data, file.path) if data is not None else None
    except Unreadable:
        return None


def _other_title(view: View, path: str, text: FullText, held: Reference) -> Finding | None:
    """A text under another title, whose first pages do not name its reference's either."""
    found = _TITLE.search(text.body)
    if not found or ids.same_title(found.group(1), held.title):
        return None
    if _letters(held.title) in _letters(text.body[:HEAD]):
        return None
    other = view.resolver.wiki(found.group(1), path)
    owner = other.name if other and other.kind == "reference" and other.name != held.key else ""
    title = " ".join(found.group(1).split())[:120]
    said = f"The text is titled {title!r}, not {held.title!r}"
    if owner:
        return _wrong(path, f"{said}: that is {owner}.", "error")
    return _wrong(path, f"{said}.", "warning")


def _wrong(path: str, message: str, severity: Severity, line: int | None = None) -> Finding:
    return Finding(
        code="WRONG-TEXT", severity=severity, path=path, line=line, message=message,
        next="look at both, then delete the text or correct the title",
    )  # fmt: skip


def documents(view: View) -> Iterator[Finding]:
    """DOCUMENT: an original whose bytes are not those that were read, or that is not here."""

    @cache
    def elsewhere() -> frozenset[str]:
        return frozenset(_hashes(view.library.config.documents))

    yield from over("DOCUMENT", view.files("fulltext"), lambda f: _original(view, f, elsewhere))
    yield from over("DOCUMENT", view.files("reference"), lambda f: _scan(view, f, elsewhere))


def _scan(view: View, file: File, elsewhere: Callable[[], frozenset[str]]) -> Iterator[Finding]:
    """A document that gave no text, which its reference alone knows."""
    held = view.references.get(file.name)
    lines = held.sources if held else ()
    own = next((line for line in lines if line.startswith("file:")), "")
    stem = file.path.removesuffix(".md")
    if own and not disk.exists(view.root, f"{stem}.fulltext.md"):
        sha256 = own.removeprefix("file:").split(" ")[0]
        yield from _compared(view, stem, sha256, file.path, elsewhere)


def _original(view: View, file: File, elsewhere: Callable[[], frozenset[str]]) -> Iterator[Finding]:
    text = _read(view, file)
    if text is None or not text.sha256:
        return
    stem = file.path.removesuffix(".fulltext.md")
    yield from _compared(view, stem, text.sha256, file.path, elsewhere)


def _compared(
    view: View, stem: str, sha256: str, path: str, elsewhere: Callable[[], frozenset[str]]
) -> Iterator[Finding]:
    hashes = dict(_beside(view, stem))
    if sha256 in hashes.values() or sha256 in elsewhere():
        return
    if hashes:
        message = f"Its bytes are not those that {path} was read from."
        yield _document(", ".join(sorted(hashes)), message, changed=True)
    else:
        yield _document(path, "The original is not on this machine.", changed=False)


def _beside(view: View, stem: str) -> Iterator[tuple[str, str]]:
    for ending in ORIGINALS:
        data = view.read(stem + ending)
        if data is not None:
            yield stem + ending, disk.sha256(data)


def _hashes(folder: Path | None) -> Iterator[str]:
    if folder is None or not folder.is_dir():
        return
    for stat in disk.walk(folder, "", suffix=""):
        try:
            yield disk.sha256(disk.read_bytes(folder, stat.relative))
        except PressmarkError:
            continue


def _document(path: str, message: str, *, changed: bool) -> Finding:
    return Finding(
        code="DOCUMENT", severity="error" if changed else "warning", path=path, message=message,
        next="pressmark fetch --again, or attach the right file" if changed else None,
    )  # fmt: skip


def _letters(value: str) -> str:
    return re.sub(r"[\W_]+", "", fold(value))
