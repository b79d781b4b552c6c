"""What a rule reports: a code, how grave it is, where it stands, one sentence, what to do next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Severity: TypeAlias = Literal["error", "warning"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that a rule found; lines and columns count from 1."""

    code: str
    severity: Severity
    path: str
    message: str
    line: int | None = None
    column: int | None = None
    next: str | None = None

    @property
    def place(self) -> tuple[str, int, int, str, str]:
        """What findings are sorted by."""
        return self.path, self.line or 0, self.column or 0, self.code, self.message
