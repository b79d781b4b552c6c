"""`pressmark attach`: a copy that you hold becomes the text of a reference."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.session import (
    Session,
    json_option,
    password,
    with_session,
    write_options,
)
from pressmark.library import Write


@click.command(short_help="Attach a copy that you hold to a reference.")
@click.argument("key", shell_complete=complete_key)
@click.argument("file", type=click.Path(readable=False, path_type=Path))
@click.option("--rights", metavar="TEXT", help="What you may do with it, in your words.")
@click.option("--password-stdin", is_flag=True, help="Read the file's password from stdin.")
@click.option("--force", is_flag=True, help="Even if it looks like another work.")
@write_options
@json_option
@with_session
def command(
    session: Session,
    key: str,
    file: Path,
    rights: str | None,
    password_stdin: bool,
    force: bool,
    write: Write,
    as_json: bool,
) -> None:
    """Attach FILE (PDF, JATS or TEI XML, or HTML; at most 50 MB) to the reference KEY.

    The file is copied beside the reference, out of git; its text is extracted and filed.
    """
    from pressmark import disk
    from pressmark.fulltext.attach import LIMIT, attach

    path = session.start / file
    data = disk.read_given(path, LIMIT, str(file))
    outcome = attach(
        session.library, key, data, path.name, rights,
        today=session.today, password=password() if password_stdin else "",
        write=replace(write, force=force),
    )  # fmt: skip
    session.report(outcome, write, as_json)
