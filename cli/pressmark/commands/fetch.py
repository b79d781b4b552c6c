"""`pressmark fetch`: open copies of the references, as Markdown beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
from pressmark.errors import BadInput, Interrupted, Offline, PressmarkError, Unavailable
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
    leaves no mark. Who has no identifier is not asked for.
    """
    from pressmark.fulltext import fetch, fetch_newest

    library = session.library
    call: dict[str, Any] = {
        "limit": session.config.fulltext_limit if limit is None else limit,
        "again": again, "collection": collection,
        "today": session.today, "write": write,
        "progress": lambda item: session.say_all(_lines(item)),
    }  # fmt: skip
    if references:
        refs = library.select(references, stage="kept", required=True)
        report = fetch(library, session.client, refs, **call)
    else:
        report = fetch_newest(library, session.client, **call)
    data = {
        "items": [_json(item) for item in report.items],
        "left": report.left,
        "waiting": report.number("waiting"),
        "unidentified": report.number("unidentified"),
        "offline": session.client.offline,
        **outcome_data(report.outcome, write),
    }
    failure = _failure(report, offline=session.client.offline)
    session.emit(data, _summary(report, write), as_json, report.outcome.warnings, failure=failure)
    session.say_where(report.outcome, write)


def _summary(report: Report, write: Write) -> list[str]:
    fetched, none, later = (report.number(s) for s in ("fetched", "none", "unavailable"))
    lines = preview(report.outcome) if write.dry_run else []
    lines.append(f"{fetched} fetched, {none} without an open copy, {later} to ask again later.")
    if report.left:
        lines.append(f"{report.left} more are waiting; run it again or raise --limit.")
    if waiting := report.number("waiting"):
        lines.append(f"{waiting} had none to get within 30 days; --again asks now.")
    if bare := report.number("unidentified"):
        lines.append(f"{bare} without an identifier to ask by: pressmark edit KEY --set doi=…")
    return lines


def _failure(report: Report, *, offline: bool) -> PressmarkError | None:
    """Why the call as a whole did not do what it was to do; None when it did."""
    if report.interrupted:
        return Interrupted("Interrupted; what was fetched before is filed.")
    did = report.number("fetched") + report.number("none") + report.number("held")
    if offline and not did and (report.left or report.number("unavailable")):
        return Offline("The network is off, so nobody was asked for a text.")
    if report.number("unavailable") and not did:
        return Unavailable("No source of full text could be asked.", next="try again later")
    items = report.items
    if items and all(item.status == "unidentified" for item in items):
        named = items[0].key if len(items) == 1 else "KEY"
        return BadInput(
            f"{_those(report)} no identifier by which a text could be asked for.",
            next=f"pressmark edit {named} --set doi=…, or pressmark attach {named} FILE",
        )
    return None


def _those(report: Report) -> str:
    count = len(report.items)
    return f"{report.items[0].key} has" if count == 1 else f"These {count} references have"


def _lines(item: Fetched) -> list[str]:
    held = item.status in ("fetched", "held")
    told = f"{item.format or ''} {item.source or ''}".strip() if held else item.reason
    notes = item.warnings if held else ()
    first = f"{item.status:12} {item.key}  {told}".rstrip()
    return [first, *(f"{'':12} {note}" for note in notes)]


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
