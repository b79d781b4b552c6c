"""`pressmark texts`: the full texts and the documents that the library holds."""

from __future__ import annotations

from dataclasses import asdict

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.filtered import Filtered
from pressmark.commands.session import Session, json_option, with_session


@click.command(cls=Filtered, short_help="List the full texts and documents that are held.")
@click.argument("references", nargs=-1, shell_complete=complete_key)
@click.option("--source", metavar="NAME", help="Only those of a provider, or attached.")
@click.option(
    "--format", "form", type=click.Choice(["jats", "tei", "html", "pdf"]), help="Only of a form."
)
@click.option("--offset", type=int, default=0, help="Skip this many.")
@click.option("--limit", type=int, default=50, help="Lines at most: 50.")
@json_option
@with_session
def command(
    session: Session,
    references: tuple[str, ...],
    source: str | None,
    form: str | None,
    offset: int,
    limit: int,
    as_json: bool,
) -> None:
    """List what is held of REFERENCES, or of all: each text, and each document beside one.

    A text can be removed without its document and the other way round: pressmark remove KEY
    --text, --document or --all.
    """
    from pressmark.fulltext import shelf

    library = session.library
    keys = library.keys_of(references) if references else None
    found = shelf.texts(library, keys, source=source, form=form, offset=offset, limit=limit)
    data = {
        "entries": [asdict(one) for one in found.entries],
        "offset": found.offset, "limit": found.limit, "total": found.total,
        "has_more": found.has_more,
    }  # fmt: skip
    lines = [
        f"{one.artefact:8} {one.format or '?':4} {one.bytes:>9,} B  {one.license or '-':12} "
        f"{one.source or '-':10} {one.path}"
        for one in found.entries
    ]
    session.emit(data, lines or ["No text or document is held."], as_json)
    if found.has_more and not as_json:
        session.say(f"Read on with --offset {found.offset + len(found.entries)} of {found.total}.")
