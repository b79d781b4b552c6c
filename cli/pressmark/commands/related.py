"""`pressmark related`: what in the library is related to a paper, or to a text."""

from __future__ import annotations

import click

from pressmark.commands.filtered import Filtered
from pressmark.commands.ranking import Ranking, ranking_options
from pressmark.commands.session import Session, json_option, with_session


@click.command(cls=Filtered, short_help="Find what is related to a paper or a text.")
@click.argument("what", metavar="KEY|ID|TEXT")
@click.option("--text", is_flag=True, help="What is given is a text, even if it is one word.")
@ranking_options
@json_option
@with_session
def command(
    session: Session,
    what: str,
    text: bool,
    ranking: Ranking,
    as_json: bool,
) -> None:
    """Find the papers nearest to one that is held, or to a pasted text.

    The paper itself is left out. Of one that is not held, paste title and abstract.
    """
    from pressmark.find import related

    found = related(session.library, what, text=text, **ranking.call(session))
    ranking.emit(session, found, as_json)
