"""A command line of a language server in; an editor that talks to it over stdio, for tests, out.

    with Editor([sys.executable, "-m", "pressmark", "lsp"], root, env) as editor:
        editor.open("notes/a.md", "See [@smi")
        editor.complete("notes/a.md", 0, 9)

It speaks JSON-RPC by hand, so that what is tested is what goes over the wire.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

CAPABILITIES = {
    "general": {"positionEncodings": ["utf-16"]},
    "workspace": {
        "workspaceEdit": {"documentChanges": True, "resourceOperations": ["rename"]},
        "applyEdit": True,
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    },
    "window": {"showMessage": {}},
    "textDocument": {"publishDiagnostics": {"versionSupport": True}},
}


class Editor:
    """One editor with one server."""

    def __init__(
        self, command: Sequence[str], root: Path, env: Mapping[str, str],
        options: Mapping[str, Any] | None = None, capabilities: Mapping[str, Any] = CAPABILITIES,
    ) -> None:  # fmt: skip
        self.root, self.options, self.capabilities = root, options or {}, capabilities
        self.process = subprocess.Popen(
            list(command), cwd=root, env=dict(env), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )  # fmt: skip
        self.answers: dict[int, dict[str, Any]] = {}
        self.said: list[dict[str, Any]] = []
        self.news: queue.Queue[None] = queue.Queue()
        self.reply: Callable[[dict[str, Any]], Any] = lambda message: (
            {"applied": True} if message["method"] == "workspace/applyEdit" else None
        )
        self.versions: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        self.errors: list[bytes] = []
        self._number = 0
        self._turn = threading.Lock()
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._overhear, daemon=True).start()

    def __enter__(self) -> Editor:
        self.initialized = self.request("initialize", {
            "processId": os.getpid(), "rootUri": self.root.as_uri(), "capabilities": self.capabilities,
            "initializationOptions": dict(self.options),
            "workspaceFolders": [{"uri": self.root.as_uri(), "name": "library"}],
        })  # fmt: skip
        self.notify("initialized", {})
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self.process.poll() is None:
                self.request("shutdown", None)
                self.notify("exit", None)
            self.process.wait(10)
        finally:
            self.process.kill()
            self.process.wait()

    # What an editor does

    def uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def open(self, path: str, text: str | None = None, language: str = "markdown") -> None:
        text = (self.root / path).read_bytes().decode() if text is None else text
        self.versions[path], self.texts[path] = 1, text
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": self.uri(path), "languageId": language, "version": 1, "text": text,
        }})  # fmt: skip

    def change(self, path: str, text: str, span: tuple[int, int, int, int] | None = None) -> None:
        """Replace the whole text, or from line, character to line, character."""
        self.versions[path] += 1
        change: dict[str, Any] = {"text": text}
        if span:
            change["range"] = {
                "start": {"line": span[0], "character": span[1]},
                "end": {"line": span[2], "character": span[3]},
            }
        else:
            self.texts[path] = text
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": self.uri(path), "version": self.versions[path]},
            "contentChanges": [change],
        })  # fmt: skip

    def save(self, path: str) -> None:
        (self.root / path).write_bytes(self.texts[path].encode())
        self.notify("textDocument/didSave", {"textDocument": {"uri": self.uri(path)}})

    def close(self, path: str) -> None:
        self.versions.pop(path, None)
        self.texts.pop(path, None)
        self.notify("textDocument/didClose", {"textDocument": {"uri": self.uri(path)}})

    def ask(self, method: str, path: str, line: int, character: int, **more: Any) -> Any:
        """A question about a place."""
        return self.request(f"textDocument/{method}", {
            "textDocument": {"uri": self.uri(path)},
            "position": {"line": line, "character": character}, **more,
        })  # fmt: skip

    def complete(self, path: str, line: int, character: int) -> list[dict[str, Any]]:
        found = self.ask("completion", path, line, character)
        return found["items"] if found else []

    def actions(self, path: str, line: int, character: int) -> list[dict[str, Any]]:
        here = {"line": line, "character": character}
        found: list[dict[str, Any]] = self.request("textDocument/codeAction", {
            "textDocument": {"uri": self.uri(path)}, "range": {"start": here, "end": here},
            "context": {"diagnostics": []},
        })  # fmt: skip
        return found

    def diagnostics(self, path: str, version: int | None = None, seconds: float = 20) -> list[Any]:
        """What was last published of a document, once its version has been."""
        wanted = self.versions[path] if version is None else version

        def published() -> list[Any] | None:
            for message in reversed(self.said):
                params = message.get("params", {})
                if message.get("method") == "textDocument/publishDiagnostics" and (
                    params["uri"] == self.uri(path) and params.get("version") == wanted
                ):
                    found: list[Any] = params["diagnostics"]
                    return found
            return None

        return self.until(published, seconds)

    def until(self, ready: Callable[[], Any], seconds: float = 20) -> Any:
        """Wait for something to be there."""
        end = time.monotonic() + seconds
        while (found := ready()) is None:
            left = end - time.monotonic()
            assert left > 0, f"nothing in {seconds} s; {self.said[-3:]} {b''.join(self.errors)!r}"
            try:
                self.news.get(timeout=min(left, 0.2))
            except queue.Empty:
                continue
        return found

    # The wire

    def request(self, method: str, params: Any, seconds: float = 30) -> Any:
        self._number += 1
        number = self._number
        self._send({"id": number, "method": method, "params": params})
        answer = self.until(lambda: self.answers.pop(number, None), seconds)
        if "error" in answer:
            raise Refused(answer["error"])
        return answer.get("result")

    def notify(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin
        with self._turn:
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            self.process.stdin.flush()

    def _overhear(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self.errors.append(line)

    def _listen(self) -> None:
        out = self.process.stdout
        assert out
        while True:
            length = 0
            while (line := out.readline().strip()) != b"":
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            if not length:
                self.news.put(None)
                return
            message = json.loads(out.read(length))
            if "method" in message:
                self.said.append(message)
                if "id" in message:
                    self._send({"id": message["id"], "result": self.reply(message)})
            else:
                self.answers[message["id"]] = message
            self.news.put(None)


class Refused(Exception):
    """The server answered with an error."""

    @property
    def message(self) -> str:
        return str(self.args[0]["message"])
