"""`pressmark evidence`: each cited sentence of a draft beside the passage nearest to it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pressmark.commands.session import Session, json_option, with_session
from pressmark.errors import BadInput

if TYPE_CHECKING:
    from pressmark.find import Claim, Evidenced


@click.command(short_help="Put each cited sentence of a draft beside its source.")
@click.argument("draft", type=click.Path(path_type=Path))
@json_option
@with_session
def command(session: Session, draft: Path, as_json: bool) -> None:
    """Compare every sentence of DRAFT that cites with the paper it cites.

    DRAFT is Markdown, or by its ending LaTeX, Typst, Org or reStructuredText.
    The best passage is shown with two scores: the share of the sentence's words in it, and
    how near the two are in meaning. Whether it bears the sentence out is for you to say.
    """
    from pressmark import disk
    from pressmark.commands.retrieval import progress
    from pressmark.find import evidence
    from pressmark.find.drafts import MOST

    path = draft if draft.is_absolute() else session.start / draft
    try:
        text = disk.read_given(path, MOST, str(draft)).decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise BadInput(f"{draft} is not UTF-8: {problem.reason}.") from problem
    text = text.replace("\r\n", "\n")
    found = evidence(session.library, text, draft.name, progress=progress(session))
    session.emit(_json(found), _lines(found), as_json, found.warnings)
    if as_json:
        return
    if not found.claims:
        session.say("No sentence cites a reference.")
    elif found.without:
        session.say(f"{found.without} of {len(found.claims)} have no passage.")


def _json(found: Evidenced) -> dict[str, object]:
    return {
        "claims": [_claim(each) for each in found.claims],
        "without": found.without,
        "semantic": found.semantic,
    }


def _claim(each: Claim) -> dict[str, object]:
    from pressmark.commands.retrieval import passage_json

    return {
        "line": each.line,
        "column": each.column,
        "sentence": each.sentence,
        "cited": each.cited,
        "key": each.key,
        "words": each.words,
        "meaning": each.meaning,
        "passage": passage_json(each.passage),
        "why": each.why,
    }


def _lines(found: Evidenced) -> list[str]:
    from pressmark.commands.retrieval import place, shortened

    lines: list[str] = []
    for each in found.claims:
        lines.append(f"{each.line}:{each.column}: {each.sentence}")
        if each.passage is None:
            lines.append(f"     {each.cited}: no passage ({each.why})")
            continue
        near = "" if each.meaning is None else f", meaning {each.meaning:.2f}"
        scores = f"words {each.words or 0.0:.2f}{near}"
        lines.append(f"     {each.key} ({scores}): {place(each.passage)}"
                     f"{shortened(each.passage.text)}")  # fmt: skip
    return lines
