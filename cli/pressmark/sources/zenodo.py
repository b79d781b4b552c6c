"""Zenodo's API: a question or a DOI in; its records, as papers, data sets and software, out.

https://developers.zenodo.org/
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pressmark import ids, text
from pressmark.config import Config
from pressmark.http import SEARCH_SECONDS
from pressmark.ids import Identifier
from pressmark.record import Paper
from pressmark.sources import languages, licences, names
from pressmark.sources.answers import alone, invenio, json_object, listed
from pressmark.sources.base import Found, OpenCopy, Request
from pressmark.sources.language import Language, boolean, lucene_ids, lucene_term, must_know
from pressmark.sources.query import Query, Term
from pressmark.sources.values import iso_date, items, renamed, table, unique, words

name = "zenodo"
platform = "Zenodo"
kinds: tuple[str, ...] = ("doi",)
page_size = 25  # the most that a guest gets
batch = 10
language = Language(
    fields=frozenset({"title", "author", "abstract"}), boolean=True, phrases=True, dates=True,
    open_access=True, sorts=frozenset({"relevance", "date"}),
)  # fmt: skip

_API = "https://zenodo.org/api/records"
_LAST = 10_000
_PREFIX = {"title": "title:", "author": "creators.name:", "abstract": "description:", "all": ""}
_SORT = {"relevance": "bestmatch", "date": "-publication_date", "cited": "bestmatch"}
_TYPES = {
    "publication-article": "article-journal", "publication-preprint": "article",
    "publication-conferencepaper": "paper-conference", "publication-thesis": "thesis",
    "publication-book": "book", "publication-section": "chapter", "publication-report": "report",
    "dataset": "dataset", "software": "software", "image": "graphic", "video": "motion_picture",
    "presentation": "speech", "poster": "graphic", "lesson": "document",
}  # fmt: skip


def cannot(query: Query) -> str | None:
    """Zenodo knows neither arXiv's categories nor journals by ISSN."""
    if query.categories or query.not_categories:
        return "Zenodo has no arXiv categories"
    if query.journal or query.issn:
        return "Zenodo cannot be searched by journal"
    if query.page * query.limit > _LAST:
        return "Zenodo gives the first 10,000 hits of a question only"
    return None


def search_request(query: Query, config: Config, start: int, rows: int) -> Request:
    """Elasticsearch's syntax; a page is counted in its own size."""
    parts = [f"({boolean(query.tree, _term)})"] if query.tree is not None else []
    if query.since or query.until:
        parts.append(f"publication_date:[{query.since or '*'} TO {query.until or '*'}]")
    if query.open_access:
        parts.append("access_right:open")
    params = {
        "q": query.verbatim.get(name) or " AND ".join(parts),
        "size": str(rows),
        "page": str(start // rows + 1),
        "sort": _SORT[query.sort],
    }
    return Request(url=_API, params=params, keep=SEARCH_SECONDS)


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """A question for DOIs; what is not there is left out of the answer."""
    must_know(platform, kinds, identifiers)
    said = lucene_ids(identifiers, {"doi": "doi"})
    return Request(url=_API, params={"q": said, "size": "25", "all_versions": "true"})


def _term(term: Term) -> str:
    return _PREFIX[term.field] + lucene_term(term)


def parse_search(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The records of a list."""
    answer = json_object(name, body, status, content_type)
    return listed(name, body, invenio(answer), paper, today)


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The records that answered, or one record alone."""
    answer = json_object(name, body, status, content_type)
    if "hits" in answer:
        return parse_search(body, status, content_type, today=today)
    return alone(name, body, answer, paper, today)


def paper(row: object, today: str) -> Paper | None:
    """One record; `conceptdoi` is the DOI of all its versions together."""
    row = table(row)
    about, own = table(row.get("metadata")), words(row.get("id"))
    title = text.title(words(about.get("title")) or words(row.get("title")))
    doi = ids.normalise_doi(words(row.get("doi")) or words(about.get("doi")))
    if not own or not (title or doi):
        return None
    concept = ids.normalise_doi(words(row.get("conceptdoi")))
    kind = table(about.get("resource_type"))
    fine = f"{words(kind.get('type'))}-{words(kind.get('subtype'))}"
    journal = table(about.get("journal"))
    license_ = licences.normalise(_licence(about))
    people = [table(each) for each in items(about.get("creators"))]
    return Paper(
        title=title,
        authors=unique([names.author(words(each.get("name"))) for each in people]),
        published=iso_date(about.get("publication_date")),
        type=_TYPES.get(fine) or _TYPES.get(words(kind.get("type")), "document"),
        venue=text.title(words(journal.get("title"))) or None,
        publisher="Zenodo" if doi and doi.startswith("10.5281/zenodo.") else None,
        volume=words(journal.get("volume")),
        issue=words(journal.get("issue")),
        pages=words(journal.get("pages")),
        doi=doi,
        url=f"https://doi.org/{doi}" if doi else f"https://zenodo.org/records/{own}",
        language=languages.normalise(words(about.get("language"))),
        keywords=tuple(sorted(unique([words(each) for each in items(about.get("keywords"))]))),
        license=license_,
        notice=renamed(title),
        related=(f"doi:{concept}",) if concept and concept != doi else (),
        abstract=text.from_jats(str(about.get("description") or "")) or None,
        sources=(f"{name}:{own} {today}",),
        locations=tuple(_copies(row, about, own, licences.named(license_))),
    )


def _licence(about: dict[str, Any]) -> str:
    """An object with an `id` today, a word before."""
    return words(table(about.get("license")).get("id")) or words(about.get("license"))


def _copies(
    row: dict[str, Any], about: dict[str, Any], own: str, license_: str | None
) -> Iterator[OpenCopy]:
    if words(about.get("access_right")) != "open":
        return
    for each in map(table, items(row.get("files"))):
        key = words(each.get("key"))
        url = words(table(each.get("links")).get("self"))
        if key.lower().endswith(".pdf") and url.startswith("http"):
            yield OpenCopy(
                url=url, kind="pdf", source=name, license=license_, host_type="repository"
            )
    yield OpenCopy(
        url=f"https://zenodo.org/records/{own}", kind="landing", source=name, license=license_,
        host_type="repository",
    )  # fmt: skip
