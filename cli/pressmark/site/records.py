"""Notes, topics, searches, collections and full texts in; their pages out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pressmark.links import Mention, headings
from pressmark.record import Collection, FullText, Note, Search, Topic, Vocabulary
from pressmark.site import indexes
from pressmark.site.lists import counted, newest_first
from pressmark.site.model import SitePage
from pressmark.site.prose import relative
from pressmark.site.references import row
from pressmark.text import escape_markdown, plain

if TYPE_CHECKING:
    from pressmark.site.collect import Site

_FILED = re.compile(r"→\s*([A-Za-z0-9][A-Za-z0-9_-]*)")


def pages(site: Site) -> Iterator[SitePage]:
    """The pages of all records but references, and the page that lists each kind."""
    yield from (_note(site, note) for note in site.notes)
    yield from (_topic(site, topic) for topic in site.topics)
    yield from (_search(site, search) for search in site.searches)
    yield from (_collection(site, collection) for collection in site.collections)
    yield from (_vocabulary(site, each) for each in site.vocabularies)
    yield from indexes.pages(site)


def filed_keys(search: Search) -> list[str]:
    """The keys that a search's hits were filed under."""
    return list(dict.fromkeys(_FILED.findall(search.body)))


def fulltext(site: Site, text: FullText) -> SitePage:
    """The page of a full text whose licence lets it be shown."""
    key = text.reference
    uri = site.fulltext_uri(key) or ""
    ref = site.references[key]
    source = f" Source: {escape_markdown(text.url)}." if text.url else ""
    head = (
        f"Full text of [{escape_markdown(ref.title)}]({relative(site.path(key), uri)}), "
        f"licence {escape_markdown(text.license or '')}.{source}\n"
    )
    body = site.prose_of_text(text.body)
    return SitePage(
        uri=uri, title=plain(ref.title), markdown=f"{body.rstrip()}\n\n---\n\n{head}",
        kind="fulltext", edit=uri,
    )  # fmt: skip


def _note(site: Site, note: Note) -> SitePage:
    path = site.record_path("note", note)
    title = plain(note.title)
    body = site.prose.convert(note.body, path).strip()
    has_title = any(level == 1 for level, _, _ in headings(note.body))
    about = [k for name in note.about if (k := site.library.catalogue.resolve(name))]
    rows = [row(site, site.references[keys[0]], path) for keys in about]
    parts = [
        "" if has_title else f"# {escape_markdown(title)}\n",
        body + "\n",
        "\n".join(["## About\n", *rows, ""]) if rows else "",
        linked_from(site, path),
    ]
    linked = (site.facet_link("tags", t, f"\\#{escape_markdown(t)}", path) for t in note.tags)
    tags = " · ".join(linked)
    parts.append(f"{tags}\n" if tags else "")
    return SitePage(
        uri=path, title=title, markdown="\n".join(p for p in parts if p), kind="note", edit=path
    )


def _topic(site: Site, topic: Topic) -> SitePage:
    path = site.record_path("topic", topic)
    found = newest_first(site.found_by.get(topic.slug, []))
    facts = [
        ("Query", topic.query), ("Asked of", ", ".join(topic.providers)),
        ("Journal", topic.journal), ("Categories", ", ".join(topic.categories)),
        ("Feed", topic.feed), ("Last run", topic.last_run),
    ]  # fmt: skip
    shown = "  \n".join(f"{name} **{escape_markdown(value)}**" for name, value in facts if value)
    rows = [row(site, ref, path) for ref in found] or ["Nothing yet: no run brought a paper.\n"]
    parts = [
        f"# {escape_markdown(topic.title)}\n",
        site.prose.convert(topic.body, path).strip() + "\n",
        f"{shown}\n" if shown else "",
        "## Found\n",
        f"{counted(len(found))}\n" if found else "",
        "\n".join([*rows, ""]),
        linked_from(site, path),
    ]
    return SitePage(
        uri=path, title=plain(topic.title), markdown="\n".join(p for p in parts if p),
        kind="topic", edit=path,
    )  # fmt: skip


def _search(site: Site, search: Search) -> SitePage:
    path = site.record_path("search", search)
    keys = [key for key in filed_keys(search) if key in site.references]
    rows = [row(site, site.references[key], path) for key in keys]
    dropped = [f"- {escape_markdown(each)}" for each in search.dropped]
    lines = [
        f"# Search: {escape_markdown(search.query)}\n",
        f"{escape_markdown(search.date)}\n",
        *_asked(search),
        *(["## Filed\n", f"{counted(len(rows))}\n", *rows, ""] if rows else []),
        *(["## Dropped\n", *dropped, ""] if dropped else []),
        *([] if rows or dropped else ["Nothing new was filed.\n"]),
    ]
    return SitePage(
        uri=path, title=plain(f"Search: {search.query}"), markdown="\n".join(lines) + "\n",
        kind="search", edit=path,
    )  # fmt: skip


def _asked(search: Search) -> list[str]:
    """A table of what each provider answered, then, word for word, what each was sent."""
    if not search.providers:
        return []
    names = ("platform", "status", "reported", "retrieved", "limits")
    table = [f"| {' | '.join(names)} |", "|---|---|--:|--:|---|"]
    sent = []
    for each in search.providers:
        table.append("| " + " | ".join(_cell(each.get(name, "")) for name in names) + " |")
        if words := each.get("sent"):
            shown = " ".join(str(words).replace("`", "'").split())
            sent.append(f"- {_cell(each.get('platform', ''))}  \n  `{shown}`")
    return [*table, "", *(["## Sent\n", *sent, ""] if sent else [])]


def _cell(value: object) -> str:
    return " ".join(escape_markdown(str(value)).split())


def _collection(site: Site, collection: Collection) -> SitePage:
    path = site.record_path("collection", collection)
    held = [site.references[key] for key in collection.members if key in site.references]
    rows = [row(site, ref, path) for ref in newest_first(held)]
    body = site.prose.convert(collection.body, path).strip()
    lines = [f"# {escape_markdown(collection.title)}\n", body, "", counted(len(rows)), "", *rows]
    return SitePage(
        uri=path, title=plain(collection.title), markdown="\n".join(lines) + "\n",
        kind="collection", edit=path,
    )  # fmt: skip


def _vocabulary(site: Site, each: Vocabulary) -> SitePage:
    path = site.record_path("vocabulary", each)
    lines = [f"# {escape_markdown(each.title)}\n", site.prose.convert(each.body, path).strip(), ""]
    for name in ("terms", "synonyms", "measures"):
        if values := getattr(each, name):
            lines += [f"## {name.capitalize()}\n", *(f"- {escape_markdown(v)}" for v in values), ""]
    return SitePage(
        uri=path, title=plain(each.title), markdown="\n".join(lines), kind="vocabulary", edit=path
    )


def linked_from(site: Site, path: str) -> str:
    """The backlinks of a page, each with the sentence that says why."""
    lines = [_backlink(site, mention, path) for mention in site.linked_from(path)]
    return "\n".join(["## Linked from\n", *lines, ""]) if lines else ""


def _backlink(site: Site, mention: Mention, path: str) -> str:
    title = escape_markdown(site.page_title(mention.path))
    return f"- [{title}]({relative(mention.path, path)}): {site.prose.excerpt(mention.sentence)}"
