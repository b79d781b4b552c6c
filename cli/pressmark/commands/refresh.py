"""`pressmark refresh`: run every topic; a quiet run leaves no commit."""

from __future__ import annotations

from collections.abc import Sequence

import click

from pressmark.commands.session import (
    Session,
    json_option,
    preview,
    with_session,
    write_options,
)
from pressmark.errors import PressmarkError, Unavailable
from pressmark.library import Added, Write
from pressmark.record import Topic


@click.command(short_help="Run every topic that is due.")
@click.option("--limit", type=click.IntRange(1), default=50, help="Hits of each source: 50.")
@write_options
@json_option
@with_session
def command(session: Session, limit: int, write: Write, as_json: bool) -> None:
    """Run every topic that has a query, one commit a topic that brought something.

    A failing source or topic is a line of the answer; the exit status is 2 when none answered.
    """
    from pressmark.topics import due

    for line in session.unread("topics/"):
        session.say(line)
    run_topics(session, due(session.library), limit, write, as_json)


def run_topics(
    session: Session, topics: Sequence[Topic], limit: int, write: Write, as_json: bool
) -> None:
    """Run topics one after the other and print what became of each."""
    from pressmark.commands.reports import added_json, added_line, report_json, report_line
    from pressmark.topics import run

    data: list[dict[str, object]] = []
    lines: list[str] = []
    written: Added | None = None
    for topic in topics:
        data.append(
            {"topic": topic.slug, "sources": [], "filed": None, "code": None, "error": None}
        )
        try:
            done = run(
                session.library, session.client, topic,
                today=session.today, limit=limit, write=write,
            )  # fmt: skip
        except PressmarkError as problem:
            data[-1] |= {"code": problem.code, "error": str(problem)}
            session.say(f"{topic.slug}: {problem}")
            continue
        for report in done.reports:
            session.say(f"{topic.slug}: {report_line(report)}")
        data[-1]["sources"] = [report_json(report) for report in done.reports]
        if done.added is None:
            continue
        written = done.added if done.added or written is None else written
        data[-1]["filed"] = added_json(done.added, write)
        lines += preview(done.added) if write.dry_run else []
        lines.append(f"{topic.slug}: {added_line(done.added)}.")
    failure = None
    if topics and written is None:
        failure = Unavailable("No source answered any topic.", next="pressmark sources")
    session.emit(data, lines if topics else ["No topic has a query."], as_json, failure=failure)
    if written is not None:
        session.say_where(written, write)
