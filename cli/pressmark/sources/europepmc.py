"""Europe PMC's API: a question or ids in; its JSON, preprints among it, as papers out.

https://europepmc.org/RestfulWebService
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pressmark import ids, text
from pressmark.config import Config
from pressmark.errors import BadInput, SourceDown
from pressmark.http import SEARCH_SECONDS
from pressmark.ids import Identifier
from pressmark.record import NOTICES, Paper
from pressmark.sources import languages, licences, names
from pressmark.sources.answers import Listing, broken, json_object, listed
from pressmark.sources.base import Found, OpenCopy, Request
from pressmark.sources.language import Language, boolean, stripped_term
from pressmark.sources.query import Query, Term
from pressmark.sources.values import count, iso_date, items, named, table, unique, unstopped, words

name = "europepmc"
platform = "Europe PMC"
kinds: tuple[str, ...] = ("pmcid", "pmid", "doi")
page_size = 1000
batch = 20
language = Language(
    fields=frozenset({"title", "author", "abstract"}), boolean=True, phrases=True, dates=True,
    open_access=True, sorts=frozenset({"relevance", "date", "cited"}),
)  # fmt: skip

_REST = "https://www.ebi.ac.uk/europepmc/webservices/rest"
_LONGEST = 1500
_PREFIX = {"title": "TITLE:", "author": "AUTH:", "abstract": "ABSTRACT:", "all": ""}
_SORT = {"date": "P_PDATE_D desc", "cited": "CITED desc"}
_NOTICES = {
    "retraction in": "retracted", "partial retraction in": "corrected",
    "expression of concern in": "expression-of-concern", "erratum in": "corrected",
    "corrected and republished in": "corrected",
}  # fmt: skip
_RELATED = re.compile(
    r"(?i)(?:partial )?retraction|erratum for|expression of concern for|preprint|update|republish"
)
_KINDS = {"PAT": "patent", "ETH": "thesis", "HIR": "report", "NBK": "book", "PPR": "article"}
_TYPES = {"preprint": "article", "thesis": "thesis", "dissertation": "thesis", "book": "book"}
_OPEN = ("OA", "F")  # open access, free; S is a subscription


def cannot(query: Query) -> str | None:
    """Europe PMC knows no arXiv categories."""
    if query.categories or query.not_categories:
        return "Europe PMC has no arXiv categories"
    return None


def search_request(query: Query, config: Config, start: int, rows: int) -> Request:
    """Pages are chained by a cursor; a later page alone is the end of one long page.

    A question of 1,500 characters and more has an address of its own, which takes a form.
    """
    if start + rows > page_size:
        raise BadInput("Europe PMC gives hits beyond the 1,000th only page after page.")
    said = query.verbatim.get(name) or translate(query)
    long = len(said) >= _LONGEST
    params = {
        "query": said,
        "resultType": "core",
        "format": "json",
        "pageSize": str(start + rows),
        "cursorMark": "*",
    }
    if query.sort in _SORT:
        params["sort"] = _SORT[query.sort]
    url = f"{_REST}/searchPOST" if long else f"{_REST}/search"
    return Request(url=url, params=params, keep=SEARCH_SECONDS, skip=start, form=long)


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """One query with an OR for each identifier; what is not there is left out of the answer."""
    said = " OR ".join(_clause(each) for each in identifiers)
    params = {
        "query": said,
        "resultType": "core",
        "format": "json",
        # A preprint and its versions may share an identifier, so there may be more than asked.
        "pageSize": str(max(5, 3 * len(identifiers))),
    }
    return Request(url=f"{_REST}/search", params=params)


def _clause(identifier: Identifier) -> str:
    if identifier.kind == "pmid":
        return f"(EXT_ID:{identifier.value} AND SRC:MED)"
    if identifier.kind == "pmcid":
        return f"PMCID:{identifier.value}"
    if identifier.kind == "doi":
        value = re.sub(r'["\\]', "", identifier.value)
        return f'DOI:"{value}"'
    raise BadInput(f"Europe PMC does not know {identifier.kind} identifiers.")


def translate(query: Query) -> str:
    """`(TITLE:"a b" AND c) AND FIRST_PDATE:[2020-01-01 TO 2020-12-31] AND OPEN_ACCESS:y`."""
    parts = [f"({boolean(query.tree, _term)})"] if query.tree is not None else []
    if query.journal:
        journal = " ".join(re.sub(r'["\\]+', " ", query.journal).split())
        parts.append(f'JOURNAL:"{journal}"')
    elif query.issn:
        parts.append(f"ISSN:{query.issn}")
    if query.since or query.until:
        begin, end = query.since or "1000-01-01", query.until or "2999-12-31"
        parts.append(f"FIRST_PDATE:[{begin} TO {end}]")
    if query.open_access:
        parts.append("OPEN_ACCESS:y")
    return " AND ".join(parts)


def _term(term: Term) -> str:
    return _PREFIX[term.field] + stripped_term(term)


def parse_search(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The results of a search; its errors have status 200, its last cursor repeats or is gone."""
    answer = json_object(name, body, status, content_type)
    if "errCode" in answer or "errMsg" in answer:
        raise _error(answer, body)
    cursor = words(answer.get("nextCursorMark"))
    sent = words(table(answer.get("request")).get("cursorMark"))
    rows = table(answer.get("resultList")).get("result")
    before = 0 if sent in ("", "*", "%2A") else None
    found = listed(name, body, Listing(rows, count(answer.get("hitCount")), before), paper, today)
    more = {"cursorMark": cursor} if cursor and rows and cursor != sent else {}
    return replace(found, next=more)


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The records that answered to any of the identifiers."""
    return parse_search(body, status, content_type, today=today)


def _error(answer: dict[str, Any], body: bytes) -> Exception:
    said = words(answer.get("errMsg")) or "no reason given"
    if re.search(r"(?i)unavailable|timeout|timed out|maintenance", said):
        return SourceDown(f"europepmc is not working ({said[:120].rstrip('. ')}).")
    return broken(name, body, f"rejects our request ({said[:120].rstrip('. ')})")


def paper(row: object, today: str) -> Paper | None:
    """One result of `resultType=core` or `lite`; None for what names neither id nor title."""
    row = table(row)
    source, own = words(row.get("source")), words(row.get("id"))
    title = unstopped(text.title(words(row.get("title"))))
    if not own or not source:
        return None
    pmid = ids.normalise_pmid(words(row.get("pmid")) or (own if source == "MED" else ""))
    pmcid = ids.normalise_pmcid(words(row.get("pmcid")))
    doi = ids.normalise_doi(words(row.get("doi")))
    journal = table(row.get("journalInfo"))
    at = table(journal.get("journal"))
    book = table(row.get("bookOrReportDetails"))
    kinds = [words(each) for each in items(table(row.get("pubTypeList")).get("pubType"))]
    kinds += [words(row.get("pubType"))] if row.get("pubType") else []
    notice, note = _notice(row, kinds)
    license_ = licences.normalise(words(row.get("license")))
    preprint = source == "PPR"
    made = Paper(
        title=title,
        authors=_people(row),
        published=iso_date(row.get("firstPublicationDate")) or iso_date(row.get("pubYear")),
        type=_type(source, kinds),
        venue=text.title(words(at.get("title")) or words(row.get("journalTitle"))) or None,
        publisher=text.title(words(book.get("publisher"))) or None,
        volume=words(journal.get("volume")) or words(row.get("journalVolume")),
        issue=words(journal.get("issue")) or words(row.get("issue")),
        pages=None if preprint else words(row.get("pageInfo")),
        doi=doi,
        pmid=pmid,
        pmcid=pmcid,
        issn=tuple(sorted(unique([words(at.get("issn")), words(at.get("essn"))]))),
        url=f"https://doi.org/{doi}" if doi else f"https://europepmc.org/article/{source}/{own}",
        language=languages.normalise(words(row.get("language"))),
        keywords=_keywords(row),
        license=license_,
        notice=notice,
        notice_note=note,
        related=_related(row),
        abstract=text.from_jats(str(row.get("abstractText") or "")) or None,
        sources=(f"{name}:{source}:{own} {today}",),
        locations=tuple(_copies(row, source, own, pmcid, licences.named(license_))),
    )
    return named(made)


def _people(row: dict[str, Any]) -> tuple[str, ...]:
    """The listed authors, else the names of `authorString`, family name first."""
    people: list[str | None] = []
    for each in map(table, items(table(row.get("authorList")).get("author"))):
        if group := words(each.get("collectiveName")):
            people.append(names.group(group))
            continue
        given = words(each.get("firstName")) or words(each.get("initials"))
        family = words(each.get("lastName"))
        full = words(each.get("fullName"))
        people.append(names.given_family(given, family) if family else names.author(full))
    if not people:
        said = words(row.get("authorString")).rstrip(".")
        people = [_from_string(each) for each in said.split(", ") if each]
    return unique(people)


def _from_string(name_: str) -> str | None:
    """`Haas-Kogan DA`: initials in capitals stand last."""
    found = re.fullmatch(r"(.+?) ([A-Z]{1,4})(?: (Jr|Sr|2nd|3rd|II|III))?", name_)
    if not found:
        return names.author(name_)
    return names.given_family(" ".join(found[2]), found[1], found[3] or "")


def _type(source: str, kinds: Sequence[str]) -> str:
    if source in _KINDS:
        return _KINDS[source]
    found = (_TYPES.get(each.lower()) for each in kinds)
    return next((each for each in found if each), "article-journal")


def _keywords(row: dict[str, Any]) -> tuple[str, ...]:
    found = [words(each) for each in items(table(row.get("keywordList")).get("keyword"))]
    headings = items(table(row.get("meshHeadingList")).get("meshHeading"))
    found += [words(table(each).get("descriptorName")) for each in headings]
    return tuple(sorted(unique(found)))


def _links(row: dict[str, Any]) -> Iterator[tuple[str, str | None]]:
    """The kind of each link to another record, and that record's identity string."""
    links = items(table(row.get("commentCorrectionList")).get("commentCorrection"))
    for each in map(table, links):
        own = words(each.get("id"))
        pmid = ids.normalise_pmid(own) if words(each.get("source")) == "MED" else None
        loose = next(iter(ids.find_all(words(each.get("reference")))), None)
        other = f"pmid:{pmid}" if pmid else str(loose) if loose else None
        yield words(each.get("type")).lower(), other


