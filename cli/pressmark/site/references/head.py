"""A reference in; what other programs read in its page's head, and the COinS of a list, out.

Names and rules: the Highwire `citation_*` set that Zotero's Embedded Metadata translator and
Google Scholar's inclusion guidelines read, https://schema.org, https://ogp.me, and COinS (OpenURL
1.0 key/encoded values).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape
from urllib.parse import urlencode

from pressmark.record import Author, Reference
from pressmark.site.maths import readable
from pressmark.text import plain

ZOTERO = {
    "article": "preprint", "article-journal": "journalArticle", "chapter": "bookSection",
    "article-magazine": "magazineArticle", "article-newspaper": "newspaperArticle",
    "book": "book", "paper-conference": "conferencePaper", "thesis": "thesis", "report": "report",
    "dataset": "dataset", "webpage": "webpage", "post-weblog": "blogPost", "patent": "patent",
    "entry-encyclopedia": "encyclopediaArticle", "entry-dictionary": "dictionaryEntry",
    "software": "computerProgram", "standard": "standard", "manuscript": "manuscript",
    "speech": "presentation", "map": "map", "interview": "interview", "review": "journalArticle",
}  # fmt: skip
"""CSL type to Zotero's, which its translator takes from `z:itemType` before anything else."""

SCHEMA = {
    "article-journal": "ScholarlyArticle", "paper-conference": "ScholarlyArticle",
    "article": "ScholarlyArticle", "review": "ScholarlyArticle", "chapter": "Chapter",
    "book": "Book", "thesis": "Thesis", "report": "Report", "dataset": "Dataset",
    "software": "SoftwareSourceCode", "webpage": "WebPage", "post-weblog": "BlogPosting",
    "article-magazine": "Article", "article-newspaper": "NewsArticle",
}  # fmt: skip
"""CSL type to schema.org's."""

VENUE = {
    "article-journal": "citation_journal_title", "review": "citation_journal_title",
    "paper-conference": "citation_conference_title", "chapter": "citation_book_title",
    "entry-encyclopedia": "citation_book_title", "entry-dictionary": "citation_book_title",
}  # fmt: skip
PUBLISHER = {
    "thesis": "citation_dissertation_institution",
    "report": "citation_technical_report_institution",
}

AUTHORS_IN_COINS = 10
"""A list's line stays short; the page itself names all."""

WEB = ("http://", "https://")


def highwire(ref: Reference) -> dict[str, tuple[str, ...]]:
    """The `citation_*` names that Zotero and search engines read from a page's head."""
    kind = ref.type or ""
    pages = (ref.pages or "").replace("–", "-").split("-")
    # A preprint, a book or a thesis that names a journal would be taken for an article.
    venue = VENUE.get(
        kind, "" if kind in ("article", "book", "thesis", "report") else VENUE["review"]
    )
    named: dict[str, Sequence[str | None]] = {
        "z:itemType": (ZOTERO.get(kind),),
        "citation_title": (ref.title,),
        "citation_author": tuple(_first_last(name) for name in ref.authors),
        "citation_publication_date": ((ref.published or "").replace("-", "/"),),
        venue: (ref.venue,),
        "citation_volume": (ref.volume,),
        "citation_issue": (ref.issue,),
        "citation_firstpage": (pages[0],),
        "citation_lastpage": (pages[-1] if len(pages) > 1 else "",),
        "citation_doi": (ref.doi,),
        "citation_pmid": (ref.pmid,),
        "citation_arxiv_id": (ref.arxiv,),
        "citation_series_title": (ref.series,),
        PUBLISHER.get(kind, "citation_publisher"): (ref.publisher,),
        "citation_technical_report_number": (ref.number if kind == "report" else None,),
        "citation_isbn": ref.isbn,
        "citation_issn": ref.issn,
        "citation_language": (ref.language,),
        "citation_keywords": ("; ".join(ref.keywords),),
    }
    kept = {name: tuple(plain(v) for v in values if v) for name, values in named.items() if name}
    return {name: values for name, values in kept.items() if values}


def _first_last(name: str) -> str:
    """A name as its family name, a comma, its given names.

    Zotero takes two words, a comma and two words for two people: a family name of several words
    is held together by blanks that do not break.
    """
    author = Author.parse(name)
    if author.group:
        return author.family
    return str(author).replace(author.family, author.family.replace(" ", "\u00a0"), 1)


def open_graph(ref: Reference, description: str, url: str) -> str:
    """What a preview of a link shows.

    The type is never `website`, and the site's name is left out: Zotero would take the page for
    a web page, and the site for a journal.
    """
    named = {
        "og:title": readable(ref.title), "og:type": "book" if ref.type == "book" else "article",
        "og:description": description, "og:url": url,
    }  # fmt: skip
    return "".join(
        f'<meta property="{name}" content="{escape(plain(value))}">'
        for name, value in named.items()
        if value
    )


