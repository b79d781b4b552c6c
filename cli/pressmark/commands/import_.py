"""`pressmark import`: every entry of bibliography files, filed in one commit or reported."""

from __future__ import annotations

from pathlib import Path

import click

from pressmark.commands.session import (
    Session,
    json_option,
    preview,
    with_session,
    write_options,
)
from pressmark.library import Write


@click.command("import", short_help="Import references from files.")
@click.argument(
    "files",
    metavar="FILE|DIR…",
    nargs=-1,
    required=True,
    type=click.Path(readable=False, path_type=Path),
)
@click.option("--collection", metavar="SLUG", help="Put what is imported into a collection.")
@click.option("--topic", metavar="SLUG", help="Put what is imported under a topic.")
@write_options
@json_option
@with_session
def command(
    session: Session,
    files: tuple[Path, ...],
    collection: str | None,
    topic: str | None,
    write: Write,
    as_json: bool,
) -> None:
    """Import CSL-JSON files, or a folder of them: every entry is filed or reported, in one commit.

    Keys that come with the entries are kept. A second import of the same file changes nothing.
    """
    from pressmark.commands.reports import added_json, added_line, unfiled
    from pressmark.render import counted
    from pressmark.search.intake import Gathered, read_path

    got = Gathered()
    for path in files:
        read_path(session.start / path, got)
    if got.failures and not got.papers:
        raise got.failures[0][1]
    entries = counted(len(got.papers), "entry", "entries")
    added = session.library.add(
        got.papers,
        topic=topic,
        collection=collection,
        subject=f"import: {entries} of {counted(len(files), 'file')}",
        write=write,
    )
    problems = [*got.problems, *(f"{word}: {error}" for word, error in got.failures)]
    failed = [f"{item.title}: {item.reason}" for item in added.items if item.outcome == "failed"]
    data = {**added_json(added, write), "problems": [*problems, *failed]}
    lines = [f"{entries}: {added_line(added)}."]
    if write.dry_run:
        lines = [*preview(added), *lines]
    failure = got.failures[0][1] if got.failures else unfiled(added)
    session.emit(data, lines, as_json, [*added.warnings, *problems, *failed], failure)
    session.say_where(added, write)
