"""`pressmark searches`: the searches on record: list, show, rerun, find alike, report."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pressmark.commands.completing import complete_vocabulary
from pressmark.commands.session import Session, json_option, with_session, write_options
from pressmark.library import Write

if TYPE_CHECKING:
    from pressmark.record import Search
    from pressmark.search.reporting import Held


@click.group(short_help="List, show, repeat and report past searches.")
def command() -> None:
    """The searches on record: Markdown files under topics/searches/, one a search."""


@command.command("list", short_help="List the searches on record.")
@click.option(
    "--vocabulary", metavar="SLUG", shell_complete=complete_vocabulary,
    help="Only those with this vocabulary.",
)  # fmt: skip
@click.option("--collection", metavar="SLUG", help="Only those whose hits went into it.")
@click.option("--paper", metavar="REF", help="Only those that found this reference.")
@json_option
@with_session
def list_(
    session: Session,
    vocabulary: str | None,
    collection: str | None,
    paper: str | None,
    as_json: bool,
) -> None:
    """List the searches, the newest first: when, what, how many hits, how many on file."""
    from pressmark.render import table
    from pressmark.search.memory import recall
    from pressmark.search.reporting import on_file

    key = session.library.key(paper) if paper else None
    found = recall(session.library, vocabulary=vocabulary, collection=collection, key=key)
    held = on_file(session.library)
    data = [_line(each, held) for each in found]
    rows = [
        (str(d["slug"]), str(d["query"]), f"{d['hits']} hits, {d['filed']} on file") for d in data
    ]
    session.emit(data, table(rows), as_json, session.unread("topics/searches/"))
    if not rows:
        session.say("No such search is on record.")


@command.command(short_help="Show one search: what was sent, what came back.")
@click.argument("slug")
@json_option
@with_session
def show(session: Session, slug: str, as_json: bool) -> None:
    """Show the search SLUG, or the one whose name begins so."""
    from pressmark.search.logs import hits_of
    from pressmark.search.memory import get
    from pressmark.search.reporting import on_file

    search = get(session.library, slug)
    hits = hits_of(search)
    data = {
        **_line(search, on_file(session.library)), "collection": search.collection,
        "dropped": list(search.dropped),
        "providers": [dict(row) for row in search.providers],
        "outcomes": [{"hit": hit, "outcome": outcome} for hit, outcome in hits.items()],
    }  # fmt: skip
    lines = [f"{search.query} ({search.date})", ""]
    for row in search.providers:
        lines.append(f"{row.get('platform', '?')}: {row.get('status', '')}")
        lines += [
            f"  {name}: {value}"
            for name, value in row.items()
            if name not in ("platform", "status")
        ]
    lines += ["", *(f"{hit} → {outcome}" for hit, outcome in hits.items())]
    session.emit(data, lines, as_json)


@command.command(short_help="Ask the same again, past the cache.")
@click.argument("slug")
@click.option("--no-store", is_flag=True, help="File nothing, log nothing.")
@write_options
@json_option
@with_session
def rerun(session: Session, slug: str, no_store: bool, write: Write, as_json: bool) -> None:
    """Ask the same sources the same as the search SLUG did, within the same limits.

    What is new is filed and logged as a search of today; hits of the earlier one are marked.
    """
    from pressmark.commands.search import conclude
    from pressmark.search import preview
    from pressmark.search.logs import repeatable
    from pressmark.search.memory import get

    library = session.library
    again = repeatable(get(library, slug), session.today)
    for platform in again.elsewhere:
        session.say(f"{platform} was searched by other means; it is not asked.")
    result = preview(
        library, session.client_for(True), again.query, again.sources,
        today=session.today, vocabulary=again.vocabulary, web=False,
    )  # fmt: skip
    conclude(session, result, as_json, None if no_store else write, collection=again.collection)


@command.command(short_help="Find earlier searches on a concept.")
@click.argument("words", nargs=-1, required=True)
@click.option("--limit", type=click.IntRange(1, 100), default=10, help="Searches to list: 10.")
@json_option
@with_session
def similar(session: Session, words: tuple[str, ...], limit: int, as_json: bool) -> None:
    """List earlier searches on the concept of WORDS: how alike they are, from 0 to 1."""
    from pressmark.render import table
    from pressmark.search.memory import similar as alike
    from pressmark.search.showing import earlier_json

    found = alike(session.library, " ".join(words), limit=limit, least=0.2)
    rows = [(f"{each.similarity:.2f}", each.slug, each.query) for each in found]
    session.emit([earlier_json(each) for each in found], table(rows), as_json)
    if not rows:
        session.say("No earlier search is on that concept.")


@command.command(short_help="Report searches as PRISMA-S asks.")
@click.argument("slugs", nargs=-1)
@click.option("--prisma-s", is_flag=True, help="The sixteen items of PRISMA-S: the only form.")
@json_option
@with_session
def report(session: Session, slugs: tuple[str, ...], prisma_s: bool, as_json: bool) -> None:
    """Report the searches SLUGS, or all, as Markdown: databases, strings, limits, dates, counts."""
    from pressmark.errors import NotFound
    from pressmark.search.memory import get
    from pressmark.search.reporting import counts, on_file
    from pressmark.search.reporting import prisma_s as written

    library = session.library
    found = [get(library, slug) for slug in slugs] or library.searches()
    if not found:
        raise NotFound("No search is on record.", next="pressmark search …")
    held = on_file(library)
    text, numbers = written(found, held), counts(found, held)
    data = {
        "searches": [each.slug for each in found], "text": text,
        "retrieved": numbers.retrieved, "works": numbers.works,
        "duplicates": numbers.duplicates, "dropped": numbers.dropped, "filed": numbers.filed,
        "unfiled": numbers.unfiled,
    }  # fmt: skip
    session.emit(data, text.rstrip("\n"), as_json)


def _line(search: Search, held: Held) -> dict[str, object]:
    from pressmark.search.logs import hits_of
    from pressmark.search.reporting import counts

    return {
        "slug": search.slug, "query": search.query, "date": search.date,
        "vocabulary": search.vocabulary, "hits": len(hits_of(search)),
        "filed": counts([search], held).filed,
    }  # fmt: skip
