"""`pressmark site`: build the static site, serve it while you write, or stage it for others."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from pressmark.commands.session import Session, json_option, on_terminal, with_session


@click.group(short_help="Build, serve or stage the static site.")
def command() -> None:
    """The static site of the library: a page for every reference, topic, note and list."""


@command.command(short_help="Build the site.")
@click.option("--strict", is_flag=True, help="A link that leads nowhere fails the build.")
@click.option("--whole", is_flag=True, help="Make every page anew, whatever the last build left.")
@json_option
@with_session
def build(session: Session, strict: bool, whole: bool, as_json: bool) -> None:
    """Build the site into the `site_dir` of mkdocs.yml.

    What is there stays until all that is new is complete; pages that would be the same as in the
    last build are not made again. What was left out is said, with the reason.
    """
    from pressmark import site

    _say_runs(session)
    built = site.build(session.library, strict=strict, whole=whole, progress=_teller(session))
    data = {
        "folder": str(built.folder), "pages": built.pages, "problems": list(built.problems),
        "left_out": list(built.left_out),
    }  # fmt: skip
    for line in () if as_json else built.left_out:
        session.say(line)
    session.emit(data, [f"{built.pages} pages in {built.folder}"], as_json, built.problems)


@command.command(short_help="Serve the site on this machine.")
@click.option("--address", metavar="HOST:PORT", help="Where; 127.0.0.1:8000.")
@click.option("--open", "open_", is_flag=True, help="Open it in the browser.")
@click.option("--only", metavar="PATH", help="Pages for the records below this path alone.")
@click.option(
    "--recent", metavar="N", type=click.IntRange(1), help="Pages for the N records changed last."
)
@click.option("--poll", is_flag=True, help="Look at the files twice a second (network drives).")
@with_session
def serve(
    session: Session,
    address: str | None,
    open_: bool,
    only: str | None,
    recent: int | None,
    poll: bool,
) -> None:
    """Serve the site and rebuild it when a file changes; Ctrl-C ends it.

    After a save only the pages that it changes are made. In a large library --recent or --only
    keeps the wait still shorter: the other records have no page, and the search is left out.
    """
    from pressmark import site

    _say_runs(session)
    site.serve(
        session.library,
        address=address,
        open_browser=open_,
        only=only or "",
        recent=recent or 0,
        poll=poll,
        tell=session.say,
    )


@command.command(short_help="Write the pages as Markdown for another generator.")
@click.argument("folder", type=click.Path(path_type=Path))
@json_option
@with_session
def stage(session: Session, folder: Path, as_json: bool) -> None:
    """Write every page as plain Markdown with relative links into FOLDER.

    Any static site generator builds it. FOLDER is new, empty, or was staged before.
    """
    from pressmark import site

    staged = site.stage(session.library, folder)
    data = {
        "folder": str(staged.folder), "pages": staged.pages, "problems": list(staged.problems),
        "left_out": list(staged.left_out),
    }  # fmt: skip
    for line in () if as_json else staged.left_out:
        session.say(line)
    session.emit(data, [f"{staged.pages} pages in {staged.folder}"], as_json, staged.problems)


def _teller(session: Session) -> Callable[[str], None] | None:
    """A line on the terminal that says what is being done; silent in a pipe or with --quiet."""
    if session.quiet or not on_terminal():
        return None
    return lambda words: click.echo(f"\r{words}\x1b[K", err=True, nl=words.startswith("done"))


def _say_runs(session: Session) -> None:
    from pressmark import site

    for each in site.runs(session.library):
        session.say(f"mkdocs.yml runs: {each}")
