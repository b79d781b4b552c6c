"""`pressmark export`: references in six formats, to stdout or into a file."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.filtered import Filtered
from pressmark.commands.session import Session, json_option, with_session
from pressmark.errors import BadInput

if TYPE_CHECKING:
    from pressmark.exchange.exporting import Asked, Exported
    from pressmark.library import Library

FORMATS = ("bibtex", "biblatex", "csl-json", "csl-yaml", "ris", "csv")
SUFFIXES = {
    ".json": "csl-json", ".yaml": "csl-yaml", ".yml": "csl-yaml", ".ris": "ris", ".csv": "csv",
}  # fmt: skip
EVERY = 1.0
"""Seconds between two looks of --watch."""


@click.command(cls=Filtered, short_help="Export references, e.g. as BibTeX.")
@click.argument("references", nargs=-1, shell_complete=complete_key)
@click.option("--format", "form", type=click.Choice(FORMATS), help="The format.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="Write this file; - is stdout."
)
@click.option("--cited-in", metavar="PATH", multiple=True, help="Only what this prose cites.")
@click.option("--at", metavar="REV", help="As the library was in a commit, tag or branch.")
@click.option("--unicode", "every", is_flag=True, help="biblatex: every letter as it is.")
@click.option("--abbreviate", is_flag=True, help="Journals by their short names, where known.")
@click.option("--watch", is_flag=True, help="Keep the file of -o up to date until Ctrl-C.")
@click.option("--force", is_flag=True, help="Overwrite a file that Pressmark did not make.")
@json_option
@with_session
def command(
    session: Session,
    references: tuple[str, ...],
    form: str | None,
    output: Path | None,
    cited_in: tuple[str, ...],
    at: str | None,
    every: bool,
    abbreviate: bool,
    watch: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Export REFERENCES (keys, identifiers, filters; all that are kept without them).

    The answer is the same every time. A candidate is left out unless it is asked for or cited. A
    file that Pressmark made is rewritten; another needs --force.
    """
    from pressmark.exchange import exporting

    output = None if output == Path("-") else output
    if watch and (output is None or at):
        raise BadInput("--watch keeps a file up to date.", next="give -o FILE, and no --at")
    if watch and as_json:
        raise BadInput("--watch has no one answer to print.", next="leave out --json")
    config = session.config
    default = config.export_format if config.export_format in FORMATS else "bibtex"
    form = form or SUFFIXES.get(output.suffix if output else "", default)
    asked = exporting.Asked(
        references, cited_in, form, "all" if every else config.export_letters,
        config.abbreviations if abbreviate or config.export_journals == "abbreviated" else None,
    )  # fmt: skip
    if at:
        with exporting.revision(session.library, at) as old:
            done = exporting.export(old, asked)
    else:
        done = exporting.export(session.library, asked)
        done.warnings = [*session.unread("library/"), *done.warnings]
    _answer(session, done, asked, output, force, as_json)
    if watch and output is not None:
        _watch(session.library, asked, session.start / output, session)


def _answer(
    session: Session, done: Exported, asked: Asked, output: Path | None, force: bool, as_json: bool
) -> None:
    from pressmark.exchange import exporting

    count = len(done.references)
    if output is None:
        data: dict[str, object] = {"format": asked.form, "count": count, "text": done.text}
        session.emit(data, done.text.rstrip("\n"), as_json, done.warnings)
        return
    exporting.write(session.library, session.start / output, done.text, force=force)
    data = {"format": asked.form, "count": count, "path": str(output)}
    session.emit(data, [], as_json, done.warnings)
    session.say(f"{count} {'reference' if count == 1 else 'references'} in {output}.")


def _watch(library: Library, asked: Asked, path: Path, session: Session) -> None:
    """Write the file anew whenever its text would be another; ends with Ctrl-C."""
    from pressmark.errors import PressmarkError
    from pressmark.exchange import exporting

    session.say(f"Watching; Ctrl-C ends it and leaves {path.name} as it is.")
    asked = replace(asked)
    while True:
        time.sleep(EVERY)
        library.refresh()
        try:
            done = exporting.export(library, asked)
            if exporting.write(library, path, done.text):
                session.say(f"{len(done.references)} references in {path.name}.")
        except PressmarkError as problem:  # a file in the middle of an edit; the next look helps
            session.say(str(problem))
