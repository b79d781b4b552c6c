"""One record of MEDLINE's XML in; a paper out, every field of it optional.

https://www.nlm.nih.gov/bsd/licensee/elements_descriptions.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pressmark import ids, text
from pressmark.record import NOTICES, Paper
from pressmark.sources import languages, names
from pressmark.sources.base import OpenCopy
from pressmark.sources.markup import inner, local, said
from pressmark.sources.values import date_of, unique

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NOTICES = {
    "RetractionIn": "retracted", "PartialRetractionIn": "corrected",
    "ExpressionOfConcernIn": "expression-of-concern", "ErratumIn": "corrected",
    "CorrectedandRepublishedIn": "corrected", "RetractedandRepublishedIn": "retracted",
}  # fmt: skip
_RELATED = frozenset({
    "RetractionOf", "RetractionIn", "ErratumFor", "ExpressionOfConcernFor", "UpdateIn", "UpdateOf",
    "RepublishedFrom", "RepublishedIn", "CorrectedandRepublishedIn", "CorrectedandRepublishedFrom",
    "RetractedandRepublishedIn", "RetractedandRepublishedFrom", "PartialRetractionOf",
})  # fmt: skip
"""The links that say a version, a notice or what a notice is about; comments are neither."""

_TYPES = {
    "Preprint": "article", "Dataset": "dataset", "Technical Report": "report",
    "Academic Dissertation": "thesis", "Book Review": "review-book", "Legal Case": "legal_case",
    "Congress": "paper-conference", "Interview": "interview",
}  # fmt: skip


def paper(record: Element, today: str) -> Paper | None:
    """The paper of an article or of a book; None where it has no PMID."""
    if local(record) == "PubmedBookArticle":
        return _book(record, today)
    citation = record.find("MedlineCitation")
    article = citation.find("Article") if citation is not None else None
    if citation is None or article is None:
        return None
    own = _own(record.find("PubmedData/ArticleIdList"))
    pmid = ids.normalise_pmid(said(citation, "PMID")) or own.get("pubmed")
    if pmid is None:
        return None
    doi = own.get("doi") or _located(article)
    pmcid = own.get("pmc")
    kinds = [text.clean(e.text or "") for e in article.findall("PublicationTypeList/*")]
    notice, note = _notice(citation, kinds)
    issue = article.find("Journal/JournalIssue")
    return Paper(
        title=_title(article),
        authors=_people(article.find("AuthorList")),
        published=_published(article, issue),
        type=_type(kinds),
        venue=text.title(said(article, "Journal/Title")) or None,
        volume=said(issue, "Volume") if issue is not None else None,
        issue=said(issue, "Issue") if issue is not None else None,
        pages=_pages(article),
        doi=doi,
        pmid=pmid,
        pmcid=pmcid,
        issn=_issn(citation, article),
        url=f"https://doi.org/{doi}" if doi else f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/",
        language=_language(article),
        keywords=_keywords(citation),
        notice=notice,
        notice_note=note,
        related=_related(citation),
        cites=_cites(record, citation, own=pmid),
        abstract=_abstract(article.find("Abstract")) or _abstract(citation.find("OtherAbstract")),
        sources=(f"pubmed:{pmid} {today}",),
        locations=copies(pmcid),
    )


def copies(pmcid: str | None) -> tuple[OpenCopy, ...]:
    """Where PMC shows an article that it holds; whether it may be fetched as XML, PMC alone knows.

    No version is said: PMC keeps published articles and authors' manuscripts alike.
    """
    if not pmcid:
        return ()
    url = f"https://pmc.ncbi.nlm.nih.gov/articles/{pmcid}/"
    return (OpenCopy(url=url, kind="landing", source="pmc", host_type="repository"),)


def _own(listed: Element | None) -> dict[str, str]:
    """The record's own identifiers: the reference list has `ArticleIdList`s too, of others."""
    found: dict[str, str] = {}
    for each in listed if listed is not None else ():
        kind, value = each.get("IdType", ""), text.clean(each.text or "")
        known = _normal(kind, value)
        if known:
            found.setdefault(kind, known)
    return found


