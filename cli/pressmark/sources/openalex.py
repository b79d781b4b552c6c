"""OpenAlex's API: a question or an id in; its JSON, abstracts unscrambled, as papers out.

https://docs.openalex.org
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

from pressmark import ids, text
from pressmark.config import Config
from pressmark.errors import BadInput, Configuration
from pressmark.http import SEARCH_SECONDS
from pressmark.ids import Identifier
from pressmark.record import Author, Paper
from pressmark.sources import licences, names
from pressmark.sources.answers import Listing, alone, json_object, listed
from pressmark.sources.base import Found, OpenCopy, Request
from pressmark.sources.language import Language, boolean, is_excluded
from pressmark.sources.query import Group, Node, Query, Term
from pressmark.sources.values import (
    abstract,
    count,
    iso_date,
    items,
    page_range,
    table,
    unique,
    words,
)

name = "openalex"
platform = "OpenAlex"
kinds: tuple[str, ...] = ("doi", "openalex", "pmid", "pmcid", "arxiv")
page_size = 100
batch = 1
language = Language(
    fields=frozenset({"title", "author", "abstract"}), fields_apart=True, boolean=True,
    phrases=True, dates=True, open_access=True, semantic=True,
    sorts=frozenset({"relevance", "date", "cited"}),
)  # fmt: skip

_API = "https://api.openalex.org/works"
_SORT = {"date": "publication_date:desc", "cited": "cited_by_count:desc"}
_FILTER = {
    "title": "title.search",
    "author": "raw_author_name.search",
    "abstract": "abstract.search",
}
_TYPES = {
    "article": "article-journal", "review": "article-journal", "preprint": "article",
    "letter": "article-journal", "editorial": "article-journal", "erratum": "article-journal",
    "retraction": "article-journal", "book": "book", "book-chapter": "chapter",
    "book-section": "chapter", "dissertation": "thesis", "report": "report",
    "dataset": "dataset", "peer-review": "review", "standard": "standard",
    "reference-entry": "entry", "software": "software",
}  # fmt: skip
_VERSIONS = {
    "publishedVersion": "published", "acceptedVersion": "accepted", "submittedVersion": "submitted"
}  # fmt: skip


def cannot(query: Query) -> str | None:
    """OpenAlex files arXiv's papers without their categories."""
    if query.categories or query.not_categories:
        return "OpenAlex has no arXiv categories"
    if query.journal and not query.issn:
        return "OpenAlex filters journals by ISSN, and the name's could not be had"
    return None


