"""A full text in; the document it was made from, wherever it lies, out."""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pressmark import disk
from pressmark.errors import PressmarkError
from pressmark.record import FullText, Work

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
    found = in_folder(library.config.documents, text.sha256, _names(text.reference, text.filename))
    return found[1] if found else None


def place(library: Library, key: str) -> Path | None:
    """Where the PDF of a reference is: beside it, else in the user's folder by its hash."""
    beside = library.artefact(key, "pdf")
    if beside is not None:
        return Path(beside)
    text = library.fulltext(key)
    for sha256 in dict.fromkeys((text.sha256 if text else None, file_hash(library.get(key)))):
        names = _names(key, text.filename if text else None)
        found = in_folder(library.config.documents, sha256 or "", names, suffixes=(".pdf",))
        if found:
            return found[0]
    own = library.config.documents / f"{key}.pdf" if library.config.documents else None
    return own if own and own.is_file() else None  # the name we gave it; marked up since


def file_hash(work: Work) -> str | None:
    """The hash of the file that a reference was made from; None where it came otherwise."""
    lines = getattr(work, "sources", ())
    found = next((line for line in lines if line.startswith("file:")), "")
    return found.removeprefix("file:").split(" ")[0] or None


def _names(key: str, filename: str | None) -> frozenset[str]:
    """What a document of a reference is likely to be called."""
    return frozenset({*(f"{key}{suffix}" for suffix in SUFFIXES), filename or ""})


def in_folder(
    folder: Path | None,
    sha256: str,
    names: Collection[str] = (),
    *,
    suffixes: tuple[str, ...] = SUFFIXES,
) -> tuple[Path, bytes] | None:
    """The document with this hash in the user's own folder, whatever it is called there.

    Files with a likely name are looked at first; every file is hashed at worst.
    """
    if folder is None or not sha256 or not folder.is_dir():
        return None
    found = [one.relative for one in disk.walk(folder, "", suffix="")]
    likely = [one for one in found if one.lower().endswith(suffixes)]
    for relative in sorted(likely, key=lambda one: one.rpartition("/")[2] not in names):
        try:
            data = disk.read_bytes(folder, relative)
        except PressmarkError:
            continue
        if disk.sha256(data) == sha256:
            return folder / relative, data
    return None


def holds(folder: Path, data: bytes) -> bool:
    """Whether a folder has a file of these very bytes; only those of the same size are read."""
    if not folder.is_dir():
        return False
    for one in disk.walk(folder, "", suffix=""):
        if one.size == len(data):
            with suppress(PressmarkError):
                if disk.read_bytes(folder, one.relative) == data:
                    return True
    return False


def by_hash(library: Library) -> dict[str, str]:
    """The reference that each document belongs to, by the document's hash."""
    made = {
        sha256: ref.key
        for ref in library.select(["source:file"], stage="any")
        if (sha256 := file_hash(ref))
    }
    for key, path in library.catalogue.with_fulltext().items():
        found = _HASH.search(library.read_page(path)[:4096])
        if found:
            made.setdefault(found[1].decode(), key)
    return made


_HASH = re.compile(rb"^sha256: '?([0-9a-f]{64})'?$", re.M)


def stale(library: Library) -> list[str]:
    """The references whose text this program would make anew, by what its head says of it."""
    found = []
    for key, path in library.catalogue.with_fulltext().items():
        made = _EXTRACTOR.search(library.read_page(path)[:4096])
        if made and _is_older(part(made[1].decode("utf-8", "replace"))):
            found.append(key)
    return found


_EXTRACTOR = re.compile(rb"^extractor: (.+)$", re.M)


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
    return _is_older(made) if made else (text.format or "") in _current()


def _is_older(made: str) -> bool:
    kind = made.partition(" ")[0].removeprefix("pressmark-")
    return kind in _current() and made != _current()[kind]


def _current() -> dict[str, str]:
    from pressmark.fulltext import html, jats, tei
    from pressmark.fulltext.pdf import process

    return {
        "jats": jats.EXTRACTOR, "html": html.EXTRACTOR, "tei": tei.EXTRACTOR,
        "pdf": process.EXTRACTOR,
    }  # fmt: skip
