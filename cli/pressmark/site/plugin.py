"""The thin MkDocs adapter: MkDocs' events in, the pages that `collect` made out.

All of the work is in the other modules, because Material for MkDocs reaches its end of life on
2027-05-05 and its successor runs no plugins. MkDocs draws the site's own pages, the lists that a
navigation can name, and one empty frame for each depth of folders; all other pages are set in
those frames.
"""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable, Iterable, Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mkdocs.config import config_options as options
from mkdocs.config.base import Config as PluginConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.toc import AnchorLink, TableOfContents

from pressmark.disk.output import Output
from pressmark.errors import PressmarkError
from pressmark.site import defaults, extras, guard, head, home, maths, reading, records
from pressmark.site.lists import feed_link
from pressmark.site.markup import marked
from pressmark.site.model import SitePage
from pressmark.site.publish import FEW, Publisher, framed
from pressmark.site.shell import CONTENT, Shell, slot
from pressmark.site.templates import listed_fast
from pressmark.site.urls import Urls

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.pages import Page

    from pressmark.library import Library
    from pressmark.record import Reference
    from pressmark.site.collect import Site
    from pressmark.site.keeping import Keeper
    from pressmark.site.templates import Templates

log = logging.getLogger("mkdocs.plugins.pressmark")

FRAMES = "pm-frame"
SHALLOWEST = 3
"""Folders that some page lies in, whatever the library holds: a list of searches."""
ONLY, RECENT = "PRESSMARK_SITE_ONLY", "PRESSMARK_SITE_RECENT"
"""How `pressmark site serve` tells every rebuild which records get a page."""

STEP = 500
"""Pages after which progress is told."""

WATCHED = ("library", "topics", "notes")


class Settings(PluginConfig):  # type: ignore[no-untyped-call]
    """`plugins: [{pressmark: {…}}]` in a library's mkdocs.yml."""

    search = options.Type(bool, default=True)
    """Make the search index."""
    search_texts = options.Type(bool, default=False)
    """Make a second one, of the published full texts."""
    csp = options.Type(bool, default=True)
    """Write a policy into every page: nothing is loaded from elsewhere."""


