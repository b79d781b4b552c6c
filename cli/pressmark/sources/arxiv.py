"""arXiv's query API: a question or ids in; the Atom feed, with its quirks, as papers out.

https://info.arxiv.org/help/api/user-manual.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pressmark import ids, text
from pressmark.config import Config
from pressmark.errors import BadInput, NotFound, RateLimited, SourceBroken, SourceDown
from pressmark.http import SEARCH_SECONDS, failure
from pressmark.ids import Identifier
from pressmark.record import Paper
from pressmark.sources import names
from pressmark.sources.answers import Listing, broken, listed
from pressmark.sources.base import Found, OpenCopy, Request
from pressmark.sources.language import Language, boolean
from pressmark.sources.markup import parsed
from pressmark.sources.query import Query, Term
from pressmark.sources.values import abstract, count, iso_date, unique

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

name = "arxiv"
platform = "arXiv"
kinds: tuple[str, ...] = ("arxiv",)
page_size = 200
batch = 100
language = Language(
    fields=frozenset({"title", "author", "abstract"}), boolean=True, phrases=True, dates=True,
    sorts=frozenset({"relevance", "date"}),
)  # fmt: skip

_URL = "https://export.arxiv.org/api/query"
_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_SEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"
_DEEPEST = 40
_PREFIX = {"all": "all", "title": "ti", "author": "au", "abstract": "abs"}
_SORT = {"relevance": "relevance", "cited": "relevance", "date": "submittedDate"}
_WITHDRAWN = re.compile(
    r"\b(?:this|the)\s+(?:\w+\s+){0,2}(?:has|have)\s+been\s+withdrawn|^\s*withdrawn\b"
    r"|\bis\s+withdrawn\b|\bpaper\s+withdrawn\b",
    re.I,
)


def cannot(query: Query) -> str | None:
    """arXiv knows no journals."""
    return "arXiv cannot be searched by journal" if query.journal or query.issn else None


def search_request(query: Query, config: Config, start: int, rows: int) -> Request:
    """`search_query` in arXiv's own language, best first or newest first."""
    params = {
        "search_query": query.verbatim.get(name) or translate(query),
        "start": str(start),
        "max_results": str(rows),
        "sortBy": _SORT[query.sort],
        "sortOrder": "descending",
    }
    return Request(url=_URL, params=params, accept="application/atom+xml", keep=SEARCH_SECONDS)


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """`id_list`; arXiv leaves out what it does not have, without a word."""
    wanted = ",".join(each.value for each in identifiers)
    params = {"id_list": wanted, "max_results": str(len(identifiers))}
    return Request(url=_URL, params=params, accept="application/atom+xml")


def translate(query: Query) -> str:
    """The query as arXiv writes it: `ti:"a b" AND (abs:c OR all:d) ANDNOT cat:cs.CV`."""
    parts = []
    if query.tree is not None:
        parts.append(boolean(query.tree, _term, without=" ANDNOT "))
    if query.categories:
        parts += [f"cat:{_category(each)}" for each in dict.fromkeys(query.categories)]
    if query.since or query.until:
        begin = (query.since or "1991-01-01").replace("-", "")
        end = (query.until or "2999-12-31").replace("-", "")
        parts.append(f"submittedDate:[{begin}0000 TO {end}2359]")
    more = len(parts) > 1 or query.not_categories
    loose = [more and (" OR " in part or " ANDNOT " in part) for part in parts]
    said = " AND ".join(f"({p})" if apart else p for p, apart in zip(parts, loose, strict=True))
    for each in dict.fromkeys(query.not_categories):
        said += f" ANDNOT cat:{_category(each)}"
    return said


def _category(value: str) -> str:
    if not re.fullmatch(r"[a-z-]+(?:\.[A-Za-z*-]+)?\*?", value):
        raise BadInput(f"{value!r} is no arXiv category.", next="give one such as cs.CL or math.*")
    return value


def _term(term: Term) -> str:
    words = " ".join(re.sub(r"[\"()\\:]+", " ", term.words).split())
    whole = re.fullmatch(r"\w+", words) and not term.phrase
    return f"{_PREFIX[term.field]}:" + (words if whole else f'"{words}"')


