"""The live part of the site's own pages: its mark becomes what the library holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pressmark.site.prose import relative
from pressmark.site.records import note_title
from pressmark.site.references import row
from pressmark.text import escape_markdown

if TYPE_CHECKING:
    from pressmark.site.collect import Site

MARK = "<!-- pressmark:home -->"
NEWEST = 8


def fill(site: Site, markdown: str, uri: str) -> str:
    """The page with its mark replaced by counts, ways in, the newest references and the topics."""
    return markdown.replace(MARK, block(site, uri)) if MARK in markdown else markdown


def block(site: Site, uri: str) -> str:
    """What a visitor sees of the library at a glance."""
    ways = [
        (len(site.kept), "references", "references.md"),
        (len(site.notes), "notes", "notes/index.md"),
        (len(site.topics), "topics", "topics/index.md"),
        (len(site.searches), "searches", "topics/searches/index.md"),
        (len(site.candidates), "in the inbox", "inbox.md"),
    ]
    counts = [f"[**{n}** {word}]({relative(to, uri)})" for n, word, to in ways if n]
    lists = ("years", "authors", "venues", "tags", "types")
    browse = [f"[{name}]({relative(f'{name}/index.md', uri)})" for name in lists]
    newest = sorted(site.kept, key=lambda r: (r.published or "", r.key), reverse=True)[:NEWEST]
    parts = [" · ".join(counts), "", f"Browse by {', '.join(browse)}.", ""]
    if site.notes:
        titled = [(note_title(n), site.record_path("note", n)) for n in site.notes]
        parts += ["## Notes\n", *_links(titled, uri), ""]
    if site.topics:
        titled = [(t.title, site.record_path("topic", t)) for t in site.topics]
        parts += ["## Topics\n", *_links(titled, uri), ""]
    if newest:
        parts += ["## Newest papers\n", *(row(site, ref, uri) for ref in newest), ""]
    return "\n".join(parts)


def _links(titled: list[tuple[str, str]], uri: str) -> list[str]:
    return [f"- [{escape_markdown(title)}]({relative(path, uri)})" for title, path in titled]
