"""A full text in; the document it was made from, wherever it lies, out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from pressmark import disk
from pressmark.errors import PressmarkError
from pressmark.record import FullText

if TYPE_CHECKING:
    from pressmark.library import Library

SUFFIXES = (".pdf", ".xml", ".html", ".htm")


def stored(library: Library, text: FullText) -> bytes | None:
    """The bytes that a text was made from: beside it, else in the user's folder by their hash."""
    if not text.sha256:
        return None
    stem = library.path(text.reference).removesuffix(".md")
    for suffix in SUFFIXES:
        if disk.exists(library.root, stem + suffix):
            data = library.read_page(stem + suffix)
            if disk.sha256(data) == text.sha256:
                return data
    found = in_folder(library.config.documents, text)
    return found[1] if found else None


def in_folder(folder: Path | None, text: FullText) -> tuple[Path, bytes] | None:
    """A text's document in the user's own folder, whatever it is called there.

    Files with a name that is its own are looked at first; every file is hashed at worst.
    """
    if folder is None or not folder.is_dir():
        return None
    known = {f"{text.reference}{suffix}" for suffix in SUFFIXES} | {text.filename or ""}
    found = [one.relative for one in disk.walk(folder, "", suffix="")]
    likely = [one for one in found if one.lower().endswith(SUFFIXES)]
    for relative in sorted(likely, key=lambda one: one.rpartition("/")[2] not in known):
        try:
            data = disk.read_bytes(folder, relative)
        except PressmarkError:
            continue
        if disk.sha256(data) == text.sha256:
            return folder / relative, data
    return None


def others_with(library: Library, sha256: str, key: str) -> list[str]:
    """The other references whose text was made from the same bytes."""
    line = re.compile(rf"^sha256: '?{re.escape(sha256)}'?$".encode(), re.M)
    return [
        other
        for other, path in library.catalogue.with_fulltext().items()
        if other != key and line.search(library.read_page(path)[:4096])
    ]


def part(extractor: str | None) -> str:
    """Our own part of an extractor's name: `pressmark-pdf 3`."""
    found = re.search(r"pressmark-\w+ \d+", extractor or "")
    return found[0] if found else ""


def is_stale(text: FullText) -> bool:
    """Whether this program would make another text of the same document."""
    made = part(text.extractor)
    kind = made.partition(" ")[0].removeprefix("pressmark-") or text.format or ""
    return bool(kind in _current()) and made != _current()[kind]


def _current() -> dict[str, str]:
    from pressmark.fulltext import html, jats, tei
    from pressmark.fulltext.pdf import process

    return {
        "jats": jats.EXTRACTOR, "html": html.EXTRACTOR, "tei": tei.EXTRACTOR,
        "pdf": process.EXTRACTOR,
    }  # fmt: skip
