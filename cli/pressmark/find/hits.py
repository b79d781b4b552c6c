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
    """A found passage of a reference or a note."""

    key: str
    score: float
    ranks: Mapping[str, int]
    passage: Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line in which a term stands: its file and place (1-based), and whose it is."""

    path: str
    key: str
    kind: str  # "reference", "fulltext" or "note"
    line: int
    column: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """The answer to one question, and what it was made from."""

    hits: tuple[Hit, ...] = ()
    notes: tuple[NoteHit, ...] = ()
    passages: tuple[PassageHit, ...] = ()
    total: int = 0
    """How many references were ranked; `hits` holds the best of them."""
    state: str = "ready"
    semantic: str = "off"
    next: str | None = None
    """The one command that would make the answer better."""
    coverage: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """How many papers and passages have a vector, of how many."""
    warnings: tuple[str, ...] = ()
