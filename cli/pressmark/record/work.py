"""The nouns a bibliography is made of: names, works, papers, references; frozen, without I/O."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, TypeAlias

Extra: TypeAlias = "str | list[Extra] | dict[str, Extra]"
"""A value of a field that is not ours: strings, and lists and mappings of them."""

TYPES = (
    "article", "article-journal", "article-magazine", "article-newspaper", "bill", "book",
    "broadcast", "chapter", "classic", "collection", "dataset", "document", "entry",
    "entry-dictionary", "entry-encyclopedia", "event", "figure", "graphic", "hearing",
    "interview", "legal_case", "legislation", "manuscript", "map", "motion_picture",
    "musical_score", "pamphlet", "paper-conference", "patent", "performance", "periodical",
    "personal_communication", "post", "post-weblog", "regulation", "report", "review",
    "review-book", "software", "song", "speech", "standard", "thesis", "treaty", "webpage",
)  # fmt: skip
"""CSL 1.0.2 item types (https://docs.citationstyles.org/en/stable/specification.html)."""

NOTICES = ("retracted", "withdrawn", "expression-of-concern", "corrected")
"""What can have happened to a published work, gravest first."""


@dataclass(frozen=True, slots=True)
class Author:
    """One name: `Family, Given[, Suffix]`; a group keeps its name whole, written `{Group}`."""

    family: str
    given: str = ""
    suffix: str = ""
    group: bool = False

    @classmethod
    def parse(cls, name: str) -> Author:
        """Read the file's form of a name."""
        name = name.strip()
        if name.startswith("{") and name.endswith("}") and len(name) > 2:
            return cls(name[1:-1].strip(), group=True)
        parts = [part.strip() for part in name.split(",")]
        if len(parts) == 1:
            return cls(parts[0])
        if len(parts) == 2:
            return cls(parts[0], parts[1])
        return cls(parts[0], parts[1], ", ".join(parts[2:]))

    def __str__(self) -> str:
        if self.group:
            return f"{{{self.family}}}"
        return ", ".join(part for part in (self.family, self.given, self.suffix) if part)

    @property
    def readable(self) -> str:
        """`Given Family Suffix`, as printed on a page."""
        return " ".join(part for part in (self.given, self.family, self.suffix) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class Location:
    """One open copy of a work, as a provider reported it."""

    url: str
    kind: str  # "jats", "html", "pdf" or "landing"
    source: str  # the provider that reported it
    version: str | None = None  # "published", "accepted" or "submitted"
    license: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """The bibliographic fields that a provider's answer and a reference share."""

    title: str = ""
    authors: tuple[str, ...] = ()
    editors: tuple[str, ...] = ()
    published: str | None = None  # YYYY, YYYY-MM or YYYY-MM-DD: the paper's own date
    type: str | None = None
    venue: str | None = None
    publisher: str | None = None
    place: str | None = None
    event: str | None = None
    volume: str | None = None
    issue: str | None = None
    number: str | None = None
    pages: str | None = None
    edition: str | None = None
    series: str | None = None
    doi: str | None = None
    arxiv: str | None = None
    arxiv_class: str | None = None
    pmid: str | None = None
    pmcid: str | None = None
    openalex: str | None = None
    s2: str | None = None
    isbn: tuple[str, ...] = ()
    issn: tuple[str, ...] = ()
    url: str | None = None
    language: str | None = None
    keywords: tuple[str, ...] = ()
    license: str | None = None
    oa: str | None = None
    notice: str | None = None
    notice_note: str | None = None
    related: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in self.__dataclass_fields__:  # `fields` would look at each again
            value = getattr(self, name)
            if value == "" and name not in _MAY_BE_EMPTY:
                object.__setattr__(self, name, None)
            elif isinstance(value, list):
                object.__setattr__(self, name, tuple(value))

    @property
    def year(self) -> str | None:
        """The four digits that `published` begins with."""
        return self.published[:4] if self.published else None


_MAY_BE_EMPTY = frozenset({"title", "key", "body", "slug"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper(Work):
    """One provider's account of a work, before the library has seen it."""

    abstract: str | None = None
    sources: tuple[str, ...] = ()  # "provider:external-id date"
    locations: tuple[Location, ...] = ()
    key_hint: str | None = None  # a key the paper came with (.bib, Zotero)
    other_keys: tuple[str, ...] = ()  # further keys that documents cite it by (biblatex `ids`)
    tags: tuple[str, ...] = ()
    extra: Mapping[str, Extra] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference(Work):
    """One file under `library/`: its front matter, its body, and its key (the file stem)."""

    FIELDS: ClassVar[tuple[str, ...]] = (
        "title", "authors", "editors", "published", "type", "venue", "publisher", "place",
        "event", "volume", "issue", "number", "pages", "edition", "series", "doi", "arxiv",
        "arxiv-class", "pmid", "pmcid", "openalex", "s2", "isbn", "issn", "url", "language",
        "keywords", "license", "oa", "notice", "notice-note", "related", "stage", "cite-as",
        "tags", "topics", "fulltext", "aliases", "sources", "conflicts", "cites",
    )  # fmt: skip
    LISTS: ClassVar[frozenset[str]] = frozenset({
        "authors", "editors", "isbn", "issn", "keywords", "related", "tags", "topics",
        "aliases", "sources", "conflicts", "cites",
    })  # fmt: skip
    SORTED: ClassVar[frozenset[str]] = frozenset({
        "isbn", "issn", "keywords", "related", "tags", "topics", "aliases", "sources", "conflicts",
    })  # fmt: skip
    REQUIRED: ClassVar[frozenset[str]] = frozenset({"title"})
    STEM: ClassVar[str] = "key"

    key: str = ""
    stage: str | None = None  # "candidate", or absent once a person kept it
    cite_as: str | None = None
    tags: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    fulltext: str | None = None  # "none (reason, date)" when no copy could be had
    aliases: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    extra: Mapping[str, Extra] = field(default_factory=dict)
    body: str = ""

    @property
    def abstract(self) -> str | None:
        """The text under `## Abstract`, or None."""
        return section(self.body, "Abstract")


def attribute(name: str) -> str:
    """The attribute that holds the front-matter field `name`."""
    return name.replace("-", "_")


def section(body: str, title: str) -> str | None:
    """The text of a level-2 section of a Markdown body, without its heading; None if absent."""
    _, start, end = _bounds(body, title)
    return body[start:end].strip() or None


def without_section(body: str, title: str) -> str:
    """The body with nothing under the heading of a level-2 section, which stays."""
    _, start, end = _bounds(body, title)
    text = body[start:end].strip()
    return body[:start] + body[start:end].replace(text, "", 1) + body[end:]


def cut_section(body: str, title: str) -> str:
    """The body without a level-2 section, its heading gone too."""
    head, _, end = _bounds(body, title)
    return body[:head] + body[end:]


def _bounds(body: str, title: str) -> tuple[int, int, int]:
    """Where a section's heading and its text begin, and its end; all at the body's if absent."""
    found = re.search(rf"^##[ \t]+{re.escape(title)}[ \t]*#*[ \t\r]*$", body, re.M | re.I)
    if not found:
        return len(body), len(body), len(body)
    stop = re.search(r"^#{1,2}[ \t]", body[found.end() :], re.M)
    return found.start(), found.end(), found.end() + stop.start() if stop else len(body)
