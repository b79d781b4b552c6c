"""A library in; an Atom feed of it, of each topic and of each tag, out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pressmark.formats import atom
from pressmark.record import Author, Reference

if TYPE_CHECKING:
    from pressmark.site.collect import Site

ENTRIES = 50
SUMMARY = 600


def all_feeds(site: Site, name: str) -> Iterator[tuple[str, bytes]]:
    """Each feed's path and bytes; the newest papers first, by the day they were filed."""
    yield _feed(site, name, "feed.xml", "index.md", site.kept)
    for topic in site.topics:
        found = site.found_by.get(topic.slug, [])
        page = site.record_path("topic", topic)
        yield _feed(site, f"{name}: {topic.title}", f"topics/{topic.slug}.xml", page, found)
    for tag, held in site.facets["tags"].items():
        if not held:
            continue  # only notes carry it
        page = site.facet_uri("tags", tag)
        path = f"{page.removesuffix('.md')}.xml"
        yield _feed(site, f"{name}: {tag}", path, page, held)


def _feed(
    site: Site, title: str, path: str, page: str, references: Iterable[Reference]
) -> tuple[str, bytes]:
    newest = sorted(references, key=lambda ref: (_filed(site, ref), ref.key), reverse=True)
    here = site.urls.root(path) if path.count("/") else ""
    data = atom.write(
        title, atom.tag(_authority(site), path), None,
        (_entry(site, ref, here) for ref in newest[:ENTRIES]),
        url=site.address(page) or here + site.urls.url(page) or "./",
        own_url=site.address(path) or None, author=title,
    )  # fmt: skip
    return path, data


def _entry(site: Site, ref: Reference, here: str) -> atom.Entry:
    path = site.path(ref.key)
    return atom.Entry(
        id=atom.tag(_authority(site), "reference", ref.key), title=ref.title or ref.key,
        updated=site.changed(path) or ref.published or "", published=_filed(site, ref) or None,
        url=site.address(path) or here + site.urls.url(path),
        authors=tuple(Author.parse(name).readable for name in ref.authors[:10]),
        summary=(ref.abstract or "")[:SUMMARY], categories=ref.tags,
    )  # fmt: skip


def _filed(site: Site, ref: Reference) -> str:
    return site.filed(site.path(ref.key)) or ref.published or ""


def _authority(site: Site) -> str:
    """The host that ids are minted for; without one, a name that no host has."""
    return urlsplit(site.site_url).hostname or "library.invalid"
