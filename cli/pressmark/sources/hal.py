"""HAL's search: a question or ids in; the open archive's records, as papers, out.

https://api.archives-ouvertes.fr/docs/search
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
from pressmark.sources.answers import broken, json_object, listed, solr
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
from pressmark.sources.values import iso_date, items, named, renamed, table, unique, words

name = "hal"
platform = "HAL"
kinds: tuple[str, ...] = ("doi", "arxiv", "pmid")
page_size = 1000
batch = 20
language = Language(
    fields=frozenset({"title", "author", "abstract"}), boolean=True, phrases=True, dates=True,
    open_access=True, sorts=frozenset({"relevance", "date"}),
)  # fmt: skip

_API = "https://api.archives-ouvertes.fr/search/"
_FIELDS = (
    "halId_s,uri_s,docType_s,title_s,subTitle_s,authFullName_s,abstract_s,doiId_s,arxivId_s,"
    "pubmedId_s,publicationDate_s,producedDate_s,journalTitle_s,journalIssn_s,journalEissn_s,"
    "bookTitle_s,conferenceTitle_s,publisher_s,journalPublisher_s,volume_s,issue_s,page_s,"
    "isbn_s,language_s,keyword_s,licence_s,openAccess_bool,fileMain_s"
)
_PREFIX = {"title": "title_t:", "author": "authFullName_t:", "abstract": "abstract_t:", "all": ""}
_WHERE = {"doi": "doiId_s", "arxiv": "arxivId_s", "pmid": "pubmedId_s"}
_TYPES = {
    "ART": "article-journal", "COMM": "paper-conference", "POSTER": "paper-conference",
    "OUV": "book", "DOUV": "book", "PROCEEDINGS": "book", "COUV": "chapter", "THESE": "thesis",
    "HDR": "thesis", "MEM": "thesis", "REPORT": "report", "UNDEFINED": "article",
    "PREPRINT": "article", "SOFTWARE": "software", "PATENT": "patent", "ISSUE": "periodical",
    "BLOG": "post-weblog", "LECTURE": "speech", "VIDEO": "motion_picture", "IMG": "graphic",
}  # fmt: skip


def cannot(query: Query) -> str | None:
    """HAL knows no arXiv categories."""
    if query.categories or query.not_categories:
        return "HAL has no arXiv categories"
    return None


def search_request(query: Query, config: Config, start: int, rows: int) -> Request:
    """`q` for the words, `fq` for what narrows them."""
    said = query.verbatim.get(name)
    limits = [] if said else list(_limits(query))
    tree = query.tree
    params = {
        "q": said or (boolean(tree, _term) if tree is not None else "*:*"),
        "fl": _FIELDS,
        "start": str(start),
        "rows": str(rows),
        "wt": "json",
    }
    if limits:
        params["fq"] = " AND ".join(limits)
    if query.sort == "date":
        params["sort"] = "producedDate_tdate desc"
    return Request(url=_API, params=params, keep=SEARCH_SECONDS)


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """A question for ids; what is not there is left out of the answer."""
    must_know(platform, kinds, identifiers)
    said = lucene_ids(identifiers, _WHERE)
    rows = str(max(10, 3 * len(identifiers)))
    return Request(url=_API, params={"q": said, "fl": _FIELDS, "rows": rows, "wt": "json"})


def _limits(query: Query) -> Iterator[str]:
    if query.since or query.until:
        yield f"producedDate_tdate:{lucene_days(query)}"
    if query.issn:
        yield f'(journalIssn_s:"{query.issn}" OR journalEissn_s:"{query.issn}")'
    elif query.journal:
        yield f'journalTitle_t:"{lucene(query.journal)}"'
    if query.open_access:
        yield "openAccess_bool:true"


def _term(term: Term) -> str:
    return _PREFIX[term.field] + lucene_term(term)


def parse_search(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The documents of Solr's answer; its errors have been seen with status 200."""
    answer = json_object(name, body, status, content_type)
    if answer.get("error"):
        said = words(table(answer["error"]).get("msg"))[:120] or "no reason given"
        raise broken(name, body, f"rejects our request ({said})")
    return listed(name, body, solr(answer), paper, today)


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The documents that answered to any of the identifiers."""
    return parse_search(body, status, content_type, today=today)


def paper(row: object, today: str) -> Paper | None:
    """One document; None where it has no HAL id."""
    row = table(row)
    own = words(row.get("halId_s"))
    if not own:
        return None
    title, subtitle = (
        text.title(words(row.get("title_s"))),
        text.title(words(row.get("subTitle_s"))),
    )
    kind = words(row.get("docType_s"))
    doi = ids.normalise_doi(words(row.get("doiId_s")))
    license_ = licences.normalise(words(row.get("licence_s")))
    issn = [words(row.get("journalIssn_s")), words(row.get("journalEissn_s"))]
    made = Paper(
        title=f"{title}: {subtitle}" if title and subtitle else title,
        authors=unique([names.author(words(each)) for each in _list(row.get("authFullName_s"))]),
        published=iso_date(row.get("publicationDate_s")) or iso_date(row.get("producedDate_s")),
        type=_TYPES.get(kind, "document" if kind else None),
        venue=text.title(words(row.get("journalTitle_s")) or words(row.get("bookTitle_s"))) or None,
        event=text.title(words(row.get("conferenceTitle_s"))) or None,
        publisher=text.title(
            words(row.get("publisher_s")) or words(row.get("journalPublisher_s"))
        ) or None,
        volume=words(row.get("volume_s")),
        issue=words(row.get("issue_s")),
        pages=words(row.get("page_s")),
        doi=doi,
        arxiv=ids.normalise_arxiv(words(row.get("arxivId_s"))),
        pmid=ids.normalise_pmid(words(row.get("pubmedId_s"))),
        isbn=unique([ids.normalise_isbn(words(row.get("isbn_s")))]),
        issn=tuple(sorted(unique(issn))),
        url=f"https://doi.org/{doi}" if doi else words(row.get("uri_s")),
        language=languages.normalise(words(row.get("language_s"))),
        keywords=tuple(sorted(unique([words(each) for each in _list(row.get("keyword_s"))]))),
        license=license_,
        notice=renamed(title),
        abstract=text.from_jats(words(row.get("abstract_s"))) or None,
        sources=(f"{name}:{own} {today}",),
        locations=tuple(_copies(row, licences.named(license_))),
    )  # fmt: skip
    return named(made)


def _list(value: object) -> list[Any]:
    """A field that is a list in one record and a word in the next."""
    return items(value) if isinstance(value, list) else [value] if value else []


def _copies(row: dict[str, Any], license_: str | None) -> Iterator[OpenCopy]:
    """The deposited file; a record without one is metadata only. HAL does not say which version."""
    url = words(row.get("fileMain_s"))
    if url.startswith("http") and row.get("openAccess_bool") is not False:
        yield OpenCopy(url=url, kind="pdf", source=name, license=license_, host_type="repository")
