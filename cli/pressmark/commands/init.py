"""`pressmark init`: a new library, or one inside an existing repository."""

from __future__ import annotations

from pathlib import Path

import click

from pressmark.commands.session import Session, json_option, with_session


@click.command(short_help="Make a library here or in DIR.")
@click.argument("directory", required=False, type=click.Path(path_type=Path))
@click.option("--minimal", is_flag=True, help="Only library/, pressmark.toml and ignore rules.")
@json_option
@with_session
def command(session: Session, directory: Path | None, minimal: bool, as_json: bool) -> None:
    """Make a library here or in DIR: its folders, its settings, git, a first commit.

    Inside an existing repository nothing that is there is overwritten; running it again
    changes nothing.
    """
    from pressmark.library import create

    root = (session.start / directory) if directory else session.start
    outcome = create(root, minimal=minimal)
    lines = [f"{change.kind:8} {change.path}" for change in outcome.changes]
    lines.append("A library is ready." if outcome.changes else "The library was already complete.")
    data = {
        "root": str(root),
        "changes": [{"path": c.path, "kind": c.kind} for c in outcome.changes],
        "commit": outcome.commit,
    }
    session.emit(data, lines, as_json, outcome.warnings)
