"""DataCite's API: a question or a DOI in; papers, data sets and software of repositories out.

https://support.datacite.org/docs/api
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

from pressmark import ids, text
from pressmark.config import Config
from pressmark.errors import BadInput, NotFound
from pressmark.http import SEARCH_SECONDS
from pressmark.ids import Identifier
from pressmark.record import TYPES, Paper
from pressmark.sources import languages, licences, names
from pressmark.sources.answers import Listing, alone, each_doi_once, json_object, listed
from pressmark.sources.base import Found, OpenCopy, Request
from pressmark.sources.language import Language, boolean, lucene_term, lucene_years
from pressmark.sources.query import Query, Term
from pressmark.sources.values import (
    count,
    iso_date,
    items,
    page_range,
    renamed,
    table,
    unique,
    words,
)

name = "datacite"
platform = "DataCite"
kinds: tuple[str, ...] = ("doi", "arxiv")
page_size = 1000
batch = 1
language = Language(fields=frozenset({"title", "author", "abstract"}), boolean=True, phrases=True)

_API = "https://api.datacite.org/dois"
_LAST = 10_000
_PREFIX = {
    "title": "titles.title:", "author": "creators.name:", "abstract": "descriptions.description:",
    "all": "",
}  # fmt: skip
_TYPES = {
    "JournalArticle": "article-journal", "Preprint": "article", "DataPaper": "article-journal",
    "ConferencePaper": "paper-conference", "ConferenceProceeding": "book", "Book": "book",
    "BookChapter": "chapter", "Dissertation": "thesis", "Report": "report", "Dataset": "dataset",
    "Software": "software", "PeerReview": "review", "Standard": "standard",
    "ComputationalNotebook": "software", "Image": "graphic", "Audiovisual": "motion_picture",
}  # fmt: skip
_RELATED = frozenset({
    "IsVersionOf", "HasVersion", "IsIdenticalTo", "IsNewVersionOf", "IsPreviousVersionOf",
    "IsVariantFormOf", "IsOriginalFormOf", "IsObsoletedBy", "Obsoletes", "IsPublishedIn",
    "IsTranslationOf", "HasTranslation", "IsSupplementTo", "IsSupplementedBy",
})  # fmt: skip


def cannot(query: Query) -> str | None:
    """DataCite knows neither arXiv's categories, nor journals as a list, nor what is open."""
    if query.categories or query.not_categories:
        return "DataCite has no arXiv categories"
    if query.journal or query.issn:
        return "DataCite cannot be searched by journal"
    if query.open_access:
        return "DataCite does not say which works are open access"
    if query.page * query.limit > _LAST:
        return "DataCite gives the first 10,000 hits of a question only"
    return None


