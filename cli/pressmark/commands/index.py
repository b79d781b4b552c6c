"""`pressmark index`: make the search index as good as it can be here."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from pressmark.commands.session import Session, json_option, with_session


@click.command(short_help="Rebuild the search index.")
@click.option("--rebuild", is_flag=True, help="From nothing.")
@click.option("--no-vectors", is_flag=True, help="Words and citations only.")
@click.option(
    "--until",
    type=click.IntRange(1000, 2999),
    metavar="YEAR",
    help="A second index, of what was published up to then; only eval opens it.",
)
@json_option
@with_session
def command(
    session: Session, rebuild: bool, no_vectors: bool, until: int | None, as_json: bool
) -> None:
    """Bring the index up to date: words, and vectors where a model is installed.

    `find` refreshes the words by itself. With --rebuild vectors that nothing has used for half a
    year leave your cache.
    """
    from pressmark.commands.retrieval import progress
    from pressmark.index import build

    made = build(
        session.library, rebuild=rebuild, vectors=not no_vectors, until=until,
        progress=progress(session),
    )  # fmt: skip
    session.emit(made, _lines(made), as_json)


def _lines(made: dict[str, Any]) -> list[str]:
    """What is in the index, and what would make it better."""
    from pressmark.render import counted

    held = Counter(made["counts"])
    parts = [counted(held[f"{noun}s"], noun) for noun in ("reference", "passage", "note")]
    lines = [f"{made['state']}: {', '.join(parts)}"]
    lines += [made["faster"]] if made["faster"] else []
    if made["replaced_model"]:
        lines.append(f"every vector was made anew: the model was {made['replaced_model']} before")
    lines += [f"left out: {each['path']}: {each['reason']}" for each in made["skipped"]]
    if made["semantic"] == "on":
        done = held["papers_embedded"] + held["passages_embedded"]
        wanted = held["papers_to_embed"] + held["passages_to_embed"]
        return [*lines, f"semantic: on; {done:,} of {wanted:,} vectors"]
    lines.append("semantic: off")
    if made["next"] and held["references"]:
        lines.append(f"turn it on with: {made['next']}")
    return lines
