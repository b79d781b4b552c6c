"""What a writer is asked to do beside its work, and what it answers when it is done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

OUTCOMES: Final = ("added", "merged", "enriched", "unchanged", "dropped", "failed")
"""What can become of an offered paper.

added: filed as a new reference; merged: joined to a paper of the same call, or it brought two
held references together; enriched: a held reference learnt something; unchanged: it was all
held; dropped: a person said no to it before; failed: it cannot be filed, and why.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """How a writer writes; the defaults are the library's own settings."""

    dry_run: bool = False
    commit: bool | None = None  # None: as pressmark.toml says
    branch: str | None = None
    message: str | None = None
    force: bool = False
    trailers: Mapping[str, str] = field(default_factory=dict)
    body: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """One file of a command: the very bytes before and after."""

    path: str
    before: bytes | None
    after: bytes | None

    @property
    def kind(self) -> str:
        """`new`, `changed` or `deleted`."""
        if self.before is None:
            return "new"
        return "deleted" if self.after is None else "changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a writer did, or with `dry_run` would do."""

    changes: tuple[Change, ...] = ()
    commit: str | None = None
    left_uncommitted: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.changes)


@dataclass(frozen=True, slots=True)
class Item:
    """What became of one offered paper."""

    outcome: str
    key: str
    title: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Added(Outcome):
    """What became of every offered paper, in their order."""

    items: tuple[Item, ...] = ()
    conflicts: tuple[str, ...] = ()

    def number(self, outcome: str) -> int:
        """How many papers came to this."""
        return sum(item.outcome == outcome for item in self.items)

    @property
    def seen(self) -> int:
        """How many papers were offered."""
        return len(self.items)

    @property
    def added(self) -> int:
        """How many are new."""
        return self.number("added")

    @property
    def merged(self) -> int:
        """How many joined a paper of the same call, or brought two references together."""
        return self.number("merged")

    @property
    def enriched(self) -> int:
        """How many taught a held reference something."""
        return self.number("enriched")

    @property
    def unchanged(self) -> int:
        """How many brought nothing new."""
        return self.number("unchanged")

    @property
    def dropped(self) -> int:
        """How many a person said no to before."""
        return self.number("dropped")

    @property
    def failed(self) -> int:
        """How many cannot be filed; their items say why."""
        return self.number("failed")

    @property
    def counts(self) -> dict[str, int]:
        """`seen` and every outcome with its number."""
        return {"seen": self.seen, **{name: self.number(name) for name in OUTCOMES}}


def subject(verb: str, keys: Sequence[str], what: str = "references") -> str:
    """A commit subject a log reader understands: `remove: a2020b` or `edit: 12 references`."""
    if len(keys) == 1:
        return f"{verb}: {keys[0]}"
    if 1 < len(keys) <= 3:
        return f"{verb}: {', '.join(keys)}"
    return f"{verb}: {len(keys)} {what}"
