"""The page of one reference, section by section."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pressmark import ids
from pressmark.record import Author, Reference
from pressmark.render import citation, label
from pressmark.site.dialect import Draft
from pressmark.site.maths import readable
from pressmark.site.model import Found, SitePage
from pressmark.site.references import citing, graph, head
from pressmark.site.references.listing import kind_name, rows
from pressmark.text import plain

if TYPE_CHECKING:
    from pressmark.site.collect import Site

SHOWN = 40
"""Neighbours of a paper listed on its page."""

OPEN = 8
"""Neighbours that stand there at once; the others are a click away."""

AUTHORS = 20
"""Authors named above the fold; a reader opens the list to see the others."""

CHANGES = 5
"""Commits of a file that its page names."""

INDEXED = 20_000
"""Characters of a page that the search knows."""

_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
"""A BCP 47 tag, as far as it must be to stand in an attribute."""

RESOLVERS = {
    "doi": ("DOI", "https://doi.org/{}"),
    "arxiv": ("arXiv", "https://arxiv.org/abs/{}"),
    "pmid": ("PubMed", "https://pubmed.ncbi.nlm.nih.gov/{}/"),
    "pmcid": ("PMC", "https://pmc.ncbi.nlm.nih.gov/articles/{}/"),
    "openalex": ("OpenAlex", "https://openalex.org/{}"),
}


def page(site: Site, ref: Reference) -> SitePage:
    """The page of one reference."""
    path = site.path(ref.key)
    ref = ids.canonical(ref)
    draft = Draft(site.write)
    _head(site, draft, ref)
    abstract = ref.abstract or ""
    draft.prose(site.prose.convert(ref.body, path))
    site.cited_here()  # a reference's page has no bibliography of its own
    draft.section("In the notes", _mentions(site, ref), anchor="notes")
    _connections(site, draft, ref)
    related = site.related(ref.key)
    draft.section("Related", rows(site, related) if related else "")
    files = citing.files(ref)
    styled = len(site.references) <= citing.FORMATTED
    draft.section("Cite", *citing.blocks(site.write, ref, path, files, styled=styled))
    draft.section("Why it is here", _provenance(site, ref), anchor="why")
    draft.section("History", _history(site, path))
    description = readable(plain(citation(ref)))[:300]
    url = site.address(path)
    return SitePage(
        uri=path, title=readable(plain(ref.title)), content=draft.content, kind="reference",
        edit=path, sections=tuple(draft.sections), description=description, meta=head.highwire(ref),
        head=_more_head(site, ref, abstract, description, url), files=files,
        changed=site.changed(path), found=_found(site, ref, abstract),
    )  # fmt: skip


def _more_head(site: Site, ref: Reference, abstract: str, description: str, url: str) -> str:
    if not site.write.rich:
        return ""
    stem = site.href_of(site.path(ref.key).removesuffix(".md"))
    beside = "".join(
        f'<link rel="alternate describedby" type="{kind}" title="{form}" href="{stem}.{end}">'
        for form, kind, end in (
            ("BibTeX", "application/x-bibtex", "bib"),
            ("RIS", "application/x-research-info-systems", "ris"),
            ("CSL-JSON", "application/vnd.citationstyles.csl+json", "json"),
        )
    )
    words = plain(abstract)[:5000]
    return beside + head.open_graph(ref, description, url) + head.json_ld(ref, words, url)


def _found(site: Site, ref: Reference, abstract: str) -> Found:
    named = [Author.parse(name).readable for name in ref.authors[: AUTHORS * 5]]
    topics = [site.page_title(t) for s in ref.topics if site.has_page(t := f"topics/{s}.md")]
    text = " ".join([abstract, *named, ref.venue or "", *ref.tags, *ref.keywords, ref.key])
    filters = {
        "kind": ("candidate" if ref.stage == "candidate" else "reference",),
        "type": (ref.type,) if ref.type else (), "year": (ref.year or "n.d.",),
        "tag": ref.tags, "topic": tuple(topics), "venue": (ref.venue,) if ref.venue else (),
    }  # fmt: skip
    by = " · ".join(filter(None, (label(ref).rstrip("."), ref.venue)))
    return Found(
        title=readable(plain(ref.title)), text=readable(plain(text))[:INDEXED], by=plain(by),
        filters={n: tuple(map(plain, v)) for n, v in filters.items() if v}, sort=ref.year or "",
    )  # fmt: skip


def _head(site: Site, draft: Draft, ref: Reference) -> None:
    """What it is, what it is called, who wrote it, where it is."""
    write = site.write
    if write.rich:
        kind = (
            site.facet_link("types", ref.type, write.text(kind_name(ref.type))) if ref.type else ""
        )
        draft.add(write.paragraph(kind, "kind") if kind else "")
    draft.add(write.heading(1, _title(site, ref)))
    if ref.notice:
        words = ref.notice.replace("-", " ")
        note = ref.notice_note or f"This work carries a notice: {words}."
        shown = write.paragraph(write.text(note))
        draft.add(write.notice("danger", write.text(words.capitalize()), shown))
    if ref.stage == "candidate":
        words = "Brought by a search or a topic; nobody kept it yet."
        draft.add(write.notice("info", "Candidate", write.paragraph(words)))
    lines = {
        "who": _byline(site, ref), "where": _appeared(site, ref),
        "ids": _identifiers(site, ref), "tags": _tags(site, ref),
    }  # fmt: skip
    draft.add(write.lines(lines), _other_authors(site, ref), _actions(site, ref))


def _actions(site: Site, ref: Reference) -> str:
    """What a reader came for, in one line: the text, the work elsewhere, its citation."""
    write = site.write
    if not write.rich:
        return ""
    shown = []
    if uri := site.fulltext_uri(ref.key):
        shown.append(write.link("Read the full text", uri, kind="read"))
    elsewhere = (
        ("Publisher’s page", ref.doi and f"https://doi.org/{_quoted(ref.doi)}"),
        ("arXiv", ref.arxiv and f"https://arxiv.org/abs/{_quoted(ref.arxiv)}"),
        ("Web page", ref.url if ref.url and ref.url.startswith(head.WEB) else None),
    )
    leads = [write.outside(words, url.replace("\n", "")) for words, url in elsewhere if url]
    shown += leads[:2]
    shown.append('<a href="#pm-cite">Cite</a>')
    return write.paragraph("".join(shown), "actions")


def _quoted(value: str) -> str:
    return value.replace("<", "%3C").replace(">", "%3E").replace(" ", "%20")


def _title(site: Site, ref: Reference) -> str:
    """The title; one in another language than the page's says which."""
    title = site.write.title(ref.title)
    tagged = ref.language and _LANGUAGE.fullmatch(ref.language)
    if site.write.rich and tagged and not str(ref.language).lower().startswith("en"):
        return f'<span lang="{ref.language}">{title}</span>'
    return title


