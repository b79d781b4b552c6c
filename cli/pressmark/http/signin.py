"""A sign-in's way back in; the parameters that the browser brings, once, out.

Listens on the loopback interface only, on a free port, and answers one address.
"""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import TracebackType
from urllib.parse import parse_qsl, urlsplit

from pressmark.errors import Unavailable

_PATH = "/signed-in"
_THANKS = b"<!doctype html><title>Pressmark</title><p>You may close this page.</p>"


class Listener:
    """Waits for one answer at `url`, as a context manager."""

    def __init__(self) -> None:
        self._came: dict[str, str] = {}
        self._arrived = threading.Event()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            timeout = 10

            def do_GET(self) -> None:
                parts = urlsplit(self.path)
                if parts.path != _PATH or owner._arrived.is_set():
                    self.send_error(404)
                    return
                owner._came = dict(parse_qsl(parts.query))
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(_THANKS)))
                self.end_headers()
                self.wfile.write(_THANKS)
                owner._arrived.set()

            def log_message(self, format: str, *args: object) -> None:
                """Nothing on stderr: the address holds the code."""

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.05,), daemon=True
        )

    @property
    def url(self) -> str:
        """Where the browser is to come back to."""
        return f"http://127.0.0.1:{self._server.server_address[1]}{_PATH}"

    def __enter__(self) -> Listener:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def wait(self, seconds: float) -> dict[str, str]:
        """The parameters, when they come; Unavailable when nobody does in time."""
        if not self._arrived.wait(seconds):
            raise Unavailable(
                f"Nobody signed in within {seconds:.0f} s.", next="run the command again"
            )
        return self._came
