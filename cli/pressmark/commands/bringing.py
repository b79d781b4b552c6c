"""`pressmark add --cited`: what the prose cites and nobody holds, from the user's own sources."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from pressmark.commands.session import Session, preview
from pressmark.library import Write

if TYPE_CHECKING:
    from pressmark.exchange.cited import Brought


def bring(
    session: Session, files: Sequence[str], sources: Sequence[str], with_zotero: bool,
    tags: Sequence[str], topic: str | None, collection: str | None, write: Write, as_json: bool,
) -> None:  # fmt: skip
    """File what is cited, and tell of each key who had it."""
    from pressmark.commands.reports import added_json, unfiled
    from pressmark.exchange import cited

    done = cited.bring(
        session.library, session.client, today=session.today, start=session.start, files=files,
        sources=sources, with_zotero=with_zotero, tags=tags, topic=topic, collection=collection,
        write=write,
    )  # fmt: skip
    data = {
        **added_json(done.added, write),
        "cited": [{**asdict(row), "also": list(row.also), "key": row.key or None,
                   "reason": row.reason or None} for row in done.rows],
        "unknown": [{**asdict(each), "reason": each.reason or None} for each in done.unknown],
        "asked": done.asked,
        "problems": done.problems,
    }  # fmt: skip
    warnings = [*done.problems, *done.added.warnings]
    failure = done.failure or unfiled(done.added)
    session.emit(data, _lines(done, write), as_json, warnings, failure)
    session.say_where(done.added, write)


def _lines(done: Brought, write: Write) -> list[str]:
    """A line a key with its source, and a line for each that nobody knew."""
    from pressmark.commands.reports import added_line

    if not done.rows and not done.unknown:
        return ["Every key that is cited is held."]
    words = {"unchanged": "held"}
    lines = []
    for row in done.rows:
        new = f" as {row.key}" if row.key and row.key != row.cited else ""
        also = f", also in {', '.join(row.also)}" if row.also else ""
        what = f": {row.reason}" if row.outcome == "failed" else ""
        lines.append(
            f"{words.get(row.outcome, row.outcome):9} {row.cited}{new}  {row.title}  "
            f"({row.source}{also}){what}"
        )
    for each in done.unknown:
        why = f"  ({each.reason})" if each.reason else ""
        lines.append(f"{'unknown':9} {each.cited}  {each.path}:{each.line}{why}")
    if done.rows:
        lines.append(f"{added_line(done.added)}.")
    return [*preview(done.added), *lines] if write.dry_run else lines
