"""`pressmark eval`: how well `find` finds, on questions whose answers are known."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pressmark.commands.session import Session, json_option, with_session
from pressmark.errors import BadInput
from pressmark.render import counted, table

if TYPE_CHECKING:
    from pressmark.find.evaluating import Evaluation, Run


@click.command(short_help="Measure how well find finds.")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--until",
    type=click.IntRange(1000, 2999),
    metavar="YEAR",
    help="On what was published up to then alone.",
)
@json_option
@with_session
def command(session: Session, file: Path, until: int | None, as_json: bool) -> None:
    """Ask the questions of FILE; a line each, with the references that answer it.

    A line is JSON with query and relevant (a list of keys or identifiers, or grades by key), or
    the question, a tab and the keys. Given are the means of recall at 5, 20 and 100, nDCG at 10,
    MRR and MAP; then each channel alone and taken away, with the difference to all of them and
    its 95 % interval by the paired bootstrap.
    """
    from pressmark import disk
    from pressmark.commands.retrieval import progress
    from pressmark.find import evaluating

    path = file if file.is_absolute() else session.start / file
    try:
        text = disk.read_given(path, evaluating.MOST, str(file)).decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise BadInput(f"{file} is not UTF-8: {problem.reason}.") from problem
    queries = evaluating.read(text, str(file))
    found = evaluating.evaluate(session.library, queries, until=until, progress=progress(session))
    warnings = [f"{name} is no reference of the library." for name in found.unknown]
    session.emit(_json(found, until), _lines(found), as_json, warnings)
    if not as_json:
        left = f"; {found.unanswerable} left out, whose answers are not held"
        session.say(f"{counted(found.queries, 'question')}{left if found.unanswerable else ''}.")


def _json(found: Evaluation, until: int | None) -> dict[str, object]:
    return {
        "queries": found.queries,
        "unanswerable": found.unanswerable,
        "unknown": list(found.unknown),
        "until": until,
        "semantic": found.semantic,
        "runs": [_run(run) for run in found.runs],
    }


def _run(run: Run) -> dict[str, object]:
    return {
        "name": run.name,
        "figures": {name: round(value, 4) for name, value in run.figures.items()},
        "gains": {
            name: {
                "mean": round(gain.mean, 4), "low": round(gain.low, 4),
                "high": round(gain.high, 4), "better": gain.better, "worse": gain.worse,
            }
            for name, gain in run.gains.items()
        },
    }  # fmt: skip


def _lines(found: Evaluation) -> list[str]:
    if not found.runs:
        return []
    names = list(found.runs[0].figures)
    rows = [[run.name, *(f"{run.figures[name]:.3f}" for name in names)] for run in found.runs]
    lines = table(rows, header=["", *names])
    for run in found.runs[1:]:
        gain = run.gains["ndcg@10"]
        lines.append(
            f"{run.name} against all, nDCG@10: {gain.mean:+.3f} [{gain.low:+.3f}, {gain.high:+.3f}]"
        )
    return lines
