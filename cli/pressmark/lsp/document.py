"""One open document: its text, its place in a library, the links it holds, read once a version."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from pressmark.catalogue import layout
from pressmark.links import Link, prose
from pressmark.links.backlinks import POINTING
from pressmark.lsp.text import Text

LANGUAGES = {
    "latex": ".tex", "tex": ".tex", "plaintex": ".tex", "bibtex": "", "typst": ".typ",
    "org": ".org", "restructuredtext": ".rst", "rst": ".rst", "markdown": ".md", "quarto": ".qmd",
    "rmd": ".Rmd", "pandoc": ".md",
}  # fmt: skip
"""What editors call the five languages, and a suffix that says the same to our scanners."""

SCANNED = {".tex": "latex", ".ltx": "latex", ".typ": "typst", ".org": "org", ".rst": "rst"}


class Document:
    """A version of a document; a new version is a new object."""

    def __init__(self, path: str, source: str, encoding: str, language: str, version: int) -> None:
        self.path, self.version = path, version
        self.source = source
        self.text = Text(source, encoding)
        ending = f".{path.rpartition('.')[2].lower()}" if "." in path else ""
        named = LANGUAGES.get(language.lower(), "")
        self.read_as = path if ending in prose.SUFFIXES or not named else f"{path}{named}"
        suffix = f".{self.read_as.rpartition('.')[2].lower()}"
        self.language = SCANNED.get(suffix, "markdown")

    @property
    def kind(self) -> str:
        """What the file holds: a record's kind, or `prose`."""
        return layout.kind(self.path) or "prose"

    @cached_property
    def links(self) -> list[Link]:
        """Its citations and links, those of a reference's abstract left out."""
        if self.kind == "fulltext":
            return []
        return prose.Prose(self.read_as, self.kind, self.source).links()

    def pointing(self) -> Iterator[Link]:
        """Those that point to something of the library."""
        return (link for link in self.links if link.kind in POINTING and not link.external)

    def link_at(self, offset: int) -> Link | None:
        """The link whose characters a place touches, the innermost of several."""
        held = [link for link in self.links if link.start <= offset <= link.end]
        return min(held, key=lambda link: link.end - link.start, default=None)
