"""The way out: a source's request in, its answer out; offline, a client that asks nobody."""

from __future__ import annotations

from pressmark.http.answer import Answer, checked, failure, head
from pressmark.http.client import (
    CITATION_SECONDS,
    DOCUMENT,
    FOREVER,
    METADATA,
    SEARCH_SECONDS,
    Client,
    open_client,
    with_params,
)
from pressmark.http.guard import Refused, check_address, public
from pressmark.http.null import NullClient
from pressmark.http.pauses import Pause, Paused
from pressmark.http.redact import redact, redact_text

__all__ = [
    "CITATION_SECONDS",
    "DOCUMENT",
    "FOREVER",
    "METADATA",
    "SEARCH_SECONDS",
    "Answer",
    "Client",
    "NullClient",
    "Pause",
    "Paused",
    "Refused",
    "check_address",
    "checked",
    "failure",
    "head",
    "open_client",
    "public",
    "redact",
    "redact_text",
    "with_params",
]
