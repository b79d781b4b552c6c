"""`pressmark refresh`: run every topic; a quiet run leaves no commit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from pressmark.commands.session import (
    Session,
    json_option,
    preview,
    with_session,
    writing,
)
from pressmark.errors import Unavailable
from pressmark.library import Write
from pressmark.record import Topic

if TYPE_CHECKING:
    from pressmark.topics.proposing import Proposal
    from pressmark.topics.refreshing import Ran, Refreshed

HERE = "."
"""What `--branch` without a name stands for: refresh/<date>."""


_BRANCH = click.option(
    "--branch", metavar="[NAME]", is_flag=False, flag_value=HERE,
    help="For review: on refresh/<date>, or on branch NAME.",
)  # fmt: skip


@click.command(short_help="Run every topic; what is new is filed.")
@click.option("--limit", type=click.IntRange(1, 1000), help="Hits of each source: 200.")
@click.option("--feeds-only", is_flag=True, help="Only RSS and Atom feeds, no queries.")
@click.option(
    "--update-limit", type=click.IntRange(0), default=20, metavar="N",
    help="References to ask for anew afterwards: 20.",
)  # fmt: skip
@click.option(
    "--fulltext-limit", type=click.IntRange(0), metavar="N",
    help="Full texts to ask for afterwards: 10; 0 asks for none, a branch too.",
)  # fmt: skip
@writing(_BRANCH)
@json_option
@with_session
def command(
    session: Session,
    limit: int | None,
    feeds_only: bool,
    update_limit: int,
    fulltext_limit: int | None,
    write: Write,
    as_json: bool,
) -> None:
    """Run every topic that has a query or a feed, one commit a topic that brought something.

    With --branch the commits go to the branch refresh/<date>, the text of its pull request to
    a file, and where the program gh and a token are, the pull request is opened.
    A failing source or topic is a line of the answer; the exit status is 2 when none answered.
    """
    from pressmark.topics import due

    topics = due(session.library, feeds_only=feeds_only)
    for line in session.unread("topics/"):
        session.say(line)
    texts = session.config.fulltext_limit if fulltext_limit is None else fulltext_limit
    run_topics(session, topics, limit, write, as_json, (update_limit, texts), True)


def run_topics(
    session: Session,
    topics: Sequence[Topic],
    limit: int | None,
    write: Write,
    as_json: bool,
    limits: tuple[int, int] = (0, 0),
    opens: bool = False,
) -> None:
    """Run topics one after the other and print what became of each.

    `limits`: how many references to ask for anew afterwards, and for how many full texts;
    `opens`: whether pull requests of a branch are opened.
    """
    if write.branch:
        _review(session, topics, limit, write, as_json, limits[0], opens=opens)
        return
    from pressmark.topics.refreshing import refresh

    done = refresh(
        session.library, session.client, topics, today=session.today, limit=limit,
        update_limit=0 if write.dry_run else limits[0],
        fulltext_limit=0 if write.dry_run else limits[1],
        told=lambda ran: _tell(session, ran), write=write,
    )  # fmt: skip
    data = {
        "topics": [ran_json(each, write) for each in done.topics],
        "updated": _updated_json(done),
        "texts": _texts_json(done),
        "proposals": [],
    }
    lines = [line for each in done.topics for line in _lines(each, write)]
    lines += [f"{row['key']}: {_told(row)}" for row in _updated_json(done) or ()]
    lines += _text_lines(done)
    failure = _failure(done.failed)
    lines = lines if topics else ["No topic has a query.", *lines]
    session.emit(data, lines, as_json, failure=failure)
    written = [r.run.added for r in done.topics if r.run and r.run.added is not None]
    if written:
        session.say_where(next((each for each in written if each.changes), written[0]), write)
    if any(each.changes for each in written) and not write.dry_run:
        session.say("What is new since you last looked: pressmark changes --since-seen")


def _review(
    session: Session,
    topics: Sequence[Topic],
    limit: int | None,
    write: Write,
    as_json: bool,
    update_limit: int,
    *,
    opens: bool,
) -> None:
    """Run topics on branches for review, and say where each pull request's text is."""
    from pressmark.topics.reviewing import review

    name = None if write.branch == HERE else write.branch
    done = review(
        session.library, session.client, topics, today=session.today, branch=name, limit=limit,
        update_limit=0 if write.dry_run else update_limit,
        told=lambda ran: _tell(session, ran), opens=opens, write=write,
    )  # fmt: skip
    data = {
        "topics": [ran_json(each, write) for each in done.topics],
        "updated": None,
        "texts": None,
        "proposals": [proposal_json(each) for each in done.proposals],
    }
    lines = [line for each in done.topics for line in _lines(each, write)]
    lines += [line for each in done.proposals for line in proposal_lines(each)]
    session.emit(
        data, lines if topics else ["No topic has a query."], as_json,
        failure=_failure(done.failed),
    )  # fmt: skip
    if write.dry_run:
        session.say("Nothing was written: --dry-run.")
    elif not done.proposals:
        session.say("Nothing is new, so no branch was made.")


