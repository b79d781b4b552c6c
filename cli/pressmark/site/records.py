"""Notes, topics, searches, collections and full texts in; their pages out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING

from pressmark.links import headings
from pressmark.record import Collection, FullText, Note, Reference, Search, Topic, Vocabulary
from pressmark.render import citation, label
from pressmark.site import maths, reading
from pressmark.site.dialect import Draft
from pressmark.site.lists import feed_link, newest_first, tally
from pressmark.site.markup import as_written, too_much
from pressmark.site.model import Found, SitePage
from pressmark.site.references import rows
from pressmark.site.references.head import WEB
from pressmark.text import plain

if TYPE_CHECKING:
    from pressmark.site.collect import Site

INDEXED = 40_000
"""Characters of a note that the search knows; of a full text, ten times as many."""

_FILED = re.compile(r"→\s*([A-Za-z0-9][A-Za-z0-9_-]*)")
_MARKUP = re.compile(r"[*_`#>\[\]|]+|\(https?:[^)]*\)")


def pages(site: Site, wanted: Callable[[str], bool]) -> Iterator[SitePage]:
    """The pages of all records but references; of those whose path is wanted."""
    kinds: tuple[tuple[str, Sequence[object], Callable[..., SitePage]], ...] = (
        ("note", site.notes, _note), ("topic", site.topics, _topic),
        ("search", site.searches, _search), ("collection", site.collections, _collection),
        ("vocabulary", site.vocabularies, _vocabulary),
    )  # fmt: skip
    for kind, held, make in kinds:
        for record in held:
            path = site.record_path(kind, record)  # type: ignore[arg-type]
            if not wanted(path):
                continue
            if isinstance(record, Note):
                yield site.kept_or_made(path, make, record)
            else:
                yield make(site, record)


def filed_keys(search: Search) -> list[str]:
    """The keys that a search's hits were filed under."""
    return list(dict.fromkeys(_FILED.findall(search.body)))


def fulltext(site: Site, text: FullText) -> SitePage:
    """The page of a full text whose licence lets it be shown."""
    write = site.write
    key = text.reference
    uri = site.fulltext_uri(key) or ""
    ref = site.references[key]
    draft = Draft(write)
    body = text.body.strip()
    _reference_of(site, draft, ref, body)
    if too_much(body):
        draft.prose(as_written(body))
    else:
        body = reading.leaves(body) if write.rich else body
        draft.prose(maths.protect(body))
    if write.rich:
        html = reading.captioned(reading.both_ways(reading.paged(draft.blocks[-1])))
        draft.blocks[-1] = reading.linked(html)
    source = f" Source: {_source(site, text.url)}." if text.url else ""
    draft.add(write.paragraph(f"Licence {write.text(text.license or '')}.{source}", "licence"))
    words = plain(_MARKUP.sub(" ", body))[: INDEXED * 10]
    found = Found(
        title=maths.readable(plain(ref.title)), by="full text", text=words, fulltext=True,
        filters={"kind": ("full text",), "year": (ref.year or "n.d.",)},
    )  # fmt: skip
    return SitePage(
        uri=uri, title=found.title, content=draft.content, kind="fulltext", edit=uri,
        sections=tuple(draft.sections), found=found, changed=site.changed(uri),
    )  # fmt: skip


def _reference_of(site: Site, draft: Draft, ref: Reference, body: str) -> None:
    """Whose text it is, and the way back; a title where the text brings none."""
    write = site.write
    who = write.link(write.text(label(ref)), site.path(ref.key))
    where = f", {write.emphasis(write.text(ref.venue))}" if ref.venue else ""
    draft.add(write.paragraph(f"Full text of {who}{where}", "kind"))
    key = escape(ref.cite_as or ref.key)
    draft.add(write.html(f'<span class="pm-source" data-key="{key}" hidden></span>'))
    if not any(level == 1 for level, _, _ in headings(body)):
        draft.add(write.heading(1, write.title(ref.title)))


def _source(site: Site, url: str) -> str:
    """Where a text was taken from; only an address of the web is a link."""
    words = site.write.text(url)
    return site.write.outside(words, url) if url.startswith(WEB) else words