def search_request(query: Query, config: Config, start: int, rows: int) -> Request:
    """`query=` in Elasticsearch's syntax; a page is counted in its own size."""
    params = {
        "query": query.verbatim.get(name) or translate(query),
        "page[size]": str(rows),
        "page[number]": str(start // rows + 1),
        "disable-facets": "true",
    }
    return Request(url=_API, params=params | _who(config), keep=SEARCH_SECONDS)


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """One DOI."""
    wanted = identifiers[0]
    if wanted.kind not in kinds:
        raise BadInput("DataCite knows DOIs only.")
    doi = wanted.value if wanted.kind == "doi" else f"10.48550/arxiv.{wanted.value}"
    return Request(url=f"{_API}/{quote(doi, safe='/')}", params=_who(config))


def _who(config: Config) -> dict[str, str]:
    return {"mailto": config.contact} if config.contact else {}


def translate(query: Query) -> str:
    """Elasticsearch's syntax; it is asked for years, and days are left to be checked here."""
    parts = [f"({boolean(query.tree, _term)})"] if query.tree is not None else []
    if query.since or query.until:
        parts.append(f"publicationYear:{lucene_years(query)}")
    return " AND ".join(parts)


def _term(term: Term) -> str:
    return _PREFIX[term.field] + lucene_term(term)


def parse_search(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The records of a list, each DOI once: pages have been seen to repeat one."""
    answer = json_object(name, body, status, content_type)
    meta = table(answer.get("meta"))
    page, pages = count(meta.get("page")) or 1, count(meta.get("totalPages"))
    before = None if pages is not None and page > pages else 0
    listing = Listing(answer.get("data"), count(meta.get("total")), before)
    return each_doi_once(listed(name, body, listing, paper, today))


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The one record of an answer, or of a part of one."""
    answer = json_object(name, body, status, content_type)
    if isinstance(answer.get("data"), list):
        return parse_search(body, status, content_type, today=today)
    if answer.get("errors"):
        raise NotFound("datacite does not have it.")
    row = answer.get("data") if "data" in answer else answer
    return alone(name, body, row, paper, today)


def paper(row: object, today: str) -> Paper | None:
    """One record; None where it has no DOI."""
    row = table(row)
    about = table(row.get("attributes"))
    doi = ids.normalise_doi(words(about.get("doi")) or words(row.get("id")))
    if doi is None:
        return None
    types, place = table(about.get("types")), table(about.get("container"))
    title, language_ = _title(about)
    license_ = _licence(about)
    first, last = words(place.get("firstPage")), words(place.get("lastPage"))
    linked = list(_linked(about))
    return Paper(
        title=title,
        authors=_people(about.get("creators")),
        editors=_people(_editors(about)),
        published=_published(about),
        type=_type(types),
        venue=text.title(words(place.get("title"))) or None,
        publisher=text.title(words(about.get("publisher")) or _named(about.get("publisher"))),
        volume=words(place.get("volume")),
        issue=words(place.get("issue")),
        pages=page_range(first, last),
        doi=doi,
        arxiv=ids.normalise_arxiv(doi) if doi.startswith("10.48550/arxiv.") else None,
        issn=unique([_issn(place)]),
        url=f"https://doi.org/{doi}",
        language=languages.normalise(words(about.get("language")) or language_),
        keywords=tuple(
            sorted(unique([words(table(s).get("subject")) for s in items(about.get("subjects"))]))
        ),
        license=license_,
        notice=renamed(title),
        related=tuple(sorted(unique([o for kind, o in linked if kind in _RELATED]))),
        cites=unique([other for kind, other in linked if kind in ("References", "Cites")]),
        abstract=_abstract(about),
        sources=(f"{name}:{doi} {today}",),
        locations=tuple(_copies(about, licences.named(license_))),
    )


def _title(about: dict[str, Any]) -> tuple[str, str]:
    """The main title and its language: alternatives and translations carry a type."""
    found = [table(each) for each in items(about.get("titles"))]
    main = next((each for each in found if not each.get("titleType")), None)
    chosen = table(main or next(iter(found), None))
    subtitle = next((e for e in found if e.get("titleType") == "Subtitle"), {})
    title, more = text.title(words(chosen.get("title"))), text.title(words(subtitle.get("title")))
    return (f"{title}: {more}" if title and more else title), words(chosen.get("lang"))


def _people(value: object) -> tuple[str, ...]:
    people: list[str | None] = []
    for each in map(table, items(value)):
        said = words(each.get("name"))
        family, given = words(each.get("familyName")), words(each.get("givenName"))
        if re.fullmatch(r"(?i)et\.? al\.?", said):
            continue
        if words(each.get("nameType")) == "Organizational":
            people.append(names.group(said))
        elif family:
            people.append(names.given_family(given, family))
        else:
            people.append(names.author(said))
    return unique(people)


def _editors(about: dict[str, Any]) -> list[Any]:
    people = items(about.get("contributors"))
    return [each for each in people if words(table(each).get("contributorType")) == "Editor"]


def _published(about: dict[str, Any]) -> str | None:
    """The day of issue where it is stated, else the year of publication."""
    dated = {words(table(d).get("dateType")): table(d).get("date") for d in _dates(about)}
    issued = iso_date(dated.get("Issued")) or iso_date(dated.get("Available"))
    year = iso_date(about.get("publicationYear"))
    return issued if issued and (not year or issued.startswith(year)) else year or issued


def _dates(about: dict[str, Any]) -> list[Any]:
    return list(reversed(items(about.get("dates"))))


def _type(types: dict[str, Any]) -> str | None:
    general, cited = words(types.get("resourceTypeGeneral")), words(types.get("citeproc"))
    if general in _TYPES:
        return _TYPES[general]
    if re.search(r"(?i)preprint", words(types.get("resourceType"))):
        return "article"
    return cited if cited in TYPES else "document" if general or cited else None


def _named(value: object) -> str:
    """The publisher is a word in older records and a thing with a name in newer ones."""
    return words(table(value).get("name"))


def _issn(place: dict[str, Any]) -> str | None:
    if words(place.get("identifierType")).upper() != "ISSN":
        return None
    return words(place.get("identifier")) or None


def _licence(about: dict[str, Any]) -> str | None:
    """The first that is known everywhere; `Open Access` alone is none."""
    for each in map(table, items(about.get("rightsList"))):
        for key in ("rightsUri", "rightsIdentifier", "rights"):
            if found := licences.named(words(each.get(key))):
                return found
    return None


def _linked(about: dict[str, Any]) -> Iterator[tuple[str, str | None]]:
    """The kind of each relation to another work, and that work's identity string."""
    for each in map(table, items(about.get("relatedIdentifiers"))):
        kind = words(each.get("relatedIdentifierType"))
        if kind in ("DOI", "arXiv", "PMID"):
            value = words(each.get("relatedIdentifier"))
            found = ids.parse(value if kind != "PMID" else f"pmid:{value}")
            yield words(each.get("relationType")), str(found) if found else None


def _abstract(about: dict[str, Any]) -> str | None:
    for each in map(table, items(about.get("descriptions"))):
        if words(each.get("descriptionType")) == "Abstract":
            return text.from_jats(str(each.get("description") or "")) or None
    return None


def _copies(about: dict[str, Any], license_: str | None) -> Iterator[OpenCopy]:
    """What a repository names as the thing itself, where its licence makes it an open copy."""
    value = about.get("contentUrl")
    for url in value if isinstance(value, list) else [value]:
        if license_ and words(url).startswith("http"):
            kind = "pdf" if words(url).lower().endswith(".pdf") else "landing"
            yield OpenCopy(
                url=words(url), kind=kind, source=name, license=license_, host_type="repository"
            )
