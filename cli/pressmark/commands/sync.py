"""`pressmark sync`: pull by rebasing, check again, push; no local commit is ever lost."""

from __future__ import annotations

import click

from pressmark.commands.session import Session, json_option, with_session


@click.command(short_help="Pull, check again and push.")
@click.option("--no-push", is_flag=True, help="Only pull.")
@click.option("--force", is_flag=True, help="Push although the check finds errors.")
@json_option
@with_session
def command(session: Session, no_push: bool, force: bool, as_json: bool) -> None:
    """Take what the remote has, put your commits on top, check the library and push.

    A push that came too late is tried again. Where two versions cannot be brought together, the
    check finds errors, or full texts without an open licence would go out, nothing is pushed
    and your commits are as they were.
    """
    from pressmark.render import counted
    from pressmark.topics.syncing import sync
    from pressmark.topics.telling import as_data, summary

    done = sync(session.library, push=not no_push, force=force, told=session.say)
    data = {
        "remote": done.remote, "branch": done.branch, "pulled": done.pulled,
        "pushed": done.pushed, "tries": done.tries,
        "changes": as_data(done.changes) if done.changes else None,
    }  # fmt: skip
    lines = [
        f"{done.remote}/{done.branch}: {counted(done.pulled, 'commit')} pulled, "
        f"{done.pushed} pushed."
    ]
    lines += [summary(done.changes)] if done.changes else []
    session.emit(data, lines, as_json, done.warnings)
