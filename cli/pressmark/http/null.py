"""The client of a call whose network is off: a question in, a refusal out, whatever is asked."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import NoReturn

from pressmark.config import Config
from pressmark.errors import Offline, PressmarkError, SourceDown
from pressmark.http.answer import Answer


class NullClient:
    """In a `Client`'s place when the network is off: every question ends here."""

    offline = True

    def __init__(self, config: Config) -> None:
        self.config = config
        self.refresh = False

    def get(self, url: str, *, source: str, **_: object) -> NoReturn:
        """Refuse."""
        raise _off(source)

    def post(self, url: str, *, source: str, **_: object) -> NoReturn:
        """Refuse."""
        raise _off(source)

    def one_session(self, source: str) -> AbstractContextManager[dict[str, str]]:
        """Refuse."""
        raise _off(source)

    def pause(self, source: str, url: str, error: SourceDown) -> None:
        """Nothing was asked, so nothing is left alone."""

    def spend(self, source: str) -> None:
        """Nothing is asked, so nothing is counted."""

    def report(self, source: str, request: str, problem: Exception, body: bytes = b"") -> None:
        """Nothing was answered, so nothing is broken."""

    def discreet(self, problem: PressmarkError) -> None:
        """Nothing was answered, so nothing is repeated."""

    def forget(self, answer: Answer) -> None:
        """Nothing was answered, so nothing is forgotten."""


def _off(source: str) -> Offline:
    return Offline(
        f"The network is off for this call; {source} was not asked.",
        next="leave out --offline, unset PRESSMARK_OFFLINE, or set [network] enabled = true",
    )
