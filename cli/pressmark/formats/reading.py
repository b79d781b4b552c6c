"""What every reader of a foreign format gives back: papers, each with its line, and problems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from pressmark.record import Paper

Only = Callable[[Iterable[str], Mapping[str, str]], bool]
"""Whether an entry is wanted, by its names and its fields as they stand."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that a person should know about an entry; `line` counts from 1 where known.

    `lost` is true where the entry itself was not taken.
    """

    message: str
    line: int | None = None
    entry: str = ""
    lost: bool = False

    def __str__(self) -> str:
        place = f"line {self.line}: " if self.line else ""
        name = f"{self.entry}: " if self.entry else ""
        return f"{place}{name}{self.message}"


@dataclass(slots=True)
class Read:
    """One file as it was read."""

    form: str
    papers: list[Paper] = field(default_factory=list)
    lines: list[int | None] = field(default_factory=list)
    """For each paper the line its entry begins at, or None."""
    problems: list[Problem] = field(default_factory=list)
    encoding: str = "utf-8"

    def __post_init__(self) -> None:
        self.lines = self.lines or [None] * len(self.papers)

    def take(self, paper: Paper, line: int | None = None) -> None:
        """Add a paper."""
        self.papers.append(paper)
        self.lines.append(line)

    def say(
        self, message: str, line: int | None = None, entry: str = "", *, lost: bool = False
    ) -> None:
        """Add a problem."""
        self.problems.append(Problem(message, line, entry, lost))

    def settle(
        self, paper: Paper | None, odd: Iterable[str], line: int | None = None, entry: str = ""
    ) -> None:
        """Add what was made of an entry, and what was odd about it; None has no title."""
        for problem in odd:
            self.say(f"{problem}.", line, entry)
        if paper is None:
            self.say("it has no title", line, entry, lost=True)
        else:
            self.take(paper, line)
