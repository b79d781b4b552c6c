"""The way out: a source's request in, its answer out; offline, a client that asks nobody."""

from __future__ import annotations

from pressmark.http.answer import Answer, checked, failure, head
from pressmark.http.client import Client, open_client
from pressmark.http.defects import Defect, Defects
from pressmark.http.guard import Refused, check_address, public
from pressmark.http.null import NullClient
from pressmark.http.pauses import Pause, Paused
from pressmark.http.redact import redact, redact_text
from pressmark.http.request import (
    CITATION_SECONDS,
    DOCUMENT,
    FOREVER,
    METADATA,
    SEARCH_SECONDS,
    with_params,
)

__all__ = [
    "CITATION_SECONDS",
    "DOCUMENT",
    "FOREVER",
    "METADATA",
    "SEARCH_SECONDS",
    "Answer",
    "Client",
    "Defect",
    "Defects",
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
