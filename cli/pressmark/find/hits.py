"""What the questions to a library answer with: papers, notes, passages and lines, each with why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pressmark.index import Passage
from pressmark.record import Reference


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A found reference: its score (higher is better), its rank in each channel, its evidence."""

    key: str
    score: float
    ranks: Mapping[str, int]
    passage: Passage | None
    reference: Reference
    scores: Mapping[str, float] = field(default_factory=dict)
    """What each channel itself gave it; only when asked to explain."""

    @property
    def candidate(self) -> bool:
        """Whether nobody has kept it yet."""
        return self.reference.stage == "candidate"

    @property
    def notice(self) -> str | None:
        """`retracted`, `withdrawn`, `expression-of-concern` or `corrected`."""
        return self.reference.notice


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteHit:
    """A found note."""

    slug: str
    score: float
    ranks: Mapping[str, int]
    passage: Passage | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageHit:
    """A found passage of a reference or, where `reference` is None, of a note."""

    key: str
    score: float
    ranks: Mapping[str, int]
    passage: Passage
    reference: Reference | None = None
    route: str | None = None
    """The provider that the full text came from; None for a passage of the reference's own page."""
    format: str | None = None
    """What the full text was made from: `jats`, `html`, `pdf` or `tei`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line in which a term stands: its file and place (1-based), and whose it is."""

    path: str
    key: str
    kind: str  # "reference", "fulltext" or "note"
    line: int
    column: int
    text: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The answer to one question, and what it was made from."""

    hits: tuple[Hit, ...] = ()
    notes: tuple[NoteHit, ...] | None = None
    """The best notes; None where they were not asked, because a filter speaks of references."""
    passages: tuple[PassageHit, ...] = ()
    total: int = 0
    """How many references (or passages) were ranked; those shown are the best from an offset on."""
    next_offset: int | None = None
    """Where the next ones begin; None where there are no more."""
    channels: Mapping[str, int | None] = field(default_factory=dict)
    """How many each ranked list gave; None where it could not be asked."""
    state: str = "ready"
    semantic: str = "off"
    next: str | None = None
    """The one command that would make the answer better."""
    coverage: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """How many papers and passages have a vector, of how many."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CitingSentence:
    """A sentence that cites: the full text it stands in, section, page, offset in its body."""

    key: str
    path: str
    section: str
    page: int | None
    offset: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A work that a reference cites, or one that cites it, with the sentences that do."""

    identity: str
    """What is known of it: `doi:…`, or `key:…` where a held reference has no identity."""
    key: str | None
    reference: Reference | None
    entry: str
    """Its line in the reference list of the citing text; empty where that is not held."""
    sentences: tuple[CitingSentence, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbours:
    """One page of the works at the other end of a reference's citations."""

    key: str
    direction: str
    items: tuple[Neighbour, ...]
    total: int
    held: int
    """How many of all of them the library holds."""
    next_offset: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A work that is cited and not held: its identity, and the keys of those that cite it."""

    identity: str
    citing: tuple[str, ...]
    count: int
    entry: str = ""
    """How a held text's reference list describes it; empty where none does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedList:
    """One page of what the library cites most and does not hold."""

    items: tuple[Wanted, ...]
    total: int
    next_offset: int | None = None
