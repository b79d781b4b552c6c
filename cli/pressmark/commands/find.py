"""`pressmark find`: the papers of the library that answer, each with the passage that shows why."""

from __future__ import annotations

import click

from pressmark.commands.filtered import Filtered
from pressmark.commands.ranking import Ranking, ranking_options
from pressmark.commands.session import Session, json_option, with_session


@click.command(cls=Filtered, short_help="Find papers in the library, each with its passage.")
@click.argument("words", metavar="QUERY", nargs=-1, required=True)
@ranking_options
@json_option
@with_session
def command(
    session: Session,
    words: tuple[str, ...],
    ranking: Ranking,
    as_json: bool,
) -> None:
    """Find papers by what they say; ask in plain words. Nothing here touches the network.

    Ranked by words, by meaning where a model is installed, and by the citations between the
    papers; scores are only comparable within one answer.
    """
    from pressmark.find import find

    found = find(session.library, " ".join(words), **ranking.call(session))
    ranking.emit(session, found, as_json)
    if as_json:
        return
    if not found.hits:
        session.say("Nothing in the library answers.")
    if found.semantic == "off" and found.next:
        session.say(f"semantic: off; turn it on with: {found.next}")
