"""`pressmark edit`: change fields and tags of one or many references, or open the editor."""

from __future__ import annotations

import click

from pressmark.commands.completing import complete_key
from pressmark.commands.filtered import Filtered
from pressmark.commands.session import Session, json_option, with_session, write_options
from pressmark.errors import BadInput
from pressmark.library import Write


@click.command(cls=Filtered, short_help="Change fields and tags, or open the editor.")
@click.argument("references", nargs=-1, required=True, shell_complete=complete_key)
@click.option("--set", "settings", multiple=True, metavar="FIELD=VALUE", help="Empty clears.")
@click.option("--add-tag", "add_tags", multiple=True, metavar="TAG", help="Add a tag.")
@click.option("--remove-tag", "remove_tags", multiple=True, metavar="TAG", help="Take one away.")
@write_options
@json_option
@with_session
def command(
    session: Session,
    references: tuple[str, ...],
    settings: tuple[str, ...],
    add_tags: tuple[str, ...],
    remove_tags: tuple[str, ...],
    write: Write,
    as_json: bool,
) -> None:
    """Change the references that REFERENCES name (keys, identifiers or filters), in one commit.

    Without a change to make, your editor opens the one reference named; what you leave in it is
    checked and committed.
    """
    library = session.library
    keys = library.keys_of(references)
    if settings or add_tags or remove_tags:
        outcome = library.edit(
            keys,
            set=dict(setting(each) for each in settings),
            add={"tags": add_tags} if add_tags else {},
            remove={"tags": remove_tags} if remove_tags else {},
            write=write,
        )
    elif len(keys) > 1:
        raise BadInput(
            f"The editor opens one reference; {len(keys)} answer.", next="name one, or give --set"
        )
    else:
        from pressmark.commands.editor import edit

        outcome = edit(session, keys[0], write)
    session.report(outcome, write, as_json)


def setting(text: str) -> tuple[str, str | None]:
    name, sign, value = text.partition("=")
    if not sign:
        raise BadInput(f"--set takes FIELD=VALUE; {text!r} has no '='.")
    return name.strip(), value.strip() or None
