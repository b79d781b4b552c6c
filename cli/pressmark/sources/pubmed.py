"""PubMed's E-utilities: a question or PMIDs in; the records of MEDLINE's XML, as papers, out.

A search only names its hits; their records are a second request.
https://www.ncbi.nlm.nih.gov/books/NBK25499/
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pressmark import ids, text
from pressmark.config import Config
from pressmark.errors import BadInput, SourceDown
from pressmark.http import SEARCH_SECONDS, failure, with_params
from pressmark.ids import Identifier
from pressmark.sources.answers import Listing, broken, listed, reading
from pressmark.sources.base import Found, Request
from pressmark.sources.language import Language, boolean, must_know
from pressmark.sources.markup import local, said, xml_root
from pressmark.sources.pubmed_record import paper
from pressmark.sources.query import Query, Term
from pressmark.sources.values import count, items, table, words

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

name = "pubmed"
platform = "PubMed"
kinds: tuple[str, ...] = ("pmid",)
page_size = 200
batch = 200
language = Language(
    fields=frozenset({"title", "author", "abstract"}), boolean=True, phrases=True, dates=True,
    open_access=True, sorts=frozenset({"relevance", "date"}),
)  # fmt: skip

_EUTILS = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils"
_LONGEST_URL = 2000
_LAST = 9998  # the last `retstart` that PubMed's search takes
_TAGS = {"title": "[ti]", "author": "[au]", "abstract": "[tiab]", "all": ""}
_SORT = {"relevance": "relevance", "date": "pub_date", "cited": "relevance"}
_SEARCHED = frozenset({"eSearchResult"})
_RECORDS = frozenset({"PubmedArticleSet", "PubmedArticle", "PubmedBookArticle"})


def cannot(query: Query) -> str | None:
    """PubMed knows no arXiv categories, and its search ends at the 9,999th hit."""
    if query.categories or query.not_categories:
        return "PubMed has no arXiv categories"
    if (query.page - 1) * query.limit > _LAST:
        return "PubMed gives the first 9,999 hits of a question only"
    return None


def search_request(query: Query, config: Config, start: int, rows: int) -> Request:
    """`esearch`. A topic's run asks by the day of entry, a person by the day of publication."""
    if start > _LAST:
        raise BadInput("PubMed gives the first 9,999 hits of a question only.")
    params = {
        "db": "pubmed",
        "term": query.verbatim.get(name) or translate(query),
        "retmode": "json",
        "retstart": str(start),
        "retmax": str(rows),
        "sort": _SORT[query.sort],
    }
    if query.since or query.until:
        # PubMed takes both ends or none.
        params["datetype"] = "edat" if query.fresh else "pdat"
        params["mindate"] = (query.since or "1600-01-01").replace("-", "/")
        params["maxdate"] = (query.until or "2999-12-31").replace("-", "/")
    return _asking("esearch", params | _who(config), keep=SEARCH_SECONDS)


def lookup_request(identifiers: Sequence[Identifier], config: Config) -> Request:
    """`efetch` of up to 200 PMIDs; PubMed leaves out what it does not have, without a word."""
    must_know(platform, kinds, identifiers)
    params = {
        "db": "pubmed",
        "id": ",".join(each.value for each in identifiers),
        "rettype": "abstract",
        "retmode": "xml",
    }
    return _asking("efetch", params | _who(config), accept="application/xml")


def _asking(tool: str, params: Mapping[str, str], **more: Any) -> Request:
    """A request of one tool; a strategy of pages does not fit into a URL, which is answered 414."""
    made = Request(url=f"{_EUTILS}/{tool}.fcgi", params=params, **more)
    return replace(made, form=len(with_params(made.url, params)) > _LONGEST_URL)


def translate(query: Query) -> str:
    """The question as PubMed writes it: `"a b"[ti] AND (c OR d) AND "J"[Journal]`."""
    parts = [f"({boolean(query.tree, _term)})"] if query.tree is not None else []
    if query.journal:
        journal = re.sub(r"[\"\[\]]+", " ", query.journal)
        parts.append(f'"{" ".join(journal.split())}"[Journal]')
    elif query.issn:
        parts.append(f"{query.issn}[IS]")
    if query.open_access:
        parts.append('"pubmed pmc open access"[filter]')
    if len(parts) == 1 and parts[0].startswith("("):
        return parts[0][1:-1]
    return " AND ".join(parts)


