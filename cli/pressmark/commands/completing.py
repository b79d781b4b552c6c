"""The beginning of a word on the command line in; the keys that go on so, for the shell, out."""

from __future__ import annotations

import click


def complete_key(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Keys of the library one stands in; whatever is wrong with it, the shell only gets nothing."""
    from pressmark.commands.session import Session

    try:
        session = Session(directory=ctx.find_root().params.get("directory"), quiet=True)
        return session.library.catalogue.starting_with(incomplete, 50)
    except Exception:
        return []