def _normal(kind: str, value: str) -> str | None:
    if kind == "doi":
        return ids.normalise_doi(value)
    if kind == "pmc":
        return ids.normalise_pmcid(value.partition(".")[0])
    return ids.normalise_pmid(value) if kind == "pubmed" else None


def _located(article: Element) -> str | None:
    found = article.find("ELocationID[@EIdType='doi']")
    return ids.normalise_doi(text.clean(found.text or "")) if found is not None else None


def _title(article: Element) -> str:
    """Without the full stop that PubMed adds and the brackets that mark a translation."""
    title = text.title(inner(article.find("ArticleTitle")))
    if not title:
        title = text.title(inner(article.find("VernacularTitle")))
    title = _unstopped(title)
    return _unstopped(title[1:-1]) if re.fullmatch(r"\[[^\[\]]*\]", title) else title


def _unstopped(title: str) -> str:
    stopped = title.endswith(".") and not title.endswith(("..", "etc.", "et al."))
    return title[:-1].rstrip() if stopped else title


def _people(listed: Element | None) -> tuple[str, ...]:
    """Persons and groups in the order of the title page."""
    people: list[str | None] = []
    for each in listed if listed is not None else ():
        if group := said(each, "CollectiveName"):
            people.append(names.group(group))
            continue
        given = said(each, "ForeName") or said(each, "Initials")
        people.append(names.given_family(given, said(each, "LastName"), said(each, "Suffix")))
    return unique(people)


def _published(article: Element, issue: Element | None) -> str | None:
    """The issue's date, or the electronic one where that only says it more exactly."""
    printed = _date(issue.find("PubDate")) if issue is not None else None
    online = _date(article.find("ArticleDate"))
    if printed and online and online.startswith(printed):
        return online
    return printed or online


def _date(element: Element | None) -> str | None:
    """`Year, Month, Day`, a season, or words such as `1999 Jan-Mar` of which the year is kept."""
    if element is None:
        return None
    year = said(element, "Year")
    if not year:
        found = re.match(
            r"(\d{4})(?:\s+([A-Za-z]{3})[a-z]*(?!\s*-\S))?", said(element, "MedlineDate")
        )
        return date_of(found[1], _month(found[2] or "")) if found else None
    return date_of(year, _month(said(element, "Month")), said(element, "Day"))


def _month(name: str) -> str | None:
    if name.isdigit():
        return name
    short = name[:3].lower()
    return str(_MONTHS.index(short) + 1) if short in _MONTHS else None


def _type(kinds: list[str]) -> str:
    return next((_TYPES[each] for each in kinds if each in _TYPES), "article-journal")


def _pages(article: Element) -> str | None:
    """`101-9` in full (`101-109`), as every style wants to choose for itself."""
    pages = said(article, "Pagination/MedlinePgn").split(";")[0].split(",")[0].strip()
    found = re.fullmatch(r"(\d+)-(\d+)", pages)
    if found and len(found[2]) < len(found[1]):
        return f"{found[1]}-{found[1][: -len(found[2])]}{found[2]}"
    return pages or None


def _issn(citation: Element, article: Element) -> tuple[str, ...]:
    found = [said(article, "Journal/ISSN"), said(citation, "MedlineJournalInfo/ISSNLinking")]
    return tuple(sorted(unique(found)))


def _language(article: Element) -> str | None:
    return languages.normalise(said(article, "Language"))


def _keywords(citation: Element) -> tuple[str, ...]:
    """The authors' words and NLM's headings."""
    found = [
        text.clean("".join(e.itertext()))
        for path in ("KeywordList/Keyword", "MeshHeadingList/MeshHeading/DescriptorName")
        for e in citation.findall(path)
    ]
    return tuple(sorted(unique(found)))


