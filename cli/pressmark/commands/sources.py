"""`pressmark sources`: every provider and its state; with --trace what went wrong in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from pressmark.commands.session import Session, json_option, with_session

if TYPE_CHECKING:
    from pressmark.search.state import State


@click.command(short_help="List the providers and their state.")
@click.option("--trace", "traced", is_flag=True, help="Show every defect that was met.")
@json_option
@with_session
def command(session: Session, traced: bool, as_json: bool) -> None:
    """List the providers: on or off, paused until when and why, key, allowance, what they gave.

    What came from files stands behind them. --trace shows every defect on record, the newest
    first: its date, the request without keys, the first 500 bytes of the answer.
    """
    if traced:
        _trace(session, as_json)
        return
    from pressmark.render import table
    from pressmark.search.state import states

    found = states(session.config, session.library if session.config.root else None)
    session.emit(
        [_json(each, session.config.offline) for each in found], table(_rows(found)), as_json
    )
    if session.config.offline:
        session.say("The network is off: no source is asked.")
    if defects := sum(each.defects for each in found):
        session.say(f"Defects on record: {defects}. See: pressmark sources --trace")


def _json(state: State, offline: bool) -> dict[str, object]:
    return {
        "source": state.source, "platform": state.platform, "kind": state.kind,
        "enabled": state.enabled, "does": list(state.does), "key": state.key,
        "paused": state.paused, "until": state.until, "allowance": list(state.allowance),
        "references": state.references, "texts": state.texts, "defects": state.defects,
        "offline": offline,
    }  # fmt: skip


def _rows(found: list[State]) -> list[tuple[str, ...]]:
    from pressmark.render import counted

    return [
        (
            each.source,
            each.kind,
            "" if each.kind == "disk" else "on" if each.enabled else "off",
            ", ".join(each.does),
            {True: "key", False: "no key", None: ""}[each.key],
            counted(each.references, "reference") if each.references else "",
            counted(each.texts, "text") if each.texts else "",
            _ready(each),
        )
        for each in found
    ]


def _ready(state: State) -> str:
    if state.paused:
        return f"paused until {state.until}: {state.paused}"
    return "; ".join(state.allowance) or ("ready" if state.kind == "network" else "")


def _trace(session: Session, as_json: bool) -> None:
    from dataclasses import asdict

    from pressmark.search.state import trace

    found = trace(session.config)
    lines = []
    for each in found:
        lines += [f"{each.date}  {each.source}  {each.reason}", f"  {each.request}"]
        lines += [f"  | {line}" for line in (each.head, *each.trace.splitlines()) if line]
        lines.append("")
    session.emit([asdict(each) for each in found], lines, as_json)
    if not found:
        session.say("No defect is on record.")
