"""`pressmark topic`: standing queries and feeds: follow one, list them, run one, publish them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pressmark.commands.session import Session, json_option, with_session, write_options
from pressmark.library import Write

if TYPE_CHECKING:
    from pressmark.topics.listing import Listed

LARGEST = 2**20
"""Bytes of a topics.toml."""


@click.group(short_help="Follow queries and feeds; list, run and publish them.")
def command() -> None:
    """Standing queries and feeds: Markdown files under topics/."""


@command.command(short_help="Follow a query, arXiv categories or a feed.")
@click.argument("what", metavar="QUERY|URL", nargs=-1)
@click.option("--title", metavar="TEXT", help="Its name; else what it asks.")
@click.option("--provider", "providers", metavar="A,B", help="Ask only these sources.")
@click.option("--journal", metavar="NAME", help="Only this journal: a name or an ISSN.")
@click.option("--category", "categories", metavar="A,B", help="arXiv's; -cs.CV leaves one out.")
@click.option("--vocabulary", metavar="SLUG", help="Ask its synonyms too.")
@click.option("--by", "added_by", metavar="NAME", help="Who follows it.")
@click.option("--why", metavar="TEXT", default="", help="Why; the body of its file.")
@click.option(
    "--file", "seeds", metavar="TOPICS.TOML", type=click.Path(path_type=Path),
    help="Follow every [[topic]] of a file.",
)  # fmt: skip
@write_options
@json_option
@with_session
def add(
    session: Session,
    what: tuple[str, ...],
    title: str | None,
    providers: str | None,
    journal: str | None,
    categories: str | None,
    vocabulary: str | None,
    added_by: str | None,
    why: str,
    seeds: Path | None,
    write: Write,
    as_json: bool,
) -> None:
    """Follow QUERY, a one-line address (research:arxiv,crossref?q=…&journal=…,
    research:arxiv?cat=cs.CL&not=cs.CV), or the URL of an RSS or Atom feed.

    Nothing is asked of the network before the topic runs.
    """
    from pressmark import disk
    from pressmark.commands.session import outcome_data, outcome_text
    from pressmark.errors import BadInput
    from pressmark.topics import add_topic, seed

    if seeds is not None:
        if what or providers or journal or categories or title:
            raise BadInput("A file of topics says everything itself.", next="give --file alone")
        data = disk.read_given(session.start / seeds, LARGEST)
        done = seed(session.library, data, seeds.name, write=write)
    else:
        done = add_topic(
            session.library, " ".join(what), title=title, providers=_names(providers),
            journal=journal, categories=_names(categories), added_by=added_by,
            vocabulary=vocabulary, why=why, write=write,
        )  # fmt: skip
    data_out = {
        "added": list(done.slugs), "held": list(done.held), "refused": list(done.refused),
        **outcome_data(done.outcome, write),
    }  # fmt: skip
    failure = BadInput(done.refused[-1]) if done.refused else None
    for line in done.refused[:-1]:
        session.say(f"pressmark: {line}")
    session.emit(
        data_out, outcome_text(done.outcome, write), as_json, done.outcome.warnings, failure
    )
    session.say_where(done.outcome, write)


@command.command("list", short_help="List the topics.")
@click.option("--by", "added_by", metavar="NAME", help="Only those that NAME follows.")
@json_option
@with_session
def list_(session: Session, added_by: str | None, as_json: bool) -> None:
    """List the topics: kind, sources, last run, and what they found, is new, was dropped."""
    from pressmark.render import table
    from pressmark.topics.listing import listed

    found = listed(session.library, added_by)
    rows = [
        (
            each.slug, each.kind, str(each.found), f"{each.new} new", each.last_run or "never",
            ", ".join(each.providers), each.asks,
        )
        for each in found
    ]  # fmt: skip
    session.emit([_json(each) for each in found], table(rows), as_json, session.unread("topics/"))
    if not rows:
        session.say("There is no such topic." if added_by else "There is no topic yet.")


@command.command(short_help="Show one topic and what it found.")
@click.argument("slug")
@json_option
@with_session
def show(session: Session, slug: str, as_json: bool) -> None:
    """Show the topic SLUG and the references it found."""
    from pressmark.render import rows
    from pressmark.topics import get
    from pressmark.topics.listing import one

    library = session.library
    topic = get(library, slug)
    found = library.select([f"topic:{topic.slug}"])
    data = {
        **_json(one(library, topic)),
        "query": topic.query,
        "offered": list(topic.offered),
        "dropped": list(topic.dropped),
        "found": [ref.key for ref in found],
    }
    head = [f"{topic.title}: {topic.query or topic.feed or ''}", topic.body.strip(), ""]
    session.emit(data, [*head, *rows(found)], as_json)


@command.command(short_help="Ask for what a topic found since its last run.")
@click.argument("slug", required=False)
@click.option("--limit", type=click.IntRange(1, 1000), help="Hits of each source: 200.")
@write_options
@json_option
@with_session
def run(session: Session, slug: str | None, limit: int | None, write: Write, as_json: bool) -> None:
    """Run the topic SLUG, or every one: what is new is filed as candidates, one commit a topic."""
    from pressmark.commands.refresh import run_topics
    from pressmark.topics import due, get

    library = session.library
    topics = [get(library, slug)] if slug else due(library)
    run_topics(session, topics, limit, write, as_json)


@command.command(short_help="Stop following; what was found stays.")
@click.argument("slug")
@write_options
@json_option
@with_session
def remove(session: Session, slug: str, write: Write, as_json: bool) -> None:
    """Remove the topic SLUG; the references it found stay."""
    from pressmark.topics import remove_topic

    session.report(remove_topic(session.library, slug, write=write), write, as_json)


@command.command("categories", short_help="List arXiv's categories.")
@click.argument("words", nargs=-1)
@click.option("--refresh", is_flag=True, help="Ask arXiv again.")
@json_option
@with_session
def categories_(session: Session, words: tuple[str, ...], refresh: bool, as_json: bool) -> None:
    """List arXiv's categories, or those in whose code or name all WORDS stand."""
    from pressmark.render import table
    from pressmark.text import fold
    from pressmark.topics.categories import categories

    found = categories(session.client, today=session.today, refresh=refresh or None)
    wanted = [fold(word) for word in words]
    kept = [c for c in found if all(word in fold(f"{c.code} {c.name}") for word in wanted)]
    data = [{"code": each.code, "name": each.name} for each in kept]
    session.emit(data, table([(each.code, each.name) for each in kept]), as_json)


