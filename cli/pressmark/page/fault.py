"""A sentence and a line in, the error about a front matter out; `faults` finds the sentences."""

from __future__ import annotations


class Fault(Exception):
    """What is wrong in a front matter: the line counts from 0 at its first line."""

    def __init__(
        self, message: str, line: int, field: str | None = None, *, next: str | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.field = short(field) if field else None
        self.next = next


def short(text: str) -> str:
    """One line of a name or value that stands in a sentence."""
    line = " ".join(text.split())
    return line if len(line) <= 60 else line[:59] + "…"
