"""`pressmark topic`: standing queries: list them, show one, run one."""

from __future__ import annotations

import click

from pressmark.commands.session import Session, json_option, with_session, write_options
from pressmark.library import Write


@click.group(short_help="List topics, show one, or run its query.")
def command() -> None:
    """Standing queries: Markdown files under topics/, each with a query."""


@command.command("list", short_help="List the topics.")
@json_option
@with_session
def list_(session: Session, as_json: bool) -> None:
    """List the topics: their queries, their last run, how many references they found."""
    from pressmark.render import table
    from pressmark.topics import found_by

    library = session.library
    data = [
        {
            "slug": topic.slug,
            "title": topic.title,
            "query": topic.query,
            "providers": list(topic.providers),
            "last_run": topic.last_run,
            "found": len(found_by(library, topic)),
        }
        for topic in library.topics()
    ]
    rows = [
        (str(d["slug"]), str(d["found"]), str(d["last_run"] or "never"), str(d["query"] or ""))
        for d in data
    ]
    session.emit(data, table(rows), as_json, session.unread("topics/"))
    if not rows:
        session.say("There is no topic yet.")


@command.command(short_help="Show one topic and what it found.")
@click.argument("slug")
@json_option
@with_session
def show(session: Session, slug: str, as_json: bool) -> None:
    """Show the topic SLUG and the references it found."""
    from pressmark.render import rows
    from pressmark.topics import get

    library = session.library
    topic = get(library, slug)
    found = library.select([f"topic:{topic.slug}"])
    data = {
        "slug": topic.slug, "title": topic.title, "query": topic.query,
        "providers": list(topic.providers), "last_run": topic.last_run,
        "found": [ref.key for ref in found],
    }  # fmt: skip
    head = [f"{topic.title}: {topic.query or topic.feed or ''}", topic.body.strip(), ""]
    session.emit(data, [*head, *rows(found)], as_json)


@command.command(short_help="Ask for what a topic found since its last run.")
@click.argument("slug")
@click.option("--limit", type=click.IntRange(1), default=50, help="Hits of each source: 50.")
@write_options
@json_option
@with_session
def run(session: Session, slug: str, limit: int, write: Write, as_json: bool) -> None:
    """Run the topic SLUG: what is new is filed as candidates, in one commit."""
    from pressmark.commands.refresh import run_topics
    from pressmark.topics import get

    run_topics(session, [get(session.library, slug)], limit, write, as_json)
