"""`pressmark merge-driver`: what git runs to merge a file of the library field by field."""

from __future__ import annotations

from pathlib import Path

import click

from pressmark.commands.session import Session, with_session


@click.command("merge-driver", short_help="Merge files field by field; git runs it.")
@click.argument("base", required=False, type=click.Path(path_type=Path))
@click.argument("ours", required=False, type=click.Path(path_type=Path))
@click.argument("theirs", required=False, type=click.Path(path_type=Path))
@click.argument("path", required=False)
@click.option("--install", is_flag=True, help="Tell git of it in this clone.")
@with_session
def command(
    session: Session,
    base: Path | None,
    ours: Path | None,
    theirs: Path | None,
    path: str | None,
    install: bool,
) -> None:
    """Merge the files BASE, OURS and THEIRS of PATH into OURS, as git's merge driver.

    `init` and `sync` install it; a fresh clone that nobody synced takes --install.
    The exit status is 1 when a conflict is left in OURS.
    """
    from pressmark.errors import BadInput
    from pressmark.library import driver
    from pressmark.library.writing import repository

    if install:
        fresh = driver.install(repository(session.library))
        session.say("Git merges this library field by field." if fresh else "It was there.")
        return
    if base is None or ours is None or theirs is None or path is None:
        raise BadInput(
            "Git gives it four paths: BASE OURS THEIRS PATH.",
            next="pressmark merge-driver --install",
        )
    raise click.exceptions.Exit(driver.merge_files(driver.Versions(base, ours, theirs), path))
