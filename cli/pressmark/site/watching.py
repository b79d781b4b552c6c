"""Folders in, a call after each change below them out; the pages of a folder over HTTP."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from mkdocs.livereload import LiveReloadServer
from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.polling import PollingObserver

FOLDERS = ("library", "topics", "notes")
SETTINGS = ("mkdocs.yml", "pressmark.toml")

CHANGES = frozenset({"created", "modified", "deleted", "moved"})
"""What happens to a file that is written; that it was read is an event too."""

EVERY = 0.5
"""Seconds between two looks where nothing tells of a change."""


PAUSE = 0.05
"""Seconds without a change after which a build begins: an editor writes a file in several steps."""


class Server(LiveReloadServer):
    """MkDocs' server, told of changes by the system, or looking for them where asked to."""

    def __init__(
        self, builder: Callable[[], None], host: str, port: int, root: str, mount: str, *,
        poll: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(builder, host, port, root, mount, polling_interval=EVERY)
        if not poll:
            _pair_quickly()
            self.observer = Observer(timeout=EVERY)  # type: ignore[assignment]
        self._library = ""
        self.build_delay = PAUSE

    def observe(self, root: Path, paths: Iterator[str], tell: Callable[[str], None]) -> None:
        """Look at a library's folders from now on; those that are missing yet, once they are."""
        self._library = str(root.absolute())
        self.watch(self._library, recursive=False)
        for path in paths:
            self.watch(path)
        try:
            self.observer.start()
        except OSError as problem:
            tell(f"The system cannot tell of changes ({problem.strerror}): files are looked at.")
            self.observer = PollingObserver(timeout=EVERY)
            watched, self._watched_paths = self._watched_paths, {}
            for path in watched:
                self.watch(path, recursive=path != self._library)
            self.observer.start()

    def watch(self, path: str, func: None = None, *, recursive: bool = True) -> None:
        """Rebuild when anything below a folder, or this file, changes."""
        path = str(Path(path).absolute())
        if path in self._watched_paths or not Path(path).exists():
            return
        self._watched_paths[path] = 1
        handler = FileSystemEventHandler()
        handler.on_any_event = self._changed  # type: ignore[method-assign]
        self._watch_refs[path] = self.observer.schedule(handler, path, recursive=recursive)

    def _changed(self, event: FileSystemEvent) -> None:
        if event.event_type not in CHANGES:
            return
        if event.is_directory and event.event_type == "modified":
            return  # what changed in it is an event of its own
        for path in (event.src_path, event.dest_path):
            if path and self._matters(os.fsdecode(path)):
                with self._rebuild_cond:
                    self._want_rebuild = True
                    self._rebuild_cond.notify_all()
                return

    def _matters(self, path: str) -> bool:
        """Whether a file is more than what an editor keeps beside it."""
        folder, name = os.path.split(path)
        if name.startswith(".") or name.endswith(("~", ".tmp")):
            return False
        if folder != self._library:
            return True
        if name in FOLDERS and Path(path).is_dir():
            if self._watched_paths.pop(path, None):
                self.observer.unschedule(self._watch_refs.pop(path))
            self.watch(path)
        return name in FOLDERS or name in SETTINGS or path in self._watched_paths

    def run(self) -> None:
        """Serve and rebuild until somebody interrupts."""
        self.serve_thread.start()
        self._build_loop()  # type: ignore[no-untyped-call]


def _pair_quickly() -> None:
    """Editors save by renaming: watchdog holds such a change back for half a second.

    It waits for the other half of the move, to tell of both as one; here either will do.
    """
    with suppress(ImportError):  # of other systems and versions, which do not wait
        from watchdog.observers import inotify_move_event_grouper as moves

        moves.InotifyMoveEventGrouper.delay = PAUSE


def watched(root: Path, config: Any) -> Iterator[str]:
    """The folders that a site is made of."""
    yield from (str(root / name) for name in FOLDERS)
    yield str(config.docs_dir)
    if custom := config.theme.custom_dir:
        yield str(custom)
    yield from map(str, config.watch)
