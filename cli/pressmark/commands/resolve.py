"""`pressmark resolve`: where an identifier leads, before anybody is asked."""

from __future__ import annotations

import click

from pressmark.commands.session import Session, json_option, with_session


@click.command(short_help="Say where an identifier leads.")
@click.argument("identifier")
@click.option(
    "--format", "form", type=click.Choice(["landing", "html", "pdf", "jats"]), default="landing",
    help="The form whose address is wanted.",
)  # fmt: skip
@json_option
@with_session
def command(session: Session, identifier: str, form: str, as_json: bool) -> None:
    """Say which provider serves IDENTIFIER, in any spelling, and at what address; nobody is asked.

    An identifier that no provider serves is an error (unsupported_provider), and so is a form that
    its provider has not (format_unavailable).
    """
    from pressmark.search.resolving import resolve

    found = resolve(identifier, session.library if session.config.root else None, form)
    data = {
        "identifier": found.identifier, "kind": found.kind, "provider": found.provider,
        "url": found.url, "format": found.format, "formats": list(found.formats),
        "key": found.key,
    }  # fmt: skip
    held = f"held as {found.key}" if found.key else "not held"
    lines = [f"{found.identifier}: {found.provider}, {found.format}, {held}", found.url]
    session.emit(data, lines, as_json)