def _byline(site: Site, ref: Reference) -> str:
    readable = [Author.parse(name).readable for name in ref.authors[:AUTHORS]]
    names = [site.facet_link("authors", name, site.write.text(name)) for name in readable]
    if len(ref.authors) > AUTHORS:
        names.append(f"and {len(ref.authors) - AUTHORS} more")
    return ", ".join(names)


def _other_authors(site: Site, ref: Reference) -> str:
    """The authors after the first twenty, closed at first."""
    names = [site.write.text(Author.parse(name).readable) for name in ref.authors[AUTHORS:]]
    if not names:
        return ""
    words = site.write.paragraph(", ".join(names))
    return site.write.fold(f"The other {len(names)} authors", words)


def _appeared(site: Site, ref: Reference) -> str:
    write = site.write
    parts = []
    if venue := ref.venue or ref.publisher:
        shown = write.emphasis(write.text(venue))
        parts.append(site.facet_link("venues", ref.venue, shown) if ref.venue else shown)
    volume = write.text(ref.volume or "")
    if ref.issue:
        volume += f"({write.text(ref.issue)})"
    pages = write.text(ref.pages.replace("-", "–")) if ref.pages else ""
    parts += [part for part in (volume, pages) if part]
    if ref.year:
        parts.append(site.facet_link("years", ref.year, write.text(ref.published or "")))
    if ref.license:
        parts.append(site.facet_link("licences", ref.license, write.text(ref.license)))
    return ", ".join(parts)


