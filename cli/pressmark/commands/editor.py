"""A reference's bytes in, what the person's editor left of them out; nothing typed is lost."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import click

from pressmark.errors import PressmarkError, Unavailable, Unreadable

if TYPE_CHECKING:
    from pressmark.commands.session import Session
    from pressmark.library import Outcome, Write


def edit(session: Session, key: str, write: Write) -> Outcome:
    """Edit a copy: a file that no longer parses never reaches the library, and is not lost."""
    from pressmark.library.by_hand import rewrite

    library = session.library
    before = after = library.read_page(library.path(key))
    while True:
        after = _in_editor(after, session.config.editor)
        try:
            return rewrite(library, key, before, after, write)
        except PressmarkError as problem:
            if isinstance(problem, Unreadable) and _again(session, problem):
                continue
            problem.next = f"what you wrote is in {_rescued(session, key, after)}"
            raise


def _again(session: Session, problem: Unreadable) -> bool:
    """Whether the person wants another go at it; in a script nobody is there to ask."""
    from pressmark.commands.session import on_terminal

    if not on_terminal():
        return False
    session.say(str(problem))
    with suppress(click.Abort):
        return click.confirm("Open the editor again?", default=True, err=True)
    return False


def _in_editor(text: bytes, editor: str | None) -> bytes:
    """What the editor left; the same bytes where nothing was saved."""
    try:
        with _deaf():
            edited = click.edit(text, editor=editor, extension=".md")
    except click.ClickException as problem:
        raise Unavailable(
            f"The editor failed: {problem.format_message()}.", next="set EDITOR to one that works"
        ) from problem
    return text if edited is None else edited


@contextmanager
def _deaf() -> Iterator[None]:
    """Ctrl-C is the editor's while it runs, as git does it."""
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _rescued(session: Session, key: str, text: bytes) -> str:
    """Where a text is kept that cannot be filed: the user's state folder."""
    from pressmark import disk

    path = session.config.state_dir / "unsaved" / f"{key}.md"
    disk.write_file(path, text, 0o600)
    return str(path)
