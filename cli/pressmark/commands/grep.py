"""`pressmark grep`: the lines of references, texts and notes that hold an exact term."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from pressmark.commands.filtered import Filtered, filter_options
from pressmark.commands.session import Session, json_option, with_session

if TYPE_CHECKING:
    from pressmark.find import Line


@click.command(cls=Filtered, short_help="Find an exact term in titles, abstracts and text.")
@click.argument("term")
@filter_options
@click.option("--regex", is_flag=True, help="TERM is a regular expression of Python's.")
@click.option("--context", type=click.IntRange(0, 20), default=0, help="Lines around each: 0.")
@click.option("--case", is_flag=True, help="Letter case matters.")
@click.option("-n", "--limit", type=click.IntRange(1), default=200, help="At most this many: 200.")
@json_option
@with_session
def command(
    session: Session,
    term: str,
    filters: tuple[str, ...],
    regex: bool,
    context: int,
    case: bool,
    limit: int,
    as_json: bool,
) -> None:
    """Find TERM as it stands, in references, full texts and notes."""
    from pressmark.find import grep

    found = grep(
        session.library, term, filters, case=case, regex=regex, context=context, limit=limit + 1
    )
    more = len(found) > limit
    warnings = [f"More lines hold it than these {limit}; --limit gives more."] if more else []
    found = found[:limit]
    lines = [text for line in found for text in _lines(line)]
    session.emit({"lines": [asdict(line) for line in found]}, lines, as_json, warnings)
    if not found and not as_json:
        session.say("No line holds it.")


def _lines(line: Line) -> list[str]:
    """`path:line:column: text`, and the lines around it as `path-line- text`, as grep has it."""
    before = range(line.line - len(line.before), line.line)
    after = range(line.line + 1, line.line + 1 + len(line.after))
    around = [f"{line.path}-{number}- " for number in (*before, *after)]
    texts = [mark + text for mark, text in zip(around, (*line.before, *line.after), strict=True)]
    found = f"{line.path}:{line.line}:{line.column}: {line.text}"
    return [*texts[: len(line.before)], found, *texts[len(line.before) :]]
