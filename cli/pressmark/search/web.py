"""A search without an open copy in; the web's leads, or what a person can ask the web, out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pressmark import ids
from pressmark.config import Config
from pressmark.http import Client, NullClient
from pressmark.record import Paper
from pressmark.search.one import Asked
from pressmark.search.ranking import RRF_K
from pressmark.search.result import AskTheWeb, Hit, Result, Web
from pressmark.sources import REGISTRY, groups, merged

WEB = "searxng"


def last_resort(
    client: Client | NullClient, result: Result, config: Config, today: str, *, wanted: bool
) -> Result:
    """Ask the web search of the user's own configuration, when nothing else led to a copy.

    What it names without an identifier is a page and no hit. Where it did not answer either, the
    result says what to ask a web search for, why, and how to go on.
    """
    if not wanted or all(report.status == "skipped" for report in result.reports):
        return result  # the call forbids it, or what is asked is asked of nobody
    why = _why(result)
    if why is None:
        return replace(result, web=Web(status="not needed", why="an open copy was found"))
    if WEB not in REGISTRY or WEB not in config.base_urls:
        happened = f"No web search is set up ([sources.{WEB}] base_url)."
        return _to_be_asked(replace(result, web=Web(status="skipped", why=why)), why, happened)
    asked = Asked(WEB, client, config, today, [result.query])
    asked.run()
    report = asked.report
    papers = [paper for _, found in asked.lists for paper in found]
    named = [paper for paper in papers if identified(paper)]
    pages = [(p.title, p.url or "") for p in papers if not identified(p)]
    pages += [("", url) for url in asked.leads]
    reached = replace(
        result,
        web=Web(status=report.status, why=why, report=report, pages=tuple(pages)),
        hits=joined(result.hits, WEB, named, config) if named else result.hits,
    )
    return reached if report.answered else _to_be_asked(reached, why, report.reason)


def identified(paper: Paper) -> bool:
    """Whether an identifier other than its title names the work."""
    return any(not each.startswith("title:") for each in ids.identities(paper))


def joined(
    hits: Sequence[Hit], name: str, papers: Sequence[Paper], config: Config
) -> tuple[Hit, ...]:
    """Hits with one more source's: works that are there already gain it, the others come last."""
    rows = [*(hit.paper for hit in hits), *papers]
    kept: list[Hit] = []
    for group in groups(rows):
        old = [hits[at] for at in group if at < len(hits)]
        new = [at - len(hits) for at in group if at >= len(hits)]
        if not new:
            kept += old
            continue
        rank = new[0] + 1
        score = config.source_weights.get(name, 1.0) / (RRF_K + rank)
        first = old[0] if old else Hit(paper=papers[new[0]], score=round(score, 6), ranks={})
        ranks = {source: place for hit in reversed(old) for source, place in hit.ranks.items()}
        paper = merged([rows[at] for at in group])
        kept.append(replace(first, paper=paper, ranks={**ranks, name: rank}))
    return tuple(kept)


def _why(result: Result) -> str | None:
    """Why the web is asked; None when it need not be."""
    if not result.answered:
        return "no source answered"
    if not result.hits:
        return "nothing was found"
    if any(hit.open or hit.text for hit in result.hits):
        return None
    return "no provider reports an open copy of any hit"


def _to_be_asked(result: Result, why: str, happened: str) -> Result:
    words = result.query.words or "the paper you look for"
    ask = AskTheWeb(
        why=f"{why[0].upper()}{why[1:]}.",
        query=f"{words} pdf" if result.query.words else words,
        happened=happened,
        proceed="Ask a web search for it, then read identifiers out of what it finds: "
        "pressmark leads URL…; and file what they name: pressmark add IDENTIFIER.",
    )
    return replace(result, ask_the_web=ask)
