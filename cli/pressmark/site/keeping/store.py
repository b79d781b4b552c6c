"""What was known of each page when a site was built in; the same at the next build out.

One file, disposable: a line with what made it, a line a page with a checksum before it, a line
of all files. Whatever is not as it was written makes the next build a whole one.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from pressmark import disk
from pressmark.disk import output
from pressmark.disk.output import Held, Mark
from pressmark.errors import PressmarkError

NAME = ".pressmark/site.jsonl"
FORMAT = 2

MADE_BY = ("mkdocs", "mkdocs-material", "markdown", "nh3", "latex2mathml", "pymdown-extensions",
           "citeproc-py", "pagefind-bin")  # fmt: skip
"""Packages whose words are in a page."""


@dataclass
class Store:
    """The pages of one build, its files, and hashes of what it was made of."""

    pages: dict[str, bytes] = field(default_factory=dict)
    """JSON of what is known of a page, by its path in the site."""
    files: dict[str, Held] = field(default_factory=dict)
    made_of: dict[str, Any] = field(default_factory=dict)
    rows: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Of each reference what its row was made of, and the row."""
    settled_by: str = ""
    """What stands for all that no note or topic answers."""

    def page(self, uri: str) -> dict[str, Any] | None:
        data = self.pages.get(uri)
        return json.loads(data) if data else None


@cache
def program() -> str:
    """What stands for this program and the packages that a page's words come from."""
    import pressmark

    digest = hashlib.sha256(str(FORMAT).encode())
    root = Path(pressmark.__file__).parent
    for path, mark in sorted((output.marks(root) or {}).items()):
        if not path.endswith(".pyc"):
            digest.update(f"{path} {mark.size} {mark.mtime_ns}\n".encode())
    for package in MADE_BY:
        try:
            version = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            version = ""
        digest.update(f"{package} {version}\n".encode())
    return digest.hexdigest()


def load(root: Path, stamp: str) -> Store | None:
    """What the last build with this stamp left; None where there is none or it is damaged."""
    try:
        lines = disk.read_bytes(root, NAME).split(b"\n")
    except PressmarkError:
        return None
    try:
        if len(lines) < 3 or lines[-1] or _checked(lines[0]) != stamp.encode():
            return None
        rest: dict[str, Any] = json.loads(_checked(lines[1]))
        if rest["pages"] != len(lines) - 3:
            return None
        pages = {}
        for line in lines[2:-1]:
            uri, _, data = _checked(line).partition(b"\t")
            pages[uri.decode("utf-8", "surrogateescape")] = data
        files = {path: Held(Mark(*mark), digest) for path, (digest, *mark) in rest["files"].items()}
        rows = {key: (str(mark), str(row)) for key, (mark, row) in rest["rows"].items()}
        return Store(pages, files, rest["made_of"], rows, str(rest["settled_by"]))
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def save(root: Path, stamp: str, store: Store) -> None:
    """Write what is known, as a whole."""
    rest = {
        "pages": len(store.pages), "made_of": store.made_of, "rows": store.rows,
        "settled_by": store.settled_by,
        "files": {path: (held.digest, *held.mark) for path, held in store.files.items()},
    }  # fmt: skip
    lines = [_with_check(stamp.encode()), _with_check(json.dumps(rest).encode())]
    for uri, data in store.pages.items():
        lines.append(_with_check(uri.encode("utf-8", "surrogateescape") + b"\t" + data))
    lines.append(b"")
    disk.make_folder((root / NAME).parent)
    disk.write_file(root / NAME, b"\n".join(lines))


def forget(root: Path) -> None:
    """Trust the last build no longer."""
    disk.remove_file(root / NAME)


def digest_of(value: Mapping[str, Any] | list[Any]) -> str:
    """A hash of what JSON can hold."""
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _with_check(data: bytes) -> bytes:
    return b"%08x %b" % (zlib.crc32(data), data)


def _checked(line: bytes) -> bytes:
    check, _, data = line.partition(b" ")
    if int(check, 16) != zlib.crc32(data):
        raise ValueError("damaged")
    return data
