"""Notes, topics, searches and collections in; the page that lists each kind out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from pressmark.links import headings
from pressmark.record import Note, Search, Topic
from pressmark.site.dialect import Draft
from pressmark.site.lists import counted, tally
from pressmark.site.model import SitePage

if TYPE_CHECKING:
    from pressmark.site.collect import Site

EMPTY = {
    "notes": "No notes yet. A note is any Markdown file under notes/.",
    "topics": "No topics yet. A topic is a standing query: see pressmark topic list.",
    "topics/searches": "No searches yet. Each pressmark search leaves its log here.",
    "topics/collections": "No collections yet. A collection is a named reading list.",
}


def pages(site: Site) -> Iterator[SitePage]:
    """One page a kind; a kind that the library has none of says what it is for."""
    yield _index(site, "notes", "Notes", [note_line(site, note) for note in site.notes])
    yield _index(site, "topics", "Topics", [topic_line(site, topic) for topic in site.topics])
    searches = sorted(site.searches, key=lambda s: (s.date, s.slug), reverse=True)
    lines = [_search_line(site, search) for search in searches]
    yield _index(site, "topics/searches", "Searches", lines)
    lines = [
        _line(site, c.title, site.record_path("collection", c), counted(len(c.members)))
        for c in site.collections
    ]
    yield _index(site, "topics/collections", "Collections", lines)


def note_line(site: Site, note: Note) -> str:
    """A note and its first sentence."""
    path = site.record_path("note", note)
    return _line(site, note.title, path, site.prose.excerpt(first(note.body)))


def topic_line(site: Site, topic: Topic) -> str:
    """A topic, what it asks, and how much it found."""
    found = site.found_by.get(topic.slug, ())
    asked = topic.query or topic.feed or ""
    below = " · ".join(each for each in (asked, tally(found) if found else "") if each)
    return _line(site, topic.title, site.record_path("topic", topic), below)


@lru_cache(maxsize=4_096)
def first(body: str) -> str:
    """The first sentence of a note's text: the first line that is prose."""
    titles = {title for _, title, _ in headings(body)}
    for line in body.splitlines():
        words = line.strip()
        if words and words[0] not in "#>|!`-*<" and words not in titles:
            return words
    return ""


def _search_line(site: Site, search: Search) -> str:
    answered = [each for each in search.providers if each.get("status") in ("ok", "cache")]
    asked = f"{len(answered)} of {len(search.providers)} providers answered"
    return _line(site, search.query, site.record_path("search", search), f"{search.date} · {asked}")


def _line(site: Site, title: str, path: str, below: str) -> str:
    shown = site.write.link(site.write.title(title), path, kind="title")
    return shown + (site.write.below(site.write.title(below)) if below else "")


def _index(site: Site, folder: str, title: str, lines: list[str]) -> SitePage:
    draft = Draft(site.write)
    draft.add(site.write.heading(1, title))
    draft.add(
        site.write.items(lines, kind="rows")
        if lines
        else site.write.paragraph(site.write.text(EMPTY[folder]))
    )
    return SitePage(uri=f"{folder}/index.md", title=title, content=draft.content, kind="list")
