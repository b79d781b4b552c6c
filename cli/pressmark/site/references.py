"""A reference and what the library knows around it in; its page out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from pressmark import ids
from pressmark.formats import bibtex, csljson
from pressmark.record import Author, Reference
from pressmark.render import citation, label
from pressmark.site.model import SitePage
from pressmark.site.prose import relative
from pressmark.text import escape_markdown, plain

if TYPE_CHECKING:
    from pressmark.site.collect import Site

SHOWN = 40
"""Neighbours of a paper listed on its page."""

AUTHORS = 20
"""Authors named above the fold; a reader opens the list to see the others."""

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
    parts = [
        f"# {_title(ref)}\n",
        *_banner(ref),
        _facts(site, ref, path),
        _other_authors(ref),
        site.prose.convert(ref.body, path).strip() + "\n",
        _mentions(site, ref, path),
        _neighbours(site, "Cites, in this library", site.cites(ref.key), path),
        _neighbours(site, "Cited by, in this library", site.cited_by(ref.key), path),
        _copy(ref),
        _provenance(site, ref, path),
    ]
    return SitePage(
        uri=path,
        title=plain(ref.title),
        markdown="\n".join(part for part in parts if part),
        kind="reference",
        edit=path,
        description=plain(citation(ref))[:300],
        meta=highwire(ref),
        files={
            f"{ref.key}.bib": bibtex.write([ref]).encode("ascii", "replace"),
            f"{ref.key}.json": csljson.write([ref]),
        },
    )


def highwire(ref: Reference) -> dict[str, tuple[str, ...]]:
    """The `citation_*` names that Zotero and search engines read from a page's head."""
    venue = {
        "article-journal": "citation_journal_title",
        "paper-conference": "citation_conference_title",
        "chapter": "citation_inbook_title",
    }.get(ref.type or "", "citation_journal_title")
    pages = (ref.pages or "").replace("–", "-").split("-")
    named: dict[str, Sequence[str | None]] = {
        "citation_title": (ref.title,),
        "citation_author": tuple(_first_last(name) for name in ref.authors),
        "citation_publication_date": ((ref.published or "").replace("-", "/"),),
        venue: (ref.venue,),
        "citation_volume": (ref.volume,),
        "citation_issue": (ref.issue,),
        "citation_firstpage": (pages[0],),
        "citation_lastpage": (pages[-1] if len(pages) > 1 else "",),
        "citation_doi": (ref.doi,),
        "citation_pmid": (ref.pmid,),
        "citation_arxiv_id": (ref.arxiv,),
        "citation_publisher": (ref.publisher,),
        "citation_isbn": ref.isbn,
        "citation_issn": ref.issn,
    }
    kept = {name: tuple(plain(v) for v in values if v) for name, values in named.items()}
    return {name: values for name, values in kept.items() if values}


def row(site: Site, ref: Reference, path: str) -> str:
    """Two lines of a list: what it is called with its marks, and who wrote it, where."""
    title, rest = site.row_words(ref)
    return f"- [{title}]({relative(site.path(ref.key), path)}){rest}"


def row_words(ref: Reference) -> tuple[str, str]:
    """The title of a row, and what follows its link."""
    marks = f' <span class="pm-notice">{escape_markdown(ref.notice)}</span>' if ref.notice else ""
    if ref.stage:
        marks += ' <span class="pm-stage">candidate</span>'
    who = escape_markdown(label(ref).rstrip("."))
    venue = f" *{escape_markdown(ref.venue)}*." if ref.venue else ""
    return escape_markdown(ref.title), f"{marks}  \n  {who}.{venue}"


def _banner(ref: Reference) -> Iterable[str]:
    if ref.notice:
        note = f"    {escape_markdown(ref.notice_note)}\n" if ref.notice_note else ""
        title = ref.notice.replace("-", " ").capitalize()
        yield f'!!! danger "{title}"\n\n    This work carries a notice: {title.lower()}.\n{note}'
    if ref.stage == "candidate":
        yield '!!! info "Candidate"\n\n    Brought by a search or a topic; nobody kept it yet.\n'


def _title(ref: Reference) -> str:
    """The title; one in another language than the page's says which."""
    title = escape_markdown(ref.title)
    if ref.language and _LANGUAGE.fullmatch(ref.language) and ref.language[:2].lower() != "en":
        return f'<span lang="{ref.language}">{title}</span>'
    return title


def _facts(site: Site, ref: Reference, path: str) -> str:
    """Who, where, its identifiers and its subjects: a line each, in one block."""
    lines = {
        "who": _byline(site, ref, path),
        "where": _appeared(site, ref, path),
        "ids": _identifiers(site, ref, path),
        "tags": _tags(site, ref, path),
    }
    shown = [f'<span class="pm-{name}">{line}</span>' for name, line in lines.items() if line]
    return "  \n".join(shown) + "\n" if shown else ""


