"""One request as its caller means it, and how long and how often it may be tried."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import quote, urlencode, urljoin

from pressmark.http.answer import Answer
from pressmark.http.redact import redact

METADATA = 20 * 2**20
DOCUMENT = 100 * 2**20
FOREVER = float("inf")
SEARCH_SECONDS = 300.0
CITATION_SECONDS = 30 * 86400.0

LADDER = (3.0, 6.0, 12.0, 24.0, 48.0)
PATIENCE = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request as the caller means it, before mirrors and redirects."""

    method: str
    url: str
    source: str
    headers: Mapping[str, str]
    content: bytes | None = None
    max_bytes: int = METADATA
    timeout: float = 20.0
    seconds: float = 20.0
    patient: bool = False
    mirror: str = ""

    @property
    def key(self) -> str:
        """What a cached answer is found by; a mirror's is not the provider's."""
        accept = self.headers.get("Accept", "")
        at = f" at {self.mirror}" if self.mirror else ""
        body = sha256(self.content).hexdigest() if self.content else ""  # it may hold a key
        return f"{self.method} {redact(self.url)}{at} {accept} {body}"


@dataclass(slots=True)
class Deadline:
    """When an answer has to be there; standing in line does not count."""

    at: float  # on the monotonic clock

    @property
    def left(self) -> float:
        """Seconds until then."""
        return self.at - time.monotonic()


def with_params(url: str, params: Mapping[str, str] | None) -> str:
    """Add parameters, each encoded once; `:` and `,` stay readable, as the providers write them."""
    if not params:
        return url
    query = urlencode(params, quote_via=quote, safe=":,/*|=")
    return f"{url}{'&' if '?' in url else '?'}{query}"


def joined(url: str, target: str) -> str:
    try:
        return urljoin(url, target)
    except ValueError:
        return ""


def may_retry(request: Request, deadline: Deadline) -> bool:
    """Whether a second try has time: a patient request gives it its own."""
    return request.patient or deadline.left > 1.0


def next_wait(request: Request, answer: Answer, rung: int, waited: float) -> float | None:
    """How long to wait before asking again after a 429; None when it would lead too far."""
    if not request.patient or rung >= len(LADDER):
        return None
    wait = max(LADDER[rung], answer.retry_after or 0.0)
    return wait if waited + wait <= PATIENCE else None
