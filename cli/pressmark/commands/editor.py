"""A file's bytes in, what the person's editor left of them out; nothing typed is lost."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

import click

from pressmark.errors import PressmarkError, Unavailable, Unreadable

if TYPE_CHECKING:
    from pressmark.commands.session import Session
    from pressmark.library import Outcome, Write
    from pressmark.notes import Draft


def edit(session: Session, key: str, write: Write) -> Outcome:
    """Edit a copy: a file that no longer parses never reaches the library, and is not lost."""
    from pressmark.library.by_hand import rewrite

    library = session.library
    before = library.read_page(library.path(key))
    return _until_filed(
        session, key, before, lambda after: rewrite(library, key, before, after, write)
    )


def edit_note(session: Session, slug: str, write: Write) -> Outcome:
    """The same for a note."""
    from pressmark.notes import bytes_of, rewrite

    library = session.library
    before = bytes_of(library, slug)
    name = slug.replace("/", "-")
    return _until_filed(
        session, name, before, lambda after: rewrite(library, slug, before, after, write)
    )


def begin(session: Session, draft: Draft, write: Write) -> Outcome:
    """A new note, filed once the editor has had it; one that is emptied is not filed."""
    from pressmark.library import Outcome
    from pressmark.notes import file

    def filed(after: bytes) -> Outcome:
        return file(session.library, draft, write, after) if after.strip() else Outcome()

    return _until_filed(session, draft.note.slug.replace("/", "-"), draft.data, filed)


def _until_filed(
    session: Session, name: str, before: bytes, file: Callable[[bytes], Outcome]
) -> Outcome:
    after = before
    while True:
        after = _in_editor(after, session.config.editor)
        try:
            return file(after)
        except PressmarkError as problem:
            if isinstance(problem, Unreadable) and _again(session, problem):
                continue
            problem.next = f"what you wrote is in {_rescued(session, name, after)}"
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
