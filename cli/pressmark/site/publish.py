"""Pages as they are made in; files of the site out, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape

from pressmark.disk.output import Output
from pressmark.site.head import metadata
from pressmark.site.model import SitePage
from pressmark.site.shell import Shell
from pressmark.site.urls import Urls

Frame = Callable[[str, bool], Shell]
"""The frame for a page at a source path, with or without a table of contents."""

FEW = 2
"""Sections from which on a page has a table of contents."""


class Publisher:
    """Writes pages into the frames of a theme."""

    def __init__(self, output: Output, urls: Urls, frame: Frame, address: str) -> None:
        self.output = output
        self.urls = urls
        self._frame = frame
        self._address = address

    def publish(self, page: SitePage) -> None:
        """One page, and the files beside it; one that was kept stays where it is."""
        if page.kept:
            for name in page.kept:
                self.output.keep(name)
            return
        shell = self._frame(page.uri, len(page.sections) >= FEW)
        values = {
            "title": escape(page.title), "description": escape(page.description or page.title),
            "content": framed(page), "head": metadata(page), "edit": escape(page.edit or ""),
            "canonical": escape(self._address + self.urls.url(page.uri)),
        }  # fmt: skip
        html = self.urls.finished(shell.fill(values, page.sections), page.uri)
        self.write(self.urls.file(page.uri), html.encode("utf-8", "xmlcharrefreplace"))
        self.companions(page)

    def companions(self, page: SitePage) -> None:
        """The files beside a page."""
        folder = page.uri.rpartition("/")[0]
        for name, data in page.files.items():
            self.write(f"{folder}/{name}" if folder else name, data)

    def write(self, relative: str, data: bytes) -> None:
        self.output.write(relative, data)

    def all(self, pages: Iterable[SitePage], done: set[str]) -> None:
        """Every page whose address is not taken yet."""
        for page in pages:
            if page.uri not in done:
                done.add(page.uri)
                self.publish(page)


def framed(page: SitePage) -> str:
    """The content of a page in the element that its style hangs on."""
    return f'<div class="pm-page pm-{page.kind}">{page.content}</div>'