def _note(site: Site, note: Note) -> SitePage:
    write = site.write
    path = site.record_path("note", note)
    title = plain(note.title)
    draft = Draft(write)
    if not any(level == 1 for level, _, _ in headings(note.body)):
        draft.add(write.heading(1, write.title(title)))
    draft.prose(site.prose.convert(note.body, path).strip())
    if write.rich:
        draft.blocks[-1] = reading.linked(draft.blocks[-1])
    cited = site.cited_here()
    draft.add(
        write.lines({"tags": (" " if write.rich else " · ").join(map(site.tag_link, note.tags))})
    )
    about = [site.references[k[0]] for n in note.about if (k := site.library.catalogue.resolve(n))]
    draft.section("About", rows(site, about) if about else "")
    draft.section("References", bibliography(site, cited))
    draft.section("Linked from", linked_from(site, path))
    filters = {"kind": ("note",), "tag": tuple(map(plain, note.tags))}
    words = plain(_MARKUP.sub(" ", _untitled(site.prose.words(note.body[: 2 * INDEXED]), title)))[
        :INDEXED
    ]
    return _record(site, path, title, "note", draft, Found(
        title=title, text=words, by="Note", filters={n: v for n, v in filters.items() if v}
    ))  # fmt: skip


def _untitled(text: str, title: str) -> str:
    """The text without the title it begins with, which is searched anyway."""
    return text.strip().lstrip("# ").removeprefix(title)


def bibliography(site: Site, cited: Sequence[Reference]) -> str:
    """What a page cites, in the order of its first citations; the hover cards show it too."""
    write = site.write
    items = []
    for ref in cited:
        title = write.link(write.title(ref.title or ref.key), site.path(ref.key), kind="title")
        before, _, after = citation(ref).partition(ref.title or ref.key)
        line = f"{write.text(before)}{title}{write.text(after)}"
        anchor = write.html(f'<span id="ref-{write.text(ref.key)}" class="pm-anchor"></span>')
        items.append(f"{anchor}{line}")
    return write.items(items, kind="bibliography") if items else ""


def cited(site: Site, found: Sequence[Reference]) -> str:
    """The bibliography below one of the site's own pages."""
    draft = Draft(site.write)
    draft.section("References", bibliography(site, found))
    return (
        f'<div class="pm-page pm-note">{draft.content}</div>' if site.write.rich else draft.content
    )


def _topic(site: Site, topic: Topic) -> SitePage:
    write = site.write
    path = site.record_path("topic", topic)
    found = newest_first(site.found_by.get(topic.slug, []))
    facts = [
        ("Query", topic.query), ("Asked of", ", ".join(topic.providers)),
        ("Journal", topic.journal), ("Categories", ", ".join(topic.categories)),
        ("Feed", topic.feed), ("Last run", topic.last_run),
    ]  # fmt: skip
    draft = Draft(write)
    draft.add(write.heading(1, write.title(topic.title)))
    draft.prose(site.prose.convert(topic.body, path).strip())
    cited = site.cited_here()
    lines = {
        f"fact pm-{name.lower().replace(' ', '-')}": f"{name} {write.strong(write.text(value))}"
        for name, value in facts
        if value
    }
    draft.add(write.lines(lines))
    feed = write.html(f" · {write.link('feed', f'topics/{topic.slug}.xml')}")
    shown = (write.paragraph(f"{tally(found)}{feed}", "counted"), rows(site, found))
    nothing = (write.paragraph("Nothing yet: no run brought a paper."),)
    draft.section("Found", *(shown if found else nothing))
    draft.section("References", bibliography(site, cited))
    draft.section("Linked from", linked_from(site, path))
    words = " ".join((topic.query or "", plain(_MARKUP.sub(" ", topic.body))))[:INDEXED]
    filters = {"kind": ("topic",), "topic": (plain(topic.title),)}
    page = _record(site, path, plain(topic.title), "topic", draft, Found(
        title=plain(topic.title), text=words, by="Topic", filters=filters
    ))  # fmt: skip
    return replace(page, head=feed_link(site, f"topics/{topic.slug}.xml", topic.title))


