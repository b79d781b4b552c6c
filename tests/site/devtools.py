"""A folder of pages in; a real browser on them, driven and listened to, out.

with opened(folder, profile) as browser:
    browser.go("/notes/first/")
    browser.run("document.title")

Chromium is spoken to by its DevTools protocol over one WebSocket.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import websocket

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
PATIENCE = 30.0


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and says nothing; a script's files get the type a browser insists on."""

    extensions_map = {**SimpleHTTPRequestHandler.extensions_map, ".js": "text/javascript"}  # noqa: RUF012

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on stderr."""


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """The folder on a free port of the loopback interface."""
    made = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    made.daemon_threads = True
    threading.Thread(target=made.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{made.server_address[1]}"
    finally:
        made.shutdown()
        made.server_close()


class Browser:
    """One page of a running browser."""

    def __init__(self, address: str, socket: Any) -> None:
        self.address = address
        self._socket = socket
        self._number = 0
        self.events: list[dict[str, Any]] = []
        for name in ("Page.enable", "Network.enable", "Runtime.enable", "Log.enable"):
            self.tell(name)
        self.tell("Emulation.setFocusEmulationEnabled", enabled=True)

    def tell(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One message of the protocol and its answer; what else arrives is kept."""
        self._number += 1
        wanted = self._number
        message = {"id": wanted, "method": method, "params": parameters}
        self._socket.send(json.dumps(message))
        while True:
            said = json.loads(self._socket.recv())
            if said.get("id") == wanted:
                assert "error" not in said, said
                return said["result"]  # type: ignore[no-any-return]
            self.events.append(said)

    def go(self, path: str) -> None:
        """Open a page and wait until it and its scripts are loaded."""
        url = path if "://" in path else self.address + path
        self.tell("Page.navigate", url=url)
        self.until("document.readyState === 'complete' && location.href.startsWith('http')"
                   if "://" not in path else "document.readyState === 'complete'")  # fmt: skip

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        done = self.tell(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True,
            userGesture=True,
        )  # fmt: skip
        assert "exceptionDetails" not in done, done
        return done["result"].get("value")

    def until(self, condition: str) -> None:
        """Wait for a condition in the page."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.run(f"Boolean({condition})"):
                return
            time.sleep(0.05)
        raise AssertionError(f"{condition}: {self.said()}")

    def key(self, name: str, text: str = "", modifiers: int = 0) -> None:
        """Press a key."""
        for kind in ("keyDown", "keyUp"):
            self.tell(
                "Input.dispatchKeyEvent", type=kind, key=name, modifiers=modifiers,
                **({"text": text} if text and kind == "keyDown" else {}),
            )  # fmt: skip

    def type(self, text: str) -> None:
        """Type words where the focus is."""
        self.tell("Input.insertText", text=text)

    def screen(self, width: int, height: int, *, dark: bool = False, media: str = "") -> None:
        """The size of the window, and what the reader prefers."""
        self.tell(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
            mobile=False,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.tell("Emulation.setEmulatedMedia", media=media, features=[scheme])

    def picture(self, file: Path, *, whole: bool = False) -> None:
        """What the page looks like."""
        data = self.tell("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        file.write_bytes(base64.b64decode(data))

    def asked(self) -> list[str]:
        """Every address that was asked for so far."""
        self.run("1")
        return [
            each["params"]["request"]["url"]
            for each in self.events
            if each.get("method") == "Network.requestWillBeSent"
        ]

    def received(self) -> int:
        """Bytes that came over the wire so far, headers included."""
        self.run("1")
        return sum(
            each["params"]["encodedDataLength"]
            for each in self.events
            if each.get("method") == "Network.loadingFinished"
        )

    def said(self) -> list[str]:
        """Errors on the console, and what the policy refused."""
        self.run("1")
        found = []
        for each in self.events:
            if each.get("method") == "Runtime.exceptionThrown":
                found.append(str(each["params"]["exceptionDetails"].get("text")))
            if (
                each.get("method") == "Log.entryAdded"
                and each["params"]["entry"]["level"] == "error"
            ):
                entry = each["params"]["entry"]
                found.append(f"{entry['text']} {entry.get('url', '')}")
        return found


@contextmanager
def opened(folder: Path, profile: Path, *options: str) -> Iterator[Browser]:
    """A browser for the pages of a folder."""
    assert CHROMIUM
    with server(folder) as address:
        process = subprocess.Popen(
            [
                CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--hide-scrollbars", "--remote-debugging-port=0", "--remote-allow-origins=*",
                *options, f"--user-data-dir={profile}", "about:blank",
            ],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(profile)},
        )  # fmt: skip
        try:
            socket = websocket.create_connection(_page(profile), timeout=60)
            yield Browser(address, socket)
            socket.close()
        finally:
            process.kill()
            process.wait()


def _page(profile: Path) -> str:
    """The address of the first page's WebSocket, once the browser is up."""
    from urllib.request import urlopen

    told = profile / "DevToolsActivePort"
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if told.is_file() and (lines := told.read_text().split()):
            try:
                with urlopen(f"http://127.0.0.1:{lines[0]}/json/list") as answer:
                    pages = [e for e in json.load(answer) if e["type"] == "page"]
                if pages:
                    return str(pages[0]["webSocketDebuggerUrl"])
            except OSError:
                pass
        time.sleep(0.05)
    raise AssertionError("the browser did not start")
