"""Every failure a person can meet: a code, an exit status, one sentence, and what to do next.

PressmarkError
├── NotFound             1  not_found             no such reference, topic, note, file or library
├── BadInput             2  invalid_request       the words of the call are off
│   ├── Ambiguous        2  ambiguous             several references answer; they are listed
│   ├── Unsupported      2  unsupported_provider  no source reads this kind of identifier
│   ├── FormatMissing    2  format_unavailable    the record exists, this form of it does not
│   ├── TooLarge         2  file_too_large        over a stated limit
│   └── Configuration    2  configuration_error   pressmark.toml, config.toml or the environment
├── Unavailable          2  unavailable           it cannot be done now; later it may work
│   ├── Busy             2  busy                  another holds the lock, or a merge is under way
│   ├── Offline          2  offline               the network is off for this call
│   ├── SourceDown       2  provider_unavailable  a provider is down or refuses
│   └── RateLimited      2  rate_limited          a provider asks us to wait
├── SourceBroken         2  provider_broken       a provider's answer is not what it documents
├── Integrity            3  integrity             bytes are not what they must be
│   ├── Unreadable       3  unreadable            a file that cannot be read (file, line, field)
│   ├── NotSpliceable    3  not_spliceable        a file whose form we will not rewrite
│   └── Changed          3  changed_meanwhile     the file changed since it was read
└── Interrupted        130  interrupted           Ctrl-C
"""

from __future__ import annotations


class PressmarkError(Exception):
    """Base of every error Pressmark raises on purpose.

    `message` is one sentence that names the thing; `next` says what to do about it.
    """

    code = "error"
    exit_status = 2

    def __init__(self, message: str, *, next: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.next = next

    def __str__(self) -> str:
        return self.message


class NotFound(PressmarkError):
    """No such reference, topic, note, file or library."""

    code = "not_found"
    exit_status = 1


class BadInput(PressmarkError):
    """The words of the call are off; nothing was done."""

    code = "invalid_request"


class Ambiguous(BadInput):
    """Several references answer to the same words; `candidates` are their keys."""

    code = "ambiguous"

    def __init__(
        self, message: str, candidates: tuple[str, ...] = (), *, next: str | None = None
    ) -> None:
        super().__init__(message, next=next)
        self.candidates = candidates


class Unsupported(BadInput):
    """No source reads this kind of identifier."""

    code = "unsupported_provider"


class FormatMissing(BadInput):
    """The record exists, this form of it does not."""

    code = "format_unavailable"


class TooLarge(BadInput):
    """Over a stated limit."""

    code = "file_too_large"


class Configuration(BadInput):
    """pressmark.toml, the user's config.toml or the environment is wrong or incomplete."""

    code = "configuration_error"


class Unavailable(PressmarkError):
    """It cannot be done now; later it may work."""

    code = "unavailable"


class Busy(Unavailable):
    """Somebody else holds the lock, or a merge or rebase is under way."""

    code = "busy"


class Offline(Unavailable):
    """The network is off for this call."""

    code = "offline"


class SourceDown(Unavailable):
    """A provider is down, refuses, or its allowance is spent; `retry_after` in seconds if known."""

    code = "provider_unavailable"

    def __init__(
        self, message: str, *, next: str | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message, next=next)
        self.retry_after = retry_after


class RateLimited(SourceDown):
    """A provider asks us to wait (HTTP 429, or its own words for it).

    `allowance` says of what time an allowance is spent: hourly, daily or monthly; empty when it
    is only too many requests at once.
    """

    code = "rate_limited"

    def __init__(
        self,
        message: str,
        *,
        next: str | None = None,
        retry_after: float | None = None,
        allowance: str = "",
    ) -> None:
        super().__init__(message, next=next, retry_after=retry_after)
        self.allowance = allowance


class SourceBroken(PressmarkError):
    """Our request was rejected, or the answer has another shape than the provider documents.

    Never an empty result. `head` is the redacted first bytes of the answer.
    """

    code = "provider_broken"

    def __init__(self, message: str, *, next: str | None = None, head: str = "") -> None:
        super().__init__(message, next=next)
        self.head = head


class Integrity(PressmarkError):
    """Bytes are not what they must be."""

    code = "integrity"
    exit_status = 3


class Unreadable(Integrity):
    """A file of the library cannot be read: `path`, `line` (1-based) and `field` where known."""

    code = "unreadable"

    def __init__(
        self,
        message: str,
        *,
        path: str = "",
        line: int | None = None,
        field: str | None = None,
        next: str | None = None,
    ) -> None:
        super().__init__(message, next=next)
        self.path = path
        self.line = line
        self.field = field

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.path, self.line) if part)
        field = f" ({self.field})" if self.field else ""
        return f"{place}: {self.message}{field}" if place else f"{self.message}{field}"


class NotSpliceable(Unreadable):
    """A file whose form we report and never rewrite (flow-style root, `? key`, …)."""

    code = "not_spliceable"


class Changed(Integrity):
    """A file changed since it was read; nothing was written."""

    code = "changed_meanwhile"


class Interrupted(PressmarkError):
    """Ctrl-C; what was acknowledged before stays."""

    code = "interrupted"
    exit_status = 130
