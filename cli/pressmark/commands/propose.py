"""`pressmark propose`: a branch pushed for review, its pull request with what it changes."""

from __future__ import annotations

import click

from pressmark.commands.session import Session, json_option, with_session


@click.command(short_help="Push a branch and open its pull request.")
@click.argument("branch", required=False)
@click.option("--base", metavar="NAME", help="The branch to merge into; else the one checked out.")
@json_option
@with_session
def command(session: Session, branch: str | None, base: str | None, as_json: bool) -> None:
    """Push BRANCH (else the one checked out) and open its pull request, which says what changes.

    It is opened where the program gh and a token are; else the text is in a file.
    """
    from pressmark.commands.refresh import proposal_json, proposal_lines
    from pressmark.topics.proposing import propose

    made = propose(session.library, branch, base=base)
    session.emit(proposal_json(made), proposal_lines(made), as_json)
