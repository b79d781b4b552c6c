"""`pressmark show`: one reference, a window of its full text, or its BibTeX."""

from __future__ import annotations

from dataclasses import asdict

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.session import Session, json_option, with_session


@click.command(short_help="Show one reference, or a part of its full text.")
@click.argument("key", shell_complete=complete_key)
@click.option("--section", metavar="TITLE", help="A section of the full text.")
@click.option("--page", type=click.IntRange(1), help="A page of the full text.")
@click.option("--offset", type=click.IntRange(0), help="Begin at this character of the full text.")
@click.option(
    "--chars", type=click.IntRange(1), default=8000, help="Window size: 8,000; 1,000 to 40,000."
)
@click.option("--text", "whole", is_flag=True, help="The full text from its beginning.")
@click.option("--bibtex", is_flag=True, help="As BibTeX.")
@json_option
@with_session
def command(
    session: Session,
    key: str,
    section: str | None,
    page: int | None,
    offset: int | None,
    chars: int,
    whole: bool,
    bibtex: bool,
    as_json: bool,
) -> None:
    """Show the reference that KEY names: a key, an alias, or any identifier in any spelling.

    With --text, --section, --page or --offset, a window of its full text. Offsets are characters
    of the file, front matter counted: what `find` and `passages` print can be given here.
    """
    from pressmark.fulltext import reading
    from pressmark.render import details, reference_json

    library = session.library
    ref = library.get(key)
    if bibtex:
        from pressmark.formats import bibtex as writer

        entry = writer.entry(ref)
        session.emit({"key": ref.key, "bibtex": entry}, entry, as_json)
        return
    data = reference_json(ref, library.path(ref.key))
    if whole or section or page or offset is not None:
        document = reading.load(library, ref.key)
        found = document.window(section=section, page=page, offset=offset, chars=chars)
        window = {**asdict(found), "source": document.source, "path": document.path}
        session.emit({**data, "window": window}, found.text.rstrip("\n"), as_json)
        if found.has_more and not as_json:
            session.say(f"Read on with --offset {found.next_offset} (of {found.total}).")
        return
    session.emit(data, details(ref, library.path(ref.key)), as_json)
