"""`pressmark open`: hand a reference's file, PDF, web page or text to the system's program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.session import Session, json_option, with_session
from pressmark.errors import FormatMissing, Unavailable

if TYPE_CHECKING:
    from pressmark.record import Reference


@click.command(short_help="Open a reference's file, PDF, web page or text.")
@click.argument("key", shell_complete=complete_key)
@click.option("--pdf", "what", flag_value="pdf", help="The document beside it.")
@click.option("--url", "what", flag_value="url", help="Its web page.")
@click.option("--text", "what", flag_value="text", help="Its full text.")
@click.option("--print", "only_print", is_flag=True, help="Print the place, open nothing.")
@json_option
@with_session
def command(session: Session, key: str, what: str | None, only_print: bool, as_json: bool) -> None:
    """Open what KEY names; without an option, its Markdown file."""
    library = session.library
    ref = library.get(key)
    if what == "url":
        place = _url(ref)
    elif what in ("pdf", "text"):
        place = library.artefact(ref.key, what)
    else:
        place = str(library.root / library.path(ref.key))
    if place is None:
        raise FormatMissing(
            f"{ref.key} has no {what} here.", next=f"pressmark fetch {ref.key}, or open it --url"
        )
    session.emit({"key": ref.key, "place": place}, place, as_json)
    if not only_print and not as_json and click.launch(place):
        raise Unavailable(
            "No program here opens it.", next="open it yourself; --print only prints the place"
        )


def _url(ref: Reference) -> str | None:
    """The reference's page on the web; what a provider gave as one must be an address of it."""
    from pressmark.ids import canonical

    ref = canonical(ref)
    if ref.doi:
        from urllib.parse import quote

        return f"https://doi.org/{quote(ref.doi, safe='/:;().,-_')}"
    if ref.arxiv:
        return f"https://arxiv.org/abs/{ref.arxiv}"
    return ref.url if (ref.url or "").startswith(("https://", "http://")) else None
