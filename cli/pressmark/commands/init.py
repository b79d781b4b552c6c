"""`pressmark init`: a new library, or one inside an existing repository."""

from __future__ import annotations

from pathlib import Path

import click

from pressmark.commands.session import (
    Session,
    json_option,
    outcome_data,
    outcome_text,
    with_session,
)
from pressmark.library import Write


@click.command(short_help="Make a library here or in DIR.")
@click.argument("directory", required=False, type=click.Path(path_type=Path))
@click.option("--minimal", is_flag=True, help="Only library/, pressmark.toml and ignore rules.")
@click.option(
    "--pandoc-filter", is_flag=True, help="Also a pandoc filter that makes [[key]] a citation."
)
@click.option("--dry-run", is_flag=True, help="Print what would be written, write nothing.")
@click.option("--no-commit", is_flag=True, help="Write the files, leave the commit to you.")
@click.option("-m", "--message", metavar="TEXT", help="The commit's subject.")
@json_option
@with_session
def command(
    session: Session,
    directory: Path | None,
    minimal: bool,
    pandoc_filter: bool,
    dry_run: bool,
    no_commit: bool,
    message: str | None,
    as_json: bool,
) -> None:
    """Make a library here or in DIR: its folders, its settings, git, a first commit.

    Inside an existing repository nothing that is there is overwritten; running it again
    changes nothing.
    """
    from pressmark.library import create

    root = (session.start / directory) if directory else session.start
    write = Write(dry_run=dry_run, commit=False if no_commit else None, message=message)
    outcome = create(root, minimal=minimal, pandoc_filter=pandoc_filter, write=write)
    lines = outcome_text(outcome, write) if outcome else ["The library was already complete."]
    if outcome and not dry_run:
        lines.append("A library is ready.")
    data = {"root": str(root.absolute()), **outcome_data(outcome, write)}
    session.emit(data, lines, as_json, outcome.warnings)
    session.say_where(outcome, write)
