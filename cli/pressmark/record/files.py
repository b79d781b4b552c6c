"""The nouns of the library's other files: full texts, topics, searches, collections, notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from pressmark.record.work import Extra


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
        "added-by", "last-run", "offered", "dropped",
    )  # fmt: skip
    LISTS: ClassVar[frozenset[str]] = frozenset({"providers", "categories", "offered", "dropped"})
    SORTED: ClassVar[frozenset[str]] = frozenset({"offered", "dropped"})
    REQUIRED: ClassVar[frozenset[str]] = frozenset({"title"})
    STEM: ClassVar[str] = "slug"

    slug: str = ""
    title: str = ""
    query: str | None = None
    providers: tuple[str, ...] = ()
    journal: str | None = None
    categories: tuple[str, ...] = ()  # of arXiv; `-cs.CV` leaves one out
    feed: str | None = None  # an RSS or Atom address, or `research:…`
    vocabulary: str | None = None
    added_by: str | None = None
    last_run: str | None = None
    offered: tuple[str, ...] = ()
    """The identities of each work it brought on which nobody has decided: one gone is rejected."""
    dropped: tuple[str, ...] = ()  # "identity reason"
    extra: Mapping[str, Extra] = field(default_factory=dict)
    body: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """`topics/searches/<date>-<slug>.md`: what was asked, of whom, what came back (PRISMA-S)."""

    FIELDS: ClassVar[tuple[str, ...]] = (
        "query", "date", "vocabulary", "collection", "dropped", "providers",
    )  # fmt: skip
    LISTS: ClassVar[frozenset[str]] = frozenset({"dropped", "providers"})
    SORTED: ClassVar[frozenset[str]] = frozenset({"dropped"})
    REQUIRED: ClassVar[frozenset[str]] = frozenset({"query", "date"})
    STEM: ClassVar[str] = "slug"

    slug: str = ""
    query: str = ""
    date: str = ""
    vocabulary: str | None = None
    collection: str | None = None
    dropped: tuple[str, ...] = ()  # "identity reason"
    providers: tuple[Mapping[str, str], ...] = ()
    """One mapping a provider: platform, sent, limits, status, reported, retrieved, capped.

    Where there is something to say also `query` (its own language, sent as it was given), `variant`
    (the words of a vocabulary's variant) and `notes` (what it could not be told).
    """
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