def parse_search(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The papers of a feed, whatever the order of its elements and the scheme of its ids."""
    root = _feed(body, status)
    entries = root.findall(f"{_ATOM}entry")
    for entry in entries:
        if "/api/errors" in _text(entry, f"{_ATOM}id"):
            raise _error(entry, body)
    if not 200 <= status < 300:
        raise failure(name, status, body)
    total = count(_text(root, f"{_SEARCH}totalResults"))
    start = count(_text(root, f"{_SEARCH}startIndex")) or 0
    asked = count(_text(root, f"{_SEARCH}itemsPerPage"))
    listing = Listing(entries, total, None if asked == 0 else start)
    return listed(name, body, listing, _paper, today)


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The papers of an `id_list`."""
    return parse_search(body, status, content_type, today=today)


def _feed(body: bytes, status: int) -> Element:
    """The root of an Atom feed; text and web pages are refusals, whatever their status says."""
    start = body[:4096].lstrip()
    if b"rate exceeded" in start[:200].lower():
        raise failure(name, 429, body)
    if not start.startswith(b"<?xml") and not start.startswith(b"<feed"):
        if not 200 <= status < 300:
            raise failure(name, status, body)
        if not start:
            raise SourceDown("arxiv sent an empty answer.")
        raise broken(name, body, "is no feed")
    try:
        root = parsed(name, _once_encoded(body), deepest=_DEEPEST, dtd=False)
    except SourceBroken:
        if not 200 <= status < 300:
            raise failure(name, status, body) from None
        raise
    if root.tag != f"{_ATOM}feed":
        raise broken(name, body, "is no feed")
    return root


def _once_encoded(body: bytes) -> bytes:
    """Undo UTF-8 applied twice (`JosÃ©`), which whole feeds of 2026 suffer from.

    Text that is right fails the second decoding at its first accent, so it is left alone.
    """
    if body.isascii():
        return body
    try:
        inner = body.decode("utf-8").encode("latin-1")
        inner.decode("utf-8")
    except UnicodeError:
        return body
    return inner


def _error(entry: Element, body: bytes) -> Exception:
    """arXiv's errors are entries of a feed, today with status 400, earlier with 200."""
    said = text.clean(_text(entry, f"{_ATOM}summary")) or "no reason given"
    if "rate" in said.lower() and "exceed" in said.lower():
        return RateLimited(f"arxiv asks us to wait ({said}).")
    if "incorrect id format" in said.lower():
        return NotFound(f"arxiv has no such id ({said}).")
    return broken(name, body, f"is an error ({said})")


def _text(element: Element, path: str) -> str:
    found = element.find(path)
    return "".join(found.itertext()) if found is not None else ""


def _paper(entry: Element, today: str) -> Paper | None:
    """One entry; None when it has no arXiv id."""
    address = _text(entry, f"{_ATOM}id").strip()
    arxiv = ids.normalise_arxiv(address)
    if arxiv is None:
        return None
    version = ids.arxiv_version(address) or ""
    journal_doi = ids.normalise_doi(_text(entry, f"{_ARXIV}doi").split(" ")[0])
    comment = text.clean(_text(entry, f"{_ARXIV}comment"))
    summary = _text(entry, f"{_ATOM}summary")
    primary = entry.find(f"{_ARXIV}primary_category")
    withdrawn = bool(_WITHDRAWN.search(comment) or _WITHDRAWN.search(summary[:300]))
    return Paper(
        title=text.title(_text(entry, f"{_ATOM}title")),
        authors=unique([names.author(each) for each in _authors(entry)]),
        published=iso_date(_text(entry, f"{_ATOM}published")),
        type="article",
        venue=_venue(_text(entry, f"{_ARXIV}journal_ref")),
        doi=journal_doi or f"10.48550/arxiv.{arxiv}",
        arxiv=arxiv,
        arxiv_class=text.clean(primary.get("term", "")) if primary is not None else None,
        url=f"https://arxiv.org/abs/{arxiv}",
        notice="withdrawn" if withdrawn else None,
        notice_note=comment or None if withdrawn else None,
        abstract=abstract(summary),
        sources=(f"{name}:{arxiv}{version} {today}",),
        locations=locations(arxiv, version),
    )


def _authors(entry: Element) -> Iterator[str]:
    """The names in their order; arXiv puts a lone colon after a collaboration's."""
    for author in entry.findall(f"{_ATOM}author"):
        yield text.from_tex(_text(author, f"{_ATOM}name"))


def locations(arxiv: str, version: str = "") -> tuple[OpenCopy, ...]:
    """Where arXiv keeps the text of a paper; the feed names a PDF not always."""
    return tuple(
        OpenCopy(
            url=f"https://arxiv.org/{kind}/{arxiv}{version}",
            kind=kind,
            source=name,
            version="submitted",
            host_type="repository",
        )
        for kind in ("html", "pdf")
    )


def _venue(reference: str) -> str | None:
    """The journal's name at the head of `Phys. Rev. D 70 (2004) 012002`; proceedings vary."""
    found = re.match(r"([A-Z][A-Za-z.&: -]{2,60}?)[ ,.]*\d", text.clean(reference))
    if not found or re.search(r"(?i)proc|conf|workshop|symp|in:|vol\b", found[1]):
        return None
    return found[1].strip(" ,:") or None
