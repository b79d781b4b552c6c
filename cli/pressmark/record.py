"""The nouns of the library, frozen and without I/O: what a file or a provider's answer means.

Attribute names are the front matter's field names with `-` as `_`.
Every text value is a non-empty `str` or None, every list a tuple; nothing is coerced to
numbers or dates, because YAML's guesses damage identifiers (`2101.00010` is not 2101.0001).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
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
        for each in fields(self):
            value = getattr(self, each.name)
            if value == "" and each.name not in _MAY_BE_EMPTY:
                object.__setattr__(self, each.name, None)
            elif isinstance(value, list):
                object.__setattr__(self, each.name, tuple(value))

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


@dataclass(frozen=True, slots=True, kw_only=True)
class FullText:
    """`<key>.fulltext.md`: the extracted text of one reference and where it came from."""

    FIELDS: ClassVar[tuple[str, ...]] = (
        "reference", "source", "url", "format", "version", "license", "rights", "oa-status",
        "filename", "sha256", "extracted", "extractor", "pages", "hidden-chars",
    )  # fmt: skip
    LISTS: ClassVar[frozenset[str]] = frozenset()
    SORTED: ClassVar[frozenset[str]] = frozenset()
    REQUIRED: ClassVar[frozenset[str]] = frozenset({"reference"})
    STEM: ClassVar[str] = "slug"

    slug: str = ""  # "<key>.fulltext"
    reference: str = ""
    source: str | None = None
    url: str | None = None
    format: str | None = None  # "jats", "html", "pdf" or "tei"
    version: str | None = None
    license: str | None = None
    rights: str | None = None
    oa_status: str | None = None
    filename: str | None = None
    sha256: str | None = None
    extracted: str | None = None
    extractor: str | None = None
    pages: str | None = None
    hidden_chars: str | None = None
    extra: Mapping[str, Extra] = field(default_factory=dict)
    body: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """`topics/<slug>.md`: a standing query, or a feed; the body says why it is followed."""

    FIELDS: ClassVar[tuple[str, ...]] = (
        "title", "query", "providers", "journal", "categories", "feed", "vocabulary",
        "added-by", "last-run", "dropped",
    )  # fmt: skip
    LISTS: ClassVar[frozenset[str]] = frozenset({"providers", "categories", "dropped"})
    SORTED: ClassVar[frozenset[str]] = frozenset({"dropped"})
    REQUIRED: ClassVar[frozenset[str]] = frozenset({"title"})
    STEM: ClassVar[str] = "slug"

    slug: str = ""
    title: str = ""
    query: str | None = None
    providers: tuple[str, ...] = ()
    journal: str | None = None
    categories: tuple[str, ...] = ()
    feed: str | None = None
    vocabulary: str | None = None
    added_by: str | None = None
    last_run: str | None = None
    dropped: tuple[str, ...] = ()  # "identity reason"
    extra: Mapping[str, Extra] = field(default_factory=dict)
    body: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """`topics/searches/<date>-<slug>.md`: what was asked, of whom, what came back (PRISMA-S)."""

    FIELDS: ClassVar[tuple[str, ...]] = ("query", "date", "vocabulary", "dropped", "providers")
    LISTS: ClassVar[frozenset[str]] = frozenset({"dropped", "providers"})
    SORTED: ClassVar[frozenset[str]] = frozenset({"dropped"})
    REQUIRED: ClassVar[frozenset[str]] = frozenset({"query", "date"})
    STEM: ClassVar[str] = "slug"

    slug: str = ""
    query: str = ""
    date: str = ""
    vocabulary: str | None = None
    dropped: tuple[str, ...] = ()  # "identity reason"
    providers: tuple[Mapping[str, str], ...] = ()
    """One mapping a provider: platform, sent, limits, status, reported, retrieved, capped."""
    extra: Mapping[str, Extra] = field(default_factory=dict)
    body: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Collection:
    """`topics/collections/<slug>.md`: a named reading list; membership stands only here."""

    FIELDS: ClassVar[tuple[str, ...]] = ("title", "vocabulary", "members")
    LISTS: ClassVar[frozenset[str]] = frozenset({"members"})
    SORTED: ClassVar[frozenset[str]] = frozenset({"members"})
    REQUIRED: ClassVar[frozenset[str]] = frozenset({"title"})
    STEM: ClassVar[str] = "slug"

    slug: str = ""
    title: str = ""
    vocabulary: str | None = None
    members: tuple[str, ...] = ()
    extra: Mapping[str, Extra] = field(default_factory=dict)
    body: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """`topics/vocabularies/<slug>.md`: a discipline's search terms; guidance is the body."""

    FIELDS: ClassVar[tuple[str, ...]] = ("title", "terms", "synonyms", "measures")
    LISTS: ClassVar[frozenset[str]] = frozenset({"terms", "synonyms", "measures"})
    SORTED: ClassVar[frozenset[str]] = frozenset()
    REQUIRED: ClassVar[frozenset[str]] = frozenset({"title"})
    STEM: ClassVar[str] = "slug"

    slug: str = ""
    title: str = ""
    terms: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    extra: Mapping[str, Extra] = field(default_factory=dict)
    body: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Any Markdown under `notes/`; every field is optional and the body is the user's."""

    FIELDS: ClassVar[tuple[str, ...]] = (
        "title", "about", "tags", "aliases", "author", "created", "anchors",
    )  # fmt: skip
    LISTS: ClassVar[frozenset[str]] = frozenset({"about", "tags", "aliases", "anchors"})
    SORTED: ClassVar[frozenset[str]] = frozenset({"tags", "aliases"})
    REQUIRED: ClassVar[frozenset[str]] = frozenset()
    STEM: ClassVar[str] = "slug"

    slug: str = ""
    title: str = ""
    about: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    author: str | None = None
    created: str | None = None
    anchors: tuple[Extra, ...] = ()
    extra: Mapping[str, Extra] = field(default_factory=dict)
    body: str = ""


