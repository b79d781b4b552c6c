"""The thin MkDocs adapter: MkDocs' events in, the pages that `collect` made out.

All of the work is in the other modules, because Material for MkDocs reaches its end of life on
2027-05-05 and its successor runs no plugins.
"""

from __future__ import annotations

import logging
import os
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.config.base import Config as PluginConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import File, Files, InclusionLevel

from pressmark.site import defaults, guard, home, maths
from pressmark.site.clean import clean
from pressmark.site.model import SitePage

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

    from pressmark.site.collect import Site

log = logging.getLogger("mkdocs.plugins.pressmark")

FOLDERS = ("library", "topics", "notes")


class Settings(PluginConfig):  # type: ignore[no-untyped-call]
    """The plugin has no settings of its own: the library has them."""


class PressmarkPlugin(BasePlugin[Settings]):  # type: ignore[no-untyped-call]
    """`plugins: [pressmark]` in a library's mkdocs.yml."""

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Refuse a site_dir that holds sources; bring what the pages need."""
        # With -f the path is relative: everything below needs the real one.
        self.root = Path(config.config_file_path or "mkdocs.yml").resolve().parent
        if reason := guard.refusal(self.root, Path(config.site_dir), Path(config.docs_dir)):
            raise PluginError(f"site_dir: {reason}")
        defaults.settle(config)
        return config

    def on_serve(self, server: Any, *, config: MkDocsConfig, builder: Any) -> Any:
        """Rebuild when a file of the library changes."""
        for folder in FOLDERS:
            if (self.root / folder).is_dir():
                server.watch(str(self.root / folder), recursive=True)
        return server

    @event_priority(50)
    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Add a page a record, and the lists; a page of the site's own folder comes first."""
        self.site = _open(self.root)
        self.pages: dict[str, SitePage] = {}
        docs = Path(config.docs_dir).resolve()
        for file in list(files):
            if guard.is_linked(Path(config.docs_dir), file.abs_src_path):
                files.remove(file)
                log.warning(f"{docs.name}/{file.src_uri} is a symbolic link and is not published.")
                continue
            if file.src_dir == config.docs_dir and docs.is_relative_to(self.root):
                file.edit_uri = f"{docs.relative_to(self.root).as_posix()}/{file.src_uri}"
        for page in self.site.pages():
            if files.get_file_from_path(page.uri) is None:
                self.pages[page.uri] = page
                files.append(_file(config, page))
                for name, data in page.files.items():
                    files.append(_companion(config, page, name, data))
        defaults.navigation(config, files, self.site)
        for problem in self.site.problems:
            log.warning(problem)
        self.said = len(self.site.problems)
        return files

    def on_page_markdown(
        self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files
    ) -> str:
        """Give our pages their escaped title; let the site's own pages cite and link."""
        made = self.pages.get(page.file.src_uri)
        if made:
            page.meta.update(_meta(made))
            return markdown
        uri = page.file.src_uri
        path = page.file.edit_uri or uri
        text = home.fill(self.site, self.site.prose.convert(markdown, path, uri=uri), uri)
        for problem in self.site.problems[self.said :]:
            log.warning(problem)
        self.said = len(self.site.problems)
        return text

    def on_page_content(self, html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """The belt: nothing that came from outside may run; then formulas are drawn."""
        made = self.pages.get(page.file.src_uri)
        if made:
            html = f'<div class="pm-page pm-{made.kind}">{clean(html)}</div>'
        return maths.draw(html)

    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> str:
        """Give the theme's search dialog the name that a screen reader says."""
        return output.replace(
            'data-md-component="search" role="dialog">',
            'data-md-component="search" role="dialog" aria-label="Search">',
        )


def _open(root: Path) -> Site:
    from pressmark.config import load
    from pressmark.library import Library
    from pressmark.site.collect import Site

    return Site(Library.open(root, load(root, os.environ, offline=True)))


def _file(config: MkDocsConfig, page: SitePage) -> File:
    file = File.generated(
        config, page.uri, content=page.markdown, inclusion=InclusionLevel.NOT_IN_NAV
    )
    file.edit_uri = page.edit
    return file


def _companion(config: MkDocsConfig, page: SitePage, name: str, data: bytes) -> File:
    folder = page.uri.rpartition("/")[0]
    return File.generated(config, f"{folder}/{name}", content=data)


def _meta(page: SitePage) -> dict[str, Any]:
    """What the templates print, escaped: Material prints titles and descriptions raw."""
    named = [
        (escape(name), escape(value)) for name, values in page.meta.items() for value in values
    ]
    meta: dict[str, Any] = {"title": escape(page.title), "pressmark": named}
    if page.description:
        meta["description"] = escape(page.description)
    if page.kind in ("list", "facet"):
        meta["hide"] = ["toc"]
    return meta
