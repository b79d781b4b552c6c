"""A library in, the same site as plain Markdown files for any other generator out.

MkDocs' theme reaches its end of life on 2027-05-05, and other generators run no plugins of ours:
what they get is a folder of Markdown with relative links between files, front matter with a title
each, and the files beside the pages.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pressmark import disk
from pressmark.disk.output import Output
from pressmark.errors import BadInput, PressmarkError
from pressmark.formats import bibtex, csljson
from pressmark.site import home, maths
from pressmark.site.dialect import Markdown
from pressmark.site.inert import plainly
from pressmark.site.urls import as_sources

if TYPE_CHECKING:
    from pressmark.library import Library
    from pressmark.site.collect import Site
    from pressmark.site.model import SitePage

MARK = ".pressmark-stage"
"""Says that a folder was staged, so that the next stage may replace it."""

_FRONT = re.compile(r"---[ \t]*\r?\n.*?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.S)

OWN = "site"
"""The folder of the site's own pages, when mkdocs.yml names no other."""


@dataclass(frozen=True, slots=True)
class Staged:
    """What was staged: the folder, how many pages, what leads nowhere, what was left out."""

    folder: Path
    pages: int
    problems: tuple[str, ...]
    left_out: tuple[str, ...]


def stage(library: Library, folder: Path) -> Staged:
    """Write the pages into a folder that is new, empty, or was staged before."""
    from pressmark.site.collect import Site

    _refuse(library, folder)
    site = Site(library, write=Markdown())
    output = Output(folder)
    for old in _before(folder):
        output.remove(old)
    written = dict(_files(site))
    for relative, data in written.items():
        output.write(relative, data)
    output.write(MARK, "\n".join(sorted(written)).encode("utf-8"))
    pages = sum(name.endswith(".md") for name in written)
    return Staged(folder, pages, tuple(site.problems), tuple(site.left_out))


def _refuse(library: Library, folder: Path) -> None:
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise BadInput(f"{folder.name} is no folder of its own.", next="name a new folder")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise BadInput(
            f"{folder.resolve().name} holds what was not staged there; nothing was written.",
            next="name a new or empty folder",
        )
    root = library.root.resolve()
    sources = [root / name for name in ("library", "topics", "notes", OWN, ".git", ".pressmark")]
    place = folder.resolve()
    if place == root or any(place == each or place.is_relative_to(each) for each in sources):
        raise BadInput(
            f"{folder.resolve().name} holds sources of the library.",
            next="name a folder beside them",
        )


def _before(folder: Path) -> list[str]:
    """What the last stage wrote."""
    try:
        names = (folder / MARK).read_text("utf-8").splitlines()
    except OSError:
        return []
    return [name for name in names if name and ".." not in name.split("/")]


def _files(site: Site) -> Iterator[tuple[str, bytes]]:
    taken: set[str] = set()
    for relative, data in _own(site):
        taken.add(relative)
        yield relative, data
    for page in site.pages():
        if page.uri not in taken:
            taken.add(page.uri)
            yield page.uri, _page(page)
            folder = page.uri.rpartition("/")[0]
            for name, data in page.files.items():
                yield (f"{folder}/{name}" if folder else name), data
    for path in sorted(site.prose.images):
        try:
            yield path, site.library.read_page(path)
        except PressmarkError as problem:
            site.left_out.append(f"{path} is not staged: {problem}")
    yield "library.bib", bibtex.write(site.kept).encode("utf-8")
    yield "library.json", csljson.write(site.kept)


def _page(page: SitePage) -> bytes:
    text = maths.restore(as_sources(page.content, page.uri))
    # A JSON string is a YAML string, whatever is in it.
    front = f"---\ntitle: {json.dumps(plainly(page.title), ensure_ascii=False)}\n---\n\n"
    return (front + text.strip() + "\n").encode("utf-8", "replace")


def _own(site: Site) -> Iterator[tuple[str, bytes]]:
    """The site's own pages and files; links are not followed."""
    for stat in disk.walk(site.library.root, OWN, suffix=""):
        data = site.library.read_page(stat.relative)
        relative = os.path.relpath(stat.relative, OWN)
        if relative.endswith(".md"):
            yield relative, _own_page(site, data, stat.relative, relative)
        else:
            yield relative, data


def _own_page(site: Site, data: bytes, path: str, relative: str) -> bytes:
    text = data.decode("utf-8", "replace")
    front = found[0] if (found := _FRONT.match(text)) else ""
    body = text[len(front) :]
    body = site.prose.convert(body, path, own=True).replace(home.MARK, home.block(site))
    site.cited_here()
    return (front + maths.restore(as_sources(body, relative))).encode("utf-8", "replace")
