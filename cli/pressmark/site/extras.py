"""All pages of a site, as they pass, in; what is made of all of them out.

The search index, feeds, the sitemap, `library.json`, `library.bib` and `llms.txt`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

from pressmark.formats import bibtex, csljson
from pressmark.site import feeds
from pressmark.site.model import Found, SitePage
from pressmark.site.publish import Publisher

if TYPE_CHECKING:
    from pressmark.site.collect import Site

NAVIGABLE = frozenset({
    "references.md", "inbox.md", "notes/index.md", "topics/index.md", "topics/searches/index.md",
    "topics/collections/index.md", "overview.md", "search.md", "years/index.md",
    "authors/index.md", "venues/index.md", "tags/index.md", "types/index.md",
    "licences/index.md", "texts/index.md",
})  # fmt: skip
"""Pages of ours that MkDocs knows of, so that a `nav` can name them."""

NAMED = 500
"""References that `llms.txt` names; it says where all of them are."""


class Extras:
    """Gathers what the other outputs need while the pages pass."""

    def __init__(self, site: Site, publisher: Publisher, name: str) -> None:
        self.site = site
        self.publisher = publisher
        self.name = name
        self.found: list[tuple[str, Found]] = []
        self.dates: dict[str, str] = {}

    def watching(self, first: Iterable[SitePage], pages: Iterable[SitePage]) -> Iterator[SitePage]:
        """The pages, noted while they pass."""
        for page in first:
            self._note(page)
        for page in pages:
            self._note(page)
            yield page

    def _note(self, page: SitePage) -> None:
        if page.found:
            self.found.append((page.uri, page.found))
        self.dates.setdefault(page.uri, page.changed)

    def finish(self, *, search: bool, texts: bool, own: Sequence[str], once: bool = False) -> None:
        """Write all of it; of a preview of some records just what they show."""
        for path in sorted(self.site.prose.images):
            self._image(path)
        if self.site.only:
            return
        write = self.publisher.write
        for uri in own:
            self.dates.setdefault(uri, self.site.changed(f"site/{uri}"))
        for name, data in feeds.all_feeds(self.site, self.name):
            write(name, data)
        kept = self.site.kept
        references = self.site.library.catalogue.fingerprint("reference")
        if not self._stays("lists", references, ["library.bib", "library.json"]):
            write("library.bib", bibtex.write(kept).encode("utf-8"))
            write("library.json", csljson.write(kept))
        write("llms.txt", self._llms().encode("utf-8"))
        write("assets/titles.js", self._titles())
        # MkDocs has written one with the day of the build, over any of the site's own.
        self.publisher.output.remove("sitemap.xml.gz")
        self.publisher.output.remove("sitemap.xml")
        if self.site.site_url:
            self.publisher.output.write("sitemap.xml", self._sitemap())
        if search and self.found:
            self._search(texts, once)

    def _stays(self, name: str, made_of: str, paths: list[str]) -> bool:
        keeper = self.site.keeper
        if keeper is None or any(map(self.publisher.is_own, paths)):
            return False
        return keeper.stays(name, made_of, paths)

    def _search(self, texts: bool, once: bool) -> None:
        """The index, unless one of the same pages is there; with `once`, any."""
        from pressmark.site import searching

        urls = self.publisher.urls
        keeper = self.site.keeper
        held = [path for each in searching.FOLDERS for path in keeper.below(each)] if keeper else []
        made_of = "once" if once else searching.mark(self.found, urls, texts=texts)
        if not self._stays("search", made_of, held):
            searching.build(self.publisher.output, self.found, urls, texts=texts)

    def _image(self, path: str) -> None:
        from pressmark.errors import PressmarkError

        try:
            data = self.site.library.read_page(path)
        except PressmarkError as problem:
            self.site.left_out.append(f"{path} is not published: {problem}")
            return
        self.publisher.write(path, data)

    def _titles(self) -> bytes:
        """What the search falls back on where no index can be read, as from a folder on disk."""
        titles = [
            (
                found.title,
                found.by,
                self.publisher.urls.url(uri),
                *found.filters.get("kind", ())[:1],
            )
            for uri, found in self.found
            if not found.fulltext
        ]
        text = json.dumps(titles, ensure_ascii=False, separators=(",", ":"))
        return f"window.pressmarkTitles={text};\n".encode("utf-8", "replace")

    def _sitemap(self) -> bytes:
        """https://www.sitemaps.org/protocol.html; the day is that of the last commit."""
        lines = ['<?xml version="1.0" encoding="UTF-8"?>',
                 '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">']  # fmt: skip
        places: dict[str, str] = {}
        for uri, day in sorted(self.dates.items()):
            places[self.site.address(uri)] = day or places.get(self.site.address(uri), "")
        for place, day in places.items():
            when = f"<lastmod>{day}</lastmod>" if day else ""
            lines.append(f"<url><loc>{escape(place)}</loc>{when}</url>")
        return ("\n".join([*lines, "</urlset>"]) + "\n").encode("utf-8")

    def _llms(self) -> str:
        """https://llmstxt.org: what is here, for a program that reads before it asks."""
        site, url = self.site, self.publisher.urls.url
        lines = [
            f"# {self.name}", "",
            f"> A library of {len(site.kept)} references and {len(site.notes)} notes.",
            "", "## Data", "",
            "- [library.json](library.json): every reference as CSL-JSON",
            "- [library.bib](library.bib): every reference as BibTeX",
            "- [feed.xml](feed.xml): what came in last", "", "## Notes", "",
        ]  # fmt: skip
        lines += [
            f"- [{_line(note.title)}]({url(site.record_path('note', note))})"
            for note in site.notes[:NAMED]
        ]
        lines += ["", "## References", ""]
        lines += [
            f"- [{_line(ref.title)}]({url(site.path(ref.key))}): {_line(ref.year or 'n.d.')}"
            for ref in site.kept[:NAMED]
        ]
        if len(site.kept) > NAMED:
            lines.append(f"- and {len(site.kept) - NAMED} more: [all]({url('references.md')})")
        return "\n".join(lines) + "\n"


def _line(value: str) -> str:
    from pressmark.text import plain

    return " ".join(plain(value).replace("[", "(").replace("]", ")").split())
