"""`pressmark logout`: forget a sign-in."""

from __future__ import annotations

import click

from pressmark.commands.session import Session, with_session


@click.command(short_help="Forget the sign-in at scite.")
@click.argument("source", type=click.Choice(["scite"]))
@with_session
def command(session: Session, source: str) -> None:
    """Forget the sign-in at scite: its file is removed. Nobody is asked."""
    from pressmark.sources.scite_signin import sign_out

    gone = sign_out(session.config)
    session.say(f"Signed out of {source}." if gone else f"You were not signed in at {source}.")