def _byline(site: Site, ref: Reference, path: str) -> str:
    readable = [Author.parse(name).readable for name in ref.authors[:AUTHORS]]
    names = [site.facet_link("authors", name, escape_markdown(name), path) for name in readable]
    if len(ref.authors) > AUTHORS:
        names.append(f"and {len(ref.authors) - AUTHORS} more")
    return ", ".join(names)


def _other_authors(ref: Reference) -> str:
    """The authors after the first twenty, in HTML that any generator passes on, closed at first."""
    names = [escape(Author.parse(name).readable) for name in ref.authors[AUTHORS:]]
    if not names:
        return ""
    summary = f"<summary>The other {len(names)} authors</summary>"
    return f'<details class="pm-more">{summary}<p>{", ".join(names)}</p></details>\n'


def _appeared(site: Site, ref: Reference, path: str) -> str:
    venue = ref.venue or ref.publisher
    parts = []
    if venue:
        shown = f"*{escape_markdown(venue)}*"
        parts.append(site.facet_link("venues", ref.venue, shown, path) if ref.venue else shown)
    volume = escape_markdown(ref.volume or "")
    if ref.issue:
        volume += f"({escape_markdown(ref.issue)})"
    pages = escape_markdown(ref.pages.replace("-", "–")) if ref.pages else ""
    parts += [part for part in (volume, pages) if part]
    if ref.year:
        parts.append(site.facet_link("years", ref.year, ref.published or "", path))
    return ", ".join(parts)


def _identifiers(site: Site, ref: Reference, path: str) -> str:
    uri = site.fulltext_uri(ref.key)
    shown = [f"[**full text**]({relative(uri, path)})"] if uri else []
    for name, (word, form) in RESOLVERS.items():
        if value := getattr(ref, name):
            url = form.format(value.replace("<", "%3C").replace(">", "%3E").replace(" ", "%20"))
            shown.append(f"{word} [{escape_markdown(value)}](<{url}>)")
    shown += [f"ISBN {escape_markdown(value)}" for value in ref.isbn]
    if ref.url and ref.url.startswith(("http://", "https://")):
        safe = ref.url.replace("<", "%3C").replace(">", "%3E").replace("\n", "")
        shown.append(f"[web page](<{safe}>)")
    return " · ".join(shown)


def _tags(site: Site, ref: Reference, path: str) -> str:
    tags = [site.facet_link("tags", t, f"\\#{escape_markdown(t)}", path) for t in ref.tags]
    topics = [
        f"[{escape_markdown(site.page_title(topic))}]({relative(topic, path)})"
        for topic in (f"topics/{slug}.md" for slug in ref.topics)
        if site.has_page(topic)
    ]
    return " · ".join([*topics, *tags])


def _mentions(site: Site, ref: Reference, path: str) -> str:
    lines = []
    for mention in site.mentions(ref.key):
        where = relative(mention.path, path)
        name = escape_markdown(site.page_title(mention.path))
        lines.append(f"- [{name}]({where}): {site.prose.excerpt(mention.sentence)}")
    return "\n".join(["## Mentioned in\n", *lines, ""]) if lines else ""


def _neighbours(site: Site, title: str, found: Sequence[Reference], path: str) -> str:
    if not found:
        return ""
    lines = [row(site, ref, path) for ref in found[:SHOWN]]
    if len(found) > SHOWN:
        lines.append(f"- and {len(found) - SHOWN} more")
    return "\n".join([f"## {title}\n", *lines, ""])


def _copy(ref: Reference) -> str:
    entry = bibtex.entry(ref).replace("```", "'''")
    key = ref.key
    return (
        f"## Cite\n\n`[@{key}]` · [{key}.bib]({key}.bib) · [{key}.json]({key}.json)\n\n"
        f"```bibtex\n{entry.strip()}\n```\n"
    )


def _provenance(site: Site, ref: Reference, path: str) -> str:
    rows = [f"- {escape_markdown(line)}" for line in ref.sources]
    rows += [f"- not taken: {escape_markdown(line)}" for line in ref.conflicts]
    for search in site.searches_of(ref.key):
        where = relative(f"topics/searches/{search.slug}.md", path)
        rows.append(f"- [search “{escape_markdown(search.query)}”]({where}), {search.date}")
    return "\n".join(["## Where it came from\n", *rows, ""]) if rows else ""


def _first_last(name: str) -> str:
    author = Author.parse(name)
    return author.family if author.group else str(author)
