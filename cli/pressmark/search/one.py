"""One source and a query with its variants in; its papers in its own order, and its row, out."""

from __future__ import annotations

import datetime
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pressmark.config import Config
from pressmark.errors import (
    BadInput,
    PressmarkError,
    RateLimited,
    SourceBroken,
    TooLarge,
    Unavailable,
)
from pressmark.http import Client, NullClient, Paused
from pressmark.http.allowance import month_left
from pressmark.record import Paper
from pressmark.search.journals import same_journal
from pressmark.search.result import Report, Sent
from pressmark.sources import REGISTRY, Query, Source, search_page
from pressmark.sources.language import unsaid

METERED = frozenset({"scite"})
"""Who has few searches a month: asked when named, with the words as written, once."""

DEEPEST = {"arxiv": 30_000, "crossref": 10_000, "openalex": 10_000, "semanticscholar": 1_000,
           "pubmed": 9_999, "dblp": 10_000, "inspire": 10_000}  # fmt: skip
"""The last hit that a provider lets anybody reach by numbered pages."""

OVERFETCH = 5
"""How many times the rows are asked for where most are left out here."""


@dataclass(slots=True)
class Asked:
    """One source's part of a search, filled in by its thread."""

    name: str
    client: Client | NullClient
    config: Config
    today: str
    queries: Sequence[Query]
    """The query, then a vocabulary's variants of it."""
    lists: list[tuple[str, list[Paper]]] = field(default_factory=list)
    """For each query that was asked its words and the papers, in the source's order."""
    leads: list[str] = field(default_factory=list)
    """Addresses that it named and that name no work."""
    report: Report = field(
        default_factory=lambda: Report(source="", platform="", status="broken", reason="not asked")
    )

    @property
    def count(self) -> int:
        """The papers that the query itself has brought so far."""
        return len(self.lists[0][1]) if self.lists else 0

    def run(self, progress: Callable[[str, int, int], None] | None = None) -> None:
        """Ask, and turn whatever happens into the source's row."""
        began = time.monotonic()
        query = self.queries[0]
        module = REGISTRY.get(self.name)
        if module is None:
            row = Report(
                source=self.name, platform=self.name, status="skipped",
                reason="this version cannot search it",
            )  # fmt: skip
        elif reason := cannot(module, query, self.config):
            row = Report(
                source=self.name, platform=module.platform, status="skipped", reason=reason
            )
        else:
            row = self._asked(module, progress)
        self.report = replace(row, seconds=round(time.monotonic() - began, 3))

    def _asked(self, module: Source, progress: Callable[[str, int, int], None] | None) -> Report:
        query = self.queries[0]
        row = Report(
            source=self.name, platform=module.platform, status="ok",
            sent=self._sent(module, query),
            notes=() if self.name in query.verbatim else unsaid(query, module.language),
        )  # fmt: skip
        try:
            row = self._pages(row, module, query, progress)
            further = (
                () if self.name in METERED or self.name in query.verbatim else self.queries[1:]
            )
            for variant in further:
                row = self._variant(row, module, variant)
            return row
        except PressmarkError as problem:
            return self._failed(row, problem)
        except Exception as bug:  # a defect of ours must not cost the other sources' answers
            return replace(
                row,
                status="broken",
                reason=f"{type(bug).__name__} in our own code",
                count=self.count,
                trace=traceback.format_exc(),
            )

    def _pages(
        self,
        row: Report,
        module: Source,
        query: Query,
        progress: Callable[[str, int, int], None] | None = None,
    ) -> Report:
        """As many pages as the limit takes; cached only when every one of them was."""
        papers: list[Paper] = []
        self.lists.append((query.words, papers))
        pages, rows = paging(query, self.config.limits.get(self.name), module)
        total: int | None = None
        cached = True
        left_out = damaged = 0
        after: Mapping[str, str] = {}
        said: tuple[str, ...] = ()
        for at in range(pages):
            start = ((query.page - 1) * pages + at) * rows
            page = search_page(
                self.client, module, query, self.config, start, rows, today=self.today, after=after
            )
            after, said = page.found.next, page.found.notes
            self.leads += page.found.leads
            cached = cached and page.cached
            total = page.found.total
            damaged += page.found.damaged
            kept = [p for p in page.found.papers if wanted(p, query, module)]
            left_out += len(page.found.papers) - len(kept)
            papers += kept if not query.count else ()
            if progress and pages > 1:
                progress(self.name, len(papers), min(pages * rows, total or 0))
            if start + rows >= (total or 0):
                break
        if _overfetched(query, module):
            del papers[self.config.limits.get(self.name) or query.limit :]
        return replace(
            row,
            status="cache" if cached else "ok",
            count=len(papers),
            total=total,
            notes=(*row.notes, *said, *_remarks(query, module, left_out, damaged)),
        )

    def _variant(self, row: Report, module: Source, query: Query) -> Report:
        """The same with a variant's papers; one that fails leaves what came before."""
        done = self._pages(replace(row, notes=()), module, query)
        sent = Sent(
            words=query.words, sent=self._sent(module, query), count=done.count, total=done.total
        )
        status = "cache" if (row.status, done.status) == ("cache", "cache") else "ok"
        return replace(row, status=status, variants=(*row.variants, sent))

    def _sent(self, module: Source, query: Query) -> str:
        """The first request; further pages differ in their number only."""
        pages, rows = paging(query, self.config.limits.get(self.name), module)
        start = (query.page - 1) * pages * rows
        try:
            return module.search_request(query, self.config, start, rows).sent
        except PressmarkError:
            return ""

    def _failed(self, row: Report, problem: PressmarkError) -> Report:
        """Unavailable is the world's fault and passes; broken is for somebody to look at."""
        status = "broken"
        if isinstance(problem, Unavailable):
            status = "unavailable"
        elif isinstance(problem, BadInput) and not isinstance(problem, TooLarge):
            status = "skipped"  # it lacks a key, or cannot be asked this
        return replace(
            row,
            status=status,
            reason=problem.message,
            count=self.count,
            paused=isinstance(problem, Paused),
            until=_until(problem),
            head=problem.head if isinstance(problem, SourceBroken) else "",
        )


