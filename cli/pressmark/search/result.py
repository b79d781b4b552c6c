"""What a federated search brings: hits in one order, and a row for every source that was asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pressmark.errors import BadInput, PressmarkError, RateLimited, SourceBroken, SourceDown
from pressmark.record import Paper
from pressmark.sources import Query

ANSWERED = ("ok", "cache")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One work: its account merged from all who found it, and its place in each one's order."""

    paper: Paper
    score: float
    ranks: Mapping[str, int]
    """A source's name to the place, from 1, at which it listed the work."""
    key: str | None = None
    """The reference that holds it, when the library does."""
    seen: bool = False
    """Whether an earlier search of this library found it."""
    dropped: str | None = None
    """Why a person said no to it before, when one did."""

    @property
    def finders(self) -> tuple[str, ...]:
        """The sources that found it, the one that ranked it highest first."""
        return tuple(sorted(self.ranks, key=lambda name: (self.ranks[name], name)))

    @property
    def held(self) -> bool:
        """Whether the library holds it."""
        return self.key is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What became of one source in one search."""

    source: str
    platform: str
    status: str  # ok, cache, skipped, unavailable or broken
    reason: str = ""
    count: int = 0
    total: int | None = None
    """How many the provider says there are."""
    seconds: float = 0.0
    sent: str = ""
    """The request, verbatim but for keys and addresses."""
    paused: bool = False
    until: str | None = None
    """The moment up to which the source is left alone, when it is."""
    head: str = ""
    """The first words of an answer that could not be read."""
    trace: str = field(default="", repr=False)

    @property
    def answered(self) -> bool:
        """Whether its hits are in the result."""
        return self.status in ANSWERED

    @property
    def capped(self) -> bool:
        """Whether there is more than was asked for."""
        return self.total is not None and self.total > self.count


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A search: what was asked, what every source said, and the hits."""

    query: Query
    date: str
    hits: tuple[Hit, ...] = ()
    reports: tuple[Report, ...] = ()
    """The broken ones first: they need somebody's attention."""

    @property
    def papers(self) -> tuple[Paper, ...]:
        """The hits' papers, the best first."""
        return tuple(hit.paper for hit in self.hits)

    @property
    def answered(self) -> bool:
        """Whether at least one source answered."""
        return any(report.answered for report in self.reports)

    @property
    def broken(self) -> tuple[Report, ...]:
        """The sources whose answers are not what they document."""
        return tuple(report for report in self.reports if report.status == "broken")

    @property
    def failure(self) -> PressmarkError | None:
        """The error of a search that nobody answered; None when somebody did."""
        if self.answered or not self.reports:
            return None
        reasons = "; ".join(f"{r.source}: {r.reason.rstrip('.')}" for r in self.reports)
        if all(report.status == "skipped" for report in self.reports):
            return BadInput(f"No source can answer this ({reasons}).", next="choose other sources")
        if all(report.status in ("broken", "skipped") for report in self.reports):
            return SourceBroken(f"No source answered ({reasons}).", next="pressmark sources")
        if any("429" in report.reason for report in self.reports):
            return RateLimited(f"No source answered ({reasons}).", next="try again later")
        return SourceDown(f"No source answered ({reasons}).", next="try again later")