class PressmarkPlugin(BasePlugin[Settings]):  # type: ignore[no-untyped-call]
    """`plugins: [pressmark]` in a library's mkdocs.yml."""

    progress: Callable[[str], None] = staticmethod(lambda words: None)
    """Told what is being done, from time to time; set by whoever builds."""
    left_out: tuple[str, ...] = ()
    """What the build left out, and why."""
    keeper: Keeper | None = None
    """Who knows the pages of the last build; set by whoever builds."""
    library: Library | None = None
    """The library, where it was opened already."""
    templates: Templates | None = None
    """The theme's, where they were compiled already."""
    search_once: bool = False
    """Whether an index of the last build will do."""

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Refuse a site_dir that holds sources; bring what the pages need."""
        # With -f the path is relative: everything below needs the real one.
        self.root = Path(config.config_file_path or "mkdocs.yml").resolve().parent
        target = Path(config.site_dir)
        reason = guard.refusal(self.root, target, Path(config.docs_dir))
        if reason := reason or guard.tracked(target.resolve()):
            raise PluginError(f"site_dir: {reason}")
        defaults.settle(config)
        config.theme.get_env = listed_fast(config.theme.get_env)  # type: ignore[method-assign]
        self.only = os.environ.get(ONLY, "")
        self.recent = int(os.environ.get(RECENT) or 0)
        return config

    def on_serve(self, server: Any, *, config: MkDocsConfig, builder: Any) -> Any:
        """Rebuild when a file of the library changes."""
        for folder in WATCHED:
            if (self.root / folder).is_dir():
                server.watch(str(self.root / folder), recursive=True)
        return server

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """Read the whole library: what cannot be read ends the build before it deletes anything."""
        self.progress("reading the library")
        self.urls = Urls(config.use_directory_urls)
        self.address = (config.site_url or "").rstrip("/") + "/" if config.site_url else ""
        try:
            self.site = self._open()
            texts = bool(self.config.search_texts) and bool(self.site.fulltexts)
            self.site.searches_texts = texts
            self.tops = {
                page.uri: page
                for page in self.site.lists(first=True)
                if page.uri in extras.NAVIGABLE
            }
        except PressmarkError as problem:
            raise PluginError(f"The library cannot be read: {problem}") from problem
        self.cited: dict[str, list[Reference]] = {}
        self.frames: dict[tuple[int, bool], str] = {}
        self.shells: dict[tuple[int, bool], Shell] = {}
        self.frame_marks: dict[tuple[int, bool], str] = {}

    def _open(self) -> Site:
        from pressmark.config import load
        from pressmark.library import Library
        from pressmark.site.collect import Site

        library = self.library
        if library is None:
            library = Library.open(self.root, load(self.root, os.environ, offline=True))
        return Site(library, urls=self.urls, address=self.address, **self._limits(library))

    def on_env(self, env: Any, *, config: MkDocsConfig, files: Files) -> Any:
        """What was compiled in the last build need not be compiled again."""
        env.bytecode_cache = self.templates or env.bytecode_cache
        return env

    @event_priority(50)
    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Add the lists that a navigation can name, and the frames."""
        docs = Path(config.docs_dir).resolve()
        for file in list(files):
            if guard.is_linked(Path(config.docs_dir), file.abs_src_path):
                files.remove(file)
                log.warning(f"{docs.name}/{file.src_uri} is a symbolic link and is not published.")
            elif file.src_dir == config.docs_dir and docs.is_relative_to(self.root):
                file.edit_uri = f"{docs.relative_to(self.root).as_posix()}/{file.src_uri}"
        self.own = {file.src_uri for file in files if file.is_documentation_page()}
        self.kept = {file.dest_uri for file in files if file.src_dir == config.docs_dir}
        self.tops = {uri: page for uri, page in self.tops.items() if uri not in self.own}
        for uri, page in self.tops.items():
            files.append(_generated(config, uri, f"# {page.title}\n"))
        for depth in range(max(SHALLOWEST, self.site.deepest)):
            for contents in (False, True):
                name = f"{FRAMES}{'-toc' if contents else ''}.md"
                files.append(_generated(config, f"{FRAMES}/" * depth + name, "", slot("edit")))
        defaults.navigation(config, files, self.site)
        return files

    def on_page_markdown(
        self, markdown: str, *, page: Page, config: MkDocsConfig, files: Files
    ) -> str:
        """Let the site's own pages cite and link; name ours."""
        uri = page.file.src_uri
        if _is_frame(uri):
            page.meta.update(title=slot("title"), description=slot("description"))
            page.meta["search"] = {"exclude": True}
            page.meta["hide"] = [] if "-toc" in uri else ["toc"]
            if page.canonical_url:
                page.canonical_url = slot("canonical")
            return ""
        if made := self.tops.get(uri):
            page.meta.update(title=escape(made.title), description=escape(made.title))
            page.meta["hide"] = [] if len(made.sections) >= FEW else ["toc"]
            return ""
        text = self.site.prose.convert(markdown, page.file.edit_uri or uri, own=True)
        self.cited[uri] = self.site.cited_here()
        return text

    def on_page_content(self, html: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
        """Our content in place of MkDocs'; formulas and links of the site's own pages."""
        uri = page.file.src_uri
        if _is_frame(uri):
            if "-toc" in uri:
                link = AnchorLink(slot("heading"), slot("anchor"), 2)
                page.toc = TableOfContents([link])
            return CONTENT
        if made := self.tops.get(uri):
            links = [AnchorLink(each.title, each.anchor, 2) for each in made.sections]
            page.toc = TableOfContents(links)
            return self.urls.finished(framed(made), uri)
        if home.MARK in html:
            block = f'<div class="pm-page pm-home">{home.block(self.site)}</div>'
            html = html.replace(home.MARK, block)
            page.meta.setdefault("hide", ["toc"])
        html = reading.boxed(marked(maths.draw(html, self.site.unread)))
        if cited := self.cited.get(uri):
            html += records.cited(self.site, cited)
        return self.urls.finished(html, uri)

    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> str:
        """Keep a frame; finish every other page."""
        uri = page.file.src_uri
        root = self.urls.root(uri)
        output = head.finished(output, root, csp=self.config.csp, search=self._searched)
        output = output.replace(
            'data-md-component="search" role="dialog">',
            'data-md-component="search" role="dialog" aria-label="Search">',
        )
        if _is_frame(uri):
            self.frames[self.urls.root(uri).count("../"), "-toc" in uri] = output
            return ""
        made = self.tops.get(uri)
        more = head.metadata(made) if made else ""
        if uri == "index.md":
            more += feed_link(self.site, "feed.xml", str(config.site_name))
        return output.replace("</head>", f"{self.urls.finished(more, uri)}</head>", 1)

    def on_post_template(self, output: str, *, template_name: str, config: MkDocsConfig) -> str:
        """The page for addresses that lead nowhere has the same policy; the sitemap is ours."""
        if template_name != "404.html":
            return output
        root = urlsplit(config.site_url or "/").path.rstrip("/") + "/"
        output = home.lost(output, root, self.urls, search=self._searched)
        return head.finished(output, root, csp=self.config.csp, search=self._searched)

    @property
    def _searched(self) -> bool:
        return bool(self.config.search) and not (self.only or self.recent)

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write every other page into its frame, then what is made of all of them."""
        output = Output(Path(config.site_dir))
        publisher = Publisher(output, self.urls, self._frame, self.address, self.kept)
        if self.keeper is not None:
            settings = f"{self.urls.directories} {self.address} {bool(self.site.only)}"
            self.keeper.begin(self.site, self._frame_mark, output, settings)
            self.site.keeper = self.keeper
        for page in self.tops.values():
            publisher.companions(page)
        made = extras.Extras(self.site, publisher, str(config.site_name))
        pages = made.watching([*self.tops.values()], self.site.pages())
        publisher.all(self._told(pages), self.own, self.tops)
        self.site.left_out += publisher.left_out
        if self.keeper is not None:
            self.keeper.forget(publisher.omitted)
        self.progress("search, feeds and lists")
        made.finish(
            search=self._searched, texts=self.site.searches_texts, once=self.search_once,
            own=[uri for uri in self.own if uri.endswith(".md")],
        )  # fmt: skip
        self.progress("done")
        for problem in [*self.site.problems, *publisher.lost]:
            log.warning(problem)
        for line in self.site.left_out:
            log.info(line)
        self.left_out = tuple(self.site.left_out)

    def _told(self, pages: Iterable[SitePage]) -> Iterator[SitePage]:
        for number, page in enumerate(pages):
            if number % STEP == 0:
                self.progress(f"page {number:,}")
            yield page

    def _frame(self, uri: str, contents: bool) -> Shell:
        key = self._frame_key(uri, contents)
        if key not in self.shells:
            self.shells[key] = Shell(self.frames[key])
        return self.shells[key]

    def _frame_key(self, uri: str, contents: bool) -> tuple[int, bool]:
        return self.urls.root(uri).count("../"), contents

    def _frame_mark(self, uri: str, contents: bool) -> str:
        """What stands for the frame of a page; nothing where there is none so deep."""
        key = self._frame_key(uri, contents)
        if key not in self.frame_marks:
            html = self.frames.get(key, "").encode("utf-8", "replace")
            self.frame_marks[key] = hashlib.sha256(html).hexdigest()
        return self.frame_marks[key]

    def _limits(self, library: Any) -> dict[str, Any]:
        if not self.recent and not self.only:
            return {}
        from pressmark.site.serving import chosen

        return {"only": chosen(library, self.only, self.recent)}


def _is_frame(uri: str) -> bool:
    return uri.rpartition("/")[2] in (f"{FRAMES}.md", f"{FRAMES}-toc.md")


def _generated(config: MkDocsConfig, uri: str, markdown: str, edit: str | None = None) -> File:
    file = File.generated(config, uri, content=markdown, inclusion=InclusionLevel.NOT_IN_NAV)
    file.edit_uri = edit
    return file