def search_request(query: Query, config: Config, start: int, rows: int) -> Request:
    """`search=` for the words, `filter=` for what narrows them; commas and colons part filters."""
    if query.semantic:
        return _semantic_request(query, config, start, rows)
    search = query.verbatim.get(name, "")
    filters: list[str] = []
    if not search and query.tree is not None:
        search, filters = _split(query.tree)
    filters += [
        f"primary_location.source.issn:{query.issn}" if query.issn else "",
        f"from_publication_date:{query.since}" if query.since else "",
        f"to_publication_date:{query.until}" if query.until else "",
        "is_oa:true" if query.open_access else "",
    ]
    params = {"search": search} if search else {}
    if any(filters):
        params["filter"] = ",".join(each for each in filters if each)
    if query.sort in _SORT:
        params["sort"] = _SORT[query.sort]
    params |= {"per_page": str(rows), "page": str(start // rows + 1)}
    return Request(url=_API, params=params, headers=key_headers(config), keep=SEARCH_SECONDS)


MEANING_ROWS = 50
"""The most works that OpenAlex gives by meaning, whatever the question."""


def _semantic_request(query: Query, config: Config, start: int, rows: int) -> Request:
    """`search.semantic`: the words as a sentence; it knows years and what is open."""
    if not config.key(name):
        raise Configuration(
            "OpenAlex searches by meaning with a key only.",
            next="set PRESSMARK_OPENALEX_KEY (free at openalex.org/settings/api)",
        )
    if start + rows > MEANING_ROWS:
        raise BadInput(f"OpenAlex gives the first {MEANING_ROWS} works by meaning only.")
    if query.journal or query.issn or query.sort != "relevance":
        raise BadInput("A search by meaning takes neither a journal nor an order.")
    limits = [
        f"publication_year:>={query.since[:4]}" if query.since else "",
        f"publication_year:<={query.until[:4]}" if query.until else "",
        "is_oa:true" if query.open_access else "",
    ]
    params = {"search.semantic": query.words}
    if any(limits):
        params["filter"] = ",".join(each for each in limits if each)
    params |= {"per_page": str(rows), "page": str(start // rows + 1)}
    return Request(url=_API, params=params, headers=key_headers(config), keep=SEARCH_SECONDS)


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """One work by any of its ids: the kind of request that costs no credit."""
    wanted = identifiers[0]
    value = wanted.value
    if wanted.kind == "openalex":
        path = value
    elif wanted.kind == "arxiv":
        path = f"doi:10.48550/arxiv.{value}"
    elif wanted.kind in ("doi", "pmid", "pmcid"):
        path = f"{wanted.kind}:{value}"
    else:
        raise BadInput(f"OpenAlex does not know {wanted.kind} identifiers.")
    return Request(url=f"{_API}/{quote(path, safe=':/')}", headers=key_headers(config))


def key_headers(config: Config) -> dict[str, str]:
    """The key goes into a header, so that it is in no URL, log or cache."""
    key = config.keys.get("openalex")
    return {"Authorization": f"Bearer {key}"} if key else {}


def _split(tree: Node) -> tuple[str, list[str]]:
    """Fielded terms become filters where the query is one plain AND; else all are words."""
    parts = tree.parts if isinstance(tree, Group) and tree.operator == "and" else (tree,)
    fielded = [p for p in parts if isinstance(p, Term) and p.field in _FILTER]
    rest = [p for p in parts if p not in fielded]
    deep = any(isinstance(p, Group) and _has_fields(p) for p in rest)
    if not fielded or deep:
        return boolean(tree, _term), []
    if rest and all(is_excluded(part) for part in rest):
        # What is excluded is taken from something: from where titles and abstracts stand, too.
        rest = [*(part for part in fielded if part.field != "author"), *rest]
    search = boolean(Group("and", tuple(rest)), _term).strip() if rest else ""
    return search, [f"{_FILTER[term.field]}:{_value(term)}" for term in fielded]


def _has_fields(node: Node) -> bool:
    if isinstance(node, Term):
        return node.field in _FILTER
    return any(_has_fields(part) for part in node.parts)


def _value(term: Term) -> str:
    """A filter's value: a comma or colon in it would be read as syntax, even encoded."""
    plain = " ".join(re.sub(r"[,:|!\"()]+", " ", term.words).split())
    return f'"{plain}"' if term.phrase or plain != term.words else plain


def _term(term: Term) -> str:
    plain = " ".join(re.sub(r"[\"()*?~]+", " ", term.words).split())
    return f'"{plain}"' if term.phrase or not re.fullmatch(r"[\w'-]+", plain) else plain


def title_request(title: str, config: Config, rows: int = 5) -> Request:
    """Works whose titles hold all these words."""
    plain = " ".join(re.sub(r"[,:|!\"()]+", " ", title).split())
    params = {"filter": f"title.search:{plain}", "per_page": str(rows)}
    return Request(url=_API, params=params, headers=key_headers(config), keep=SEARCH_SECONDS)


def parse_search(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The works of a list, in OpenAlex's order, and its own count."""
    answer = json_object(name, body, status, content_type)
    meta = table(answer.get("meta"))
    rows = count(meta.get("per_page"))
    before = ((count(meta.get("page")) or 1) - 1) * rows if rows else None
    listing = Listing(answer.get("results"), count(meta.get("count")), before)
    return listed(name, body, listing, paper, today)


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The one work of an answer."""
    answer = json_object(name, body, status, content_type)
    return alone(name, body, answer, paper, today)


def paper(work: object, today: str) -> Paper | None:
    """The paper; None for what is no mapping or has neither id nor DOI."""
    work = table(work)
    known = table(work.get("ids"))
    named = words(work.get("id")) or words(known.get("openalex"))
    openalex = _identifier(named)
    doi = ids.normalise_doi(words(work.get("doi")) or words(known.get("doi")))
    if openalex is None and doi is None:
        return None
    primary = table(work.get("primary_location"))
    venue = table(primary.get("source"))
    best = table(work.get("best_oa_location"))
    kind = words(work.get("type"))
    retracted = work.get("is_retracted") is True
    return Paper(
        title=text.title(words(work.get("title")) or words(work.get("display_name"))),
        authors=unique([_author(table(each)) for each in items(work.get("authorships"))]),
        published=iso_date(work.get("publication_date")) or iso_date(work.get("publication_year")),
        type=_type(kind, words(work.get("type_crossref")), words(venue.get("type"))),
        venue=_venue(venue),
        publisher=text.title(words(venue.get("host_organization_name")))
        if words(venue.get("type")) != "repository"
        else None,
        doi=doi,
        arxiv=_arxiv(work, doi),
        pmid=ids.normalise_pmid(words(known.get("pmid"))),
        pmcid=_pmcid(words(known.get("pmcid"))),
        openalex=openalex,
        issn=tuple(sorted(unique([words(each) for each in items(venue.get("issn"))]))),
        url=f"https://doi.org/{doi}" if doi else words(primary.get("landing_page_url")),
        language=words(work.get("language")),
        license=licences.named(words(best.get("license"))),
        oa=words(table(work.get("open_access")).get("oa_status")),
        notice="retracted" if retracted else None,
        cites=unique([_cited(words(each)) for each in items(work.get("referenced_works"))]),
        abstract=unscrambled(work.get("abstract_inverted_index")),
        sources=(f"{name}:{openalex or doi} {today}",),
        locations=tuple(dict.fromkeys(_locations(work))),
        **_biblio(table(work.get("biblio"))),
    )


def unscrambled(index: object) -> str | None:
    """An abstract from the positions of its words; positions that cannot be are left out."""
    placed: dict[int, str] = {}
    for word, positions in table(index).items():
        for at in items(positions):
            if isinstance(at, int) and not isinstance(at, bool) and 0 <= at < 20_000:
                placed[at] = str(word)
    said = " ".join(placed[at] for at in sorted(placed))
    return abstract(re.sub(r"^(?:abstract|summary)[:.]?\s+(?=[A-Z])", "", said, flags=re.I))


def _author(authorship: dict[str, Any]) -> str | None:
    """The name as printed on the paper, where it is plainly the same person as the profile's."""
    shown = names.author(words(table(authorship.get("author")).get("display_name")))
    printed = names.author(words(authorship.get("raw_author_name")))
    if not shown or not printed:
        return shown or printed
    one, two = Author.parse(shown), Author.parse(printed)
    same = text.fold(one.family) == text.fold(two.family)
    return printed if same and len(two.given) > len(one.given) else shown


def _type(kind: str, crossref: str, venue: str) -> str | None:
    if crossref == "proceedings-article" or (kind == "article" and venue == "conference"):
        return "paper-conference"
    if kind == "article" and venue == "repository":
        return "article"
    return _TYPES.get(kind, "document" if kind else None)


def _venue(source: dict[str, Any]) -> str | None:
    """The journal or conference; a repository is where a copy lies, not where it was published."""
    if words(source.get("type")) == "repository":
        return None
    return text.title(words(source.get("display_name"))) or None


def _arxiv(work: dict[str, Any], doi: str | None) -> str | None:
    """The arXiv id of a work that OpenAlex itself says lies there."""
    own = ids.normalise_arxiv(doi) if doi and doi.startswith("10.48550/arxiv.") else None
    if own:
        return own
    for location in map(table, items(work.get("locations"))):
        address = words(location.get("landing_page_url"))
        if re.match(r"https?://arxiv\.org/abs/", address) and (
            found := ids.normalise_arxiv(address)
        ):
            return found
    return None


def _pmcid(value: str) -> str | None:
    """OpenAlex writes the address of a PMC article without the letters."""
    found = re.search(r"(\d+)/?$", value)
    return ids.normalise_pmcid(found[1]) if found else None


def _identifier(value: str) -> str | None:
    found = ids.normalise_openalex(value)
    return found if found and re.fullmatch(r"W\d{1,12}", found) else None


def _cited(value: str) -> str | None:
    found = _identifier(value)
    return f"openalex:{found}" if found else None


def _biblio(biblio: dict[str, Any]) -> dict[str, Any]:
    first, last = words(biblio.get("first_page")), words(biblio.get("last_page"))
    return {
        "volume": words(biblio.get("volume")),
        "issue": words(biblio.get("issue")),
        "pages": page_range(first, last),
    }


def _locations(work: dict[str, Any]) -> Iterator[OpenCopy]:
    """The open copies, the best first."""
    for location in map(table, [work.get("best_oa_location"), *items(work.get("locations"))]):
        if location.get("is_oa") is not True:
            continue
        version = _VERSIONS.get(words(location.get("version")))
        at = words(table(location.get("source")).get("type"))
        host = "repository" if at == "repository" else "publisher" if at else None
        for key, kind in (("pdf_url", "pdf"), ("landing_page_url", "landing")):
            if address := words(location.get(key)):
                yield OpenCopy(
                    url=address, kind=kind, source=name, version=version, host_type=host,
                    license=licences.named(words(location.get("license"))),
                )  # fmt: skip