@command.command(short_help="Write Atom feeds of topics, tags and the library.")
@click.argument("slug", required=False)
@click.option("--tag", metavar="TAG", help="The feed of a tag.")
@click.option("--candidates", is_flag=True, help="Also what nobody has kept yet.")
@click.option(
    "-o", "--output", metavar="FOLDER", type=click.Path(path_type=Path),
    help="Write the feed of everything into a folder.",
)  # fmt: skip
@json_option
@with_session
def feed(
    session: Session,
    slug: str | None,
    tag: str | None,
    candidates: bool,
    output: Path | None,
    as_json: bool,
) -> None:
    """Print the Atom feed of the topic SLUG or of a tag, or with -o write every one into FOLDER:
    of the whole library, each topic and each tag.

    An entry is dated by its filing, and its id never changes. The site publishes the same feeds.
    """
    from pressmark import disk
    from pressmark.errors import BadInput
    from pressmark.topics import publishing

    if sum(each is not None for each in (slug, tag, output)) != 1:
        raise BadInput("One feed or all of them.", next="give SLUG, or --tag TAG, or -o FOLDER")
    library = session.library
    if output is not None:
        made = list(publishing.feeds(library, candidates=candidates))
        for each in made:
            disk.write_file(session.start / output / each.path, each.data)
    elif slug:
        made = [publishing.topic_feed(library, slug, candidates=candidates)]
    else:
        made = [publishing.tag_feed(library, tag or "", candidates=candidates)]
    data = [{"path": e.path, "title": e.title, "entries": e.entries} for e in made]
    text = publishing.names(made) if output else made[0].data.decode().rstrip("\n")
    session.emit(data, text, as_json)


def _names(given: str | None) -> tuple[str, ...]:
    return tuple(name.strip() for name in (given or "").split(",") if name.strip())


def _json(each: Listed) -> dict[str, object]:
    return {
        "slug": each.slug, "title": each.title, "kind": each.kind, "asks": each.asks,
        "providers": list(each.providers), "added_by": each.added_by, "last_run": each.last_run,
        "found": each.found, "new": each.new, "dropped": each.dropped,
    }  # fmt: skip
