"""`pressmark show`: one reference, a window of its full text, or its BibTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.session import Session, json_option, with_session
from pressmark.errors import FormatMissing

if TYPE_CHECKING:
    from pressmark.library import Library


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
    """Show the reference that KEY names: a key, an alias, or any identifier in any spelling."""
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
        window = _window(library, ref.key, section, page, offset or 0, chars)
        session.emit({**data, "window": window}, str(window["text"]).rstrip("\n"), as_json)
        if window["next_offset"] and not as_json:
            session.say(f"Read on with --offset {window['next_offset']} (of {window['total']}).")
        return
    session.emit(data, details(ref, library.path(ref.key)), as_json)


def _window(
    library: Library, key: str, section: str | None, page: int | None, offset: int, chars: int
) -> dict[str, object]:
    """The asked part of the full text; offsets are code points of the text's body."""
    from pressmark.fulltext.reading import select

    text = library.fulltext(key)
    if text is None:
        raise FormatMissing(
            f"{key} has no full text in the library.", next=f"pressmark fetch {key}"
        )
    return select(text.body, section=section, page=page, offset=offset, chars=chars)
