"""`pressmark index`: make the search index as good as it can be here."""

from __future__ import annotations

import click

from pressmark.commands.session import Session, json_option, with_session


@click.command(short_help="Rebuild the search index.")
@click.option("--rebuild", is_flag=True, help="From nothing.")
@click.option("--no-vectors", is_flag=True, help="Words and citations only.")
@json_option
@with_session
def command(session: Session, rebuild: bool, no_vectors: bool, as_json: bool) -> None:
    """Bring the index up to date: words, and vectors where a model is installed.

    `find` refreshes the words by itself.
    """
    from pressmark.commands.retrieval import progress
    from pressmark.index import build

    made = build(
        session.library, rebuild=rebuild, vectors=not no_vectors, progress=progress(session)
    )
    counts = ", ".join(f"{number:,} {name}" for name, number in made["counts"].items())
    lines = [f"{made['state']}: {counts}", f"semantic: {made['semantic']}"]
    if made["next"] and made["semantic"] == "off":
        lines.append(f"turn it on with: {made['next']}")
    session.emit(made, lines, as_json)
