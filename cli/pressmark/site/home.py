"""The live part of the site's own pages: its mark becomes what the library holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pressmark.site.indexes import note_line, topic_line
from pressmark.site.lists import NO_REFERENCES, newest_first
from pressmark.site.prose import relative
from pressmark.site.references import row

if TYPE_CHECKING:
    from pressmark.site.collect import Site

MARK = "<!-- pressmark:home -->"
NEWEST = 6
MOST = 12
"""Notes, and topics, that the home page names."""


def fill(site: Site, markdown: str, uri: str) -> str:
    """The page with its mark replaced by counts, ways in, the newest references and the topics."""
    return markdown.replace(MARK, block(site, uri)) if MARK in markdown else markdown


def block(site: Site, uri: str) -> str:
    """What a visitor sees of the library at a glance."""
    ways = [
        (len(site.kept), "reference", "references", "references.md"),
        (len(site.notes), "note", "notes", "notes/index.md"),
        (len(site.topics), "topic", "topics", "topics/index.md"),
        (len(site.searches), "search", "searches", "topics/searches/index.md"),
        (len(site.collections), "collection", "collections", "topics/collections/index.md"),
        (len(site.candidates), "in the inbox", "in the inbox", "inbox.md"),
    ]
    counts = [
        f"[**{number}** {one if number == 1 else many}]({relative(to, uri)})"
        for number, one, many, to in ways
        if number
    ]
    lists = ("years", "authors", "venues", "tags", "types")
    browse = [f"[{name}]({relative(f'{name}/index.md', uri)})" for name in lists]
    newest = newest_first(site.kept)[:NEWEST]
    if not counts:
        return NO_REFERENCES
    parts = [" · ".join(counts), "", f"Browse by {', '.join(browse)}.", ""]
    if newest:
        parts += ["## Newest papers\n", *(row(site, ref, uri) for ref in newest), ""]
    if site.notes:
        shown = site.notes[:MOST]
        parts += ["## Notes\n", *(note_line(site, note, uri) for note in shown)]
        parts += _more(len(site.notes), "notes", uri)
    if site.topics:
        shown_topics = site.topics[:MOST]
        parts += ["## Topics\n", *(topic_line(site, topic, uri) for topic in shown_topics)]
        parts += _more(len(site.topics), "topics", uri)
    return "\n".join(parts)


def _more(number: int, folder: str, uri: str) -> list[str]:
    """The way to those that the home page has no room for."""
    if number <= MOST:
        return [""]
    return [f"- [all {number} {folder}]({relative(f'{folder}/index.md', uri)})", ""]
