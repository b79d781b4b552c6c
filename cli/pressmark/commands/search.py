"""`pressmark search`: ask the providers, merge what answers, file what is new, log the search."""

from __future__ import annotations

from pathlib import Path

import click

from pressmark import disk
from pressmark.commands.completing import complete_vocabulary
from pressmark.commands.reports import (
    added_json,
    count_lines,
    found_text,
    hit_lines,
    result_json,
    told,
)
from pressmark.commands.retrieval import progress
from pressmark.commands.session import Session, json_option, with_session, write_options
from pressmark.errors import BadInput
from pressmark.library import Write
from pressmark.search import Result, annotated, file, preview
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
    "--sort", type=click.Choice(["relevance", "date", "cited"]), default="relevance", help="Order."
)
@click.option("--open-access", is_flag=True, help="Only what is open.")
@click.option("--semantic", is_flag=True, help="By meaning, of who can: OpenAlex with a key.")
@click.option(
    "--vocabulary", metavar="SLUG", shell_complete=complete_vocabulary,
    help="Ask in a discipline's indexed terms too; its titles come first.",
)  # fmt: skip
@click.option("--query", "verbatim", multiple=True, metavar="SOURCE=TEXT", help="Sent as it is.")
@click.option("--collection", metavar="SLUG", help="Put what is filed into a collection.")
@click.option("--count", is_flag=True, help="Ask only how many there are; file nothing.")
@click.option("--no-store", is_flag=True, help="File nothing, log nothing.")
@click.option("--no-web", is_flag=True, help="Do not ask the web when no open copy is found.")
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
    semantic: bool,
    vocabulary: str | None,
    verbatim: tuple[str, ...],
    collection: str | None,
    count: bool,
    no_store: bool,
    no_web: bool,
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
        open_access=open_access, semantic=semantic, sort=sort, count=count,
        verbatim=_verbatim(verbatim, session.start),
    )  # fmt: skip
    result = preview(
        session.library, session.client_for(refresh), asked, _names(sources),
        also=_names(also) or (), today=session.today, vocabulary=vocabulary, web=not no_web,
        progress=progress(session),
    )  # fmt: skip
    store = not (count or no_store)
    conclude(session, result, as_json, write if store else None, keep=keep, collection=collection)


def conclude(
    session: Session,
    result: Result,
    as_json: bool,
    write: Write | None,
    *,
    keep: bool = False,
    collection: str | None = None,
) -> None:
    """Tell what every source said, file what is new when there is a `write`, print the hits."""
    told(session, result)
    if result.failure or write is None:
        lines = count_lines(result.reports) if result.query.count else hit_lines(result.hits)
        session.emit(
            result_json(result), lines, as_json, () if not as_json else result.warnings,
            failure=result.failure,
        )  # fmt: skip
        return
    stage = None if keep else "candidate"
    added = file(session.library, result, stage=stage, collection=collection, write=write)
    shown = annotated(session.library, result)
    data = {**result_json(shown), "filed": added_json(added, write)}
    warnings = (*(result.warnings if as_json else ()), *added.warnings)
    session.emit(data, found_text(shown.hits, added, write), as_json, warnings)
    session.say_where(added, write)
    if added.added and stage and not write.dry_run:
        session.say("Decide with: pressmark keep KEY…, pressmark drop KEY…")


def _names(given: str | None) -> tuple[str, ...] | None:
    """The names in `a,b`; None when the option was not given."""
    if given is None:
        return None
    return tuple(name.strip() for name in given.split(",") if name.strip())


def _verbatim(given: tuple[str, ...], start: Path) -> dict[str, str]:
    """`--query pubmed=@FILE`: a source's own query language, word for word."""
    found = {}
    for each in given:
        name, sign, value = each.partition("=")
        if not sign or not value:
            raise BadInput(f"--query takes SOURCE=TEXT or SOURCE=@FILE, not {each!r}.")
        if value.startswith("@"):
            try:
                value = (
                    disk.read_given(start / value[1:], LONGEST_QUERY)
                    .decode("utf-8-sig")
                    .strip("\r\n")
                )
            except UnicodeDecodeError as problem:
                raise BadInput(f"{value[1:]} is not UTF-8: {problem.reason}.") from problem
        found[name] = value
    return found