def _failure(failed: bool) -> Unavailable | None:
    if not failed:
        return None
    return Unavailable("No source answered any topic.", next="pressmark sources")


def proposal_json(each: Proposal) -> dict[str, object]:
    """One proposal's part of the JSON answer."""
    return {
        "branch": each.branch, "base": each.base, "title": each.title, "text": str(each.text),
        "pushed": each.pushed, "url": each.url, "note": each.note or None,
    }  # fmt: skip


def proposal_lines(each: Proposal) -> list[str]:
    """Where a branch is, its pull request or the text for one."""
    lines = [f"{each.branch}: {each.title}", f"  text: {each.text}"]
    lines += [f"  pull request: {each.url}"] if each.url else []
    return lines + ([f"  {each.note}"] if each.note else [])


def _tell(session: Session, ran: Ran) -> None:
    """What every source said of one topic, as it comes."""
    from pressmark.commands.reports import report_line

    if ran.error is not None:
        session.say(f"{ran.slug}: {ran.error}")
    for report in ran.run.reports if ran.run else ():
        session.say(f"{ran.slug}: {report_line(report)}")
    for note in ran.run.notes if ran.run else ():
        session.say(f"{ran.slug}: {note}")
    for title in ran.run.unnamed if ran.run else ():
        session.say(f"{ran.slug}: without an identifier: {title}")


def ran_json(ran: Ran, write: Write) -> dict[str, object]:
    """One topic's part of the JSON answer."""
    from pressmark.commands.reports import added_json, report_json

    run = ran.run
    return {
        "topic": ran.slug,
        "sources": [report_json(report) for report in run.reports] if run else [],
        "filed": added_json(run.added, write) if run and run.added is not None else None,
        "skipped": run.skipped if run else 0,
        "refused": run.refused if run else 0,
        "matched": list(run.matched) if run else [],
        "unnamed": list(run.unnamed) if run else [],
        "notes": list(run.notes) if run else [],
        "code": ran.error.code if ran.error else None,
        "error": str(ran.error) if ran.error else None,
    }


def _updated_json(done: Refreshed) -> list[dict[str, object]] | None:
    """Of the references that were asked for anew, those that learnt something."""
    if done.update is None:
        return None
    return [
        {"key": each.key, "fields": list(each.fields), "notice": each.notice}
        for each in done.update.items
        if each.status == "changed"
    ]


def _told(row: dict[str, object]) -> str:
    fields = row["fields"]
    assert isinstance(fields, list)
    return ", ".join([*fields, *([str(row["notice"]).upper()] if row["notice"] else [])])


def _texts_json(done: Refreshed) -> dict[str, int] | None:
    if done.texts is None:
        return None
    texts = done.texts
    return {
        "fetched": texts.number("fetched"), "none": texts.number("none"),
        "waiting": texts.number("waiting"), "unavailable": texts.number("unavailable"),
        "left": texts.left,
    }  # fmt: skip


def _text_lines(done: Refreshed) -> list[str]:
    """A line when texts were filed, or references were marked as being without one."""
    texts = done.texts
    if texts is None or not (texts.number("fetched") or texts.number("none")):
        return []
    fetched, none = texts.number("fetched"), texts.number("none")
    return [f"Full texts: {fetched} fetched, {none} without an open copy."]


def _lines(ran: Ran, write: Write) -> list[str]:
    from pressmark.commands.reports import added_line

    if ran.run is None or ran.run.added is None:
        return []
    run, added = ran.run, ran.run.added
    more = {
        "known entries skipped": run.skipped, "not offered again": run.refused,
        "held already answer to it": len(run.matched),
    }  # fmt: skip
    told = ", ".join([added_line(added), *(f"{n} {word}" for word, n in more.items() if n)])
    files = preview(added) if write.dry_run else []
    return [*files, f"{ran.slug}: {told}.", *(f"  {each}" for each in added.conflicts[:5])]
