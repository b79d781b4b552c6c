"""INSPIRE's API: a question or ids in; high-energy physics' records, as papers, out.

https://github.com/inspirehep/rest-api-doc
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from pressmark import ids, text
from pressmark.config import Config
from pressmark.http import SEARCH_SECONDS
from pressmark.ids import Identifier
from pressmark.record import Paper
from pressmark.sources import languages, licences, names
from pressmark.sources.answers import invenio, json_object, listed
from pressmark.sources.base import Found, OpenCopy, Request
from pressmark.sources.language import Language, boolean, must_know, stripped_term
from pressmark.sources.query import Query, Term
from pressmark.sources.values import iso_date, items, renamed, table, unique, words

name = "inspire"
platform = "INSPIRE"
kinds: tuple[str, ...] = ("doi", "arxiv")
page_size = 250
batch = 20
language = Language(
    fields=frozenset({"title", "author", "abstract"}), boolean=True, phrases=True,
    sorts=frozenset({"relevance", "date", "cited"}),
)  # fmt: skip

_API = "https://inspirehep.net/api/literature"
_LAST = 10_000
_FIELDS = (
    "titles,abstracts,authors.full_name,collaborations,dois,arxiv_eprints,publication_info,"
    "document_type,earliest_date,preprint_date,imprints,isbns,keywords,license,languages,"
    "documents,control_number"
)
_PREFIX = {"title": "t ", "author": "a ", "abstract": "abstract ", "all": ""}
_SORT = {"relevance": "bestmatch", "date": "mostrecent", "cited": "mostcited"}
_TYPES = {
    "article": "article-journal", "conference paper": "paper-conference", "book": "book",
    "book chapter": "chapter", "thesis": "thesis", "report": "report", "proceedings": "book",
    "note": "document", "activity report": "report",
}  # fmt: skip


def cannot(query: Query) -> str | None:
    """INSPIRE's limits are parts of its own language, and few of them are ours."""
    if query.categories or query.not_categories:
        return "INSPIRE has no arXiv categories as such"
    if query.open_access:
        return "INSPIRE does not say which works are open access"
    if query.page * query.limit > _LAST:
        return "INSPIRE gives the first 10,000 hits of a question only"
    return None


def search_request(query: Query, config: Config, start: int, rows: int) -> Request:
    """SPIRES-like syntax: `t "a b" and a smith and date > 2019`."""
    tree = query.tree
    parts = [f"({boolean(tree, _term).replace(' AND ', ' and ')})"] if tree is not None else []
    if query.journal:
        journal = re.sub(r'["\\]+', " ", query.journal)
        parts.append(f'j "{" ".join(journal.split())}"')
    if query.since:
        parts.append(f"date >= {query.since}")
    if query.until:
        parts.append(f"date <= {query.until}")
    params = {
        "q": query.verbatim.get(name) or " and ".join(parts),
        "size": str(rows),
        "page": str(start // rows + 1),
        "fields": _FIELDS,
        "sort": _SORT[query.sort],
    }
    return Request(url=_API, params=params, keep=SEARCH_SECONDS)


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """A question for ids; what is not there is left out of the answer."""
    must_know(platform, kinds, identifiers)
    said = " or ".join(f'{each.kind}:"{each.value}"' for each in identifiers)
    rows = str(max(10, 2 * len(identifiers)))
    return Request(url=_API, params={"q": said, "size": rows, "fields": _FIELDS})


def _term(term: Term) -> str:
    return _PREFIX[term.field] + stripped_term(term)


def parse_search(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The records of a list."""
    answer = json_object(name, body, status, content_type)
    return listed(name, body, invenio(answer), paper, today)


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The records that answered to any of the identifiers."""
    return parse_search(body, status, content_type, today=today)


def paper(row: object, today: str) -> Paper | None:
    """One record; None where it has neither a number nor a title."""
    row = table(row)
    about = table(row.get("metadata"))
    own = words(about.get("control_number")) or words(row.get("id"))
    title = text.title(words(_first(about, "titles").get("title")))
    if not own or not title:
        return None
    place, imprint = _first(about, "publication_info"), _first(about, "imprints")
    arxiv = ids.normalise_arxiv(words(_first(about, "arxiv_eprints").get("value")))
    doi = ids.normalise_doi(words(_first(about, "dois").get("value")))
    people = [table(each) for each in items(about.get("authors"))]
    groups = [words(table(each).get("value")) for each in items(about.get("collaborations"))]
    first, last = words(place.get("page_start")), words(place.get("page_end"))
    kind = words(items(about.get("document_type")))
    venue = words(place.get("journal_title")) or None
    return Paper(
        title=title,
        authors=unique(
            [names.author(words(each.get("full_name"))) for each in people]
            + [names.group(f"{each} Collaboration") for each in groups if each]
        ),
        published=iso_date(imprint.get("date"))
        or iso_date(place.get("year"))
        or iso_date(about.get("earliest_date")),
        type="article" if arxiv and not venue else _TYPES.get(kind, "document"),
        venue=venue,
        publisher=text.title(words(imprint.get("publisher"))) or None,
        volume=words(place.get("journal_volume")),
        issue=words(place.get("journal_issue")),
        pages=words(place.get("artid")) or (f"{first}-{last}" if first and last else first),
        doi=doi or (f"10.48550/arxiv.{arxiv}" if arxiv else None),
        arxiv=arxiv,
        isbn=unique([ids.normalise_isbn(words(_first(about, "isbns").get("value")))]),
        url=f"https://inspirehep.net/literature/{own}",
        language=languages.normalise(words(items(about.get("languages")))),
        license=licences.named(words(_first(about, "license").get("url"))),
        notice=renamed(title),
        abstract=text.from_jats(words(_first(about, "abstracts").get("value"))) or None,
        sources=(f"{name}:{own} {today}",),
        locations=tuple(_copies(about)),
    )


def _first(about: dict[str, Any], key: str) -> dict[str, Any]:
    return table(next(iter(items(about.get(key))), None))


def _copies(about: dict[str, Any]) -> Iterator[OpenCopy]:
    """Full texts that INSPIRE keeps and shows."""
    for each in map(table, items(about.get("documents"))):
        url = words(each.get("url"))
        if each.get("fulltext") is True and not each.get("hidden") and url.startswith("http"):
            yield OpenCopy(url=url, kind="pdf", source=name, host_type="repository")
