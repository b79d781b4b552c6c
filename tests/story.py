"""A small invented world of twelve papers, served in the shapes of the real providers.

    with Double(story_routes()) as double:
        ...

Every name, title, abstract and identifier is made up: DOIs under the test prefix 10.5555, arXiv
ids of years to come. What a provider would know of a work is derived from one table, so that a
search, a look-up, a full text and a reference list agree with each other.
"""

from __future__ import annotations

import html
import json
import re
from dataclasses import dataclass
from urllib.parse import unquote

from double import Reply, Route, Seen


@dataclass(frozen=True)
class Work:
    """One invented paper, and which providers hold it."""

    number: int
    title: str
    authors: tuple[tuple[str, str], ...]  # (given, family)
    date: str
    abstract: str
    venue: str = ""
    arxiv: str = ""
    doi: str = ""
    pmid: str = ""
    pmcid: str = ""
    category: str = "cs.LG"
    version: int = 1
    journal_doi_on_arxiv: bool = False
    licence: str = "https://creativecommons.org/licenses/by/4.0/"
    retracted: bool = False
    kind: str = "journal-article"
    cites: tuple[int, ...] = ()
    volume: str = ""
    pages: str = ""

    @property
    def openalex(self) -> str:
        return f"W99000000{self.number:02}"

    @property
    def own_doi(self) -> str:
        return self.doi or f"10.48550/arxiv.{self.arxiv}"


def _w(number: int, title: str, authors: str, date: str, abstract: str, **more: object) -> Work:
    people = tuple(tuple(name.split("|")) for name in authors.split("; "))
    return Work(number, title, people, date, abstract, **more)  # type: ignore[arg-type]


WORKS = (
    _w(1, "Graph Transformers for Tidal Networks",
       "Ines|Aldermoor; Tomasz|Bryl; Quentin|de Vos", "2021-03-15",
       "We study graph transformers on networks of tidal channels. Attention over flow paths "
       "beats message passing on four estuaries. The gain is largest where channels branch.",
       arxiv="9801.00011", version=3, cites=(2, 4), category="cs.LG"),
    _w(2, "Message Passing on Estuaries",
       "Tomasz|Bryl; Ines|Aldermoor", "2019-07-02",
       "Message passing predicts salinity in branching estuaries from twelve gauges. "
       "We release the gauge data.",
       venue="Journal of Invented Hydrology", doi="10.5555/jih.2019.0042", volume="12",
       pages="101-119", cites=(4,)),
    _w(3, "Sparse Attention in Graph Transformers: A Field Study",
       "Maren|Østergaard; Li|Wen", "2022-11-20",
       "Graph transformers are costly on large graphs. We measure eleven sparse attention "
       "patterns on river networks and find that two suffice.",
       venue="Proceedings of the Imaginary Conference on Graphs", doi="10.5555/icg.2022.17",
       arxiv="9802.00123", version=2, journal_doi_on_arxiv=True, kind="proceedings-article",
       pages="17-31", cites=(1, 2)),
    _w(4, "A Short History of Tide Tables", "Ruth|Penhallow", "2008",
       "Tide tables have been computed by hand, by brass machines and by programs. "
       "This essay follows one harbour through all three.",
       venue="Annals of Made-up Science", doi="10.5555/ams.2008.3", volume="3", pages="e77"),
    _w(5, "Positional Encodings for Graph Transformers on Rivers",
       "Li|Wen; Maren|Østergaard; Ines|Aldermoor", "2023-05-30",
       "Where a node lies in a drainage basin matters. We compare random walk, Laplacian and "
       "elevation encodings for graph transformers, with $\\alpha < 0.05$ throughout.",
       arxiv="9803.00007", cites=(1, 3)),
    _w(6, "Salinity Forecasts with Quantile Forests", "Quentin|de Vos; Amina|El-Sayed",
       "2020-01-09",
       "Quantile forests forecast salinity a day ahead with honest intervals.",
       venue="Journal of Invented Hydrology", doi="10.5555/jih.2020.0007",
       pmid="990000006", pmcid="PMC99000006", volume="13", pages="1-14", cites=(2,)),
    _w(7, "Graph Transformers Predict Eel Migration", "Amina|El-Sayed; Tomasz|Bryl",
       "2024-02-14",
       "Tagged eels follow the branching of a river. Graph transformers trained on 312 tags "
       "predict the branch an eel takes. <i>Anguilla ficta</i> is the species studied.",
       venue="Imaginary Ecology Letters", doi="10.5555/iel.2024.99", pmid="990000007",
       pmcid="PMC99000007", volume="7", pages="99-108", cites=(1, 6)),
    _w(8, "Withdrawn Claims about Tidal Memory", "Hugo|Farrow", "2017-06-01",
       "We claim that estuaries remember. The data could not be found again.",
       venue="Annals of Made-up Science", doi="10.5555/ams.2017.8", retracted=True),
    _w(9, "Benchmarks for Learning on Waterways",
       "Maren|Østergaard; Waterways Benchmark Consortium|", "2023-09-12",
       "Nine data sets, three tasks and one protocol for learning on waterways.",
       arxiv="9804.00456", cites=(1, 2, 3, 5)),
    _w(10, "Elevation-aware Attention", "Kofi|Mensah; Ines|Aldermoor", "2024-08-01",
        "Attention that knows which way is down needs fewer parameters.",
        venue="Transactions on Pretend Networks", doi="10.5555/tpn.2024.5", arxiv="9805.00031",
        cites=(5,)),
    _w(11, "Dredging and Its Discontents", "Ruth|Penhallow; Hugo|Farrow", "2012-04",
        "Dredged channels change their tides. Three ports are compared over forty years.",
        venue="Annals of Made-up Science", doi="10.5555/ams.2012.11",
        licence="https://www.example.org/terms"),
    _w(12, "Graph Transformers at Low Tide", "Kofi|Mensah; Li|Wen", "2025-10-10",
        "At low tide half the graph is dry. We train graph transformers on graphs whose edges "
        "come and go.", arxiv="9806.00777", cites=(1, 3, 5, 7)),
)  # fmt: skip