def _search(site: Site, search: Search) -> SitePage:
    write = site.write
    path = site.record_path("search", search)
    keys = [key for key in filed_keys(search) if key in site.references]
    filed = [site.references[key] for key in keys]
    title = f"Search: {search.query}"
    draft = Draft(write)
    draft.add(write.heading(1, write.text(title)), write.paragraph(write.text(search.date), "kind"))
    _asked(site, draft, search)
    if filed:
        number = write.paragraph(tally(filed), "counted")
        draft.section("Filed", number, rows(site, filed))
    dropped = [write.text(each) for each in search.dropped]
    draft.section("Dropped", write.items(dropped, kind="dropped") if dropped else "")
    if not filed and not dropped:
        draft.add(write.paragraph("Nothing new was filed."))
    return _record(site, path, plain(title), "search", draft, None)


def _asked(site: Site, draft: Draft, search: Search) -> None:
    """A table of what each provider answered, then, word for word, what each was sent."""
    if not search.providers:
        return
    write = site.write
    names = ["platform", "status", "reported", "retrieved", "limits"]
    table = [[write.text(str(each.get(name, ""))) for name in names] for each in search.providers]
    if write.rich:  # a phone has no room for the fifth column
        names.pop()
        table = [
            [row[0] + (write.below(row[4]) if row[4] else ""), *map(_number, row[1:4])]
            for row in table
        ]
    draft.add(write.table([name.capitalize() for name in names], table, 2 if write.rich else 5))
    sent = [
        f"{write.text(str(each.get('platform', '')))}{write.below(write.code(str(words)))}"
        for each in search.providers
        if (words := each.get("sent"))
    ]
    draft.section("Sent", write.items(sent, kind="sent") if sent else "")


def _number(value: str) -> str:
    """A count with its thousands apart; other words as they are."""
    return f"{int(value):,}" if value.isascii() and value.isdigit() and len(value) < 15 else value


def _collection(site: Site, collection: Collection) -> SitePage:
    write = site.write
    path = site.record_path("collection", collection)
    held = [site.references[key] for key in collection.members if key in site.references]
    draft = Draft(write)
    draft.add(write.heading(1, write.title(collection.title)))
    draft.prose(site.prose.convert(collection.body, path).strip())
    cited = site.cited_here()
    draft.add(write.paragraph(tally(held), "counted"))
    draft.add(rows(site, newest_first(held)) if held else "")
    draft.section("References", bibliography(site, cited))
    draft.section("Linked from", linked_from(site, path))
    found = Found(
        title=plain(collection.title), text=plain(_MARKUP.sub(" ", collection.body))[:INDEXED],
        by="Collection", filters={"kind": ("collection",)},
    )  # fmt: skip
    return _record(site, path, plain(collection.title), "collection", draft, found)


def _vocabulary(site: Site, each: Vocabulary) -> SitePage:
    write = site.write
    path = site.record_path("vocabulary", each)
    draft = Draft(write)
    draft.add(write.heading(1, write.title(each.title)))
    draft.prose(site.prose.convert(each.body, path).strip())
    site.cited_here()
    for name in ("terms", "synonyms", "measures"):
        if values := getattr(each, name):
            shown = write.items(write.text(value) for value in values)
            draft.section(name.capitalize(), shown)
    return _record(site, path, plain(each.title), "vocabulary", draft, None)


def _record(
    site: Site, path: str, title: str, kind: str, draft: Draft, found: Found | None
) -> SitePage:
    return SitePage(
        uri=path, title=title, content=draft.content, kind=kind, edit=path,
        sections=tuple(draft.sections), found=found, changed=site.changed(path),
        description=(found.text[:200].strip() if found else title),
    )  # fmt: skip


def linked_from(site: Site, path: str) -> str:
    """The backlinks of a page, each with the sentence that says why."""
    found = [site.mention(mention) for mention in site.linked_from(path)]
    return site.write.items(found, kind="mentions") if found else ""
