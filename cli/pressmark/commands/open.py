"""`pressmark open`: hand a reference's file, PDF, web page or text to the system's program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.session import Session, json_option, with_session
from pressmark.errors import FormatMissing, Unavailable

if TYPE_CHECKING:
    from pressmark.library import Library
    from pressmark.record import Reference


@click.command(short_help="Open a reference's file, PDF, web page or text.")
@click.argument("key", shell_complete=complete_key)
@click.option("--pdf", "what", flag_value="pdf", help="Its PDF.")
@click.option("--url", "what", flag_value="url", help="Its web page.")
@click.option("--text", "what", flag_value="text", help="Its full text.")
@click.option("--print", "only_print", is_flag=True, help="Print the place, open nothing.")
@json_option
@with_session
def command(session: Session, key: str, what: str | None, only_print: bool, as_json: bool) -> None:
    """Open what KEY names; without an option, its Markdown file.

    A PDF that is not beside the reference is looked for in your folder of documents, by its hash.
    """
    library = session.library
    ref = library.get(key)
    place = _place(library, ref, what)
    if place is None:
        raise FormatMissing(f"{ref.key} has no {what} here.", next=_other(library, ref, what))
    session.emit({"key": ref.key, "place": place}, place, as_json)
    if not only_print and not as_json and click.launch(place):
        raise Unavailable(
            "No program here opens it.", next="open it yourself; --print only prints the place"
        )


def _place(library: Library, ref: Reference, what: str | None) -> str | None:
    from pressmark.fulltext import documents

    if what == "url":
        return _url(ref)
    if what == "pdf":
        found = documents.place(library, ref.key)
        return str(found) if found else None
    if what == "text":
        return library.artefact(ref.key, "text")
    return str(library.root / library.path(ref.key))


def _other(library: Library, ref: Reference, what: str | None) -> str:
    """What can be opened instead, or how to get it."""
    if what == "url":
        return f"pressmark edit {ref.key} --set doi=…"
    if what == "pdf" and library.artefact(ref.key, "text"):
        return f"pressmark open {ref.key} --text, or pressmark attach {ref.key} FILE.pdf"
    return f"pressmark fetch {ref.key}, or pressmark attach {ref.key} FILE"


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