def _notice(citation: Element, kinds: list[str]) -> tuple[str | None, str | None]:
    """What later notices say happened to it, gravest first."""
    found = []
    for each in citation.findall("CommentsCorrectionsList/CommentsCorrections"):
        notice = _NOTICES.get(each.get("RefType", ""))
        if notice:
            pmid = ids.normalise_pmid(said(each, "PMID"))
            note = f"pmid:{pmid}" if pmid else said(each, "RefSource") or None
            found.append((NOTICES.index(notice), notice, note))
    if "Retracted Publication" in kinds:
        found.append((0, "retracted", next((n for at, _, n in found if at == 0), None)))
    if "Withdrawn Publication" in kinds:
        found.append((NOTICES.index("withdrawn"), "withdrawn", None))
    if not found:
        return None, None
    gravest = min(found, key=lambda each: each[0])
    return gravest[1], gravest[2]


def _related(citation: Element) -> tuple[str, ...]:
    found = [
        ids.normalise_pmid(said(each, "PMID"))
        for each in citation.findall("CommentsCorrectionsList/CommentsCorrections")
        if each.get("RefType") in _RELATED
    ]
    return tuple(sorted(f"pmid:{each}" for each in unique(found)))


def _cites(record: Element, citation: Element, *, own: str) -> tuple[str, ...]:
    """The reference list in its order, else what MEDLINE says the paper cites."""
    found: list[str | None] = []
    for each in record.iterfind("PubmedData/ReferenceList//Reference"):
        known = _own(each.find("ArticleIdList"))
        found.append(next(iter(_strings(known)), None))
    if not any(found):
        found = [
            f"pmid:{pmid}"
            for each in citation.findall("CommentsCorrectionsList/CommentsCorrections")
            if each.get("RefType") == "Cites" and (pmid := ids.normalise_pmid(said(each, "PMID")))
        ]
    return tuple(each for each in unique(found) if each != f"pmid:{own}")


def _strings(known: dict[str, str]) -> Iterator[str]:
    for kind, shown in (("doi", "doi"), ("pmc", "pmcid"), ("pubmed", "pmid")):
        if kind in known:
            yield f"{shown}:{known[kind]}"


def _abstract(element: Element | None) -> str | None:
    """All of its parts, each labelled one behind its label."""
    if element is None:
        return None
    parts = []
    for each in element.findall("AbstractText"):
        label = text.clean(each.get("Label", ""))
        shown = label.capitalize() if label.isupper() else label
        body = text.from_jats(inner(each))
        if body and shown and shown.lower() not in ("unlabelled", "unassigned"):
            body = f"**{text.escape_markdown(shown)}** {body}"
        parts.append(body)
    return "\n\n".join(part for part in parts if part) or None


def _book(record: Element, today: str) -> Paper | None:
    """A chapter of NCBI's Bookshelf, or a whole book of it."""
    document = record.find("BookDocument")
    book = document.find("Book") if document is not None else None
    if document is None or book is None:
        return None
    own = _own(document.find("ArticleIdList"))
    own |= _own(record.find("PubmedBookData/ArticleIdList"))
    pmid = ids.normalise_pmid(said(document, "PMID")) or own.get("pubmed")
    if pmid is None:
        return None
    title = _unstopped(text.title(inner(document.find("ArticleTitle"))))
    whole = _unstopped(text.title(inner(book.find("BookTitle"))))
    authors = _people(document.find("AuthorList")) or _people(book.find("AuthorList"))
    isbn = [ids.normalise_isbn(said(each, ".")) for each in book.findall("Isbn")]
    dated = _date(document.find("ContributionDate")) or _date(book.find("PubDate"))
    return Paper(
        title=title or whole,
        authors=authors,
        editors=_people(book.find("AuthorList[@Type='editors']")),
        published=dated,
        type="chapter" if title else "book",
        venue=whole if title else None,
        series=text.title(said(book, "CollectionTitle")) or None,
        publisher=text.title(said(book, "Publisher/PublisherName")) or None,
        place=said(book, "Publisher/PublisherLocation") or None,
        doi=own.get("doi"),
        pmid=pmid,
        pmcid=own.get("pmc"),
        isbn=unique(isbn),
        url=f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/",
        language=languages.normalise(said(document, "Language")),
        abstract=_abstract(document.find("Abstract")),
        sources=(f"pubmed:{pmid} {today}",),
        locations=copies(own.get("pmc")),
    )
