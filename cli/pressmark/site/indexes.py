"""Notes, topics, searches and collections in; the page that lists each kind out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pressmark.links import headings
from pressmark.record import Note, Search, Topic
from pressmark.site.lists import counted
from pressmark.site.model import SitePage
from pressmark.site.prose import relative
from pressmark.text import escape_markdown

if TYPE_CHECKING:
    from pressmark.site.collect import Site

EMPTY = {
    "notes": "No notes yet. A note is any Markdown file under `notes/`.",
    "topics": "No topics yet. A topic is a standing query: `pressmark topic list`.",
    "topics/searches": "No searches yet. Each `pressmark search` leaves its log here.",
    "topics/collections": "No collections yet. A collection is a named reading list.",
}


def pages(site: Site) -> Iterator[SitePage]:
    """One page a kind; a kind that the library has none of says what it is for."""
    yield _index(site, "notes", "Notes", [note_line(site, n, "notes/index.md") for n in site.notes])
    uri = "topics/index.md"
    yield _index(site, "topics", "Topics", [topic_line(site, t, uri) for t in site.topics])
    uri = "topics/searches/index.md"
    searches = sorted(site.searches, key=lambda s: (s.date, s.slug), reverse=True)
    lines = [_search_line(site, search, uri) for search in searches]
    yield _index(site, "topics/searches", "Searches", lines)
    uri = "topics/collections/index.md"
    lines = [
        _line(c.title, site.record_path("collection", c), uri, counted(len(c.members)))
        for c in site.collections
    ]
    yield _index(site, "topics/collections", "Collections", lines)


def note_line(site: Site, note: Note, uri: str) -> str:
    """A note and its first sentence."""
    return _line(note.title, site.record_path("note", note), uri, site.prose.excerpt(first(note)))


def topic_line(site: Site, topic: Topic, uri: str) -> str:
    """A topic, what it asks, and how much it found."""
    found = len(site.found_by.get(topic.slug, ()))
    asked = escape_markdown(topic.query or topic.feed or "")
    below = " · ".join(each for each in (asked, counted(found) if found else "") if each)
    return _line(topic.title, site.record_path("topic", topic), uri, below)


def first(note: Note) -> str:
    """The first sentence of a note: the first line that is prose."""
    titles = {title for _, title, _ in headings(note.body)}
    for line in note.body.splitlines():
        words = line.strip()
        if words and words[0] not in "#>|!`-*<" and words not in titles:
            return words
    return ""


def _search_line(site: Site, search: Search, uri: str) -> str:
    answered = [each for each in search.providers if each.get("status") in ("ok", "cache")]
    asked = f"{len(answered)} of {len(search.providers)} providers answered"
    below = f"{escape_markdown(search.date)} · {asked}"
    return _line(search.query, site.record_path("search", search), uri, below)


def _line(title: str, path: str, uri: str, below: str) -> str:
    shown = f"- [{escape_markdown(title)}]({relative(path, uri)})"
    return f"{shown}  \n  {below}" if below else shown


def _index(site: Site, folder: str, title: str, lines: list[str]) -> SitePage:
    body = "\n".join(lines) if lines else EMPTY[folder]
    return SitePage(
        uri=f"{folder}/index.md", title=title, markdown=f"# {title}\n\n{body}\n", kind="list"
    )
