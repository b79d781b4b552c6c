"""`pressmark list`: the references that match the words and filters, a row each."""

from __future__ import annotations

import click

from pressmark.commands.filtered import Filtered
from pressmark.commands.session import Session, json_option, terminal_width, with_session
from pressmark.errors import BadInput


@click.command(cls=Filtered, short_help="List references that match the words and filters.")
@click.argument("words", nargs=-1)
@click.option("--format", "form", metavar="FORM", help="A line a reference, e.g. '{key} {title}'.")
@click.option("-n", "--limit", type=click.IntRange(1), help="At most this many.")
@click.option("--offset", type=click.IntRange(0), default=0, help="Skip this many first.")
@click.option("--count", "only_count", is_flag=True, help="Print only how many match.")
@json_option
@with_session
def command(
    session: Session,
    words: tuple[str, ...],
    form: str | None,
    limit: int | None,
    offset: int,
    only_count: bool,
    as_json: bool,
) -> None:
    """List references: free words and filters such as author:simic year:2018..2020 tag:x.

    Filters: author, title, year, tag, venue, topic, collection, source, type, notice, stage,
    has, missing, cited, key. A leading minus negates; accents and case never matter.
    """
    from pressmark.render import fill, reference_json, rows

    if form and (as_json or only_count):
        raise BadInput(
            f"--format and {'--json' if as_json else '--count'} are two shapes of one answer.",
            next="leave one of them out",
        )
    library = session.library
    if only_count and not as_json:  # without reading one record
        session.emit(None, [str(len(library.select_keys(words, cited=session.cited)))], False)
        return
    found = library.select(words, cited=session.cited)
    window = found[offset : offset + limit if limit else None]
    end = offset + len(window)
    paths = library.catalogue.paths() if as_json or form else {}
    data = {
        "total": len(found),
        "offset": offset,
        "next_offset": end if end < len(found) else None,
        "references": [reference_json(ref, paths[ref.key]) for ref in window]
        if as_json and not only_count
        else [],
    }
    if only_count:
        text = [str(len(found))]
    else:
        text = [] if as_json or form else rows(window, terminal_width())
    session.emit(data, text, as_json)
    if form and not as_json:
        for ref in window:  # as it stands: the tabs of the form are for a script
            click.echo(fill(form, ref, paths[ref.key]))
    if as_json or only_count:
        return
    if not found:
        session.say("No reference matches.")
    elif window and end < len(found):
        session.say(f"{len(window)} of {len(found)}; go on with --offset {end}.")