BY_NUMBER = {work.number: work for work in WORKS}


def story_routes() -> list[Route]:
    """Everything that init → search → list → fetch → find → export asks for.

    The other providers of the default set answer too, and hold nothing: tests/providers.py has
    those that do.
    """
    from providers import provider_routes

    return [
        *provider_routes(),
        ("/api/query", arxiv_query),
        ("/html/*", arxiv_html),
        ("/pdf/*", arxiv_pdf),
        ("/works", works),
        ("/works/*", one_work),
        ("/journals", journals),
        ("/europepmc/webservices/rest/*/fullTextXML", europepmc_jats),
        ("/entrez/eutils/efetch.fcgi", pmc_jats),
        ("/oai", Reply(200, list_sets(), "text/xml")),
    ]


def list_sets() -> bytes:
    """arXiv's sets, as its OAI-PMH lists them: groups, archives and categories in one."""
    sets = {
        "physics": "Physics", "physics:hep-th": "High Energy Physics - Theory",
        "physics:astro-ph": "Astrophysics", "physics:astro-ph:CO": "Cosmology",
        "physics:physics": "Physics (Other)", "physics:physics:ao-ph": "Atmospheric and Oceanic",
        "cs": "Computer Science", "cs:cs": "Computer Science",
        "cs:cs:CL": "Computation and Language", "math": "Mathematics", "math:math": "Mathematics",
        "math:math:AG": "Algebraic Geometry",
    }  # fmt: skip
    rows = "".join(
        f"<set><setSpec>{spec}</setSpec><setName>{name}</setName></set>"
        for spec, name in sets.items()
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">'
        f"<ListSets>{rows}</ListSets></OAI-PMH>"
    ).encode()


