"""A query in; every source asked at the same time, their answers merged and ranked, out.

The order is reciprocal rank fusion: https://plg.uwaterloo.ca/~gvcormac/cormacksigir09-rrf.pdf
"""

from __future__ import annotations

import datetime
import re
import threading
import time
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from pressmark import text
from pressmark.config import SOURCES, Config
from pressmark.errors import BadInput, NotFound, Offline, PressmarkError, SourceBroken, Unavailable
from pressmark.http import Client, NullClient, Paused
from pressmark.record import Paper
from pressmark.search.result import Hit, Report, Result
from pressmark.sources import REGISTRY, Query, Source, ask, crossref, groups, merged, search_page

RRF_K = 60


def search(
    client: Client | NullClient,
    config: Config,
    query: Query,
    sources: Sequence[str] | None = None,
    *,
    today: str,
) -> Result:
    """Ask the enabled sources, or those named, one thread each; a failing one is a row."""
    names = tuple(dict.fromkeys(sources if sources is not None else config.sources))
    _check_names(names)
    if client.offline:
        raise Offline("A search needs the network, which is off.", next="pressmark find WORDS")
    query = _with_issn(client, config, query, today, names)
    asked = {name: _Asked(name) for name in names}
    threads = [
        threading.Thread(target=one.run, args=(client, config, query, today), daemon=True)
        for one in asked.values()
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = {name: one.papers for name, one in asked.items()}
    reports = [one.report for one in asked.values()]
    return Result(
        query=query,
        date=today,
        hits=() if query.count else tuple(fused(found, config.source_weights)),
        reports=tuple(sorted(reports, key=lambda report: report.status != "broken")),
    )


def fused(found: Mapping[str, Sequence[Paper]], weights: Mapping[str, float]) -> list[Hit]:
    """One list from several: each work's score is the sum of weight / (60 + rank)."""
    rows = [
        (name, rank, paper)
        for name, papers in found.items()
        for rank, paper in enumerate(papers, 1)
    ]
    hits = []
    for group in groups([paper for _, _, paper in rows]):
        ranks: dict[str, int] = {}
        for at in group:
            name, rank, _ = rows[at]
            ranks[name] = min(rank, ranks.get(name, rank))
        score = sum(weights.get(name, 1.0) / (RRF_K + rank) for name, rank in ranks.items())
        paper = merged([rows[at][2] for at in group])
        hits.append(Hit(paper=paper, score=round(score, 6), ranks=ranks))
    return sorted(hits, key=lambda hit: (-hit.score, min(hit.ranks.values()), hit.paper.title))


def _check_names(names: Sequence[str]) -> None:
    from difflib import get_close_matches

    for name in names:
        if name not in SOURCES:
            near = get_close_matches(name, SOURCES, 1)
            raise BadInput(
                f"There is no source called {name!r}.",
                next=f"did you mean {near[0]}?" if near else f"choose from {', '.join(REGISTRY)}",
            )
    if not names:
        raise BadInput("No source is enabled.", next="set [search] sources in pressmark.toml")


@dataclass(slots=True)
class _Asked:
    """One source's part of a search, filled in by its thread."""

    name: str
    papers: list[Paper] = field(default_factory=list)
    report: Report = field(
        default_factory=lambda: Report(source="", platform="", status="broken", reason="not asked")
    )

    def run(self, client: Client | NullClient, config: Config, query: Query, today: str) -> None:
        """Ask, and turn whatever happens into the source's row."""
        began = time.monotonic()
        module = REGISTRY.get(self.name)
        if module is None:
            row = Report(
                source=self.name, platform=self.name, status="skipped",
                reason="this version cannot search it",
            )  # fmt: skip
        elif reason := module.cannot(query):
            row = Report(
                source=self.name, platform=module.platform, status="skipped", reason=reason
            )
        else:
            row = self._asked(module, client, config, query, today)
        self.report = replace(row, seconds=round(time.monotonic() - began, 3))

    def _asked(
        self, module: Source, client: Client | NullClient, config: Config, query: Query, today: str
    ) -> Report:
        row = Report(source=self.name, platform=module.platform, status="ok")
        try:
            return self._pages(row, module, client, config, query, today)
        except PressmarkError as problem:
            return _failed(replace(row, sent=self._sent(module, config, query)), problem, self)
        except Exception as bug:  # a defect of ours must not cost the other sources' answers
            return replace(
                row,
                status="broken",
                reason=f"{type(bug).__name__} in our own code",
                count=len(self.papers),
                trace=traceback.format_exc(),
            )

    def _pages(
        self,
        row: Report,
        module: Source,
        client: Client | NullClient,
        config: Config,
        query: Query,
        today: str,
    ) -> Report:
        """As many pages as the limit takes; cached only when every one of them was."""
        pages, rows = _paging(query, config.limits.get(self.name), module)
        total: int | None = None
        cached = True
        for at in range(pages):
            start = ((query.page - 1) * pages + at) * rows
            page = search_page(client, module, query, config, start, rows, today=today)
            found = page.found
            cached = cached and page.cached
            total = found.total
            self.papers += found.papers if not query.count else ()
            if start + rows >= (total or 0):
                break
        return replace(
            row,
            status="cache" if cached else "ok",
            count=len(self.papers),
            total=total,
            sent=self._sent(module, config, query),
        )

    def _sent(self, module: Source, config: Config, query: Query) -> str:
        """The first request; further pages differ in their number only."""
        pages, rows = _paging(query, config.limits.get(self.name), module)
        try:
            return module.search_request(query, config, (query.page - 1) * pages * rows, rows).sent
        except PressmarkError:
            return ""


def _paging(query: Query, limit: int | None, module: Source) -> tuple[int, int]:
    """Pages, and rows of each: equal ones, since some sources count pages and not rows."""
    if query.count:
        return 1, 1
    wanted = limit or query.limit
    pages = -(-wanted // module.page_size)
    return pages, -(-wanted // pages)


def _failed(row: Report, problem: PressmarkError, asked: _Asked) -> Report:
    """Unavailable is the world's fault and passes; broken is for somebody to look at."""
    status = "unavailable" if isinstance(problem, Unavailable) else "broken"
    until = None
    if isinstance(problem, Paused) and problem.pause:
        moment = datetime.datetime.fromtimestamp(problem.pause.until).astimezone()
        until = moment.isoformat(timespec="seconds")
    return replace(
        row,
        status=status,
        reason=problem.message,
        count=len(asked.papers),
        paused=isinstance(problem, Paused),
        until=until,
        head=problem.head if isinstance(problem, SourceBroken) else "",
    )


def _with_issn(
    client: Client | NullClient, config: Config, query: Query, today: str, names: Sequence[str]
) -> Query:
    """A journal's name resolved to an ISSN, which is what sources can filter by.

    When Crossref cannot be asked the name goes on alone: some sources can still use it.
    """
    if not query.journal or query.issn or not {"crossref", "openalex"} & set(names):
        return query
    if re.fullmatch(r"\d{4}-\d{3}[\dXx]", query.journal.strip()):
        return replace(query, issn=query.journal.strip().upper())
    request = crossref.journal_request(query.journal)
    try:
        journals, _ = ask(
            client,
            "crossref",
            request,
            lambda body, status, kind, _: crossref.parse_journals(body, status, kind),
            today=today,
        )
    except (Unavailable, SourceBroken, NotFound):
        return query
    wanted = _plain(query.journal)
    for title, issn in journals:
        if _plain(title) == wanted:
            return replace(query, issn=issn)
    near = ", ".join(title for title, _ in journals[:3])
    raise NotFound(
        f"No journal is called {query.journal!r}.",
        next=f"did you mean {near}?" if near else "give its ISSN",
    )


def _plain(title: str) -> str:
    return " ".join(re.findall(r"\w+", re.sub(r"^the\s+", "", text.fold(title))))
