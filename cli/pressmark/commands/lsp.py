"""`pressmark lsp`: the language server, which an editor starts and talks to on stdin and stdout."""

from __future__ import annotations

import click

from pressmark.commands.session import Session, with_session


@click.command(short_help="Serve an editor: complete, show, check, rename.")
@click.option("--stdio", is_flag=True, help="Talk on stdin and stdout, as it does anyway.")
@with_session
def command(session: Session, stdio: bool) -> None:
    """Serve an editor by the Language Server Protocol, for every library whose files it opens.

    Your editor starts it; how is in the guide, page Editors. It needs the extra `lsp`.
    """
    from pressmark.lsp import serve

    serve(session.start.absolute(), offline=session.offline)