Record: TypeAlias = Reference | FullText | Topic | Search | Collection | Vocabulary | Note


def attribute(name: str) -> str:
    """The attribute that holds the front-matter field `name`."""
    return name.replace("-", "_")


def section(body: str, title: str) -> str | None:
    """The text of a level-2 section of a Markdown body, without its heading; None if absent."""
    found = re.search(rf"^##[ \t]+{re.escape(title)}[ \t]*#*[ \t]*$", body, re.M | re.I)
    if not found:
        return None
    rest = body[found.end() :]
    stop = re.search(r"^#{1,2}[ \t]", rest, re.M)
    return (rest[: stop.start()] if stop else rest).strip() or None


def reference(paper: Paper, key: str, *, stage: str | None = None) -> Reference:
    """File a paper under a key: its fields, and its abstract as the body's section."""
    shared = {each.name: getattr(paper, each.name) for each in fields(Work)}
    body = f"\n## Abstract\n\n{paper.abstract.strip()}\n" if paper.abstract else ""
    return Reference(
        **shared, key=key, stage=stage, tags=tuple(sorted(set(paper.tags))),
        sources=tuple(sorted(paper.sources)), extra=dict(paper.extra), body=body,
    )  # fmt: skip


def merge(held: Reference, offered: Paper) -> Reference:
    """Take what a further source adds: an empty field is filled, a filled one keeps its value.

    A different offer for a filled field becomes a line of `conflicts`; a longer author list
    that continues the held one fills; a notice is always taken when it is graver.
    """
    provider = offered.sources[0].split(":", 1)[0] if offered.sources else "unknown"
    changes: dict[str, object] = {}
    conflicts = set(held.conflicts)
    for each in fields(Work):
        name = each.name
        have, offer = getattr(held, name), getattr(offered, name)
        if not offer or offer == have:
            continue
        if not have or (name == "authors" and _continues(have, offer)):
            changes[name] = offer
        elif name == "notice":
            if NOTICES.index(offer) < NOTICES.index(have):
                changes[name] = offer
        elif name in ("isbn", "issn", "keywords", "related"):
            union = tuple(sorted({*have, *offer}))
            if union != have:
                changes[name] = union
        elif name == "published" and (offer.startswith(have) or have.startswith(offer)):
            changes[name] = max(have, offer, key=len)
        elif name in _NEVER_A_CONFLICT or _same(have, offer):
            continue
        else:
            shown = "; ".join(offer) if isinstance(offer, tuple) else offer
            conflicts.add(f"{name.replace('_', '-')}: {shown} ({provider})")
    if offered.abstract and not held.abstract:
        changes["body"] = f"{held.body.rstrip()}\n\n## Abstract\n\n{offered.abstract.strip()}\n"
    changes["sources"] = _sources(held.sources, offered.sources)
    changes["conflicts"] = tuple(sorted(conflicts))
    changes["tags"] = tuple(sorted({*held.tags, *offered.tags}))
    return replace(held, **{k: v for k, v in changes.items() if v != getattr(held, k)})  # type: ignore[arg-type]


_NEVER_A_CONFLICT = frozenset({"cites", "url", "oa", "arxiv_class", "type", "language", "license"})
"""Fields on which providers differ as a matter of course: the first value stands silently."""


def _continues(have: tuple[str, ...], offer: tuple[str, ...]) -> bool:
    """Whether `offer` names every held author and more, in the same order of family names."""
    if len(offer) <= len(have):
        return False
    families = [Author.parse(name).family.casefold() for name in offer]
    return families[: len(have)] == [Author.parse(name).family.casefold() for name in have]


def _same(have: object, offer: object) -> bool:
    """Whether two values differ only in case, spacing, punctuation or abbreviation of names."""
    if isinstance(have, tuple) and isinstance(offer, tuple):
        mine = [Author.parse(name).family.casefold() for name in have]
        return mine == [Author.parse(name).family.casefold() for name in offer]
    return _plain(str(have)) == _plain(str(offer))


def _plain(value: str) -> str:
    return re.sub(r"[\W_]+", " ", value.casefold()).strip()


def _sources(held: tuple[str, ...], offered: tuple[str, ...]) -> tuple[str, ...]:
    """One line a provider and external id; the first date stands."""
    known = {line.split(" ")[0] for line in held}
    return tuple(sorted({*held, *(line for line in offered if line.split(" ")[0] not in known)}))
