"""Pages as they are made in; files of the site out, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
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

    def __init__(
        self, output: Output, urls: Urls, frame: Frame, address: str, kept: Collection[str] = ()
    ) -> None:
        self.output = output
        self.urls = urls
        self.left_out: list[str] = []
        """Lists whose address a record has."""
        self.lost: list[str] = []
        """Records that have no page, since another one has their address."""
        self.omitted: list[str] = []
        """Pages at whose address is another one."""
        self._frame = frame
        self._address = address
        self._kept = kept

    def publish(self, page: SitePage) -> None:
        """One page, and the files beside it; one that was kept stays where it is."""
        if page.kept:
            for name in page.kept:
                if not self.is_own(name):
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
        """A file of ours, unless the site's own folder has it."""
        if not self.is_own(relative):
            self.output.write(relative, data)

    def is_own(self, relative: str) -> bool:
        """Whether the site's own folder has a file of this name."""
        return relative in self._kept

    def all(self, pages: Iterable[SitePage], own: Iterable[str], drawn: Collection[str]) -> None:
        """Every page whose address is not taken: by a page of the site's `own`, by another one.

        `drawn` are lists that are there already. The pages of records come before those of lists,
        and what has a file behind it goes before what is only made.
        """
        of_own = set(map(self.urls.file, own))
        lists = {self.urls.file(uri) for uri in drawn}
        taken: dict[str, str] = {}
        for page in pages:
            file = self.urls.file(page.uri)
            if file in of_own or (page.uri in drawn and page.edit is None):
                continue
            if file in taken:
                self._omit(page, taken[file])
                continue
            taken[file] = page.uri
            if file in lists:
                self._omit(page, page.uri, listed=True)
                self.output.remove(file)
            self.publish(page)

    def _omit(self, page: SitePage, first: str, *, listed: bool = False) -> None:
        """Say that a page, or the list in whose place it stands, is left out."""
        self.omitted.append(page.uri)
        if listed or page.edit is None:
            where = self.urls.url(page.uri)
            self.left_out.append(f"the list at {where} is left out: {first} has its address")
        elif page.uri != first:
            words = f"{page.uri} has no page: {first} has its address"
            self.lost.append(f"{words}. Rename one of them.")


def framed(page: SitePage) -> str:
    """The content of a page in the element that its style hangs on."""
    return f'<div class="pm-page pm-{page.kind}">{page.content}</div>'
