"""`pressmark update`: ask the sources again; what no person touched follows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.filtered import Filtered
from pressmark.commands.retrieval import progress
from pressmark.commands.session import (
    Session,
    json_option,
    outcome_data,
    preview,
    with_session,
    write_options,
)
from pressmark.library import Write

if TYPE_CHECKING:
    from pressmark.search.updating import Asked, Update


@click.command(cls=Filtered, short_help="Ask the sources again about references.")
@click.argument("references", nargs=-1, shell_complete=complete_key)
@click.option("--cites", is_flag=True, help="Ask what each of them cites, too.")
@click.option("--limit", type=click.IntRange(1), default=50, help="Without REFERENCES: 50 a day.")
@write_options
@json_option
@with_session
def command(
    session: Session,
    references: tuple[str, ...],
    cites: bool,
    limit: int,
    write: Write,
    as_json: bool,
) -> None:
    """Ask past the cache about REFERENCES, or about the day's share of the library.

    Retractions and corrections, the pages of what was in press, the journal of what was a
    preprint. A field that no person touched follows its source; where a person did, the offer
    becomes a line of `conflicts`. What changed is one commit.
    """
    from pressmark.search.updating import portion, update

    library = session.library
    refs = library.select(references, stage="any", required=bool(references))
    asked = refs if references else portion(refs, session.today, limit)
    done = update(
        library, session.client, asked,
        today=session.today, cites=cites, progress=progress(session), write=write,
    )  # fmt: skip
    left = len(refs) - len(asked)
    data = {
        "items": [_json(item) for item in done.items], "left": left,
        **outcome_data(done.outcome, write),
    }  # fmt: skip
    session.emit(
        data, _lines(done, left, write), as_json, done.outcome.warnings, failure=done.failure
    )
    session.say_where(done.outcome, write)


def _json(item: Asked) -> dict[str, object]:
    return {
        "key": item.key, "status": item.status, "reason": item.reason or None,
        "fields": list(item.fields), "notice": item.notice, "conflicts": list(item.conflicts),
    }  # fmt: skip


def _lines(done: Update, left: int, write: Write) -> list[str]:
    lines = preview(done.outcome) if write.dry_run else []
    for item in done.items:
        if item.status == "same":
            continue
        loud = f"{item.notice.upper()} " if item.notice else ""
        said = ", ".join([*item.fields, *(f"conflict: {each}" for each in item.conflicts)])
        lines.append(f"{item.status:11} {item.key}  {loud}{said or item.reason}")
    changed = len(done.outcome.references)
    same = sum(item.status == "same" for item in done.items)
    lines.append(f"{len(done.items)} asked, {changed} changed, {same} the same.")
    if left:
        lines.append(f"{left} more have their turn on other days; name them to ask now.")
    return lines
