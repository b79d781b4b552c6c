"""`pressmark fetch`: open copies of the references, as Markdown beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.filtered import Filtered
from pressmark.commands.session import (
    Session,
    json_option,
    outcome_data,
    preview,
    with_session,
    write_options,
)
from pressmark.errors import Interrupted, PressmarkError, Unavailable
from pressmark.library import Write

if TYPE_CHECKING:
    from pressmark.fulltext import Fetched, Report


@click.command(cls=Filtered, short_help="Fetch open full text into the library.")
@click.argument("references", nargs=-1, shell_complete=complete_key)
@click.option("--limit", type=click.IntRange(1), help="References to ask for: 10.")
@click.option("--collection", metavar="SLUG", help="Put what is fetched into a reading list.")
@click.option("--again", is_flag=True, help="Also those that have a text, or had none to get.")
@write_options
@json_option
@with_session
def command(
    session: Session,
    references: tuple[str, ...],
    limit: int | None,
    collection: str | None,
    again: bool,
    write: Write,
    as_json: bool,
) -> None:
    """Fetch full text of REFERENCES, or of the newest that lack it.

    Only copies that a provider reports as open are asked for; the best-reading form comes first.
    With --again, a text that an older version made is made anew from its document, offline.
    What cannot be had is marked with the reason and tried again after 30 days; a passing failure
    leaves no mark.
    """
    from pressmark.fulltext import fetch

    library = session.library
    words = references or ("missing:fulltext",)
    refs = library.select(words, stage="kept", required=bool(references))
    newest = sorted(refs, key=lambda ref: (ref.published or "", ref.key), reverse=True)
    report = fetch(
        library,
        session.client,
        newest if not references else refs,
        limit=limit or session.config.fulltext_limit,
        again=again,
        collection=collection,
        today=session.today,
        progress=lambda item: session.say(_line(item)),
        write=write,
    )
    data = {
        "items": [_json(item) for item in report.items],
        "left": report.left,
        **outcome_data(report.outcome, write),
    }
    session.emit(
        data, _summary(report, write), as_json, report.outcome.warnings, failure=_failure(report)
    )
    session.say_where(report.outcome, write)


def _summary(report: Report, write: Write) -> list[str]:
    fetched, none, later = (report.number(s) for s in ("fetched", "none", "unavailable"))
    lines = preview(report.outcome) if write.dry_run else []
    lines.append(f"{fetched} fetched, {none} without an open copy, {later} to ask again later.")
    if report.left:
        lines.append(f"{report.left} more are waiting; run it again or raise --limit.")
    return lines


def _failure(report: Report) -> PressmarkError | None:
    """Why the call as a whole did not do what it was to do; None when it did."""
    if report.interrupted:
        return Interrupted("Interrupted; what was fetched before is filed.")
    did = report.number("fetched") + report.number("none") + report.number("held")
    if report.number("unavailable") and not did:
        return Unavailable("No source of full text could be asked.", next="try again later")
    return None


def _line(item: Fetched) -> str:
    if item.status in ("fetched", "held"):
        return f"{item.status:11} {item.key}  {item.format or ''} {item.source or ''}".rstrip()
    return f"{item.status:11} {item.key}  {item.reason}".rstrip()


def _json(item: Fetched) -> dict[str, object]:
    return {
        "key": item.key, "status": item.status, "path": item.path, "source": item.source,
        "format": item.format, "license": item.license, "version": item.version,
        "tried": [
            {"source": t.source, "kind": t.kind, "url": t.url, "reason": t.reason or None}
            for t in item.tried
        ],
        "warnings": list(item.warnings),
    }  # fmt: skip
