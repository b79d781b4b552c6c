"""An outcome of the core in, the fields that every writing tool's answer has out."""

from __future__ import annotations

from typing import Any

from pressmark.library import Outcome, Write
from pressmark.mcp.shapes import Answer, Strict

SHOWN = 40
"""Changed files that are named; the rest are counted."""


class ChangedFile(Strict):
    """One file that was written."""

    path: str
    kind: str


class Written(Answer):
    """What was written: files, the commit, and the branch where it is a proposal."""

    changes: list[ChangedFile]
    more_changes: int
    commit: str | None
    branch: str | None
    warnings: list[str]


def fields(outcome: Outcome, write: Write) -> dict[str, Any]:
    """The fields of `Written`."""
    shown = outcome.changes[:SHOWN]
    return {
        "changes": [ChangedFile(path=each.path, kind=each.kind) for each in shown],
        "more_changes": len(outcome.changes) - len(shown),
        "commit": outcome.commit,
        "branch": write.branch if outcome.changes else None,
        "warnings": [each[:300] for each in outcome.warnings[:10]],
    }


def sentence(outcome: Outcome, write: Write) -> str:
    """What became of it, in one sentence."""
    if not outcome.changes:
        return "Nothing to change."
    if write.branch:
        return f"Proposed on the branch {write.branch}; the user's files are as they were."
    return f"Committed as {outcome.commit[:10]}." if outcome.commit else "Written, not committed."