def find(words: str, excluded: str = "") -> list[Work]:
    """The works that hold every word, those with more of them in the title first."""
    wanted = re.findall(r"\w+", words.casefold())
    without = re.findall(r"\w+", excluded.casefold())

    def text(work: Work) -> str:
        names = " ".join(f"{given} {family}" for given, family in work.authors)
        return f"{work.title} {work.abstract} {names} {work.venue}".casefold()

    hits = [
        work
        for work in WORKS
        if all(word in text(work) for word in wanted)
        and not any(word in text(work) for word in without)
    ]
    return sorted(hits, key=lambda w: (-sum(x in w.title.casefold() for x in wanted), w.number))


# arXiv


def arxiv_query(seen: Seen) -> Reply:
    """`id_list` and `search_query`."""
    rows = int(seen.query.get("max_results", "10"))
    start = int(seen.query.get("start", "0"))
    if "id_list" in seen.query:
        bases = [re.sub(r"v\d+$", "", each) for each in seen.query["id_list"].split(",")]
        bad = [each for each in bases if not re.fullmatch(r"[\w./-]*\d{4,}", each)]
        if bad:
            return Reply(400, _arxiv_error(bad[0]), "application/atom+xml")
        hits = [work for base in bases for work in WORKS if work.arxiv == base]
        total = len(hits)
    else:
        asked = seen.query.get("search_query", "")
        wanted, _, excluded = asked.partition(" ANDNOT ")
        dates = re.search(r"submittedDate:\[(\d{8})\d* TO (\d{8})\d*\]", asked)
        words = re.sub(
            r"submittedDate:\[.*?\]|\b(?:all|ti|au|abs|cat):|\b(?:AND|OR)\b", " ", wanted
        )
        hits = [w for w in find(words, excluded.replace("all:", "")) if w.arxiv]
        if dates:
            low, high = dates.groups()
            hits = [w for w in hits if low <= w.date.replace("-", "").ljust(8, "0") <= high]
        total = len(hits)
        hits = hits[start : start + rows]
    return Reply(200, atom(hits, total, start, rows), "application/atom+xml; charset=utf-8")


def atom(works: list[Work], total: int, start: int = 0, rows: int = 10) -> bytes:
    """A feed as the API of 2026 writes it."""
    entries = "".join(atom_entry(work) for work in works)
    return f"""<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns:arxiv="http://arxiv.org/schemas/atom" xmlns="http://www.w3.org/2005/Atom">
  <id>https://arxiv.org/api/invented</id>
  <title>arXiv Query</title>
  <updated>2026-11-30T00:00:00Z</updated>
  <opensearch:itemsPerPage>{rows}</opensearch:itemsPerPage>
  <opensearch:totalResults>{total}</opensearch:totalResults>
  <opensearch:startIndex>{start}</opensearch:startIndex>{entries}
</feed>
""".encode()


def atom_entry(work: Work) -> str:
    """One entry: http ids, https links, `published` behind the categories."""
    names = "".join(
        f"\n    <author>\n      <name>{html.escape(f'{given} {family}'.strip())}</name>\n    </author>"
        for given, family in work.authors
    )
    doi = f"\n    <arxiv:doi>{work.doi}</arxiv:doi>" if work.journal_doi_on_arxiv else ""
    at = f"{work.arxiv}v{work.version}"
    return f"""
  <entry>
    <id>http://arxiv.org/abs/{at}</id>
    <title>{html.escape(work.title)}</title>
    <updated>{_full(work.date)}T18:00:00Z</updated>
    <link href="https://arxiv.org/abs/{at}" rel="alternate" type="text/html"/>
    <link href="https://arxiv.org/pdf/{at}" rel="related" type="application/pdf" title="pdf"/>
    <summary>{html.escape(re.sub("<[^>]+>", "", work.abstract))}</summary>
    <category term="{work.category}" scheme="http://arxiv.org/schemas/atom"/>
    <published>{_full(work.date)}T17:00:00Z</published>
    <arxiv:comment>9 pages, invented</arxiv:comment>
    <arxiv:primary_category term="{work.category}"/>{names}{doi}
  </entry>"""


