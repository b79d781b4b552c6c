"""A library in, its site on this machine out, built anew whenever a file of it changes.

MkDocs' own server does the serving and the reloading. Its loop is ours: it looks at nothing while
nothing happens, keeps the library open between two builds, makes only the pages that changed,
and shows the last good site when one fails.
"""

from __future__ import annotations

import errno
import os
import time
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pressmark.disk import folders, output
from pressmark.errors import BadInput, Busy, PressmarkError
from pressmark.site.building import PLUGIN, configured, made_into
from pressmark.site.keeping import Keeper

if TYPE_CHECKING:
    from pressmark.library import Library
    from pressmark.site.watching import Server

Tell = Callable[[str], None]


def serve(
    library: Library,
    *,
    address: str | None = None,
    open_browser: bool = False,
    only: str = "",
    recent: int = 0,
    poll: bool = False,
    tell: Tell = lambda words: None,
) -> None:
    """Serve the site on this machine and rebuild it when a file changes; ends with Ctrl-C.

    With `only` (a path below the library) or `recent` (so many files, the ones changed last)
    just those records have pages, and the lists by author, tag and so on are left out. With
    `poll` the files are looked at twice a second, for disks that tell of no change.
    """
    from pressmark.site.watching import Server, watched

    os.environ.update(PRESSMARK_SITE_ONLY=only, PRESSMARK_SITE_RECENT=str(recent or ""))
    options: dict[str, Any] = {"dev_addr": address} if address else {}
    config = configured(library, **options)
    host, port = config.dev_addr
    scratch = folders.private_folder()
    try:
        preview = Preview(library, scratch / "site", options, tell)
        mount = urlsplit(config.site_url or "/").path
        server = Server(preview.rebuild, host, port, str(preview.place), mount, poll=poll)
        preview.url = server.url
        server.error_handler = preview.error_page
        try:
            _bind(server, host, port)
            server.observe(library.root, watched(library.root, config), tell)
            tell("Making the site …")
            preview.rebuild(first=config)
            config.plugins.on_serve(server, config=config, builder=preview.rebuild)
            tell(f"Serving on {server.url}; Ctrl-C ends it.")
            if open_browser:
                webbrowser.open(server.url)
            server.run()
        except KeyboardInterrupt:
            pass
        finally:
            server.shutdown()
    finally:
        folders.discard_aside(scratch)


def _bind(server: Server, host: str, port: int) -> None:
    """Take the address before anything is built."""
    try:
        server.server_bind()
        server.server_activate()
    except OSError as problem:
        if problem.errno == errno.EADDRINUSE:
            raise Busy(
                f"Port {port} of {host} is in use.",
                next=f"pressmark site serve --address {host}:{port + 1 if port < 65535 else 8000}",
            ) from problem
        raise BadInput(
            f"{host}:{port} cannot be listened on: {problem.strerror or problem}.",
            next="pressmark site serve --address 127.0.0.1:8000",
        ) from problem


class Preview:
    """A site in a private folder, and what is kept from one build to the next."""

    url = ""

    def __init__(self, library: Library, place: Path, options: dict[str, Any], tell: Tell) -> None:
        from pressmark.site.templates import Templates

        self.place = place
        self._library = library
        self._settings = _settings(library.root)
        self._options = options
        self._tell = tell
        self._keeper = Keeper(place)
        self._templates = Templates()
        self._said: list[str] = []

    def rebuild(self, first: Any = None) -> None:
        """Build; one that fails is told of, and leaves what was there. The first must not fail."""
        started = time.monotonic()
        try:
            said = self._build(first)
        except PressmarkError as problem:
            if first is not None:
                raise
            self._tell(f"{problem} The last good site is shown.")
            return
        except Exception as problem:  # a page that breaks the program must not end the preview
            if first is not None:
                raise
            what = f"{type(problem).__name__}: {problem}"
            self._tell(f"The site was not rebuilt: {what}. The last good one is shown.")
            return
        for line in said:
            if line not in self._said:
                self._tell(line)
        self._said = said
        if first is None:
            self._tell(f"Rebuilt in {time.monotonic() - started:.1f} s.")

    def _build(self, first: Any) -> list[str]:
        from pressmark.config import load

        settings = _settings(self._library.root)
        if settings != self._settings or first is not None:
            root = self._library.root
            self._library = type(self._library).open(root, load(root, os.environ, offline=True))
            self._settings = settings
        self._library.refresh()
        config = first or configured(self._library, **self._options)
        config.site_url = self.url
        if plugin := config.plugins.get(PLUGIN):
            plugin.library = self._library
            plugin.templates = self._templates
            plugin.search_once = True
        made = output.beside(self.place)
        try:
            said = made_into(made, config, self._keeper, None, self.url)
            self._keeper.place_files(made)
        finally:
            folders.discard(made)
        return said

    def error_page(self, code: int) -> bytes | None:
        """The site's own page for an address that leads nowhere."""
        try:
            return (self.place / f"{code}.html").read_bytes()
        except OSError:
            return None


def _settings(root: Path) -> bytes:
    try:
        return (root / "pressmark.toml").read_bytes()
    except OSError:
        return b""
