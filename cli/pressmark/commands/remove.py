"""`pressmark remove`: remove references from the library, or only their texts and documents."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.filtered import Filtered
from pressmark.commands.session import (
    Session,
    json_option,
    outcome_data,
    outcome_text,
    with_session,
    write_options,
)
from pressmark.library import Write

if TYPE_CHECKING:
    from pressmark.fulltext.shelf import Artefact

WHAT: dict[str, tuple[Artefact, ...]] = {
    "text": ("text",), "document": ("document",), "all": ("text", "document"),
}  # fmt: skip


@click.command(cls=Filtered, short_help="Remove references from the library.")
@click.argument("references", nargs=-1, required=True, shell_complete=complete_key)
@click.option("--text", "what", flag_value="text", help="Only their full texts.")
@click.option("--document", "what", flag_value="document", help="Only the documents beside them.")
@click.option("--all", "what", flag_value="all", help="Their full texts and documents.")
@click.option("--force", is_flag=True, help="Even if it is most of the library.")
@write_options
@json_option
@with_session
def command(
    session: Session,
    references: tuple[str, ...],
    what: str | None,
    force: bool,
    write: Write,
    as_json: bool,
) -> None:
    """Remove the references that REFERENCES name, with their full texts, in one commit.

    With --text, --document or --all the references stay, and what is missing is only named.
    A document beside a reference is in no commit; once removed, undo does not bring it back.
    """
    library = session.library
    keys = library.keys_of(references)
    if what is None:
        outcome = library.remove(keys, write=replace(write, force=force))
        session.report(outcome, write, as_json)
        return
    from pressmark.fulltext import shelf

    done = shelf.remove(library, keys, WHAT[what], write)
    data = {
        "removed": list(done.removed), "missing": list(done.missing),
        **outcome_data(done.outcome, write),
    }  # fmt: skip
    paths = {change.path for change in done.outcome.changes}
    lines = outcome_text(done.outcome, write) if paths else []
    lines += [f"{'deleted':8} {path}" for path in done.removed if path not in paths]
    lines += [f"{'missing':8} {name}" for name in done.missing]
    session.emit(data, lines, as_json, done.outcome.warnings)
    session.say_where(done.outcome, write)