def _arxiv_error(value: str) -> bytes:
    about = f"incorrect_id_format_for_{value}"
    return f"""<?xml version='1.0' encoding='UTF-8'?>
<feed xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/" xmlns="http://www.w3.org/2005/Atom">
  <opensearch:itemsPerPage>1</opensearch:itemsPerPage>
  <opensearch:totalResults>1</opensearch:totalResults>
  <opensearch:startIndex>0</opensearch:startIndex>
  <entry>
    <id>https://arxiv.org/api/errors#{about}</id>
    <title>Error</title>
    <summary>{about.replace("_", " ")}</summary>
    <author><name>arXiv api core</name></author>
  </entry>
</feed>
""".encode()


# Crossref and OpenAlex: both have /works, told apart by their parameters


def works(seen: Seen) -> Reply:
    """A list: Crossref's when it asks for `rows`, else OpenAlex's."""
    return crossref_list(seen) if "rows" in seen.query else openalex_list(seen)


def one_work(seen: Seen) -> Reply:
    """A work: Crossref's path is a bare DOI, OpenAlex's an id with its kind."""
    wanted = unquote(seen.path.removeprefix("/works/"))
    return crossref_one(wanted) if wanted.startswith("10.") else openalex_one(wanted)


def crossref_list(seen: Seen) -> Reply:
    """`query.*` and `filter`."""
    words = " ".join(v for k, v in seen.query.items() if k.startswith("query"))
    start, rows = int(seen.query.get("offset", "0")), int(seen.query["rows"])
    found = [work for work in find(words) if work.doi]
    limits = dict(f.split(":", 1) for f in seen.query.get("filter", "").split(",") if ":" in f)
    if since := limits.get("from-pub-date"):
        found = [work for work in found if _full(work.date) >= since]
    if until := limits.get("until-pub-date"):
        found = [work for work in found if _full(work.date) <= until]
    items = [crossref_item(work) for work in found[start : start + rows]]
    message = {
        "facets": {}, "total-results": len(found), "items": items, "items-per-page": rows,
        "query": {"start-index": start, "search-terms": words},
    }  # fmt: skip
    return _json({"status": "ok", "message-type": "work-list", "message-version": "1.0.0",
                  "message": message})  # fmt: skip


def crossref_one(doi: str) -> Reply:
    """A work by its DOI, in any case."""
    for work in WORKS:
        if work.doi and work.doi.lower() == doi.lower():
            return _json({"status": "ok", "message-type": "work", "message-version": "1.0.0",
                          "message": crossref_item(work)})  # fmt: skip
    return Reply(404, b"Resource not found.", "text/plain")


def crossref_item(work: Work) -> dict[str, object]:
    """A work as Crossref describes it."""
    people = [
        {"given": given, "family": family, "sequence": "additional", "affiliation": []}
        if family
        else {"name": given, "sequence": "additional", "affiliation": []}
        for given, family in work.authors
    ]
    item: dict[str, object] = {
        "DOI": work.doi.upper() if work.number == 4 else work.doi,
        "type": work.kind,
        "title": [work.title],
        "author": people,
        "issued": {"date-parts": [[int(part) for part in work.date.split("-")]]},
        "container-title": [work.venue],
        "publisher": "Imaginary Press",
        "abstract": f"<jats:title>Abstract</jats:title><jats:p>{work.abstract}</jats:p>",
        "ISSN": ["5555-0001"],
        "language": "en",
        "license": [{"URL": work.licence, "content-version": "vor", "delay-in-days": 0}],
        "reference": [_crossref_reference(BY_NUMBER[each]) for each in work.cites],
        "is-referenced-by-count": 3,
        "URL": f"http://dx.doi.org/{work.doi}",
        "relation": {},
        "score": 12.3,
    }
    if work.volume:
        item["volume"] = work.volume
    if work.pages:
        item["article-number" if work.pages.startswith("e") else "page"] = work.pages
    if work.retracted:
        item["updated-by"] = [
            {"DOI": "10.5555/ams.2018.retraction", "type": "retraction", "label": "Retraction",
             "source": "publisher", "updated": {"date-parts": [[2018, 1, 20]]}}
        ]  # fmt: skip
    return item