def _identifiers(site: Site, ref: Reference) -> str:
    write = site.write
    shown = []
    if (uri := site.fulltext_uri(ref.key)) and not write.rich:
        shown.append(write.link(write.strong("Full text"), uri))
    for name, (word, form) in RESOLVERS.items():
        if value := getattr(ref, name):
            url = form.format(_quoted(value))
            shown.append(f"{word} {write.outside(write.text(value), url)}")
    shown += [f"ISBN {write.text(value)}" for value in ref.isbn]
    if ref.url and ref.url.startswith(head.WEB):
        shown.append(write.outside("web page", ref.url.replace("\n", "")))
    return " · ".join(shown)


def _tags(site: Site, ref: Reference) -> str:
    write = site.write
    topics = [
        write.link(write.text(site.page_title(topic)), topic, kind="topic")
        for topic in (f"topics/{slug}.md" for slug in ref.topics)
        if site.has_page(topic)
    ]
    return (" " if write.rich else " · ").join([*topics, *map(site.tag_link, ref.tags)])


def _mentions(site: Site, ref: Reference) -> str:
    """Who cites it, with the sentence that says why."""
    found = site.mentions(ref.key)
    return site.write.items(map(site.mention, found), kind="mentions") if found else ""


def _connections(site: Site, draft: Draft, ref: Reference) -> None:
    """What it cites and what cites it, in this library, drawn and listed."""
    cites, cited = site.cites(ref.key), site.cited_by(ref.key)
    together = site.co_cited(ref.key)
    if not (cites or cited or together):
        return
    if site.write.rich and len(cites) + len(cited) > 1:
        drawn = graph.draw(ref, cites, cited, site.write, site.href)
        draft.section("In this library", drawn, anchor="graph")
    for title, found in (
        ("Cites, in this library", cites),
        ("Cited by, in this library", cited),
        ("Often cited together with it", together),
    ):
        draft.section(title, *_neighbours(site, found))


def _neighbours(site: Site, found: Sequence[Reference]) -> Iterator[str]:
    if not found:
        return
    open_ = OPEN if site.write.rich and len(found) > OPEN + 2 else SHOWN
    rest = site.write.paragraph(f"and {len(found) - SHOWN} more") if len(found) > SHOWN else ""
    yield rows(site, found[:open_])
    if open_ == SHOWN:
        yield rest
    else:
        yield site.write.fold(
            f"Show the other {len(found) - open_}", rows(site, found[open_:SHOWN]) + rest, "rest"
        )


def _provenance(site: Site, ref: Reference) -> str:
    """Which topics, searches and lists brought it, and which providers described it."""
    write = site.write
    items = []
    for slug in ref.topics:
        if site.has_page(path := f"topics/{slug}.md"):
            items.append(f"topic {write.link(write.text(site.page_title(path)), path)}")
    for search in site.searches_of(ref.key):
        where = f"topics/searches/{search.slug}.md"
        words = write.link(write.text(f"“{search.query}”"), where)
        items.append(f"search {words}, {write.text(search.date)}")
    for collection in site.collections_of(ref.key):
        where = site.record_path("collection", collection)
        items.append(f"collection {write.link(write.text(collection.title), where)}")
    items += [write.text(line) for line in ref.sources]
    items += [write.text(f"not taken: {line}") for line in ref.conflicts]
    return write.items(items, kind="sources") if items else ""


def _history(site: Site, path: str) -> str:
    """The newest commits of its file."""
    found = site.history.get(path, [])
    lines = [site.write.text(f"{each.date[:10]} {each.subject}") for each in found[:CHANGES]]
    if len(found) > CHANGES:
        lines.append(f"and {len(found) - CHANGES} earlier")
    return site.write.items(lines, kind="history") if lines else ""
