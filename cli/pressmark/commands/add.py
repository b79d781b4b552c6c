"""`pressmark add`: references by identifier, URL, title or file, filed as kept."""

from __future__ import annotations

from dataclasses import replace

import click

from pressmark.commands.session import Session, json_option, with_session, write_options
from pressmark.library import Write


@click.command(short_help="Add references by identifier, URL, title or file.")
@click.argument("words", metavar="ID|URL|TITLE|FILE…", nargs=-1, required=True)
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Tag what is added.")
@click.option("--topic", metavar="SLUG", help="Put it under a topic.")
@click.option("--collection", metavar="SLUG", help="Put it into a collection.")
@write_options
@json_option
@with_session
def command(
    session: Session,
    words: tuple[str, ...],
    tags: tuple[str, ...],
    topic: str | None,
    collection: str | None,
    write: Write,
    as_json: bool,
) -> None:
    """Add by any identifier in any spelling, by URL, by the words of a title, or from a file.

    Quote a title. It is filed only when one paper is clearly meant; else you see the candidates.
    A paper that is held as a candidate is kept.
    """
    from pressmark.commands.reports import added_json, added_line
    from pressmark.search.intake import gather

    library = session.library
    got = gather(
        library, session.client, session.config, words, today=session.today, start=session.start
    )
    papers = [replace(p, tags=(*p.tags, *tags)) for p in got.papers]
    added = library.add(papers, topic=topic, collection=collection, write=write)
    candidates = [key for key in got.held if library.get(key).stage]
    kept = library.keep(candidates, write=write) if candidates else None
    lines = [f"{item.outcome:9} {item.key}  {item.title}" for item in added.items]
    lines += [f"{'kept' if key in candidates else 'held':9} {key}" for key in got.held]
    if write.dry_run:
        lines += [f"--- {c.path}\n{(c.after or b'').decode()}" for c in added.changes]
    for _, error in got.failures[: -1 if len(words) == len(got.failures) else None]:
        session.say(f"pressmark: {error}")
    data = {
        **added_json(added),
        "held": got.held,
        "kept": list(kept.keys) if kept else [],
        "failures": [{"word": w, "code": e.code, "error": str(e)} for w, e in got.failures],
        "problems": got.problems,
    }
    warnings = [*added.warnings, *got.problems]
    if got.failures and not (papers or got.held):
        raise got.failures[-1][1]
    if papers:
        lines.append(f"{added_line(added)}.")
    session.emit(data, lines, as_json, warnings)
    if got.failures:
        click.get_current_context().exit(got.failures[0][1].exit_status)