def json_ld(ref: Reference, abstract: str, url: str) -> str:
    """The work as https://schema.org describes one, in a script element that nothing runs."""
    kind = SCHEMA.get(ref.type or "", "CreativeWork")
    same = [f"https://doi.org/{ref.doi}"] if ref.doi else []
    same += [f"https://arxiv.org/abs/{ref.arxiv}"] if ref.arxiv else []
    same += [f"https://pubmed.ncbi.nlm.nih.gov/{ref.pmid}/"] if ref.pmid else []
    found: dict[str, object] = {
        "@context": "https://schema.org", "@type": kind, "headline": ref.title, "name": ref.title,
        "author": [_person(name) for name in ref.authors],
        "editor": [_person(name) for name in ref.editors],
        "datePublished": ref.published, "isPartOf": _part_of(ref),
        "pagination": (ref.pages or "").replace("-", "–"), "identifier": _identifiers(ref),
        "sameAs": same, "url": url, "abstract": abstract, "inLanguage": ref.language,
        "keywords": list(ref.keywords),
        "publisher": {"@type": "Organization", "name": ref.publisher} if ref.publisher else None,
        "license": ref.license if (ref.license or "").startswith(WEB) else None,
    }  # fmt: skip
    if kind == "Book":
        found["isbn"] = ref.isbn[0] if ref.isbn else None
    return script({name: value for name, value in found.items() if value})


def script(value: object) -> str:
    """JSON in a script element; nothing in it can end the element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return f'<script type="application/ld+json">{text}</script>'


def _person(name: str) -> dict[str, str]:
    author = Author.parse(name)
    if author.group:
        return {"@type": "Organization", "name": author.family}
    found = {"@type": "Person", "name": author.readable, "familyName": author.family}
    return found | ({"givenName": author.given} if author.given else {})


def _part_of(ref: Reference) -> dict[str, object] | None:
    if not ref.venue:
        return None
    if ref.type not in ("article-journal", "review"):
        kind = "Book" if ref.type in ("chapter", "paper-conference") else "CreativeWork"
        return {"@type": kind, "name": ref.venue}
    within: dict[str, object] = {"@type": "Periodical", "name": ref.venue}
    if ref.issn:
        within["issn"] = ref.issn[0]
    for kind, value in (("PublicationVolume", ref.volume), ("PublicationIssue", ref.issue)):
        if value:
            number = "volumeNumber" if kind == "PublicationVolume" else "issueNumber"
            within = {"@type": kind, number: value, "isPartOf": within}
    return within


def _identifiers(ref: Reference) -> list[dict[str, str]]:
    named = {"DOI": ref.doi, "arXiv": ref.arxiv, "PMID": ref.pmid, "PMCID": ref.pmcid}
    return [
        {"@type": "PropertyValue", "propertyID": name, "value": value}
        for name, value in named.items()
        if value
    ]


def coins(ref: Reference) -> str:
    """The `title` of a COinS span: OpenURL's key/encoded values, escaped.

    Authors are given as `rft.au` alone: with a family name beside it Zotero drops the record.
    """
    kind = ref.type or ""
    book = kind in ("book", "chapter", "paper-conference", "report")
    form = "dissertation" if kind == "thesis" else "book" if book else "journal"
    genre = {
        "book": "book", "chapter": "bookitem", "paper-conference": "proceeding",
        "report": "report", "article": "preprint",
    }.get(kind, "" if kind == "thesis" else "article")  # fmt: skip
    title = (
        "rft.title" if form == "dissertation" else "rft.btitle" if kind == "book" else "rft.atitle"
    )
    pages = (ref.pages or "").replace("–", "-").split("-")
    values = [
        ("ctx_ver", "Z39.88-2004"), ("rft_val_fmt", f"info:ofi/fmt:kev:mtx:{form}"),
        ("rft.genre", genre), (title, ref.title),
        ("rft.jtitle" if form == "journal" else "rft.btitle", ref.venue),
        ("rft.date", ref.published), ("rft.volume", ref.volume), ("rft.issue", ref.issue),
        ("rft.spage", pages[0]), ("rft.epage", pages[-1] if len(pages) > 1 else ""),
        ("rft.pub", ref.publisher), ("rft.isbn", ref.isbn[0] if ref.isbn else ""),
        ("rft_id", f"info:doi/{ref.doi}" if ref.doi else ""),
        *(("rft.au", Author.parse(name).readable) for name in ref.authors[:AUTHORS_IN_COINS]),
    ]  # fmt: skip
    return escape(urlencode([(n, plain(v)) for n, v in values if v], errors="replace"))
