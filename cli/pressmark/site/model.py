"""What a site is made of: one page a record, and the lists that lead to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class SitePage:
    """One page before any generator has seen it.

    `uri` is its source path in the site, such as `library/2017/key.md`; `markdown` its whole text
    with safe words only; `title` is plain text.
    """

    uri: str
    title: str
    markdown: str
    kind: str
    edit: str | None = None
    """The file in the repository that an edit link leads to."""
    description: str = ""
    meta: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """`citation_*` and other names for the page's head, each with its values."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Files beside the page, by name: `key.bib`, `key.json`."""
