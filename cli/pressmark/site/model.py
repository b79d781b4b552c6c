"""What a site is made of: one page a record, and the lists that lead to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class Section(NamedTuple):
    """A heading of a page: level, plain title, anchor."""

    level: int
    title: str
    anchor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What the search knows of a page."""

    title: str
    text: str
    """Plain words that are searched beside the title."""
    by: str = ""
    """The line below the title: who, when, where."""
    filters: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sort: str = ""
    fulltext: bool = False
    """Whether it belongs into the second index, which is made only when asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SitePage:
    """One page before any generator has seen it.

    `uri` is its source path in the site, such as `library/2017/key.md`; `content` its HTML with
    root marks, or its Markdown, as the dialect writes it; `title` is plain text.
    """

    uri: str
    title: str
    content: str
    kind: str
    sections: tuple[Section, ...] = ()
    edit: str | None = None
    """The file in the repository that an edit link leads to."""
    description: str = ""
    head: str = ""
    """More of the page's head, as HTML with root marks."""
    meta: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """`citation_*` and other names for the page's head, each with its values."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Files beside the page, by name: `key.bib`, `key.json`."""
    found: Found | None = None
    changed: str = ""
    """The day of its last change, where git knows it."""
    kept: tuple[str, ...] = ()
    """Its files, where they stay as the last build left them; it has no content then."""
