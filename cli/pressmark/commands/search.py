"""`pressmark search`: ask the providers, merge what answers, file what is new, log the search."""

from __future__ import annotations

from pathlib import Path

import click

from pressmark import disk
from pressmark.commands.reports import (
    added_json,
    count_lines,
    found_text,
    hit_json,
    hit_lines,
    report_json,
    report_line,
)
from pressmark.commands.session import Session, json_option, with_session, write_options
from pressmark.errors import BadInput
from pressmark.library import Added, Library, Write
from pressmark.search import Result, annotated, file, search
from pressmark.sources import query

LONGEST_QUERY = 2**20
"""Bytes of a file that holds a source's own query; a PubMed strategy is some thousands."""


@click.command(short_help="Ask the scholarly providers; file what is new.")
@click.argument("words", metavar="QUERY", nargs=-1)
@click.option("--source", "sources", metavar="A,B", help="Ask only these.")
@click.option("--also", metavar="A,B", help="Ask these beside those that are on.")
@click.option("--since", metavar="DATE", help="Published since 2020, 2020-05, 2020-05-17 or 90d.")
@click.option("--until", metavar="DATE", help="Published until.")
@click.option("--journal", metavar="NAME", help="Only this journal: a name or an ISSN.")
@click.option("--limit", type=click.IntRange(1, 1000), help="Hits asked of each source: 10.")
@click.option("--page", type=click.IntRange(1), default=1, help="The n-th page of hits.")
@click.option(
    "--sort", type=click.Choice(["relevance", "date"]), default="relevance", help="Order."
)
@click.option("--open-access", is_flag=True, help="Only what is open.")
@click.option("--query", "verbatim", multiple=True, metavar="SOURCE=TEXT", help="Sent as it is.")
@click.option("--collection", metavar="SLUG", help="Put what is filed into a collection.")
@click.option("--count", is_flag=True, help="Ask only how many there are; file nothing.")
@click.option("--no-store", is_flag=True, help="File nothing, log nothing.")
@click.option("--keep", is_flag=True, help="File as kept, not as candidates.")
@click.option("--refresh", is_flag=True, help="Ask again past the cache and the pauses.")
@write_options
@json_option
@with_session
def command(
    session: Session,
    words: tuple[str, ...],
    sources: str | None,
    also: str | None,
    since: str | None,
    until: str | None,
    journal: str | None,
    limit: int | None,
    page: int,
    sort: str,
    open_access: bool,
    verbatim: tuple[str, ...],
    collection: str | None,
    count: bool,
    no_store: bool,
    keep: bool,
    refresh: bool,
    write: Write,
    as_json: bool,
) -> None:
    """Ask every source that is on; QUERY takes words, "phrases", AND, OR, ti:, au:, abs:, year:.

    What is new is filed as a candidate, and the search itself is logged, in one commit.
    A source that fails is reported; the exit status is 2 only when none answered.
    """
    asked = query(
        " ".join(words), today=session.today, since=since, until=until,
        limit=limit or session.config.search_limit, page=page, journal=journal,
        open_access=open_access, sort=sort, count=count,
        verbatim=_verbatim(verbatim, session.start),
    )  # fmt: skip
    names = _names(sources) or session.config.sources
    library = session.library
    result = search(
        session.client_for(refresh), session.config, asked, (*names, *_names(also)),
        today=session.today,
    )  # fmt: skip
    for report in result.reports:
        session.say(report_line(report))
    if result.failure or count or no_store:
        _show(session, library, result, as_json, count=count)
    else:
        stage = None if keep else "candidate"
        added = file(library, result, stage=stage, collection=collection, write=write)
        _show(session, library, result, as_json, added, write)
        if added.added and stage and not write.dry_run:
            session.say("Decide with: pressmark keep KEY…, pressmark drop KEY…")


def _show(
    session: Session,
    library: Library,
    result: Result,
    as_json: bool,
    added: Added | None = None,
    write: Write | None = None,
    *,
    count: bool = False,
) -> None:
    """Print what every source said, the hits, and what became of them."""
    shown = annotated(library, result)
    data: dict[str, object] = {
        "query": result.query.words,
        "sources": [report_json(report) for report in result.reports],
        "hits": [hit_json(hit) for hit in shown.hits],
        "filed": None,
    }
    if added is None or write is None:
        lines = count_lines(result.reports) if count else hit_lines(shown.hits)
        session.emit(data, lines, as_json, failure=result.failure)
        return
    data["filed"] = added_json(added, write)
    session.emit(data, found_text(shown.hits, added, write), as_json, added.warnings)
    session.say_where(added, write)


def _names(given: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in (given or "").split(",") if name.strip())


def _verbatim(given: tuple[str, ...], start: Path) -> dict[str, str]:
    """`--query pubmed=@FILE`: a source's own query language, word for word."""
    found = {}
    for each in given:
        name, sign, value = each.partition("=")
        if not sign or not value:
            raise BadInput(f"--query takes SOURCE=TEXT or SOURCE=@FILE, not {each!r}.")
        if value.startswith("@"):
            try:
                value = disk.read_given(start / value[1:], LONGEST_QUERY).decode("utf-8").strip()
            except UnicodeDecodeError as problem:
                raise BadInput(f"{value[1:]} is not UTF-8: {problem.reason}.") from problem
        found[name] = value
    return found
