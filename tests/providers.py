"""The other providers of the small invented world: who holds which of its works, in their shapes.

    with Double(provider_routes(holds_all)) as double:   # before or after story_routes()

`story_routes()` includes these with nobody holding anything: an honest answer of no hits, so that
a search of the default set stays in the loop and finds what OpenAlex, Crossref and arXiv hold.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from urllib.parse import unquote

from double import Reply, Route, Seen
from story import WORKS, Work, _full, find

Holds = Callable[[str, Work], bool]

MEDICAL = (6, 7)


def holds_none(source: str, work: Work) -> bool:
    """Nobody holds anything."""
    return False


def holds_all(source: str, work: Work) -> bool:
    """Each provider holds what it would: PubMed the works with a PMID, PLOS none of them."""
    if source in ("pubmed", "pmc"):
        return bool(work.pmid)
    if source == "plos":
        return False
    if source == "doaj":
        return work.number in MEDICAL
    if source == "datacite":
        return not work.doi
    if source == "osf":
        return work.number == 9
    if source == "dblp":
        return "Graph" in work.title
    return True


def provider_routes(holds: Holds = holds_none) -> list[Route]:
    """Everything that the default set is asked, apart from OpenAlex, Crossref and arXiv."""
    world = _World(holds)
    return [
        ("/entrez/eutils/esearch.fcgi", world.esearch),
        ("/entrez/eutils/efetch.fcgi", world.efetch),
        ("/tools/idconv/api/v1/articles/", world.idconv),
        ("/europepmc/webservices/rest/search", world.europepmc),
        ("/api/search/articles/*", world.doaj),
        ("/search", world.plos),
        ("/dois", world.datacite_list),
        ("/dois/*", world.datacite_one),
        ("/search/", world.hal),
        ("/search/publ/api", world.dblp),
        ("/graph/v1/researchProducts", world.openaire),
        ("/v2/preprints/", world.osf_list),
        ("/v2/preprints/*", world.osf_one),
        ("/graph/v1/paper/*", world.semanticscholar),
        ("/v3/search/works/", world.core),
        ("/v2/10.*", world.unpaywall),
        ("/details/*", world.biorxiv),
        ("/index/v2/*", world.opencitations),
    ]


class _World:
    """One answer a provider; a question's operators are read for their words only."""

    def __init__(self, holds: Holds) -> None:
        self.holds = holds

    def held(self, source: str, words: str | None = None) -> list[Work]:
        return [work for work in find(words or "") if self.holds(source, work)]

    def one(self, source: str, *names: str) -> list[Work]:
        wanted = {name.lower().replace("\\", "") for name in names}
        return [
            work
            for work in WORKS
            if self.holds(source, work)
            and wanted & {work.own_doi.lower(), work.pmid, work.pmcid.lower(), work.arxiv} - {""}
        ]

    def esearch(self, seen: Seen) -> Reply:
        found = self.held("pubmed", plain(seen.query["term"]))
        start, rows = int(seen.query.get("retstart", "0")), int(seen.query.get("retmax", "20"))
        page = found[start : start + rows]
        result = {
            "count": str(len(found)), "retmax": str(len(page)), "retstart": str(start),
            "idlist": [work.pmid for work in page], "translationset": [],
        }  # fmt: skip
        return answer({"header": {"type": "esearch", "version": "0.3"}, "esearchresult": result})

    def efetch(self, seen: Seen) -> Reply | None:
        if seen.query.get("db") != "pubmed":
            return None
        wanted = seen.query["id"].split(",")
        rows = [work for each in wanted for work in self.one("pubmed", each)]
        body = "".join(medline(work) for work in rows)
        doctype = '<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle//EN" "x.dtd">'
        whole = f'<?xml version="1.0" ?>{doctype}<PubmedArticleSet>{body}</PubmedArticleSet>'
        return Reply(200, whole.encode(), "text/xml")

    def idconv(self, seen: Seen) -> Reply:
        records = []
        for each in seen.query["ids"].split(","):
            found = self.one("pmc", each)
            records += [
                {"doi": w.doi, "pmcid": w.pmcid, "pmid": int(w.pmid), "requested-id": each}
                for w in found
            ] or [{"requested-id": each, "status": "error", "errmsg": "not found in PMC"}]  # type: ignore[list-item]
        return answer({"status": "ok", "records": records})

    def europepmc(self, seen: Seen) -> Reply:
        query = seen.query["query"]
        names = re.findall(r'DOI:"([^"]+)"|PMCID:(\w+)|EXT_ID:(\d+)', query)
        flat = [name for group in names for name in group if name]
        found = self.one("europepmc", *flat) if flat else self.held("europepmc", plain(query))
        rows = int(seen.query.get("pageSize", "25"))
        cursor = seen.query.get("cursorMark", "*")
        start = 0 if cursor == "*" else int(cursor.removeprefix("at"))
        page = found[start : start + rows]
        body: dict[str, object] = {
            "version": "6.9", "hitCount": len(found),
            "request": {"queryString": query, "cursorMark": cursor, "pageSize": rows},
            "resultList": {"result": [epmc(work) for work in page]},
        }  # fmt: skip
        if page:
            body["nextCursorMark"] = f"at{start + len(page)}"
        return answer(body)

    def doaj(self, seen: Seen) -> Reply:
        said = unquote(seen.path.removeprefix("/api/search/articles/"))
        dois = re.findall(r'doi:"([^"]+)"', said)
        found = self.one("doaj", *dois) if dois else self.held("doaj", plain(said))
        rows, page = int(seen.query["pageSize"]), int(seen.query["page"])
        shown = found[(page - 1) * rows : page * rows]
        return answer({"total": len(found), "page": page, "pageSize": rows, "query": said,
                       "results": [doaj_item(work) for work in shown]})  # fmt: skip

    def plos(self, seen: Seen) -> Reply:
        said = seen.query["q"]
        if seen.source == "searxng":
            return answer({"query": said, "number_of_results": 0, "results": [], "answers": [],
                           "unresponsive_engines": []})  # fmt: skip
        dois = re.findall(r'id:"([^"]+)"', said)
        found = self.one("plos", *dois) if dois else self.held("plos", plain(said))
        start, rows = int(seen.query.get("start", "0")), int(seen.query["rows"])
        docs = [
            {
                "id": work.doi, "title_display": work.title, "abstract": [work.abstract],
                "author_display": [" ".join(name) for name in work.authors],
                "publication_date": f"{_full(work.date)}T00:00:00Z", "journal": "PLOS ONE",
                "article_type": "Research Article",
            }
            for work in found[start : start + rows]
        ]  # fmt: skip
        return answer({"response": {"numFound": len(found), "start": start, "docs": docs}})

    def datacite_list(self, seen: Seen) -> Reply:
        found = self.held("datacite", plain(seen.query["query"]))
        rows, page = int(seen.query["page[size]"]), int(seen.query["page[number]"])
        shown = found[(page - 1) * rows : page * rows]
        meta = {"total": len(found), "totalPages": -(-len(found) // rows), "page": page}
        return answer({"data": [datacite(work) for work in shown], "meta": meta, "links": {}})

    def datacite_one(self, seen: Seen) -> Reply:
        found = self.one("datacite", unquote(seen.path.removeprefix("/dois/")))
        if not found:
            title = "The resource you are looking for doesn't exist."
            return answer({"errors": [{"status": "404", "title": title}]}, 404)
        return answer({"data": datacite(found[0])})

    def hal(self, seen: Seen) -> Reply:
        said = seen.query["q"]
        names = re.findall(r'(?:doiId_s|arxivId_s|pubmedId_s):"([^"]+)"', said)
        found = self.one("hal", *names) if names else self.held("hal", plain(said))
        start, rows = int(seen.query.get("start", "0")), int(seen.query["rows"])
        docs = [
            {
                "halId_s": f"hal-99{work.number:06}", "uri_s": f"https://hal.science/hal-99{work.number:06}",
                "docType_s": "ART" if work.doi else "UNDEFINED", "title_s": [work.title],
                "authFullName_s": [" ".join(name).strip() for name in work.authors],
                "abstract_s": [work.abstract], "publicationDate_s": work.date,
                **({"doiId_s": work.doi} if work.doi else {}),
                **({"arxivId_s": work.arxiv} if work.arxiv else {}),
                **({"fileMain_s": f"https://hal.science/hal-99{work.number:06}/document",
                    "licence_s": "http://creativecommons.org/licenses/by/"} if work.arxiv else {}),
            }
            for work in found[start : start + rows]
        ]  # fmt: skip
        return answer({"response": {"numFound": len(found), "start": start, "docs": docs}})

    def dblp(self, seen: Seen) -> Reply:
        found = self.held("dblp", seen.query["q"])
        start, rows = int(seen.query.get("f", "0")), int(seen.query["h"])
        page = found[start : start + rows]
        hits: dict[str, object] = {
            "@total": str(len(found)), "@sent": str(len(page)), "@first": str(start)
        }  # fmt: skip
        if page:
            hits["hit"] = [{"@id": str(w.number), "info": dblp_info(w)} for w in page]
        return answer({"result": {"status": {"@code": "200", "text": "OK"}, "hits": hits}})

    def openaire(self, seen: Seen) -> Reply:
        if "pid" in seen.query:
            found = self.one("openaire", seen.query["pid"])
        else:
            found = self.held("openaire", plain(seen.query["search"]))
        rows, page = int(seen.query.get("pageSize", "10")), int(seen.query.get("page", "1"))
        shown = found[(page - 1) * rows : page * rows]
        header = {"numFound": len(found), "page": page, "pageSize": rows}
        return answer({"header": header, "results": [openaire(work) for work in shown] or None})

    def osf_list(self, seen: Seen) -> Reply:
        found = self.held("osf", seen.query["filter[title]"])
        return answer({"data": [osf(work) for work in found],
                       "links": {"prev": None, "meta": {"total": len(found)}}})  # fmt: skip

    def osf_one(self, seen: Seen) -> Reply:
        return answer({"errors": [{"detail": "Not found."}]}, 404)

    def semanticscholar(self, seen: Seen) -> Reply:
        tail = unquote(seen.path.removeprefix("/graph/v1/paper/"))
        if tail == "search":
            found = self.held("semanticscholar", seen.query["query"])
            start, rows = int(seen.query["offset"]), int(seen.query["limit"])
            page = [s2(work) for work in found[start : start + rows]]
            return answer({"total": len(found), "offset": start} | ({"data": page} if page else {}))
        if tail == "batch":
            rows_ = [self._s2(each) for each in json.loads(seen.body)["ids"]]
            return answer([s2(work) if work else None for work in rows_])
        if found := re.fullmatch(r"(.+)/(references|citations)", tail):  # type: ignore[assignment]
            return self._s2_edges(found[1], found[2])  # type: ignore[index]
        work = self._s2(tail)
        if work is None:
            return answer({"error": f"Paper with id {tail} not found"}, 404)
        return answer(s2(work))

    def _s2(self, wanted: str) -> Work | None:
        kind, _, value = wanted.partition(":")
        for work in WORKS:
            if not self.holds("semanticscholar", work):
                continue
            names = {"DOI": work.own_doi, "ARXIV": work.arxiv, "PMID": work.pmid,
                     "PMCID": work.pmcid.removeprefix("PMC")}  # fmt: skip
            if wanted == s2_id(work) or (value and names.get(kind, "").lower() == value.lower()):
                return work
        return None

    def _s2_edges(self, wanted: str, path: str) -> Reply:
        work = self._s2(wanted)
        if work is None:
            return answer({"error": f"Paper with id {wanted} not found"}, 404)
        if path == "references":
            ends = [w for number in work.cites for w in WORKS if w.number == number]
            rows = [{"citedPaper": s2(each)} for each in ends]
        else:
            rows = [{"citingPaper": s2(each)} for each in WORKS if work.number in each.cites]
        return answer({"offset": 0, "data": rows})

    def core(self, seen: Seen) -> Reply:
        said = seen.query["q"]
        names = re.findall(r'(?:doi|arxivId):"([^"]+)"', said)
        found = self.one("core", *names) if names else self.held("core", plain(said))
        start, rows = int(seen.query.get("offset", "0")), int(seen.query["limit"])
        results = [
            {
                "id": 880000 + work.number, "title": work.title, "abstract": work.abstract,
                "authors": [{"name": f"{family}, {given}"} for given, family in work.authors],
                "publishedDate": f"{_full(work.date)}T00:00:00", "doi": work.doi or None,
                "arxivId": work.arxiv or None, "documentType": "research",
                "downloadUrl": f"https://core.ac.uk/download/{880000 + work.number}.pdf",
            }
            for work in found[start : start + rows]
        ]  # fmt: skip
        return answer({"totalHits": len(found), "limit": rows, "offset": start, "results": results})

    def unpaywall(self, seen: Seen) -> Reply:
        if "example" in seen.query.get("email", "example"):
            return answer({"HTTP_status_code": 422, "error": True,
                           "message": "Please use your own email address in API calls."}, 422)  # fmt: skip
        found = self.one("unpaywall", unquote(seen.path.removeprefix("/v2/")))
        if not found:
            return answer({"HTTP_status_code": 404, "error": True, "message": "not found"}, 404)
        work = found[0]
        place = {
            "url": f"https://press.invalid/{work.doi}.pdf", "version": "publishedVersion",
            "url_for_pdf": f"https://press.invalid/{work.doi}.pdf", "host_type": "publisher",
            "url_for_landing_page": f"https://doi.org/{work.doi}", "license": "cc-by",
        }  # fmt: skip
        is_oa = bool(work.pmcid)
        return answer({
            "doi": work.own_doi, "title": work.title, "genre": work.kind, "is_oa": is_oa,
            "oa_status": "gold" if is_oa else "closed", "published_date": _full(work.date),
            "best_oa_location": place if is_oa else None, "oa_locations": [place] if is_oa else [],
            "z_authors": [{"raw_author_name": " ".join(name)} for name in work.authors],
        })  # fmt: skip

    def biorxiv(self, seen: Seen) -> Reply:
        return answer({"messages": [{"status": "no posts found"}], "collection": []})

    def opencitations(self, seen: Seen) -> Reply:
        path, _, wanted = unquote(seen.path.removeprefix("/index/v2/")).partition("/")
        found = self.one("opencitations", wanted.partition(":")[2])
        rows = []
        for work in found:
            ends = (
                [w for n in work.cites for w in WORKS if w.number == n and w.doi]
                if path == "references"
                else [w for w in WORKS if work.number in w.cites and w.doi]
            )
            for number, end in enumerate(ends):
                mine = f"omid:br/06{work.number:03} doi:{work.own_doi}"
                theirs = f"omid:br/06{end.number:03} doi:{end.doi}"
                pair = (mine, theirs) if path == "references" else (theirs, mine)
                rows.append({"oci": f"06{number}", "citing": pair[0], "cited": pair[1],
                             "creation": end.date, "timespan": "P1Y"})  # fmt: skip
        return answer(rows)


def plain(said: str) -> str:
    """The words of a question in any provider's language."""
    said = re.sub(r"\w+:\[[^\]]*\]|\w+[<>]=\S+|\[\w+\]|access_right:\w+|OPEN_ACCESS:\w", " ", said)
    said = re.sub(r"(?:[\w.]+):(?=[\w\"(])", " ", said)
    return re.sub(r"\b(?:AND|OR|NOT)\b|\\", " ", said)


def answer(body: object, status: int = 200) -> Reply:
    """A JSON answer."""
    return Reply(status, json.dumps(body).encode(), "application/json")


def medline(work: Work) -> str:
    """One record of PubMed's XML."""
    people = "".join(
        f"<Author><LastName>{html.escape(family)}</LastName><ForeName>{given}</ForeName></Author>"
        for given, family in work.authors
    )
    year, month, day = [*work.date.split("-"), "01", "01"][:3]
    cited = "".join(
        f'<Reference><ArticleIdList><ArticleId IdType="doi">{w.doi}</ArticleId></ArticleIdList>'
        "</Reference>"
        for number in work.cites for w in WORKS if w.number == number and w.doi
    )  # fmt: skip
    retracted = (
        '<PublicationType UI="D016441">Retracted Publication</PublicationType>'
        if work.retracted
        else ""
    )
    return (
        f"<PubmedArticle><MedlineCitation><PMID Version='1'>{work.pmid}</PMID><Article>"
        f"<Journal><JournalIssue><Volume>{work.volume}</Volume><PubDate><Year>{year}</Year>"
        f"<Month>{month}</Month><Day>{day}</Day></PubDate></JournalIssue>"
        f"<Title>{work.venue}</Title></Journal><ArticleTitle>{html.escape(work.title)}."
        f"</ArticleTitle><Abstract><AbstractText>{html.escape(work.abstract)}</AbstractText>"
        f"</Abstract><AuthorList>{people}</AuthorList><Language>eng</Language>"
        f"<PublicationTypeList><PublicationType>Journal Article</PublicationType>{retracted}"
        f"</PublicationTypeList></Article></MedlineCitation><PubmedData><ArticleIdList>"
        f'<ArticleId IdType="pubmed">{work.pmid}</ArticleId><ArticleId IdType="doi">{work.doi}'
        f'</ArticleId><ArticleId IdType="pmc">{work.pmcid}</ArticleId></ArticleIdList>'
        f"<ReferenceList>{cited}</ReferenceList></PubmedData></PubmedArticle>"
    )


def epmc(work: Work) -> dict[str, object]:
    """One result of Europe PMC: an article of MEDLINE's, else a preprint."""
    source, own = ("MED", work.pmid) if work.pmid else ("PPR", f"PPR99{work.number:04}")
    is_open = "Y" if work.pmcid else "N"
    return {
        "id": own, "source": source, "doi": work.own_doi, "title": f"{work.title}.",
        **({"pmid": work.pmid, "pmcid": work.pmcid} if work.pmid else {}),
        "authorList": {"author": [
            {"fullName": f"{family} {given[:1]}", "firstName": given, "lastName": family}
            if family else {"collectiveName": given} for given, family in work.authors
        ]},
        "journalInfo": {"journal": {"title": work.venue}, "volume": work.volume},
        "pubYear": work.date[:4], "firstPublicationDate": _full(work.date),
        "abstractText": work.abstract, "isOpenAccess": is_open, "inEPMC": is_open,
        **({"license": "cc by"} if work.pmcid else {}),
        "pubTypeList": {"pubType": ["Journal Article"]},
    }  # fmt: skip


def doaj_item(work: Work) -> dict[str, object]:
    """One article of DOAJ."""
    year, month = [*work.date.split("-"), "1"][:2]
    return {
        "id": f"{work.number:032x}",
        "bibjson": {
            "title": work.title, "year": year, "month": str(int(month)), "abstract": work.abstract,
            "identifier": [{"type": "doi", "id": work.doi}, {"type": "eissn", "id": "5555-0002"}],
            "journal": {"title": work.venue, "license": [{"type": "CC BY"}], "language": ["EN"]},
            "author": [{"name": " ".join(name).strip()} for name in work.authors],
            "link": [{"type": "fulltext", "content_type": "HTML",
                      "url": f"https://press.invalid/{work.doi}"}],
        },
    }  # fmt: skip


def datacite(work: Work) -> dict[str, object]:
    """One record of DataCite, which holds arXiv's own DOIs."""
    return {
        "id": work.own_doi, "type": "dois",
        "attributes": {
            "doi": work.own_doi, "publisher": "arXiv", "publicationYear": int(work.date[:4]),
            "titles": [{"title": work.title}],
            "creators": [
                {"name": f"{family}, {given}", "nameType": "Personal", "givenName": given,
                 "familyName": family} if family else {"name": given, "nameType": "Organizational"}
                for given, family in work.authors
            ],
            "dates": [{"date": _full(work.date), "dateType": "Issued"}],
            "types": {"resourceTypeGeneral": "Preprint"},
            "descriptions": [{"description": work.abstract, "descriptionType": "Abstract"}],
            "relatedIdentifiers": [], "rightsList": [],
        },
    }  # fmt: skip


def dblp_info(work: Work) -> dict[str, object]:
    """What DBLP says of a publication; a single author is no list."""
    people = [
        {"@pid": f"00/{n}", "text": " ".join(name).strip()} for n, name in enumerate(work.authors)
    ]
    return {
        "authors": {"author": people if len(people) > 1 else people[0]},
        "title": f"{work.title}.", "venue": work.venue or "CoRR", "year": work.date[:4],
        "volume": work.volume or f"abs/{work.arxiv}", "key": f"journals/x/W{work.number}",
        "type": "Journal Articles" if work.doi else "Informal and Other Publications",
        "doi": work.own_doi.upper(), "url": f"https://dblp.org/rec/journals/x/W{work.number}",
    }  # fmt: skip


def openaire(work: Work) -> dict[str, object]:
    """One research product; its absent lists are null."""
    right = (
        {"code": "c_abf2", "label": "OPEN"} if work.arxiv else {"code": "c_14cb", "label": "CLOSED"}
    )
    return {
        "id": f"doi_dedup___::{work.number:032x}", "type": "publication",
        "mainTitle": work.title, "subTitle": None, "publicationDate": _full(work.date),
        "authors": [{"fullName": f"{family}, {given}", "name": given, "surname": family}
                    if family else {"fullName": given} for given, family in work.authors],
        "descriptions": [work.abstract], "publisher": "Imaginary Press",
        "language": {"code": "eng", "label": "English"}, "subjects": None,
        "container": {"name": work.venue, "vol": work.volume} if work.venue else None,
        "pids": [{"scheme": "doi", "value": work.own_doi}],
        "instances": [{
            "pids": None, "type": "Article" if work.doi else "Preprint", "accessRight": right,
            "license": "CC BY" if work.arxiv else None,
            "urls": [f"https://arxiv.org/pdf/{work.arxiv}.pdf"] if work.arxiv else None,
        }],
    }  # fmt: skip


def osf(work: Work) -> dict[str, object]:
    """One preprint, its authors embedded in embedded users."""
    return {
        "id": f"w{work.number:04}", "type": "preprints",
        "attributes": {
            "title": work.title, "description": work.abstract, "doi": work.doi or None,
            "date_published": f"{_full(work.date)}T00:00:00", "tags": ["rivers"],
            "date_withdrawn": None,
        },
        "embeds": {
            "contributors": {"data": [
                {"attributes": {"bibliographic": True},
                 "embeds": {"users": {"data": {"attributes": {
                     "full_name": " ".join(name).strip(), "given_name": name[0],
                     "family_name": name[1]}}}}}
                for name in work.authors
            ]},
            "license": {"data": {"attributes": {"name": "CC-By Attribution 4.0 International"}}},
        },
        "relationships": {"provider": {"data": {"id": "socarxiv"}}},
        "links": {"html": f"https://osf.io/preprints/socarxiv/w{work.number:04}",
                  "preprint_doi": f"https://doi.org/10.31235/osf.io/w{work.number:04}"},
    }  # fmt: skip


def s2_id(work: Work) -> str:
    """Forty hexadecimal digits."""
    return f"{work.number:040x}"


def s2(work: Work) -> dict[str, object]:
    """One paper of Semantic Scholar: ids without letters, a corpus id that is a number."""
    known: dict[str, object] = {"CorpusId": 770000 + work.number}
    if work.doi:
        known["DOI"] = work.doi
    if work.arxiv:
        known["ArXiv"] = work.arxiv
    if work.pmid:
        known |= {"PubMed": work.pmid, "PubMedCentral": work.pmcid.removeprefix("PMC")}
    return {
        "paperId": s2_id(work), "externalIds": known, "title": work.title,
        "abstract": work.abstract, "year": int(work.date[:4]), "venue": work.venue,
        "publicationDate": _full(work.date), "publicationTypes": ["JournalArticle"],
        "authors": [{"name": " ".join(name).strip()} for name in work.authors],
        "isOpenAccess": bool(work.arxiv), "openAccessPdf": None,
    }  # fmt: skip
