"""What every source has in common: a request, and what a parse of the answer's bytes gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from pressmark.config import Config
from pressmark.http import FOREVER, redact, with_params
from pressmark.ids import Identifier
from pressmark.record import Location, Paper
from pressmark.sources.language import Language
from pressmark.sources.query import Query


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request of a source, before it is sent."""

    url: str
    params: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    accept: str = "application/json"
    keep: float = FOREVER
    content: bytes | None = field(default=None, repr=False)
    """A body to send: the request is then a POST."""
    content_type: str = "application/json"
    form: bool = False
    """Whether the parameters go in a body of their own, for there are too many for a URL."""
    timeout: float | None = None
    """Seconds, where a provider is known to take longer than others."""
    skip: int = 0
    """How many of the first hits are not wanted: of a provider that only knows where to begin."""

    @property
    def sent(self) -> str:
        """The request as the log quotes it: verbatim, but for keys and addresses."""
        return redact(with_params(self.url, self.params))


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What an answer held: papers in the provider's order, and its own count of all there are."""

    papers: tuple[Paper, ...] = ()
    total: int | None = None
    damaged: int = 0
    """Records that could not be read at all."""
    ids: tuple[Identifier, ...] = ()
    """Hits that were named only: their records are asked for in a second request."""
    leads: tuple[str, ...] = ()
    """Addresses in which no identifier stands: for a person to look at, never fetched."""
    notes: tuple[str, ...] = ()
    """What the provider says of the question, for a person to read."""
    next: Mapping[str, str] = field(default_factory=dict)
    """The parameters that make the next page's request of this one's, where pages are chained."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCopy(Location):
    """One open copy of a work as a provider reported it, and who keeps it there."""

    host_type: str | None = None  # "publisher" or "repository"


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgePage:
    """A part of the works at the other ends of a work's citations, and where the next begins."""

    papers: tuple[Paper, ...] = ()
    next: str = ""


class Known(Protocol):
    """A provider that answers to identifiers: it builds requests and parses bytes, no more."""

    @property
    def name(self) -> str:
        """Its name in settings, logs and `sources` lines."""

    @property
    def platform(self) -> str:
        """Its name as a person writes it."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """The identifiers it answers to, the surest first."""

    @property
    def batch(self) -> int:
        """The most identifiers it takes in one look-up."""

    def lookup_request(self, identifiers: Sequence[Identifier], config: Config) -> Request:
        """Ask for the records of identifiers."""

    def parse_lookup(self, body: bytes, status: int, content_type: str, *, today: str) -> Found:
        """Read a look-up's answer."""


class Source(Known, Protocol):
    """A provider that can also be searched."""

    @property
    def language(self) -> Language:
        """What it can be told of a question."""

    @property
    def page_size(self) -> int:
        """The most records it gives in one answer."""

    def cannot(self, query: Query) -> str | None:
        """Why it cannot answer this query as it is meant; None when it can."""

    def search_request(self, query: Query, config: Config, start: int, rows: int) -> Request:
        """Ask for `rows` hits from the `start`th (counted from 0)."""

    def parse_search(self, body: bytes, status: int, content_type: str, *, today: str) -> Found:
        """Read a search's answer."""
