"""The live part of the site's own pages: its mark becomes what the library holds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pressmark.site.dialect import Draft
from pressmark.site.indexes import note_line, topic_line
from pressmark.site.lists import FACETS, NO_REFERENCES, count, newest_first
from pressmark.site.overview import timeline
from pressmark.site.references import rows
from pressmark.site.urls import Urls

if TYPE_CHECKING:
    from pressmark.site.collect import Site

MARK = "<!-- pressmark:home -->"
NEWEST = 8
MOST = 8
"""Notes, and topics, that the home page names."""
TAGS = 40


def block(site: Site) -> str:
    """What a visitor sees of the library at a glance."""
    write = site.write
    ways = [
        (len(site.kept), "reference", "references", "references.md"),
        (len(site.notes), "note", "notes", "notes/index.md"),
        (len(site.topics), "topic", "topics", "topics/index.md"),
        (len(site.searches), "search", "searches", "topics/searches/index.md"),
        (len(site.collections), "collection", "collections", "topics/collections/index.md"),
        (len(site.candidates), "in the inbox", "in the inbox", "inbox.md"),
    ]
    counts = [
        write.link(f"{write.strong(f'{number:,}')} {one if number == 1 else many}", to)
        for number, one, many, to in ways
        if number
    ]
    draft = Draft(write)
    if not counts:
        return write.paragraph(write.text(NO_REFERENCES.replace("`", "")))
    draft.add(write.html(_search_box(site)))
    draft.add(write.items(counts, kind="counts") if write.rich else " · ".join(counts))
    draft.add(timeline(site))
    browse = [
        write.link(write.text(title), f"{folder}/index.md")
        for folder, title in FACETS.items()
        if site.facets[folder]
    ]
    browse += [write.link("Overview", "overview.md")]
    draft.add(write.paragraph(f"Browse by {' · '.join(browse)}", "browse"))
    newest = newest_first(site.kept)[:NEWEST]
    # On a wide screen the notes, topics and tags stand beside the newest papers.
    draft.add(write.html('<div class="pm-columns"><div>'))
    all_ = write.link(f"All {len(site.kept):,} references", "references.md")
    more = write.paragraph(all_, "all") if write.rich and len(site.kept) > NEWEST else ""
    draft.section("Newest papers", rows(site, newest) if newest else "", more if newest else "")
    draft.add(write.html("</div><div>"))
    _some(site, draft)
    draft.add(write.html("</div></div>"))
    return draft.content


def _some(site: Site, draft: Draft) -> None:
    """The first notes, the first topics, and the tags most used."""
    write = site.write
    for title, folder, lines in (
        ("Notes", "notes", [note_line(site, note) for note in site.notes[:MOST]]),
        ("Topics", "topics", [topic_line(site, topic) for topic in site.topics[:MOST]]),
    ):
        number = len(site.notes if folder == "notes" else site.topics)
        if number > MOST:
            lines.append(write.link(f"all {number} {folder}", f"{folder}/index.md"))
        draft.section(title, write.items(lines, kind="rows") if lines else "")
    tags = sorted((-site.held("tags", tag), tag) for tag in site.facets["tags"])[:TAGS]
    cloud = (
        f"{site.facet_link('tags', tag, write.text(tag))} {count(site, -held)}"
        for held, tag in sorted(tags, key=lambda each: each[1])
    )
    draft.section("Tags", write.items(cloud, kind="cloud") if tags else "")


def _search_box(site: Site) -> str:
    return _box(site.href_of("search.md") or "./")


def _box(address: str) -> str:
    return (
        f'<form class="pm-box" role="search" action="{address}" '
        'method="get"><label class="pm-hidden" for="pm-home-query">Search this library</label>'
        '<input id="pm-home-query" type="search" name="q" placeholder="Search this library" '
        'autocomplete="off"><button type="submit">Search</button></form>'
    )


def lost(html: str, root: str, urls: Urls, *, search: bool) -> str:
    """The page for addresses that lead nowhere: what to do instead of the theme's bare number."""
    found = _LOST.search(html)
    if not found:
        return html
    box = _box(root + urls.url("search.md")) if search else ""
    ways = (
        ("index.md", "the home page"), ("references.md", "all references"),
        ("notes/index.md", "the notes"),
    )  # fmt: skip
    links = ", ".join(f'<a href="{root}{urls.url(to)}">{words}</a>' for to, words in ways)
    content = (
        '<div class="pm-page pm-home"><h1>This page is not here</h1>'
        "<p>The address is misspelt, or what it led to has been renamed or taken out.</p>"
        f"{box}<p>Or go to {links}.</p></div>"
    )
    return html[: found.start()] + content + html[found.end() :]


_LOST = re.compile(r"<h1>404 - Not found</h1>")
