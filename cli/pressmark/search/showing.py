"""A search's result in; its JSON, and the lines that a person reads, out: for every adapter."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict

from pressmark.render import citation
from pressmark.search.result import Earlier, Hit, Report, Result, Web

SHOWN_AUTHORS = 6


def result_json(result: Result) -> dict[str, object]:
    """Everything a search has to say but what was filed; `filed` is left to who files."""
    ask = result.ask_the_web
    return {
        "query": result.query.words,
        "limits": result.query.limits,
        "vocabulary": result.vocabulary,
        "variants": list(result.variants),
        "broken": [report_json(report) for report in result.broken],
        "sources": [report_json(report) for report in result.reports],
        "web": web_json(result.web) if result.web else None,
        "hits": [hit_json(hit) for hit in result.hits],
        "earlier": [earlier_json(each) for each in result.earlier],
        "ask_the_web": asdict(ask) if ask else None,
        "filed": None,
    }


def report_json(report: Report) -> dict[str, object]:
    """One source's part."""
    return {
        "source": report.source,
        "status": report.status,
        "reason": report.reason or None,
        "count": report.count,
        "total": report.total,
        "seconds": round(report.seconds, 3),
        "sent": report.sent or None,
        "notes": list(report.notes),
        "variants": [asdict(each) for each in report.variants],
        "paused": report.paused,
        "until": report.until,
    }


def web_json(web: Web) -> dict[str, object]:
    """What became of the web search."""
    return {
        "status": web.status,
        "why": web.why,
        "report": report_json(web.report) if web.report else None,
        "pages": [{"title": title, "url": url} for title, url in web.pages],
    }


def hit_json(hit: Hit) -> dict[str, object]:
    """One hit's part; of many authors the first six and how many there are."""
    paper = hit.paper
    return {
        "key": hit.key,
        "held": hit.held,
        "text": hit.text,
        "collections": list(hit.collections),
        "seen": hit.seen,
        "dropped": hit.dropped,
        "score": round(hit.score, 6),
        "found_by": dict(hit.ranks),
        "queries": list(hit.found_by),
        "matches": list(hit.matches),
        "title": paper.title,
        "authors": list(paper.authors[:SHOWN_AUTHORS]),
        "n_authors": len(paper.authors),
        "published": paper.published,
        "venue": paper.venue,
        "doi": paper.doi,
        "arxiv": paper.arxiv,
        "pmid": paper.pmid,
        "pmcid": paper.pmcid,
        "openalex": paper.openalex,
        "url": paper.url,
        "notice": paper.notice,
        "scite": paper.extra.get("scite"),
        "open": hit.open,
        "locations": [
            {"url": c.url, "kind": c.kind, "source": c.source, "version": c.version,
             "license": c.license}
            for c in paper.locations
        ],
    }  # fmt: skip


def earlier_json(earlier: Earlier) -> dict[str, object]:
    """One earlier search's part."""
    return asdict(earlier)


def report_line(report: Report) -> str:
    """`openalex     ok           10 of 1,234   0.8 s`, or why there is nothing."""
    notes = f" ({'; '.join(report.notes)})" if report.notes else ""
    if report.answered:
        total = f" of {report.total:,}" if report.total is not None else ""
        more = "".join(
            f" + {each.count} by {each.words!r}" for each in report.variants
        )  # the words are the person's own
        return (
            f"{report.source:12} {report.status:11} {report.count}{total}{more}, "
            f"{report.seconds:.1f} s{notes}"
        )
    loud = "! BROKEN: " if report.status == "broken" else ""
    until = f" (left alone until {report.until})" if report.until else ""
    kept = f"; {report.count} came before" if report.count else ""
    return f"{loud}{report.source:12} {report.status:11} {report.reason}{until}{kept}"


def count_lines(reports: Iterable[Report]) -> list[str]:
    """How many each source has that answered."""
    return [
        f"{report.source:12} {'?' if report.total is None else f'{report.total:,}'}"
        for report in reports
        if report.answered
    ]


def hit_lines(hits: Iterable[Hit], new: Collection[str] = ()) -> list[str]:
    """Two lines a hit: its citation, then who found it, what is held, and where a copy is.

    `new` are the keys that this very call filed.
    """
    lines = []
    for number, hit in enumerate(hits, 1):
        lines += [f"{number:3}. {citation(hit.paper)}", f"     {'; '.join(_marks(hit, new))}"]
    return lines


def _marks(hit: Hit, new: Collection[str]) -> Iterator[str]:
    yield ", ".join(hit.finders)
    if hit.matches:
        yield f"names {', '.join(hit.matches)}"
    if hit.key:
        text = " with its text" if hit.text else ""
        yield f"{'filed' if hit.key in new else 'held'} as {hit.key}{text}"
    if hit.seen and hit.key not in new:
        yield "seen before"
    if hit.dropped is not None:
        yield f"dropped before{f' ({hit.dropped})' if hit.dropped else ''}"
    if hit.open:
        copies = dict.fromkeys(copy.kind for copy in hit.paper.locations)
        yield f"open: {', '.join(copies)}"


def told_lines(result: Result) -> list[str]:
    """What a person is told beside the hits: the broken first, then every source, then the rest."""
    lines = [report_line(report) for report in result.reports]
    if result.web is not None and result.web.report is not None:
        lines.append(f"{report_line(result.web.report)} (asked because {result.web.why})")
    lines += list(result.warnings)
    lines += [f"also asked: {words}" for words in result.variants]
    for each in result.earlier:
        lines.append(f"searched before: {each.slug} ({each.query}, {each.similarity:.2f} alike)")
    for title, url in result.web.pages if result.web else ():
        lines.append(f"a web page, not filed: {title} {url}".replace("  ", " "))
    if ask := result.ask_the_web:
        lines += [f"No copy: {ask.why} {ask.happened}", f"  {ask.proceed}"]
        lines.append(f"  a query for it: {ask.query}")
    return lines