def _crossref_reference(work: Work) -> dict[str, str]:
    key = {"key": f"ref{work.number}", "year": work.date[:4]}
    if work.doi:
        return {**key, "DOI": work.doi, "doi-asserted-by": "publisher"}
    return {**key, "unstructured": f"{work.authors[0][1]}: {work.title}. arXiv:{work.arxiv}"}


def openalex_list(seen: Seen) -> Reply:
    """`search` and `filter`."""
    limits = dict(f.split(":", 1) for f in seen.query.get("filter", "").split(",") if ":" in f)
    said = seen.query.get("search", "") or limits.get("title.search", "")
    wanted, _, excluded = re.sub(r"\b(?:AND|OR)\b", " ", said).partition(" NOT ")
    found = find(f"{wanted} {limits.get('raw_author_name.search', '')}", excluded)
    if cited := limits.get("cites"):
        found = [w for w in found if any(BY_NUMBER[n].openalex == cited for n in w.cites)]
    if citing := limits.get("cited_by"):
        whole = next((w for w in WORKS if w.openalex == citing), None)
        found = [w for w in found if whole and w.number in whole.cites]
    if since := limits.get("from_publication_date"):
        found = [work for work in found if _full(work.date) >= since]
    if until := limits.get("to_publication_date"):
        found = [work for work in found if _full(work.date) <= until]
    rows, page = int(seen.query.get("per_page", "25")), int(seen.query.get("page", "1"))
    results = [openalex_item(work) for work in found[(page - 1) * rows : page * rows]]
    meta = {"count": len(found), "db_response_time_ms": 7, "page": page, "per_page": rows,
            "cost_usd": 0.001}  # fmt: skip
    return _json({"meta": meta, "results": results, "group_by": []})


def openalex_one(wanted: str) -> Reply:
    """A work by `doi:`, `pmid:`, `pmcid:` or its own id."""
    kind, _, value = wanted.partition(":")
    for work in WORKS:
        names = {"doi": work.own_doi, "pmid": work.pmid, "pmcid": work.pmcid}
        if wanted == work.openalex or (value and names.get(kind, "").lower() == value.lower()):
            return _json(openalex_item(work))
    page = b"<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n"
    return Reply(404, page, "text/html")


def openalex_item(work: Work) -> dict[str, object]:
    """A work as OpenAlex describes it, its abstract as an inverted index."""
    index: dict[str, list[int]] = {}
    for at, word in enumerate(re.sub("<[^>]+>", "", work.abstract).split()):
        index.setdefault(word, []).append(at)
    places = {"openalex": f"https://openalex.org/{work.openalex}"}
    places["doi"] = f"https://doi.org/{work.own_doi}"
    if work.pmid:
        places["pmid"] = f"https://pubmed.ncbi.nlm.nih.gov/{work.pmid}"
    if work.pmcid:
        number = work.pmcid.removeprefix("PMC")
        places["pmcid"] = f"https://www.ncbi.nlm.nih.gov/pmc/articles/{number}"
    published = {
        "is_oa": bool(work.pmcid), "landing_page_url": f"https://doi.org/{work.own_doi}",
        "pdf_url": None, "license": "cc-by" if work.pmcid else None, "version": "publishedVersion",
        "source": {"display_name": work.venue or "arXiv (Cornell University)",
                   "type": "journal" if work.venue else "repository",
                   "issn": ["5555-0001"] if work.venue else None,
                   "host_organization_name": "Imaginary Press"},
    }  # fmt: skip
    deposited = {
        "is_oa": True, "landing_page_url": f"https://arxiv.org/abs/{work.arxiv}",
        "pdf_url": f"https://arxiv.org/pdf/{work.arxiv}", "license": None,
        "version": "submittedVersion",
        "source": {"display_name": "arXiv (Cornell University)", "type": "repository"},
    }  # fmt: skip
    places_held = [published] if work.doi else []
    places_held += [deposited] if work.arxiv else []
    first, _, last = work.pages.partition("-")
    return {
        "id": places["openalex"],
        "doi": places["doi"],
        "title": work.title,
        "display_name": work.title,
        "publication_year": int(work.date[:4]),
        "publication_date": _full(work.date),
        "ids": places,
        "language": "en",
        "type": "article" if work.doi else "preprint",
        "type_crossref": work.kind if work.doi else "posted-content",
        "primary_location": places_held[0],
        "best_oa_location": next((p for p in places_held if p["is_oa"]), None),
        "locations": places_held,
        "open_access": {"is_oa": bool(work.arxiv or work.pmcid),
                        "oa_status": "gold" if work.pmcid else "green" if work.arxiv else "closed",
                        "oa_url": None},
        "authorships": [
            {"author": {"display_name": f"{given} {family}".strip(), "orcid": None},
             "raw_author_name": f"{given} {family}".strip()}
            for given, family in work.authors
        ],
        "biblio": {"volume": work.volume or None, "issue": None, "first_page": first or None,
                   "last_page": last or first or None},
        "is_retracted": work.retracted,
        "cited_by_count": 3,
        "referenced_works": [f"https://openalex.org/{BY_NUMBER[n].openalex}" for n in work.cites],
        "abstract_inverted_index": index,
    }  # fmt: skip


