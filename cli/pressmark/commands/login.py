"""`pressmark login`: sign in at a provider that wants to know who asks."""

from __future__ import annotations

import click

from pressmark.commands.session import Session, with_session


@click.command(short_help="Sign in at scite.")
@click.argument("source", type=click.Choice(["scite"]))
@click.option("--wait", "seconds", type=click.FloatRange(1, 3600), default=300, show_default=True,
              help="Seconds to wait for your browser.")  # fmt: skip
@with_session
def command(session: Session, source: str, seconds: float) -> None:
    """Sign in at scite, in your browser, so that `search --also scite` can ask it.

    The sign-in is kept beside your own settings, in a file that only you can read, and never in
    a library. Tokens are renewed by themselves; `logout scite` forgets them.
    """
    from pressmark.sources.scite_signin import sign_in

    def show(url: str) -> None:
        session.say(f"Open this address and agree: {url}")
        click.launch(url)

    path = sign_in(session.client, session.config, show, seconds=seconds)
    session.say(f"Signed in at {source}; the sign-in is kept in {path}.")
