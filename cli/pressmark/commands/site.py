"""`pressmark site`: build the static site, or serve it while you write."""

from __future__ import annotations

import click

from pressmark.commands.session import Session, json_option, with_session


@click.group(short_help="Build or serve the static site.")
def command() -> None:
    """The static site of the library: a page for every reference, topic, note and list."""


@command.command(short_help="Build the site.")
@click.option("--strict", is_flag=True, help="A link that leads nowhere fails the build.")
@json_option
@with_session
def build(session: Session, strict: bool, as_json: bool) -> None:
    """Build the site into the `site_dir` of mkdocs.yml."""
    from pressmark import site

    for each in site.runs(session.library):
        session.say(f"mkdocs.yml runs: {each}")
    built = site.build(session.library, strict=strict)
    data = {"folder": str(built.folder), "pages": built.pages, "problems": list(built.problems)}
    lines = [f"{built.pages} pages in {built.folder}"]
    session.emit(data, lines, as_json, built.problems)


@command.command(short_help="Serve the site on this machine.")
@click.option("--address", metavar="HOST:PORT", help="Where; 127.0.0.1:8000.")
@click.option("--open", "open_", is_flag=True, help="Open it in the browser.")
@with_session
def serve(session: Session, address: str | None, open_: bool) -> None:
    """Serve the site and rebuild it when a file changes; Ctrl-C ends it."""
    from pressmark import site

    for each in site.runs(session.library):
        session.say(f"mkdocs.yml runs: {each}")
    site.serve(session.library, address=address, open_browser=open_)
