"""The protocol's messages in, answers out: each handler finds its desk and asks one function."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import unquote

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path
from pygls.workspace import TextDocument

from pressmark import __version__
from pressmark.config import find_root
from pressmark.errors import PressmarkError
from pressmark.lsp.desk import Desk, desk_error
from pressmark.lsp.document import Document
from pressmark.lsp.going import Reader
from pressmark.lsp.shelf import Shelf
from pressmark.lsp.text import Text, changed

T = TypeVar("T")

WAIT = 0.25
"""Seconds of quiet after a keystroke before a document is checked."""


class Kept(TextDocument):
    """A document whose lines end where the protocol says, and whose changes are spliced in."""

    encoding = "utf-16"

    def apply_change(self, change: lsp.TextDocumentContentChangeEvent) -> None:
        self._source = changed(Text(self.source, self.encoding), change)


class Server(LanguageServer):
    """Serves every library whose files are open; one desk for each."""

    def __init__(self, start: Path, offline: bool | None = None) -> None:
        super().__init__("pressmark", __version__)
        self.start_folder, self.offline = start, offline
        self.desks: dict[Path, Desk] = {}
        self.roots: dict[str, Path | None] = {}
        self.documents: dict[str, Document] = {}
        self.timers: dict[str, asyncio.TimerHandle] = {}
        self.hints = False
        self.loop: asyncio.AbstractEventLoop | None = None
        self.costs: dict[str, float] = {}
        # Apart from pygls' own threads, which read stdin: what is slow never stops the typing.
        self.work = ThreadPoolExecutor(2, thread_name_prefix="pressmark-lsp")

    @property
    def encoding(self) -> str:
        """The units that columns are counted in."""
        held = self.workspace.position_encoding
        return str(getattr(held, "value", held) or "utf-16")

    def prepare(self, options: object) -> None:
        """Take the editor's options, and splice its edits by the protocol's own lines."""
        held = options if isinstance(options, dict) else {}
        self.configure(held)
        if isinstance(held.get("library"), str):
            self.start_folder = Path(held["library"]).expanduser()
        if held.get("offline") is True:
            self.offline = True
        encoding = self.encoding

        def create(
            doc_uri: str, source: str | None = None, version: int | None = None,
            language_id: str | None = None,
        ) -> Kept:  # fmt: skip
            document = Kept(doc_uri, source, version, language_id)
            document.encoding = encoding
            return document

        self.workspace._create_text_document = create  # type: ignore[method-assign]
        self.loop = asyncio.get_running_loop()
        named = [to_fs_path(each.uri) for each in self.workspace.folders.values()]
        folders = named or [self.workspace.root_path]
        for folder in [*filter(None, folders), str(self.start_folder)]:
            if root := self._root(Path(folder)):
                self.desk_at(root)

    def configure(self, options: object) -> None:
        """Inlay hints are off until somebody turns them on."""
        held = options if isinstance(options, dict) else {}
        own = held.get("pressmark", held)
        if isinstance(own, dict) and isinstance(own.get("inlayHints"), bool):
            self.hints = own["inlayHints"]

    # Documents and libraries

    def desk(self, uri: str) -> Desk | None:
        """The library around a document, else the one that the server was started in."""
        if uri not in self.roots:
            path = to_fs_path(uri)
            self.roots[uri] = (self._root(Path(path).parent) if path else None) or self._root(
                self.start_folder
            )
        root = self.roots[uri]
        return self.desk_at(root) if root else None

    def desk_at(self, root: Path) -> Desk:
        """The desk of a library, made when it is first needed."""
        if root not in self.desks:
            self.desks[root] = Desk(root, self._renewed, self.offline)
            self.desks[root].look(now=True)
        return self.desks[root]

    def _root(self, folder: Path) -> Path | None:
        """The library around a folder; the environment speaks only where there is none."""
        try:
            return find_root(folder, {}) or find_root(folder, os.environ)
        except (PressmarkError, OSError):
            return None

    def opened(self, uri: str) -> TextDocument | None:
        """What the editor holds; pygls knows documents by their addresses in plain letters."""
        found: TextDocument | None = self.workspace.text_documents.get(unquote(uri))
        return found

    def document(self, uri: str) -> Document | None:
        """The open document as it is now; None outside of every library."""
        held = self.opened(uri)
        desk = self.desk(uri)
        if held is None or desk is None:
            return None
        known = self.documents.get(uri)
        version = held.version or 0
        if known is None or known.version != version:
            path = to_fs_path(uri) or ""
            name = desk.relative(path) or Path(path).name
            known = Document(name, held.source, self.encoding, held.language_id or "", version)
            self.documents[uri] = known
        return known

    def open_text(self, desk: Desk) -> Callable[[str], str | None]:
        """Reads what the editor holds of a library's files."""
        texts = self.unsaved(desk)
        return texts.get

    def unsaved(self, desk: Desk) -> dict[str, str]:
        """The texts of a library's open files by their paths."""
        found = {}
        for held in self.workspace.text_documents.values():
            path = to_fs_path(held.uri)
            name = desk.relative(path) if path else None
            if name:
                found[name] = held.source
        return found

    def at(self, uri: str) -> tuple[Desk, Shelf, Document] | None:
        """All that a handler needs; None while the library is still being read."""
        desk, document = self.desk(uri), self.document(uri)
        if desk is None or document is None:
            return None
        desk.look()
        return (desk, desk.shelf, document) if desk.shelf else None

    def reader(self, desk: Desk, shelf: Shelf) -> Reader:
        return Reader(shelf.resolver.library, self.open_text(desk))

    async def in_thread(self, function: Callable[..., T], *arguments: Any) -> T:
        """What takes its time; a failure is a sentence for the editor."""
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self.work, function, *arguments)
        except PressmarkError as error:
            raise JsonRpcException(desk_error(error), code=-32803) from error

    # Diagnostics

    def _renewed(self, desk: Desk) -> None:
        """From a desk's thread: what is open is checked against the new shelf."""
        if self.loop is not None and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self._check_all, desk)

    def _check_all(self, desk: Desk) -> None:
        for held in list(self.workspace.text_documents.values()):
            if self.desk(held.uri) is desk:
                self.check_soon(held.uri, 0.0)

    def check_soon(self, uri: str, wait: float | None = None) -> None:
        """Check a document when its editor has paused; longer where a check is dear."""
        if timer := self.timers.pop(uri, None):
            timer.cancel()
        pause = max(WAIT, 3 * self.costs.get(uri, 0.0)) if wait is None else wait
        loop = asyncio.get_running_loop()
        self.timers[uri] = loop.call_later(pause, self._start_check, uri)

    def _start_check(self, uri: str) -> None:
        self.timers.pop(uri, None)
        held = self.at(uri)
        if held is not None:
            task = asyncio.get_running_loop().create_task(self._check(uri, held[1], held[2]))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _check(self, uri: str, shelf: Shelf, document: Document) -> None:
        from pressmark.lsp.diagnosing import diagnose

        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            found = await loop.run_in_executor(self.work, diagnose, shelf, document)
        except Exception as error:
            self.window_log_message(
                lsp.LogMessageParams(lsp.MessageType.Error, f"{document.path}: {desk_error(error)}")
            )
            return
        self.costs[uri] = loop.time() - began
        held = self.opened(uri)
        if held is not None and (held.version or 0) == document.version:
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri, found, document.version)
            )

    @property
    def _tasks(self) -> set[asyncio.Task[None]]:
        held: set[asyncio.Task[None]] = self.__dict__.setdefault("_running", set())
        return held

    def close(self, uri: str) -> None:
        """Forget a document."""
        if timer := self.timers.pop(uri, None):
            timer.cancel()
        self.documents.pop(uri, None)
        self.costs.pop(uri, None)
        self.roots.pop(uri, None)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def leave(self) -> None:
        """Let every thread end."""
        self.work.shutdown(wait=False, cancel_futures=True)
        for desk in self.desks.values():
            desk.close()
