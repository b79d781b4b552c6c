"""Notes, topics, searches, collections and full texts in; their pages out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pressmark.links import Mention, headings
from pressmark.notes import titled
from pressmark.record import Collection, FullText, Note, Search, Topic, Vocabulary
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
    yield from (_vocabulary(site, each) for each in site.library.vocabularies())
    yield _index(site, "notes", "Notes", [(note_title(n), "note", n) for n in site.notes])
    yield _index(site, "topics", "Topics", [(t.title, "topic", t) for t in site.topics])
    searches = sorted(site.searches, key=lambda s: (s.date, s.slug), reverse=True)
    listed = [(f"{s.date} {s.query}", "search", s) for s in searches]
    yield _index(site, "topics/searches", "Searches", listed)
    collections = [(c.title, "collection", c) for c in site.collections]
    yield _index(site, "topics/collections", "Collections", collections)


def filed_keys(search: Search) -> list[str]:
    """The keys that a search's hits were filed under."""
    return list(dict.fromkeys(_FILED.findall(search.body)))


def note_title(note: Note) -> str:
    """A note's title: its field, else its first heading, else its name."""
    return plain(titled(note).title)


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
    title = note_title(note)
    body = site.prose.convert(note.body, path, first_line=site.first_line(path)).strip()
    has_title = any(level == 1 for level, _, _ in headings(note.body))
    about = [k for name in note.about if (k := site.library.catalogue.resolve(name))]
    rows = [row(site, site.references[keys[0]], path) for keys in about]
    parts = [
        "" if has_title else f"# {escape_markdown(title)}\n",
        body + "\n",
        "\n".join(["## About\n", *rows, ""]) if rows else "",
        linked_from(site, path),
    ]
    linked = (site.facet_link("tags", t, f"#{escape_markdown(t)}", path) for t in note.tags)
    tags = " · ".join(linked)
    parts.append(f"{tags}\n" if tags else "")
    return SitePage(
        uri=path, title=title, markdown="\n".join(p for p in parts if p), kind="note", edit=path
    )


def _topic(site: Site, topic: Topic) -> SitePage:
    path = site.record_path("topic", topic)
    found = [ref for ref in site.references.values() if topic.slug in ref.topics]
    facts = [
        ("query", topic.query), ("providers", ", ".join(topic.providers)),
        ("journal", topic.journal), ("categories", ", ".join(topic.categories)),
        ("feed", topic.feed), ("last run", topic.last_run),
    ]  # fmt: skip
    lines = [f"- **{name}** {escape_markdown(value)}" for name, value in facts if value]
    parts = [
        f"# {escape_markdown(topic.title)}\n",
        site.prose.convert(topic.body, path, first_line=site.first_line(path)).strip() + "\n",
        "\n".join([*lines, ""]),
        "\n".join(["## Found\n", *(row(site, ref, path) for ref in found), ""]) if found else "",
        linked_from(site, path),
    ]
    return SitePage(
        uri=path, title=plain(topic.title), markdown="\n".join(p for p in parts if p),
        kind="topic", edit=path,
    )  # fmt: skip


def _search(site: Site, search: Search) -> SitePage:
    path = site.record_path("search", search)
    lines = [f"# Search: {escape_markdown(search.query)}\n", f"{search.date}\n"]
    if search.providers:
        lines += ["| platform | status | reported | retrieved | sent |", "|---|---|---|---|---|"]
        for each in search.providers:
            cells = [each.get(n, "") for n in ("platform", "status", "reported", "retrieved")]
            shown = " | ".join(escape_markdown(str(cell)) for cell in cells)
            sent = (
                str(each.get("sent", "")).replace("`", "'").replace("|", "\\|").replace("\n", " ")
            )
            lines.append(f"| {shown} | {f'`{sent}`' if sent else ''} |")
    keys = [key for key in filed_keys(search) if key in site.references]
    if keys:
        lines += ["", "## Filed\n", *(row(site, site.references[key], path) for key in keys)]
    if search.dropped:
        lines += ["", "## Dropped\n", *(f"- {escape_markdown(each)}" for each in search.dropped)]
    return SitePage(
        uri=path, title=plain(f"Search: {search.query}"), markdown="\n".join(lines) + "\n",
        kind="search", edit=path,
    )  # fmt: skip


def _collection(site: Site, collection: Collection) -> SitePage:
    path = site.record_path("collection", collection)
    rows = [row(site, site.references[k], path) for k in collection.members if k in site.references]
    body = site.prose.convert(collection.body, path, first_line=site.first_line(path)).strip()
    lines = [f"# {escape_markdown(collection.title)}\n", body, "", *rows]
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
    words = escape_markdown(site.prose.words(mention.sentence)[:300])
    return f"- [{title}]({relative(mention.path, path)}): {words}"


def _index(
    site: Site,
    folder: str,
    title: str,
    entries: Sequence[tuple[str, str, Note | Topic | Search | Collection]],
) -> SitePage:
    uri = f"{folder}/index.md"
    lines = [
        f"- [{escape_markdown(name)}]({relative(site.record_path(kind, record), uri)})"
        for name, kind, record in entries
    ]
    body = "\n".join(lines) if lines else "None yet."
    return SitePage(uri=uri, title=title, markdown=f"# {title}\n\n{body}\n", kind="list")
