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


def complete_vocabulary(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Slugs of the vocabularies that go on so."""
    from pressmark.commands.session import Session
    from pressmark.search.vocabulary import every

    try:
        session = Session(directory=ctx.find_root().params.get("directory"), quiet=True)
        return [each.slug for each in every(session.library) if each.slug.startswith(incomplete)]
    except Exception:
        return []
