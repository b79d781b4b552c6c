"""One server's desk: its library, what it may do, and a fresh view of the files for every call."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

from pressmark.errors import BadInput, Interrupted
from pressmark.mcp.uploads import Uploads

if TYPE_CHECKING:
    from pressmark.config import Config
    from pressmark.http import Client, NullClient
    from pressmark.library import Library, Write

MODES = ("read", "write", "branch")
"""What a server may do: only read; write and commit; or propose every change on a branch."""

TRAILERS = {"Agent": "mcp"}
"""What says in a commit that an agent asked for it."""


@dataclass
class Desk:
    """What all calls of one server share. Nothing in it is a lock that a request is held under."""

    start: Path
    mode: str = "read"
    offline: bool | None = None
    plain: bool = False
    """Answer in text alone, for clients that show a model no structured content."""
    env: Mapping[str, str] = field(default_factory=lambda: os.environ)
    uploads: Uploads = field(default_factory=Uploads)
    _mine: threading.local = field(default_factory=threading.local, repr=False)

    @cached_property
    def config(self) -> Config:
        """The settings, read once when the server starts."""
        from pressmark.config import find_root, load

        return load(find_root(self.start, self.env), self.env, offline=self.offline)

    @cached_property
    def client(self) -> Client | NullClient:
        """The one way out to the network."""
        from pressmark.http import open_client

        return open_client(self.config)

    @property
    def library(self) -> Library:
        """This thread's view of the library, brought up to date."""
        from pressmark.library import Library

        held: Library | None = getattr(self._mine, "library", None)
        if held is None:
            held = self._mine.library = Library.open(self.start, self.config)
        held.refresh()
        return held

    @property
    def today(self) -> str:
        return date.today().isoformat()


@dataclass(frozen=True, slots=True)
class Call:
    """One call of a tool: the desk it is made at, and how it talks back."""

    desk: Desk
    library: Library
    tell: Callable[[float, float | None, str], None]
    """Report progress: done, of how many, what."""
    cancelled: threading.Event

    def progress(self, what: str, done: int, total: int) -> None:
        """Report, and stop here when the client has gone or changed its mind."""
        if self.cancelled.is_set():
            raise Interrupted("The client cancelled the call.")
        self.tell(done, total, what)

    def write(self, subject: str | None = None) -> Write:
        """How this server writes: a commit, or a proposal on a branch of its own."""
        from pressmark.library import Write

        if self.desk.mode == "read":
            raise BadInput("This server only reads.", next="pressmark mcp --write")
        branch = self._proposals() if self.desk.mode == "branch" else None
        return Write(message=subject, branch=branch, trailers=TRAILERS)

    def _proposals(self) -> str:
        """The branch of today's proposals: one that nobody works on, so that no file moves."""
        repository = self.library.repository
        taken = repository.checked_out() if repository else frozenset()
        name = f"agent/{self.desk.today}"
        numbers = (f"{name}-{number}" for number in count(2))
        return next(each for each in chain((name,), numbers) if each not in taken)
