"""What every source has in common: a request, a parse of bytes, and the names of its failures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

from pressmark import ids, text
from pressmark.config import Config
from pressmark.errors import SourceBroken, SourceDown
from pressmark.http import FOREVER, failure, head, redact, with_params
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


@contextmanager
def reading(name: str, body: bytes) -> Iterator[None]:
    """Turn whatever an odd shape raises into the one failure it is."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as problem:
        raise broken(name, body) from problem


def broken(name: str, body: bytes, what: str = "has another shape than documented") -> SourceBroken:
    """An answer that is none of those the provider documents."""
    return SourceBroken(f"The answer of {name} {what}.", head=head(body))


def json_value(name: str, body: bytes, status: int, content_type: str) -> Any:
    """The JSON in a body; every other answer is a named failure."""
    start = body[:512].lstrip()
    if not 200 <= status < 300:
        raise failure(name, status, body)
    if not start:
        raise SourceDown(f"{name} sent an empty answer.")
    if start.startswith(b"<?xml") and b"<html" not in body[:2048].lower():
        raise broken(name, body, "is XML and no JSON")
    if start[:1] == b"<" or "html" in content_type:
        raise broken(name, body, "is a web page and no data")
    with reading(name, body):
        return json.loads(body)


def json_object(name: str, body: bytes, status: int, content_type: str) -> dict[str, Any]:
    """The JSON object in a body; every other answer is a named failure."""
    found = json_value(name, body, status, content_type)
    if not isinstance(found, dict):
        raise broken(name, body)
    return found


def words(value: object) -> str:
    """A value as one clean line, whatever it is; numbers as they are written."""
    if isinstance(value, list):
        value = next((item for item in value if item), "")
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return text.clean(str(value))


def table(value: object) -> dict[str, Any]:
    """The mapping, or an empty one."""
    return value if isinstance(value, dict) else {}


def items(value: object) -> list[Any]:
    """The list, or an empty one."""
    return value if isinstance(value, list) else []


def count(value: object) -> int | None:
    """A number of hits, or None."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        return None
    shown = str(value).strip()
    return int(shown) if re.fullmatch(r"\d{1,12}", shown) else None


def date_of(*parts: object) -> str | None:
    """`YYYY[-MM[-DD]]` from numbers; a month or day that cannot be ends it before."""
    values = [count(part) for part in parts]
    if not values or values[0] is None or not 1000 <= values[0] <= 2999:
        return None
    shown = f"{values[0]:04}"
    if len(values) > 1 and values[1] is not None and 1 <= values[1] <= 12:
        shown += f"-{values[1]:02}"
        if len(values) > 2 and values[2] is not None and 1 <= values[2] <= 31:
            shown += f"-{values[2]:02}"
    return shown


def iso_date(value: object) -> str | None:
    """The day in `2017-06-12T17:57:34Z` and in its shorter forms."""
    found = re.match(r"(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?", words(value))
    return date_of(*(part for part in found.groups() if part)) if found else None


def named(paper: Paper) -> Paper | None:
    """The paper where it has a title or an identifier; what has neither is no record of a work."""
    return paper if ids.identities(paper) else None


_RENAMED = re.compile(r"\W*(retracted|withdrawn)(?:\s+(?:article|paper))?\s*[:\]\[-]", re.I)


def renamed(title: str) -> str | None:
    """The notice that a publisher has put before a title, `RETRACTED ARTICLE: …`."""
    found = _RENAMED.match(title)
    return found[1].lower() if found else None


def lucene(value: str) -> str:
    """Words in which no sign is syntax to a search engine of the Lucene family."""
    return re.sub(r'([+\-!(){}\[\]^"~*?:\\/]|&&|\|\|)', r"\\\1", value)


def unique(values: Sequence[str | None]) -> tuple[str, ...]:
    """Each value once, in order, without the empty ones."""
    return tuple(dict.fromkeys(value for value in values if value))


_MATH = re.compile(r"(?<![\\$])\$(?![\s$])([^$`\n]{1,400}?)(?<![\s\\])\$(?![\d$])")


def abstract(value: str) -> str | None:
    """Plain text with TeX as paragraphs that are safe in Markdown; `$…$` stays mathematics."""
    paragraphs = re.split(r"\n\s*\n|\n {2,}(?=\S)", value.strip())
    done = []
    for paragraph in paragraphs:
        line = text.clean(paragraph)
        pieces, at = [], 0
        for math in _MATH.finditer(line):
            pieces += [_prose(line[at : math.start()]), f"${_safe_math(math[1])}$"]
            at = math.end()
        pieces.append(_prose(line[at:]))
        done.append("".join(pieces).strip())
    return "\n\n".join(part for part in done if part) or None


def _prose(value: str) -> str:
    if not value.strip():
        return value
    left = value[: len(value) - len(value.lstrip())]
    right = value[len(value.rstrip()) :]
    plain = text.from_tex(value) if "\\" in value else value
    return f"{left}{text.from_jats(plain)}{right}"


def _safe_math(value: str) -> str:
    """TeX in which `<` can start no tag."""
    return re.sub(r"<(?=[A-Za-z/!?])", "< ", value)
