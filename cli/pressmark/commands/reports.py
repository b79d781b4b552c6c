"""How the answers of a federated search are shown: a line a source, a line a hit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pressmark.commands.session import Session, outcome_data, preview
from pressmark.errors import BadInput
from pressmark.library import Added, Write
from pressmark.render import counted
from pressmark.search.showing import (
    count_lines,
    hit_json,
    hit_lines,
    report_json,
    report_line,
    result_json,
    told_lines,
)

if TYPE_CHECKING:
    from pressmark.search import Hit, Result

__all__ = [
    "added_json", "added_line", "count_lines", "found_text", "hit_json", "hit_lines",
    "report_json", "report_line", "result_json", "told", "unfiled",
]  # fmt: skip


def told(session: Session, result: Result) -> None:
    """Talk about a search: every source's line, the broken ones first, and what else is to say."""
    for line in told_lines(result):
        session.say(line)


def found_text(hits: Sequence[Hit], added: Added, write: Write) -> list[str]:
    """A search's answer: its hits and what became of them; with --dry-run the files as well."""
    if not hits:
        return ["Nothing was found."]
    new = {item.key for item in added.items if item.outcome == "added"}
    lines = [*hit_lines(hits, new), "", f"{added_line(added)}."]
    return [*lines, "", *preview(added)] if write.dry_run else lines


def added_line(added: Added) -> str:
    """`3 new, 2 merged, 5 held already, 1 failed, 1 conflict`, leaving out what is nought."""
    words = {
        "new": added.added, "merged": added.merged, "enriched": added.enriched,
        "held already": added.unchanged, "dropped before": added.dropped, "failed": added.failed,
    }  # fmt: skip
    parts = [f"{n} {word}" for word, n in words.items() if n] or ["nothing to file"]
    return ", ".join(parts + [counted(n, "conflict") for n in [len(added.conflicts)] if n])


def unfiled(added: Added) -> BadInput | None:
    """The failure of a call that could not file all it was given; the reasons are told before."""
    if not added.failed:
        return None
    return BadInput(f"{counted(added.failed, 'paper')} could not be filed.")


def added_json(added: Added, write: Write) -> dict[str, object]:
    """What became of the offered papers."""
    return {
        **added.counts,
        "items": [
            {
                "outcome": i.outcome,
                "key": i.key or None,
                "title": i.title,
                "reason": i.reason or None,
            }
            for i in added.items
        ],
        "conflict_count": len(added.conflicts),
        "conflicts": list(added.conflicts[:5]),
        **outcome_data(added, write),
    }
