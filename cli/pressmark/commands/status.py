"""`pressmark status`: what the library holds and what state it is in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pressmark.commands.session import Session, json_option, with_session

if TYPE_CHECKING:
    from pressmark.library import Library


@click.command(short_help="Say what state the library is in.")
@json_option
@with_session
def command(session: Session, as_json: bool) -> None:
    """Say what the library holds, what is unreadable, how git stands, how fresh the index is."""
    from pressmark import index

    library = session.library
    repository = library.repository
    unreadable = library.catalogue.unreadable()
    counts = _counts(library)
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


def _counts(library: Library) -> dict[str, int]:
    """How many of each kind of file there are, without reading one."""
    from pressmark.catalogue import filters

    catalogue = library.catalogue
    kinds = {"notes": "note", "topics": "topic", "searches": "search", "collections": "collection"}
    return {
        "references": catalogue.count(),
        "candidates": len(catalogue.select_keys(filters.parse(["stage:candidate"]))),
        "full texts": len(catalogue.with_fulltext()),
        **{name: len(catalogue.files(kind)) for name, kind in kinds.items()},
    }
