"""`pressmark status`: what the library holds and what state it is in."""

from __future__ import annotations

import click

from pressmark.commands.session import Session, json_option, with_session


@click.command(short_help="Say what state the library is in.")
@json_option
@with_session
def command(session: Session, as_json: bool) -> None:
    """Say what the library holds, what is unreadable, how git stands, how fresh the index is."""
    from pressmark import index

    library = session.library
    repository = library.repository
    unreadable = library.catalogue.unreadable()
    counts = library.catalogue.counts()
    held = index.status(library)
    data = {
        "root": str(library.root),
        "format": session.config.format,
        "counts": counts,
        "unreadable": [str(each) for each in unreadable],
        "git": None
        if repository is None
        else {
            "state": repository.state(),
            "branch": repository.branch(),
            "head": repository.head(),
        },
        "index": held,
        "offline": session.config.offline,
        "sources": list(session.config.sources),
    }
    parts = [f"{number:,} {name}" for name, number in counts.items() if number]
    lines = [str(library.root), ", ".join(parts) or "empty"]
    if repository is None:
        lines.append("not in a git repository: nothing can be written")
    else:
        state = repository.state()
        lines.append(
            f"git: {repository.branch() or 'no branch'}{'' if state == 'clean' else ', ' + state}"
        )
    lines.append(f"index: {held['state']}; semantic: {held['semantic']}")
    lines += [f"unreadable: {each}" for each in unreadable]
    if session.config.offline:
        lines.append("the network is off")
    session.emit(data, lines, as_json)
