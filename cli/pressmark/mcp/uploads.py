"""Chunks of a PDF in, the whole bytes out: a few sessions, each for five minutes at most."""

from __future__ import annotations

import base64
import binascii
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from pressmark.errors import BadInput, NotFound, TooLarge

LARGEST = 10_485_760
"""Bytes of a whole document."""

CHUNK = 1_048_576
"""Bytes of one chunk."""

SESSIONS = 16
SECONDS = 300

MAGIC = b"%PDF-"


@dataclass
class Session:
    """One upload under way."""

    filename: str | None
    until: float
    data: bytearray = field(default_factory=bytearray)
    chunks: int = 0


@dataclass
class Uploads:
    """The uploads of one server; every step is whole under one lock."""

    clock: Callable[[], float] = time.monotonic
    _sessions: dict[str, Session] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, filename: str | None = None) -> str:
        """A new session's id."""
        with self._lock:
            self._sweep()
            if len(self._sessions) >= SESSIONS:
                raise BadInput(
                    f"{SESSIONS} uploads are under way.", next="finish one, or wait five minutes"
                )
            name = secrets.token_urlsafe(12)
            self._sessions[name] = Session(filename, self.clock() + SECONDS)
            return name

    def add(self, name: str, index: int, encoded: str) -> int:
        """Take chunk `index` (from 0, in order); how many bytes there are now."""
        chunk = decode(encoded, CHUNK)
        with self._lock:
            session = self._session(name)
            if index != session.chunks:
                raise BadInput(
                    f"Chunk {index} was sent where chunk {session.chunks} belongs.",
                    next=f"send index {session.chunks}",
                )
            if len(session.data) + len(chunk) > LARGEST:
                raise TooLarge(f"The document is over {LARGEST:,} bytes.")
            session.data += chunk
            session.chunks += 1
            return len(session.data)

    def finish(self, name: str) -> tuple[bytes, str | None]:
        """The whole document and its file name; the session is over, whatever comes of it."""
        with self._lock:
            session = self._session(name)
            del self._sessions[name]
        if not session.chunks:
            raise BadInput("No chunk was sent.", next="begin again")
        return checked(bytes(session.data)), session.filename

    def _session(self, name: str) -> Session:
        self._sweep()
        session = self._sessions.get(name)
        if session is None:
            raise NotFound("There is no such upload, or its five minutes are over.", next="begin")
        return session

    def _sweep(self) -> None:
        now = self.clock()
        for name in [name for name, each in self._sessions.items() if each.until <= now]:
            del self._sessions[name]


def decode(encoded: str, most: int) -> bytes:
    """The bytes of base64; too much is refused before it is decoded."""
    if len(encoded) > 4 * -(-most // 3):
        raise TooLarge(f"More than {most:,} bytes were sent at once.", next="send smaller chunks")
    try:
        data = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        raise BadInput("The content is not base64.") from None
    if len(data) > most:
        raise TooLarge(f"More than {most:,} bytes were sent at once.", next="send smaller chunks")
    return data


def checked(data: bytes) -> bytes:
    """A PDF by its first bytes, whatever its file is called."""
    if not data.startswith(MAGIC):
        raise BadInput("The content is no PDF: it does not begin with %PDF-.")
    return data
