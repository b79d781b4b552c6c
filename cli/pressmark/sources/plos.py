"""PLOS's search: a question or DOIs in; Solr's JSON, its section documents folded, as papers out.

https://api.plos.org/solr/faq/
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pressmark import ids, text
from pressmark.config import Config
from pressmark.http import SEARCH_SECONDS
from pressmark.ids import Identifier
from pressmark.record import Paper
from pressmark.sources import names
from pressmark.sources.answers import broken, each_doi_once, json_object, listed, solr
from pressmark.sources.base import Found, OpenCopy, Request
from pressmark.sources.language import (
    Language,
    boolean,
    lucene,
    lucene_days,
    lucene_ids,
    lucene_term,
    must_know,
)
from pressmark.sources.query import Query, Term
from pressmark.sources.values import iso_date, items, renamed, table, unique, words

name = "plos"
platform = "PLOS"
kinds: tuple[str, ...] = ("doi",)
page_size = 100
batch = 20
language = Language(
    fields=frozenset({"title", "author", "abstract"}), boolean=True, phrases=True, dates=True,
    open_access=True, sorts=frozenset({"relevance", "date"}),
)  # fmt: skip

_API = "https://api.plos.org/search"
_FIELDS = (
    "id,title_display,author_display,abstract,publication_date,journal,eissn,volume,issue,"
    "elocation_id,article_type"
)
_PREFIX = {"title": "title:", "author": "author:", "abstract": "abstract:", "all": ""}
_JOURNALS = {
    "pone": "plosone", "pbio": "plosbiology", "pcbi": "ploscompbiol", "pgen": "plosgenetics",
    "pmed": "plosmedicine", "pntd": "plosntds", "ppat": "plospathogens", "pwat": "water",
    "pdig": "digitalhealth", "pclm": "climate", "pgph": "globalpublichealth",
    "pctr": "plosclinicaltrials", "pmen": "mentalhealth", "pcsy": "complexsystems",
    "pstr": "sustainabilitytransformation",
}  # fmt: skip
"""The journal in a DOI (`10.1371/journal.pone.…`) to its place on journals.plos.org."""

_OWN = re.compile(r"(10\.1371/(?:journal\.[a-z]+\.\d+|[^/]+))(?:/.+)?", re.I)


def cannot(query: Query) -> str | None:
    """PLOS knows no arXiv categories."""
    if query.categories or query.not_categories:
        return "PLOS has no arXiv categories"
    return None


def search_request(query: Query, config: Config, start: int, rows: int) -> Request:
    """Whole articles only: by itself the index also answers with abstracts and titles as hits."""
    params = {
        "q": query.verbatim.get(name) or translate(query),
        "fq": "doc_type:full",
        "fl": _FIELDS,
        "start": str(start),
        "rows": str(rows),
        "wt": "json",
    }
    if query.sort == "date":
        params["sort"] = "publication_date desc"
    return Request(url=_API, params=params, keep=SEARCH_SECONDS)


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """A question for DOIs; what is not there is left out of the answer."""
    must_know(platform, kinds, identifiers)
    said = lucene_ids(identifiers, {"doi": "id"})
    params = {"q": said, "fl": _FIELDS, "rows": str(len(identifiers)), "wt": "json"}
    return Request(url=_API, params=params)


def translate(query: Query) -> str:
    """Solr's syntax: `(title:"a b" AND c) AND publication_date:[2020-01-01T00:00:00Z TO …]`."""
    parts = [f"({boolean(query.tree, _term)})"] if query.tree is not None else []
    if query.issn:
        parts.append(f"eissn:{query.issn}")
    elif query.journal:
        parts.append(f'journal:"{lucene(query.journal)}"')
    if query.since or query.until:
        parts.append(f"publication_date:{lucene_days(query)}")
    return " AND ".join(parts) or "*:*"


def _term(term: Term) -> str:
    return _PREFIX[term.field] + lucene_term(term)


def parse_search(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The articles of Solr's answer; a refusal may hold some too, so its status comes first."""
    answer = json_object(name, body, status, content_type)
    if "error" in answer:
        raise broken(name, body)
    # PLOS has answered with counts alone where the header repeats nothing.
    listing = solr(answer, unsaid=0)
    return each_doi_once(listed(name, body, listing, paper, today))


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The articles that answered to any of the DOIs."""
    return parse_search(body, status, content_type, today=today)


def paper(row: object, today: str) -> Paper | None:
    """One document; None where it has no DOI. A section's is its article's."""
    row = table(row)
    found = _OWN.fullmatch(words(row.get("id")))
    doi = ids.normalise_doi(found[1]) if found else None
    if doi is None:
        return None
    title = text.title(words(row.get("title_display")) or words(row.get("title")))
    people = items(row.get("author_display")) or items(row.get("author"))
    return Paper(
        title=title,
        authors=unique([names.author(words(each)) for each in people]),
        published=iso_date(row.get("publication_date")),
        type="article-journal",
        venue=_venue(words(row.get("journal"))),
        publisher="Public Library of Science",
        volume=words(row.get("volume")),
        issue=words(row.get("issue")),
        pages=words(row.get("elocation_id")),
        doi=doi,
        issn=unique([words(row.get("eissn"))]),
        url=f"https://doi.org/{doi}",
        license="CC BY",
        notice=renamed(title),
        abstract=_abstract(row),
        sources=(f"{name}:{doi} {today}",),
        locations=copies(doi),
    )


def copies(doi: str | None) -> tuple[OpenCopy, ...]:
    """The XML and the PDF of an article, which stand where its DOI says."""
    parts = (doi or "").removeprefix("10.1371/journal.").split(".")
    journal = _JOURNALS.get(parts[0]) if doi and doi.startswith("10.1371/journal.") else None
    if journal is None:
        return ()
    at = f"https://journals.plos.org/{journal}/article/file?id={doi}&type="
    return tuple(
        OpenCopy(
            url=at + form, kind=kind, source=name, version="published", license="CC BY",
            host_type="publisher",
        )
        for form, kind in (("manuscript", "jats"), ("printable", "pdf"))
    )  # fmt: skip


def _venue(journal: str) -> str | None:
    """`PLoS ONE` is how PLOS wrote itself until 2012."""
    return re.sub(r"^PLoS\b", "PLOS", text.title(journal)) or None


def _abstract(row: dict[str, Any]) -> str | None:
    """A list; its sections are run together, `Background: … Methods: …`."""
    said = row.get("abstract")
    parts = [str(each) for each in said if each] if isinstance(said, list) else [str(said or "")]
    done = [text.from_jats(" ".join(part.split())) for part in parts]
    return "\n\n".join(part for part in done if part) or None
