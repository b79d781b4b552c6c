"""The bytes of PubMed's XML in; a paper for each article or book out.

https://dtd.nlm.nih.gov/ncbi/pubmed/doc/out/250101/index.html
"""

from __future__ import annotations

from pressmark.formats.making import Making
from pressmark.formats.reading import Read
from pressmark.formats.xmltree import Element, all_words, below, each, inner, name, tree, words
from pressmark.record import Author
from pressmark.text import from_jats


def read(data: bytes) -> Read:
    """Every article of a file: as a paper, or as a problem with its number and reason."""
    root = tree(data, "PubMed XML")
    found = Read("pubmed-xml")
    articles = [root] if name(root) in _KINDS else [e for e in root if name(e) in _KINDS]
    for number, article in enumerate(articles, 1):
        _take(article, number, found)
    return found


_KINDS = frozenset({"PubmedArticle", "PubmedBookArticle", "MedlineCitation"})


def _take(article: Element, number: int, found: Read) -> None:
    citation = article if name(article) == "MedlineCitation" else below(article, "MedlineCitation")
    making = Making("pubmed-xml")
    if citation is None:
        citation = below(article, "BookDocument")
        _book(citation, making)
    else:
        _article(citation, making)
    pmid = words(below(citation, "PMID"))
    making.identifier("pmid", pmid)
    for each_id in each(article, "PubmedData", "ArticleIdList", "ArticleId"):
        kind = {"pmc": "pmcid", "doi": "doi"}.get(each_id.get("IdType", ""))
        if kind:
            making.identifier(kind, words(each_id))
    for kind_of in all_words(citation, "Article", "PublicationTypeList", "PublicationType"):
        making.notice(kind_of)
        making.keep("publication-type", kind_of)
    making.keywords(all_words(citation, "KeywordList", "Keyword"))
    making.keywords(
        words(below(heading, "DescriptorName"))
        for heading in each(citation, "MeshHeadingList", "MeshHeading")
    )
    paper = making.paper(source=pmid)
    entry = f"article {number}" + (f" (PMID {pmid})" if pmid else "")
    if paper is None:
        found.say("it has no title", None, entry, lost=True)
    else:
        found.take(paper)


def _article(citation: Element, making: Making) -> None:
    article = below(citation, "Article")
    journal = below(article, "Journal")
    making.found["type"] = "article-journal"
    making.text("title", inner(below(article, "ArticleTitle")))
    if not making.found.get("title"):
        making.text("title", inner(below(article, "VernacularTitle")))
    making.names("authors", _people(article))
    making.text("venue", words(below(journal, "Title")))
    making.keep("container-title-short", words(below(journal, "ISOAbbreviation")))
    making.text("volume", words(below(journal, "JournalIssue", "Volume")))
    making.text("issue", words(below(journal, "JournalIssue", "Issue")))
    making.date(_date(below(journal, "JournalIssue", "PubDate")))
    making.date(_date(below(article, "ArticleDate")))
    making.pages(words(below(article, "Pagination", "MedlinePgn")))
    if not making.found.get("pages"):
        page = below(article, "Pagination")
        making.pages(words(below(page, "StartPage")), words(below(page, "EndPage")))
    for number in all_words(journal, "ISSN"):
        making.numbers(number)
    for location in each(article, "ELocationID"):
        if location.get("EIdType") == "doi":
            making.identifier("doi", words(location))
        else:
            making.keep("pii", words(location))
    making.text("language", words(below(article, "Language")))
    making.abstract = from_jats(_abstract(below(article, "Abstract")))


def _book(document: Element | None, making: Making) -> None:
    book = below(document, "Book")
    chapter = inner(below(document, "ArticleTitle"))
    title = inner(below(book, "BookTitle"))
    making.found["type"] = "chapter" if chapter else "book"
    making.text("title", chapter or title)
    making.text("venue", title if chapter else "")
    making.names("authors", _people(document) or _people(book))
    making.text("publisher", words(below(book, "Publisher", "PublisherName")))
    making.text("place", words(below(book, "Publisher", "PublisherLocation")))
    making.date(_date(below(book, "PubDate")))
    for number in all_words(book, "Isbn"):
        making.numbers(number)
    making.abstract = from_jats(_abstract(below(document, "Abstract")))


def _people(holder: Element | None) -> list[str]:
    made = []
    for person in each(holder, "AuthorList", "Author"):
        group = words(below(person, "CollectiveName"))
        family = words(below(person, "LastName"))
        given = words(below(person, "ForeName")) or words(below(person, "Initials"))
        suffix = words(below(person, "Suffix"))
        made.append(f"{group}," if group else str(Author(family, given, suffix)))
    return made


def _date(element: Element | None) -> str:
    if element is None:
        return ""
    parts = [words(below(element, part)) for part in ("Year", "Month", "Day")]
    if parts[1].isdigit():
        return "-".join(part for part in parts if part)
    return " ".join(filter(None, (*parts, words(below(element, "MedlineDate")))))


def _abstract(element: Element | None) -> str:
    """The sections as JATS has them, each with its label as the title."""
    sections = []
    for part in each(element, "AbstractText"):
        label = part.get("Label", "")
        title = f"<title>{label.capitalize()}</title>" if label and label != "UNLABELLED" else ""
        sections.append(f"<sec>{title}<p>{inner(part)}</p></sec>")
    return "".join(sections)