def journals(seen: Seen) -> Reply:
    """Crossref's journals."""
    titles = sorted({work.venue for work in WORKS if work.venue})
    words = seen.query.get("query", "").casefold().split()
    items = [
        {"title": title, "ISSN": [f"5555-000{at}"], "publisher": "Imaginary Press"}
        for at, title in enumerate(titles)
        if all(word in title.casefold() for word in words)
    ]
    message = {"items": items, "total-results": len(items), "items-per-page": 20, "query": {}}
    return _json({"status": "ok", "message-type": "journal-list", "message-version": "1.0.0",
                  "message": message})  # fmt: skip


# Full text


def _arxiv_work(path: str) -> Work | None:
    base = re.sub(r"v\d+$", "", path.rpartition("/")[2].removesuffix(".pdf"))
    return next((work for work in WORKS if work.arxiv == base), None)


def arxiv_html(seen: Seen) -> Reply:
    """arXiv's HTML, as LaTeXML writes it; the eldest preprint has none, as on arXiv."""
    work = _arxiv_work(seen.path)
    if work is None or work.number == 9:
        return Reply(404, b"<html><title>No HTML for this paper</title></html>", "text/html")
    return Reply(200, article_html(work), "text/html; charset=utf-8")


def arxiv_pdf(seen: Seen) -> Reply:
    """arXiv's PDF."""
    work = _arxiv_work(seen.path)
    if work is None:
        return Reply(404, b"not found", "text/plain")
    return Reply(200, article_pdf(work), "application/pdf")


def paragraphs(work: Work) -> list[tuple[str, list[str]]]:
    """Sections of two paragraphs each, long enough to be passages, each with a mark of its own."""
    mark = f"mark{work.number:02}"
    return [
        ("Introduction", [
            f"{work.title} is the subject of this paper. {_plain(work)} The word {mark} stands "
            "here so that a search for it finds this very paragraph and no other.",
            "Earlier work has looked at single channels. We look at whole networks, because "
            "water that leaves one branch enters another, and what is learnt in one place must "
            "be carried to the next."]),
        ("Method", [
            "Each gauge is a node and each reach an edge. The model reads six hours of levels "
            "and predicts the seventh. We train with early stopping on the spring tides and "
            "test on the neaps, so that no cycle is seen twice."]),
        ("Results", [
            f"Over all sites the error falls by {10 + work.number} per cent against the "
            "baseline. The fall is largest at the confluences and smallest at the mouth, where "
            "the sea decides.",
            "Removing the elevation of the nodes costs a third of the gain."]),
        ("Discussion", [
            "A gauge that fails in a storm is missed most when it is needed most, so we asked what "
            "remains when one in ten is silent. The network fills the gap from its neighbours on "
            "the same branch, and the error grows by a few per cent only. When a whole branch is "
            "silent there is nothing to fill the gap from, and the error doubles.",
            "What holds for one estuary need not hold for the next. We therefore trained on three "
            "and tested on the fourth, four times over. The order of the methods stayed the same "
            "each time, though the distance between them did not: it is widest in the estuary "
            "with the most branches and narrowest in the one that is little more than a funnel.",
            "Training takes an hour on one machine. Nothing in the method depends on water: any "
            "network through which something flows in known directions could be read in this way, "
            "and we would be glad to hear of one that proves us wrong."]),
    ]  # fmt: skip


