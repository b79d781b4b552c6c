"""`pressmark cite`: references as a person pastes them, in any citation style."""

from __future__ import annotations

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.filtered import Filtered
from pressmark.commands.session import Session, json_option, with_session

LARGEST = 2**20
"""Bytes of a style; the longest of 10,000 has 150,000."""


@click.command(cls=Filtered, short_help="Print a reference as a citation line.")
@click.argument("references", nargs=-1, shell_complete=complete_key)
@click.option("--style", metavar="NAME|FILE", help="A CSL style: apa, ieee, nature, my.csl, ….")
@click.option(
    "--format", "form", type=click.Choice(["text", "markdown", "html"]), default="text",
    help="The form.",
)  # fmt: skip
@click.option("--mark", is_flag=True, help="The mark in the text, not the line of the list.")
@click.option("--plain", is_flag=True, help="Without a style: who, when, what, where.")
@click.option("--styles", "listing", metavar="WORD", help="List the styles whose names hold WORD.")
@json_option
@with_session
def command(
    session: Session,
    references: tuple[str, ...],
    style: str | None,
    form: str,
    mark: bool,
    plain: bool,
    listing: str | None,
    as_json: bool,
) -> None:
    """Print one line a reference in a style of the Citation Style Language.

    Without --style it is the one of the setting cite.style, apa at first. Some ten thousand
    journals' styles are there by name; any other is a .csl file.
    """
    from pressmark.formats import csl
    from pressmark.render import citation

    if listing is not None:
        names = [name for name in csl.styles() if listing.casefold() in name]
        session.emit(names, names, as_json)
        return
    found = session.library.select(references, required=True)
    if plain:
        data = [{"key": ref.key, "citation": citation(ref)} for ref in found]
    else:
        lines = csl.cite(found, _style(session, style), form)
        data = [
            {"key": ref.key, "citation": each.mark if mark else each.line}
            for ref, each in zip(found, lines, strict=True)
        ]
    session.emit(data, [each["citation"] for each in data], as_json)


def _style(session: Session, named: str | None) -> str | bytes:
    """A style's name, or a file's bytes; a setting names a file of the library only."""
    from pressmark import disk

    chosen = named or session.config.cite_style
    if not chosen.casefold().endswith(".csl"):
        return chosen
    if named is None:
        return disk.read_bytes(session.library.root, chosen)
    return disk.read_given(session.start / chosen, LARGEST)
