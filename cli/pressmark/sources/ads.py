"""NASA ADS's search: a question or ids in; astronomy's records, whose fields are lists, out.

https://ui.adsabs.harvard.edu/help/api/
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pressmark import ids, text
from pressmark.config import Config
from pressmark.errors import Configuration
from pressmark.http import SEARCH_SECONDS
from pressmark.ids import Identifier
from pressmark.record import Paper
from pressmark.sources import names
from pressmark.sources.answers import broken, json_object, listed, solr
from pressmark.sources.base import Found, Request
from pressmark.sources.language import Language, boolean, lucene, lucene_term, must_know
from pressmark.sources.query import Query, Term
from pressmark.sources.values import date_of, items, named, renamed, table, unique, words

name = "ads"
platform = "NASA ADS"
kinds: tuple[str, ...] = ("doi", "arxiv")
page_size = 200
batch = 50
language = Language(
    fields=frozenset({"title", "author", "abstract"}), boolean=True, phrases=True, dates=True,
    open_access=True, sorts=frozenset({"relevance", "date", "cited"}),
)  # fmt: skip

_API = "https://api.adsabs.harvard.edu/v1/search/query"
_FIELDS = (
    "bibcode,title,author,pubdate,pub,volume,issue,page,doi,identifier,abstract,doctype,issn,"
    "isbn,property,keyword"
)
_PREFIX = {"title": "title:", "author": "author:", "abstract": "abs:", "all": ""}
_SORT = {"date": "date desc", "cited": "citation_count desc"}
_TYPES = {
    "article": "article-journal", "eprint": "article", "inproceedings": "paper-conference",
    "proceedings": "book", "book": "book", "inbook": "chapter", "phdthesis": "thesis",
    "mastersthesis": "thesis", "techreport": "report", "dataset": "dataset",
    "software": "software", "abstract": "paper-conference", "catalog": "dataset",
}  # fmt: skip


def cannot(query: Query) -> str | None:
    """ADS knows arXiv's papers by their bibcodes, not by category."""
    if query.categories or query.not_categories:
        return "NASA ADS has no arXiv categories as such"
    return None


def search_request(query: Query, config: Config, start: int, rows: int) -> Request:
    """Solr's syntax with ADS's fields."""
    parts = [f"({boolean(query.tree, _term)})"] if query.tree is not None else []
    if query.issn:
        parts.append(f"issn:{query.issn}")
    elif query.journal:
        parts.append(f'pub:"{lucene(query.journal)}"')
    if query.since or query.until:
        begin, end = (query.since or "1000-01")[:7], (query.until or "2999-12")[:7]
        parts.append(f"pubdate:[{begin} TO {end}]")
    if query.open_access:
        parts.append("property:openaccess")
    params = {
        "q": query.verbatim.get(name) or " AND ".join(parts),
        "fl": _FIELDS,
        "start": str(start),
        "rows": str(rows),
    }
    if query.sort in _SORT:
        params["sort"] = _SORT[query.sort]
    return Request(url=_API, params=params, headers=_key(config), keep=SEARCH_SECONDS)


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """A question for ids; a DOI with parentheses must be quoted."""
    must_know(platform, kinds, identifiers)
    said = " OR ".join(_clause(each) for each in identifiers)
    params = {"q": said, "fl": _FIELDS, "rows": str(max(10, 2 * len(identifiers)))}
    return Request(url=_API, params=params, headers=_key(config))


def _clause(identifier: Identifier) -> str:
    if identifier.kind == "doi":
        value = re.sub(r'["\\]', "", identifier.value)
        return f'doi:"{value}"'
    return f'identifier:"arXiv:{identifier.value}"'


def _key(config: Config) -> dict[str, str]:
    key = config.keys.get("ads")
    if not key:
        raise Configuration(
            "NASA ADS needs a key.", next="set PRESSMARK_ADS_KEY (free at ui.adsabs.harvard.edu)"
        )
    return {"Authorization": f"Bearer {key}"}


def _term(term: Term) -> str:
    return _PREFIX[term.field] + lucene_term(term, whole=term.field == "author")


def parse_search(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The documents of Solr's answer."""
    answer = json_object(name, body, status, content_type)
    if answer.get("error"):
        raise broken(name, body)
    return listed(name, body, solr(answer), paper, today)


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The documents that answered to any of the identifiers."""
    return parse_search(body, status, content_type, today=today)


def paper(row: object, today: str) -> Paper | None:
    """One document; None where it has no bibcode. A day or month of 00 is none."""
    row = table(row)
    own = words(row.get("bibcode"))
    if not own:
        return None
    title = text.title(words(row.get("title")))
    known = [words(each) for each in items(row.get("identifier"))]
    arxiv = next((found for each in known if (found := ids.normalise_arxiv(each))), None)
    doi = ids.normalise_doi(words(row.get("doi")))
    kind = words(row.get("doctype"))
    preprint = kind == "eprint"
    year, month, day = [*words(row.get("pubdate")).split("-"), "", "", ""][:3]
    made = Paper(
        title=title,
        authors=unique([names.author(words(each)) for each in items(row.get("author"))]),
        published=date_of(year or row.get("year"), month, day),
        type=_TYPES.get(kind, "document" if kind else "article-journal"),
        venue=None if preprint else text.title(words(row.get("pub"))) or None,
        volume=words(row.get("volume")),
        issue=words(row.get("issue")),
        pages=None if preprint else words(row.get("page")),
        doi=doi or (f"10.48550/arxiv.{arxiv}" if arxiv and preprint else None),
        arxiv=arxiv,
        issn=tuple(sorted(unique([words(each) for each in items(row.get("issn"))]))),
        isbn=unique([ids.normalise_isbn(words(each)) for each in items(row.get("isbn"))]),
        url=f"https://ui.adsabs.harvard.edu/abs/{own}/abstract",
        keywords=tuple(sorted(unique([words(each) for each in items(row.get("keyword"))]))),
        notice=renamed(title),
        abstract=text.from_jats(words(row.get("abstract"))) or None,
        sources=(f"{name}:{own} {today}",),
    )
    return named(made)