def _plain(work: Work) -> str:
    return re.sub(r"<[^>]+>|\$[^$]*\$", "", work.abstract)


def article_html(work: Work) -> bytes:
    """A page with LaTeXML's classes."""
    sections = ""
    for at, (title, texts) in enumerate(paragraphs(work), 1):
        body = "".join(
            f'<div class="ltx_para" id="S{at}.p{n}"><p class="ltx_p">{html.escape(each)}</p></div>'
            for n, each in enumerate(texts, 1)
        )
        sections += (
            f'<section class="ltx_section" id="S{at}"><h2 class="ltx_title ltx_title_section">'
            f'<span class="ltx_tag ltx_tag_section">{at} </span>{title}</h2>{body}</section>'
        )
    cited = "".join(
        f'<li class="ltx_bibitem" id="bib.bib{n}"><span class="ltx_tag">[{n}]</span>'
        f'<span class="ltx_bibblock">{_citation(BY_NUMBER[each])}</span></li>'
        for n, each in enumerate(work.cites, 1)
    )
    names = ", ".join(f"{given} {family}".strip() for given, family in work.authors)
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        f"<title>{html.escape(work.title)}</title></head><body>"
        '<div class="ltx_page_main"><div class="ltx_page_content">'
        '<article class="ltx_document">'
        f'<h1 class="ltx_title ltx_title_document">{html.escape(work.title)}</h1>'
        f'<div class="ltx_authors"><span class="ltx_personname">{html.escape(names)}</span></div>'
        '<div class="ltx_abstract"><h6 class="ltx_title ltx_title_abstract">Abstract</h6>'
        f'<p class="ltx_p">{html.escape(_plain(work))}</p></div>{sections}'
        '<section class="ltx_bibliography" id="bib"><h2 class="ltx_title '
        f'ltx_title_bibliography">References</h2><ul class="ltx_biblist">{cited}</ul></section>'
        "</article></div></div></body></html>"
    ).encode()


def _citation(work: Work) -> str:
    names = ", ".join(f"{given} {family}".strip() for given, family in work.authors)
    at = f"doi:{work.doi}" if work.doi else f"arXiv:{work.arxiv}"
    return html.escape(f"{names}. {work.title}. {work.date[:4]}. {at}")


def article_pdf(work: Work) -> bytes:
    """Two pages of Helvetica: title, authors, sections, references."""
    names = ", ".join(f"{given} {family}".strip() for given, family in work.authors)
    first = [work.title, names, "", "Abstract", *_wrapped(_plain(work)), ""]
    second: list[str] = []
    for at, (title, texts) in enumerate(paragraphs(work), 1):
        page = first if at == 1 else second
        page += [f"{at} {title}", ""]
        for each in texts:
            page += [*_wrapped(each), ""]
    second += ["References", ""]
    for n, each in enumerate(work.cites, 1):
        second += _wrapped(f"[{n}] {html.unescape(_citation(BY_NUMBER[each]))}")
    return pdf([first, second], work.title)


def _wrapped(text: str, width: int = 84) -> list[str]:
    import textwrap

    return textwrap.wrap(text, width)


