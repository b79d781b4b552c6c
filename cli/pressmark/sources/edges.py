"""A work in; what it cites, in its own order, and who cites it, as identity strings, out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from pressmark import ids
from pressmark.config import Config
from pressmark.errors import Configuration, NotFound, Offline, PressmarkError, Unavailable
from pressmark.http import CITATION_SECONDS
from pressmark.record import Paper, Work
from pressmark.sources import (
    crossref_edges,
    openalex,
    openalex_edges,
    opencitations,
    semanticscholar_edges,
)
from pressmark.sources.base import EdgePage, Found, Request
from pressmark.sources.exchange import Way, ask
from pressmark.sources.locations import identifier_for

CITES, CITED_BY = "cites", "cited_by"
_PAGES = 10
"""The most pages of one direction: who cites a famous work fills thousands."""


class Citing(Protocol):
    """A provider that knows edges: requests and pure parses, one pair a direction."""

    @property
    def name(self) -> str:
        """Its name in settings and logs."""

    def edge_request(
        self, work: Work, direction: str, config: Config, after: str
    ) -> Request | None:
        """The request to make; None when it cannot know the work or the direction.

        `after` is what `EdgePage.next` said of the page before, empty for the first.
        """

    def parse_edges(self, body: bytes, status: int, content_type: str, direction: str) -> EdgePage:
        """The works of an answer with the identifiers and titles it gives, in its order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeReport:
    """What one provider gave: `ok`, `cache`, `none`, `skipped`, `unavailable` or `broken`."""

    source: str
    status: str
    reason: str = ""
    cites: int = 0
    cited_by: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Edges:
    """The edges of one work, merged from all who answered."""

    cites: tuple[str, ...] = ()
    """Identity strings in the paper's own order."""
    cited_by: tuple[str, ...] = ()
    reports: tuple[EdgeReport, ...] = ()
    known: Mapping[str, Paper] = field(default_factory=dict)
    """What the providers said of each edge's other end, by its identity string."""


CITING: dict[str, Citing] = {
    "crossref": crossref_edges,
    "semanticscholar": semanticscholar_edges,
    "openalex": openalex_edges,
    "opencitations": opencitations,
}
"""Who is asked for edges, whoever keeps the paper's own order first."""


def edges(
    work: Work,
    client: Way,
    config: Config,
    today: str,
    *,
    directions: Sequence[str] = (CITES, CITED_BY),
    sources: Sequence[str] | None = None,
    refresh: bool | None = None,
) -> Edges:
    """Ask the providers that know citations; answers are kept for 30 days.

    A refusal or a failure is a row of `reports`, never an empty list taken for an answer.
    Raises `Offline` when the network is off.
    """
    work = _identified(ids.canonical(work), client, config, today, sources)
    found: dict[str, list[Paper]] = {CITES: [], CITED_BY: []}
    reports = []
    for name, module in CITING.items():
        if sources is not None and name not in sources:
            continue
        report, held = _asked(module, work, client, config, today, directions, refresh)
        reports.append(report)
        for direction, papers in held.items():
            found[direction] += papers
    own = set(ids.identities(work))
    merged = {
        direction: {one: paper for one, paper in _unique(papers).items() if one not in own}
        for direction, papers in found.items()
    }
    known = {one: paper for each in merged.values() for one, paper in each.items()}
    return Edges(
        cites=tuple(merged[CITES]),
        cited_by=tuple(merged[CITED_BY]),
        reports=tuple(reports),
        known=known,
    )


def _identified(
    work: Work, client: Way, config: Config, today: str, sources: Sequence[str] | None
) -> Work:
    """The work with its OpenAlex id, by which alone OpenAlex lists edges; never fatal."""
    if work.openalex or (sources is not None and openalex.name not in sources):
        return work
    identifier = identifier_for(openalex, work)
    if identifier is None:
        return work

    def parse(body: bytes, status: int, kind: str, date: str) -> Found:
        return openalex.parse_lookup(body, status, kind, today=date)

    try:
        request = openalex.lookup_request([identifier], config)
        found, _ = ask(client, openalex.name, request, parse, today=today)
    except Offline:
        raise
    except PressmarkError:
        return work
    return replace(work, openalex=found.papers[0].openalex)


def _asked(
    module: Citing,
    work: Work,
    client: Way,
    config: Config,
    today: str,
    directions: Sequence[str],
    refresh: bool | None,
) -> tuple[EdgeReport, dict[str, list[Paper]]]:
    report = EdgeReport(source=module.name, status="skipped", reason="it knows no such identifier")
    held: dict[str, list[Paper]] = {}
    cached = True
    try:
        for direction in directions:
            after = ""
            for _ in range(_PAGES):
                request = module.edge_request(work, direction, config, after)
                if request is None:
                    break
                request = replace(request, keep=CITATION_SECONDS)
                parse = _reader(module, direction)
                page, answer = ask(
                    client, module.name, request, parse, today=today, refresh=refresh
                )
                held.setdefault(direction, []).extend(page.papers)
                cached = cached and answer.from_cache
                if not page.next or page.next == after:
                    break
                after = page.next
    except Offline:
        raise
    except NotFound:
        if not held:
            return replace(report, status="none", reason="it does not have the work"), {}
    except Configuration as problem:
        return replace(report, reason=problem.message), held
    except PressmarkError as problem:
        status = "unavailable" if isinstance(problem, Unavailable) else "broken"
        return replace(report, status=status, reason=problem.message), held
    except Exception as bug:  # a defect of ours must not cost the other providers' answers
        reason = f"{type(bug).__name__} in our own code"
        return replace(report, status="broken", reason=reason), held
    if not held:
        return report, held
    cites, cited_by = (len(held.get(direction, ())) for direction in (CITES, CITED_BY))
    status = "none" if not cites + cited_by else "cache" if cached else "ok"
    return replace(report, status=status, reason="", cites=cites, cited_by=cited_by), held


def _reader(module: Citing, direction: str) -> Callable[[bytes, int, str, str], EdgePage]:
    def parse(body: bytes, status: int, kind: str, _: str) -> EdgePage:
        return module.parse_edges(body, status, kind, direction)

    return parse


def _unique(papers: Sequence[Paper]) -> dict[str, Paper]:
    """Each work once, at its first place, under its surest identity string."""
    at: dict[str, int] = {}
    rows: list[Paper] = []
    for paper in papers:
        own = ids.identities(paper)
        place = next((at[one] for one in own if one in at), None)
        if place is None:
            place = len(rows)
            rows.append(paper)
        else:
            rows[place] = _filled(rows[place], paper)
        at |= {one: place for one in (*own, *ids.identities(rows[place])) if one not in at}
    found: dict[str, Paper] = {}
    for paper in rows:
        if own := ids.identities(paper):
            found.setdefault(own[0], paper)
    return found


def _filled(one: Paper, two: Paper) -> Paper:
    changes = {
        name: value
        for name in Work.__dataclass_fields__
        if not getattr(one, name) and (value := getattr(two, name))
    }
    return replace(one, **changes)
