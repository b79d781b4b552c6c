"""What a provider answered, and the failure its status stands for."""

from __future__ import annotations

import email.utils
import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from pressmark import text
from pressmark.errors import NotFound, RateLimited, SourceBroken, SourceDown
from pressmark.http.redact import redact_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer; 4xx and 5xx are answers too, until `checked`."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case."""
    body: bytes = field(default=b"", repr=False)
    url: str = ""
    """Where the body came from, after redirects; without key and address."""
    source: str = ""
    date: str = ""
    """The day it was fetched, YYYY-MM-DD; a cached answer keeps its first."""
    from_cache: bool = False
    key: str = field(default="", repr=False)
    """What a kept answer is found by; empty when it was not to be kept."""

    @property
    def content_type(self) -> str:
        """`text/html` without parameters, in lower case."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()

    @property
    def retry_after(self) -> float | None:
        """Seconds the provider asks us to wait, where it says so."""
        return retry_after(self.headers.get("retry-after", ""))


def checked(answer: Answer) -> Answer:
    """The same answer when its status is 2xx; else the failure it stands for."""
    if 200 <= answer.status < 300:
        return answer
    raise failure(answer.source, answer.status, answer.body, answer.retry_after, answer.headers)


def failure(
    source: str,
    status: int,
    body: bytes,
    wait: float | None = None,
    headers: Mapping[str, str] | None = None,
) -> NotFound | SourceDown | SourceBroken:
    """The error that a status other than 2xx means."""
    shown = head(body)
    if status in (404, 410):
        return NotFound(f"{source} does not have it.")
    if status == 429:
        gone = spent(headers or {}, wait)
        reason = gone or shown[:80] or "no reason given"
        return RateLimited(
            f"{source} asks us to wait (429: {reason}).",
            retry_after=wait, allowance="daily" if gone else "", next="try again later",
        )  # fmt: skip
    if status >= 500 or status == 408:
        return SourceDown(f"{source} is not working (HTTP {status}).", retry_after=wait)
    return SourceBroken(f"{source} rejected our request (HTTP {status}).", head=shown)


def spent(headers: Mapping[str, str], wait: float | None) -> str | None:
    """Why a 429 is a spent allowance and no burst, or None."""
    left = headers.get("x-ratelimit-remaining-usd", "")
    try:
        gone = bool(left) and float(left) <= 0
    except ValueError:
        gone = False
    return "its daily allowance is spent" if gone or (wait or 0) > 600 else None


def head(body: bytes, most: int = 200) -> str:
    """The first words of a body, safe to show: no controls, keys or addresses."""
    return redact_text(text.clean(body[: most * 4].decode("utf-8", "replace")))[:most]


def retry_after(value: str, now: float | None = None) -> float | None:
    """The header's seconds, or the seconds until its date."""
    value = value.strip()
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            moment = email.utils.parsedate_to_datetime(value)
        except (TypeError, ValueError):
            return None
        seconds = moment.timestamp() - (time.time() if now is None else now)
    return max(0.0, seconds) if seconds == seconds and seconds != float("inf") else None