def pdf(pages: list[list[str]], title: str = "") -> bytes:
    """A PDF of text lines, written by hand."""
    objects: list[bytes] = []

    def add(data: bytes) -> int:
        objects.append(data)
        return len(objects)

    font = add(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica "
               b"/Encoding /WinAnsiEncoding >>")  # fmt: skip
    tree = len(objects) + 2 * len(pages) + 1
    kids = []
    for lines in pages:
        shown = b"BT /F1 10 Tf 60 780 Td 13 TL\n"
        for line in lines:
            raw = line.encode("cp1252", "replace")
            raw = raw.replace(b"\\", rb"\\").replace(b"(", rb"\(").replace(b")", rb"\)")
            shown += b"(" + raw + b") Tj T*\n"
        shown += b"ET"
        stream = add(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(shown), shown))
        kids.append(
            add(b"<< /Type /Page /Parent %d 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
                b"/Resources << /Font << /F1 %d 0 R >> >> >>" % (tree, stream, font))
        )  # fmt: skip
    listed = b" ".join(b"%d 0 R" % kid for kid in kids)
    add(b"<< /Type /Pages /Kids [%s] /Count %d >>" % (listed, len(kids)))
    root = add(b"<< /Type /Catalog /Pages %d 0 R >>" % tree)
    name = title.encode("latin-1", "replace").replace(b"(", b"").replace(b")", b"")
    info = add(b"<< /Title (%s) >>" % name)
    out = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, data in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, data)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % at for at in offsets)
    out += b"trailer\n<< /Size %d /Root %d 0 R /Info %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1, root, info, start,
    )  # fmt: skip
    return bytes(out)


def europepmc_jats(seen: Seen) -> Reply:
    """Europe PMC's full text; 404 with no body when it has none."""
    wanted = seen.path.split("/")[-2]
    for work in WORKS:
        if work.pmcid and work.pmcid == wanted:
            return Reply(200, jats(work), "application/xml")
    return Reply(404, b"", "application/xml")


def pmc_jats(seen: Seen) -> Reply:
    """NCBI's efetch: the article inside a set."""
    wanted = seen.query.get("id", "").removeprefix("PMC")
    inner = b"".join(
        jats(work, declared=False) for work in WORKS if work.pmcid == f"PMC{wanted}" and wanted
    )
    body = b'<?xml version="1.0"?>\n<pmc-articleset>' + inner + b"</pmc-articleset>"
    return Reply(200, body, "text/xml")


def jats(work: Work, *, declared: bool = True) -> bytes:
    """An article in JATS, with a licence, three sections and a reference list."""
    people = "".join(
        f"<contrib contrib-type='author'><name><surname>{family}</surname>"
        f"<given-names>{given}</given-names></name></contrib>"
        for given, family in work.authors
    )
    sections = "".join(
        f"<sec id='s{at}'><title>{title}</title>"
        + "".join(f"<p>{html.escape(each)}</p>" for each in texts)
        + "</sec>"
        for at, (title, texts) in enumerate(paragraphs(work), 1)
    )
    cited = "".join(
        f"<ref id='r{n}'><label>{n}</label><mixed-citation>{_citation(BY_NUMBER[each])}"
        "</mixed-citation></ref>"
        for n, each in enumerate(work.cites, 1)
    )
    head = '<?xml version="1.0" encoding="UTF-8"?>\n' if declared else ""
    number = work.pmcid.removeprefix("PMC")
    return (
        f"{head}<article xmlns:xlink='http://www.w3.org/1999/xlink' article-type='research-article'>"
        f"<front><journal-meta><journal-title-group><journal-title>{work.venue}</journal-title>"
        "</journal-title-group></journal-meta><article-meta>"
        f"<article-id pub-id-type='pmc'>{number}</article-id>"
        f"<article-id pub-id-type='pmid'>{work.pmid}</article-id>"
        f"<article-id pub-id-type='doi'>{work.doi}</article-id>"
        f"<title-group><article-title>{html.escape(work.title)}</article-title></title-group>"
        f"<contrib-group>{people}</contrib-group>"
        f"<pub-date pub-type='epub'><year>{work.date[:4]}</year></pub-date>"
        "<permissions><license license-type='open-access' xlink:href="
        f"'{work.licence}'><license-p>Open access.</license-p></license></permissions>"
        f"<abstract><p>{html.escape(_plain(work))}</p></abstract></article-meta></front>"
        f"<body>{sections}</body><back><ref-list>{cited}</ref-list></back></article>"
    ).encode()


def _json(value: object) -> Reply:
    return Reply(200, json.dumps(value).encode())


def _full(date: str) -> str:
    return date + "-01" * (2 - date.count("-"))
