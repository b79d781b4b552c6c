"""A loopback double of the providers: routes in, recorded requests and injected faults out.

    with Double(routes) as double:
        double.write_config(path)        # a user's config.toml that sends every source here
        double.fail("/api/query*", Reply(429, b"Rate exceeded.", "text/html"), times=1)
        ...
        assert double.paths == ["/api/query"]

The config gives each source a prefix of its own (`/at-arxiv/api/query`), which is taken off
before routes are looked up and stays in `target`, so that faults can be aimed at one source.

A route is a glob over the path, and a reply or a function from the request to a reply
(None: the next route). `story_routes()` of tests/story.py is a ready-made small world, and
`provider_routes(holds_all)` of tests/providers.py makes every provider a part of it.
"""

from __future__ import annotations

import fnmatch
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from pressmark.config import SOURCES, Config


@dataclass(frozen=True)
class Seen:
    """One request as it arrived."""

    method: str
    path: str  # as sent, percent-encoding and all
    query: dict[str, str]
    headers: dict[str, str]  # names in lower case
    body: bytes = b""
    at: float = 0.0
    target: str = ""  # prefix, path and query as sent
    source: str = ""  # from the prefix /at-NAME/

    def matches(self, pattern: str) -> bool:
        """Whether a glob fits path and query, with the source's prefix or without it."""
        plain = self.target.removeprefix(f"/at-{self.source}") if self.source else self.target
        return any(fnmatch.fnmatchcase(each, pattern) for each in (self.target, plain))


@dataclass(frozen=True)
class Reply:
    """What to answer, and how badly."""

    status: int = 200
    body: bytes = b""
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    fault: str = ""  # "truncated", "reset", "hang", "drip" or none
    delay: float = 0.0


SEARCHED = ("openalex", "crossref", "arxiv")
"""Whom most tests search: three whose answers agree are enough to see what is made of them."""

Handler = Callable[[Seen], Reply | None]
Route = tuple[str, Reply | Handler]

RATE_LIMITED = Reply(429, b"Rate exceeded.", "text/html")
UNAVAILABLE = Reply(503, b"<html><body>Service Unavailable</body></html>", "text/html")
HTML = Reply(200, b"<!doctype html><html><title>Just a moment</title></html>", "text/html")


class Double:
    """An HTTP server in a thread, on a free port of the loopback interface."""

    def __init__(self, routes: Iterable[Route] = ()) -> None:
        self.routes: list[Route] = list(routes)
        self.requests: list[Seen] = []
        self._faults: list[tuple[str, Reply, list[int]]] = []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._server: ThreadingHTTPServer | None = None

    def __enter__(self) -> Double:
        double = self

        class Bound(_Handler):
            owner = double

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Bound)
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._server is not None
        self._stop.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def port(self) -> int:
        assert self._server is not None
        return int(self._server.server_address[1])

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def paths(self) -> list[str]:
        return [seen.path for seen in self.requests]

    def fail(self, pattern: str, reply: Reply, times: int = 1_000_000) -> None:
        """Answer the next `times` requests whose path and query match with this instead."""
        self._faults.insert(0, (pattern, reply, [times]))

    def heal(self) -> None:
        """Forget every injected fault."""
        self._faults.clear()

    def config_text(self, sources: Iterable[str] = SOURCES, extra: str = "") -> str:
        """A user's config.toml that sends these sources here, unpaced, and searches three.

        A search of the whole default set is what `whole=True` of `write_config` makes.
        """
        tables = [
            f'[sources.{name}]\nbase_url = "{self.base_url}/at-{name}"\npace = 0\n'
            for name in sources
        ]
        few = "" if "[search]" in extra else f"[search]\nsources = {list(SEARCHED)}\n"
        return "\n".join([extra, few, *tables])

    def write_config(
        self,
        path: Path,
        sources: Iterable[str] = SOURCES,
        extra: str = "",
        *,
        whole: bool = False,
    ) -> Path:
        """Write that file; point PRESSMARK_CONFIG at it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        written = self.config_text(sources, extra)
        if whole:
            written = written.replace(f"[search]\nsources = {list(SEARCHED)}\n", "")
        path.write_text(written)
        path.chmod(0o600)
        return path

    def config(
        self, folder: Path, root: Path | None, names: Iterable[str] = SOURCES, **more: object
    ) -> Config:
        """The same as settings of a library at `root`: cache and state under `folder`, no pause."""
        known: dict[str, object] = {
            "cache_dir": folder / "cache",
            "state_dir": folder / "state",
            "base_urls": {name: f"{self.base_url}/at-{name}" for name in names},
            "pace": dict.fromkeys(names, 0.0),
            "timeout": 2.0,
        }
        return Config(root=root, **{**known, **more})  # type: ignore[arg-type]

    def reply(self, seen: Seen) -> Reply:
        """The first injected fault, else the first route, that answers."""
        with self._lock:
            self.requests.append(seen)
            for pattern, reply, left in self._faults:
                if left[0] > 0 and seen.matches(pattern):
                    left[0] -= 1
                    return reply
        for pattern, answer in self.routes:
            if fnmatch.fnmatchcase(seen.path, pattern):
                got = answer if isinstance(answer, Reply) else answer(seen)
                if got is not None:
                    return got
        return Reply(404, b"Resource not found.", "text/plain")

    def sleep(self, seconds: float) -> None:
        """Wait, but not beyond the end of the test."""
        self._stop.wait(seconds)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    owner: Double

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on stderr."""

    def handle(self) -> None:
        try:
            super().handle()
        except (ConnectionError, TimeoutError):
            self.close_connection = True

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def _answer(self) -> None:
        length = int(self.headers.get("content-length", "0"))
        parts = urlsplit(self.path)
        prefix = re.match(r"/at-(\w+)(?=/)", parts.path)
        seen = Seen(
            self.command,
            parts.path.removeprefix(prefix[0]) if prefix else parts.path,
            dict(parse_qsl(parts.query, keep_blank_values=True)),
            {name.lower(): value for name, value in self.headers.items()},
            self.rfile.read(length) if length else b"",
            time.monotonic(),
            self.path,
            prefix[1] if prefix else "",
        )
        reply = self.owner.reply(seen)
        self.close_connection = True
        if reply.delay:
            self.owner.sleep(reply.delay)
        self._send(reply)

    def _send(self, reply: Reply) -> None:
        if reply.fault == "hang":
            self.owner.sleep(60)
            return
        if reply.fault == "reset":
            linger = struct.pack("ii", 1, 0)  # close with RST
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.connection.close()
            return
        headers = {"Content-Type": reply.content_type, "Connection": "close", **reply.headers}
        headers.setdefault("Content-Length", str(len(reply.body)))
        self.send_response(reply.status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if reply.fault == "truncated":
            self.wfile.write(reply.body[: len(reply.body) // 2])
        elif reply.fault == "drip":
            for at in range(len(reply.body)):
                self.wfile.write(reply.body[at : at + 1])
                self.owner.sleep(0.1)
        else:
            self.wfile.write(reply.body)


def json_reply(body: bytes | str, status: int = 200) -> Reply:
    """A JSON answer."""
    return Reply(status, body.encode() if isinstance(body, str) else body)


def faulty(reply: Reply, fault: str) -> Reply:
    """The same answer, sent badly."""
    return replace(reply, fault=fault)