def _term(term: Term) -> str:
    plain = " ".join(re.sub(r"[\"\[\]()]+", " ", term.words).split())
    whole = term.phrase or not re.fullmatch(r"[\w*'-]+", plain)
    return (f'"{plain}"' if whole else plain) + _TAGS[term.field]


def _who(config: Config) -> dict[str, str]:
    """What NCBI asks every program to say of itself, and the key that lets it ask oftener."""
    key = config.keys.get("ncbi")
    contact = {"email": config.contact} if config.contact else {}
    return {"tool": "pressmark", **contact, **({"api_key": key} if key else {})}


def parse_search(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The PMIDs of an `esearch`, in its JSON or its XML, and its own count."""
    return searched(name, "pmid", body, status)


def searched(name: str, kind: str, body: bytes, status: int) -> Found:
    """The identifiers that an E-utilities search names; its errors have status 200."""
    if status == 429 or status >= 500 or not 200 <= status < 300:
        raise failure(name, status, body)
    if body.lstrip()[:1] == b"{":
        answer = _from_json(name, body)
    else:
        answer = _from_xml(xml_root(name, body, status, _SEARCHED))
    if answer["error"]:
        raise _refused(name, body, answer["error"])
    total = count(answer["count"])
    if total is None:
        raise broken(name, body)
    start, most = count(answer["start"]) or 0, count(answer["most"])
    normalise = ids.normalise_pmcid if kind == "pmcid" else ids.normalise_pmid
    found = [known for each in answer["ids"] if (known := normalise(each))]
    if answer["ids"] and not found:
        raise broken(name, body)
    if not found and total > start and most:
        raise SourceDown(f"{name} sent an empty page where {total} results are due.")
    unknown = ", ".join(answer["unknown"])
    notes = (f"PubMed knows no {unknown}",) if unknown and name == "pubmed" else ()
    return Found(
        ids=tuple(Identifier(kind, each) for each in dict.fromkeys(found)),
        total=total,
        notes=notes,
    )


def _from_json(name: str, body: bytes) -> dict[str, Any]:
    with reading(name, body):
        result = json.loads(body)["esearchresult"]
        errors = table(result.get("errorlist"))
        return {
            "error": words(result.get("ERROR")),
            "count": result.get("count"),
            "start": result.get("retstart"),
            "most": result.get("retmax"),
            "ids": [words(each) for each in items(result.get("idlist"))],
            "unknown": [words(each) for each in items(errors.get("phrasesnotfound"))],
        }


def _from_xml(root: Element) -> dict[str, Any]:
    return {
        "error": said(root, "ERROR"),
        "count": said(root, "Count"),
        "start": said(root, "RetStart"),
        "most": said(root, "RetMax"),
        "ids": [text.clean(each.text or "") for each in root.findall("IdList/Id")],
        "unknown": [text.clean(e.text or "") for e in root.findall("ErrorList/PhraseNotFound")],
    }


def _refused(name: str, body: bytes, said: str) -> Exception:
    """An error inside an answer of status 200: theirs when the backend failed by itself."""
    short = re.split(r"[\n.]", said.partition("Exception:")[2].strip() or said)[0][:120]
    if re.search(r"(?i)cannot be larger|invalid|missing|syntax|empty term", said):
        return broken(name, body, f"rejects our request ({short})")
    return SourceDown(f"{name} is not working ({short}).")


def parse_lookup(body: bytes, status: int, content_type: str, *, today: str) -> Found:
    """The records of an `efetch`: a set, or a single one without it."""
    root = xml_root(name, body, status, _RECORDS)
    rows = [root] if local(root) != "PubmedArticleSet" else list(root)
    rows = [each for each in rows if local(each) in ("PubmedArticle", "PubmedBookArticle")]
    return listed(name, body, Listing(rows, len(rows)), paper, today)
