"""What an extractor gives back: the Markdown of one document, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

State: TypeAlias = Literal[
    "ok", "empty", "no_text_layer", "encrypted", "damaged", "garbled", "too_large"
]

SENTENCES: dict[State, str] = {
    "ok": "the text was read",
    "empty": "the document holds no text of the work",
    "no_text_layer": "the pages are images without a text layer",
    "encrypted": "the file is encrypted and needs a password",
    "damaged": "the file is damaged or incomplete",
    "garbled": "the text layer decodes to characters that make no words",
    "too_large": "the document is over the limits of size, time or memory",
}
"""One sentence a state, for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """One document read: `body` is Markdown when `state` is "ok", else there is nothing to keep."""

    format: str  # "jats", "tei", "html" or "pdf"
    state: State = "ok"
    title: str = ""  # plain text, as the document prints it
    author: str = ""  # as the file's own data names the authors, all in one line
    body: str = ""
    license: str | None = None
    version: str | None = None  # "published", "accepted", "submitted", or a number such as "v2"
    pages: int | None = None
    hidden: int = 0  # characters a reader of the page cannot see, dropped
    references: tuple[str, ...] = ()  # plain text, one entry each, in order
    identifiers: tuple[str, ...] = ()  # "doi:10.…", the document's own, as it states them
    opening: str = ""  # plain text of the first page or the front matter, for comparing
    notice: bool = False  # it is about another work: a retraction, a correction
    notices: tuple[tuple[str, str, str], ...] = ()
    """What it says befell a work: whose (empty: its own), which notice, and a note."""
    extractor: str = ""
    warnings: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The state in words."""
        return SENTENCES[self.state]
