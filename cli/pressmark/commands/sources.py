"""`pressmark sources`: every provider, whether it is on, its pause and its key."""

from __future__ import annotations

import click

from pressmark.commands.session import Session, json_option, with_session


@click.command(short_help="List the providers and their state.")
@json_option
@with_session
def command(session: Session, as_json: bool) -> None:
    """List the providers: on or off, left alone until when and why, key present or not."""
    from datetime import datetime

    from pressmark.http.pauses import Pauses
    from pressmark.render import table
    from pressmark.sources import REGISTRY

    config = session.config
    paused = {lane.partition("@")[0]: each for lane, each in Pauses(config.state_dir).all().items()}
    until = {
        name: datetime.fromtimestamp(each.until).isoformat(timespec="seconds")
        for name, each in paused.items()
    }
    data = [
        {
            "source": name,
            "platform": source.platform,
            "enabled": name in config.sources,
            "key": name in config.keys,
            "paused": paused[name].reason if name in paused else None,
            "until": until.get(name),
            "offline": config.offline,
        }
        for name, source in REGISTRY.items()
    ]
    rows = [
        (
            str(each["source"]),
            "on" if each["enabled"] else "off",
            "key" if each["key"] else "no key",
            f"paused until {each['until']}: {each['paused']}" if each["paused"] else "ready",
        )
        for each in data
    ]
    session.emit(data, table(rows), as_json)
    if config.offline:
        session.say("The network is off: no source is asked.")
