"""`pressmark passages`: the passages that answer one question, or several together."""

from __future__ import annotations

import click

from pressmark.commands.filtered import Filtered, filter_options
from pressmark.commands.session import Session, json_option, with_session


@click.command(cls=Filtered, short_help="Find the passages that answer a question.")
@click.argument("queries", metavar="QUERY…", nargs=-1, required=True)
@click.option("--in", "within", multiple=True, metavar="REF", help="Only of these references.")
@click.option("--collection", metavar="SLUG", help="Only of this reading list.")
@click.option(
    "--per-reference", type=click.IntRange(0), default=0, help="At most so many of each: 0 is all."
)
@click.option("-k", "--limit", "k", type=click.IntRange(1, 200), help="How many: 20; at most 200.")
@click.option("--offset", type=click.IntRange(0), default=0, help="Skip this many first.")
@filter_options
@json_option
@with_session
def command(
    session: Session,
    queries: tuple[str, ...],
    within: tuple[str, ...],
    collection: str | None,
    per_reference: int,
    k: int | None,
    offset: int,
    filters: tuple[str, ...],
    as_json: bool,
) -> None:
    """Find passages of references, full texts and notes; each QUERY is a question of its own.

    The answers to several questions are fused. With filters, --in or --collection notes are
    left out.
    """
    from pressmark.commands.retrieval import passages_json, passages_lines, progress
    from pressmark.find import passages

    found = passages(
        session.library, queries, filters, within=within, collection=collection,
        per_reference=per_reference, k=k or session.config.find_limit, offset=offset,
        progress=progress(session),
    )  # fmt: skip
    lines = passages_lines(found, offset)
    session.emit(passages_json(session.library, found, offset), lines, as_json, found.warnings)
    if not as_json and not found.passages:
        session.say("No passage answers.")