def _notice(row: dict[str, Any], kinds: Sequence[str]) -> tuple[str | None, str | None]:
    found = [
        (NOTICES.index(_NOTICES[kind]), _NOTICES[kind], other)
        for kind, other in _links(row)
        if kind in _NOTICES
    ]
    lower = [each.lower() for each in kinds]
    if "retracted publication" in lower:
        found.append((0, "retracted", next((o for at, _, o in found if at == 0), None)))
    if "withdrawn" in " ".join(lower) or "preprint withdrawal" in lower:
        found.append((NOTICES.index("withdrawn"), "withdrawn", None))
    if not found:
        return None, None
    gravest = min(found, key=lambda each: each[0])
    return gravest[1], gravest[2]


def _related(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(sorted(unique([other for kind, other in _links(row) if _RELATED.match(kind)])))


def _copies(
    row: dict[str, Any], source: str, own: str, pmcid: str | None, license_: str | None
) -> Iterator[OpenCopy]:
    """The XML that Europe PMC keeps of its open articles, then what it says is free elsewhere."""
    manuscript = "Y" in (words(row.get("authMan")), words(row.get("epmcAuthMan")))
    version = "submitted" if source == "PPR" else "accepted" if manuscript else "published"
    held = pmcid or (own if source == "PPR" else None)
    if held and row.get("isOpenAccess") == "Y" and row.get("inEPMC") == "Y":
        yield OpenCopy(
            url=f"{_REST}/{held}/fullTextXML", kind="jats", source=name, version=version,
            license=license_, host_type="repository",
        )  # fmt: skip
    for link in map(table, items(table(row.get("fullTextUrlList")).get("fullTextUrl"))):
        url = words(link.get("url"))
        if not url.startswith("http") or words(link.get("availabilityCode")) not in _OPEN:
            continue
        site = words(link.get("site"))
        repository = site in ("Europe_PMC", "PubMedCentral", "Unpaywall") or source == "PPR"
        yield OpenCopy(
            url=url,
            kind="pdf" if words(link.get("documentStyle")) == "pdf" else "landing",
            source="pmc" if site == "PubMedCentral" else name,
            version=version,
            license=license_ if words(link.get("availabilityCode")) == "OA" else None,
            host_type="repository" if repository else "publisher",
        )
