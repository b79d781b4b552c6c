"""`pressmark wanted`: the works that the library cites most and does not hold."""

from __future__ import annotations

from dataclasses import asdict

import click

from pressmark.commands.filtered import Filtered, filter_options
from pressmark.commands.session import Session, json_option, with_session
from pressmark.render import counted


@click.command(cls=Filtered, short_help="What the library cites most and does not hold.")
@click.option("-k", "--limit", "k", type=click.IntRange(1, 200), default=20, help="How many: 20.")
@click.option("--offset", type=click.IntRange(0), default=0, help="Skip this many first.")
@filter_options
@json_option
@with_session
def command(session: Session, k: int, offset: int, filters: tuple[str, ...], as_json: bool) -> None:
    """List works by how many of your references cite them; filters say whose citations count.

    `pressmark add ID` files one.
    """
    from pressmark.find import wanted

    found = wanted(session.library, filters, k=k, offset=offset)
    data = {
        "total": found.total,
        "next_offset": found.next_offset,
        "works": [asdict(each) for each in found.items],
    }
    lines = []
    for each in found.items:
        lines.append(f"{each.count:5}  {each.identity}")
        lines += [f"       {each.entry}"] if each.entry else []
    session.emit(data, lines, as_json)
    if as_json:
        return
    if not found.items:
        session.say("Nothing that is cited is missing, as far as citations are known.")
    elif found.next_offset:
        session.say(f"{counted(found.total, 'work')} in all; go on with "
                    f"--offset {found.next_offset}.")  # fmt: skip