def cannot(module: Source, query: Query, config: Config) -> str | None:
    """Why a source cannot answer a query as it is meant; None when it can."""
    if query.semantic and not module.language.semantic:
        return f"{module.platform} does not search by meaning"
    if not query.words and module.name not in query.verbatim and not query.categories:
        return "no query was given for it"
    if reason := module.cannot(query):
        return reason
    deepest = DEEPEST.get(module.name)
    pages, rows = paging(query, config.limits.get(module.name), module)
    if deepest and (query.page * pages) * rows > deepest:
        return f"{module.platform} shows no more than its first {deepest:,} hits; narrow the query"
    return None


def paging(query: Query, limit: int | None, module: Source) -> tuple[int, int]:
    """Pages, and rows of each: equal ones, since some sources count pages and not rows."""
    if query.count:
        return 1, 1
    most = limit or query.limit
    if _overfetched(query, module):
        return 1, min(module.page_size, most * OVERFETCH)
    pages = -(-most // module.page_size)
    return pages, -(-most // pages)


def wanted(paper: Paper, query: Query, module: Source) -> bool:
    """Whether a paper is within limits that its source could not be told."""
    if not module.language.dates and (query.since or query.until):
        date = paper.published or ""
        since, until = (query.since or "")[: len(date)], (query.until or "")[: len(date)]
        if not date or date < since or (until and date > until):
            return False
    if _by_container(query, module):
        return same_journal(paper.venue, query.journal)
    return True


def _by_container(query: Query, module: Source) -> bool:
    """Whether a journal that no ISSN stands for is looked for among Crossref's containers."""
    return module.name == "crossref" and bool(query.journal) and not query.issn


def _overfetched(query: Query, module: Source) -> bool:
    narrowed = not module.language.dates and bool(query.since or query.until)
    return not query.count and (narrowed or _by_container(query, module))


def _remarks(query: Query, module: Source, left_out: int, damaged: int) -> list[str]:
    said = []
    if left_out:
        why = "of other journals" if _by_container(query, module) else "outside the dates"
        said.append(f"{left_out} {why} left out here")
    if damaged:
        said.append(f"{damaged} could not be read")
    return said


def _until(problem: PressmarkError) -> str | None:
    """The moment up to which the source is now left alone."""
    moment = None
    if isinstance(problem, Paused) and problem.pause:
        moment = problem.pause.until
    elif isinstance(problem, RateLimited) and problem.allowance == "monthly":
        moment = time.time() + month_left(time.time())
    if moment is None:
        return None
    return datetime.datetime.fromtimestamp(moment).astimezone().isoformat(timespec="seconds")
