"""What a federated search brings: hits in one order, and a row for every source that was asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pressmark.errors import BadInput, PressmarkError, RateLimited, SourceBroken, SourceDown
from pressmark.record import Paper
from pressmark.sources import Query

ANSWERED = ("ok", "cache")

VOLATILE = frozenset({"scite"})
"""What a source says of a work today and otherwise tomorrow: shown, and in no reference."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One work: its account merged from all who found it, and its place in each one's order."""

    paper: Paper
    score: float
    ranks: Mapping[str, int]
    """A source's name to the place, from 1, at which it listed the work."""
    found_by: tuple[str, ...] = ()
    """The words that found it, when a vocabulary's variants were asked too."""
    matches: tuple[str, ...] = ()
    """The vocabulary's terms and measures that its title names."""
    key: str | None = None
    """The reference that holds it, when the library does."""
    text: bool = False
    """Whether the library holds its full text."""
    collections: tuple[str, ...] = ()
    """The reading lists that it stands in."""
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

    @property
    def open(self) -> bool:
        """Whether a provider reports a copy that anybody may read."""
        return bool(self.paper.locations)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """One further query that a source was asked, in a vocabulary's words."""

    words: str
    sent: str
    count: int = 0
    total: int | None = None


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
    notes: tuple[str, ...] = ()
    """What of the question the source could not be told, and what was left out here."""
    variants: tuple[Sent, ...] = ()
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
class Web:
    """What became of the web search, which comes last: a report, and why it ran or did not.

    `status` is a report's, or `not needed`.
    """

    status: str
    why: str
    report: Report | None = None
    pages: tuple[tuple[str, str], ...] = ()
    """Title and address of what names no work: never filed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskTheWeb:
    """What a reader, or an agent with a web search of its own, can do when no copy was found."""

    why: str
    query: str
    happened: str
    proceed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """An earlier search on the concept, and how alike the two are, from 0 to 1."""

    slug: str
    query: str
    date: str
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A search: what was asked, what every source said, and the hits."""

    query: Query
    date: str
    hits: tuple[Hit, ...] = ()
    reports: tuple[Report, ...] = ()
    """The broken ones first: they need somebody's attention."""
    vocabulary: str | None = None
    variants: tuple[str, ...] = ()
    """The further queries that were asked beside the words."""
    earlier: tuple[Earlier, ...] = ()
    web: Web | None = None
    ask_the_web: AskTheWeb | None = None
    warnings: tuple[str, ...] = ()

    @property
    def papers(self) -> tuple[Paper, ...]:
        """The hits' papers as they are filed, the best first."""
        return tuple(lasting(hit.paper) for hit in self.hits)

    @property
    def everyone(self) -> tuple[Report, ...]:
        """Every report, the web search's too where it ran."""
        return (*self.reports, *([self.web.report] if self.web and self.web.report else []))

    @property
    def answered(self) -> bool:
        """Whether at least one source answered."""
        return any(report.answered for report in self.everyone)

    @property
    def broken(self) -> tuple[Report, ...]:
        """The sources whose answers are not what they document."""
        return tuple(report for report in self.everyone if report.status == "broken")

    @property
    def failure(self) -> PressmarkError | None:
        """The error of a search that nobody answered; None when somebody did."""
        if self.answered or not self.reports:
            return None
        reasons = "; ".join(f"{r.source}: {r.reason.rstrip('.')}" for r in self.everyone)
        if all(report.status == "skipped" for report in self.everyone):
            return BadInput(f"No source can answer this ({reasons}).", next="choose other sources")
        if all(report.status in ("broken", "skipped") for report in self.everyone):
            return SourceBroken(f"No source answered ({reasons}).", next="pressmark sources")
        if any("429" in report.reason for report in self.everyone):
            return RateLimited(f"No source answered ({reasons}).", next="try again later")
        return SourceDown(f"No source answered ({reasons}).", next="try again later")


def lasting(paper: Paper) -> Paper:
    """The paper without what changes from day to day."""
    extra = {name: value for name, value in paper.extra.items() if name not in VOLATILE}
    return replace(paper, extra=extra) if extra != paper.extra else paper
