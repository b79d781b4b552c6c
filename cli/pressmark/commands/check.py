"""`pressmark check`: the library's rules, for a person, a git hook or a pull request."""

from __future__ import annotations

import click

from pressmark.commands.session import (
    Session,
    json_option,
    outcome_text,
    with_session,
    write_options,
)
from pressmark.errors import BadInput
from pressmark.library import Write


@click.command(short_help="Check the library and what its prose cites.")
@click.argument("paths", nargs=-1)
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "github"]), default="text", help="Form."
)
@click.option("--strict", is_flag=True, help="Warnings fail the check too.")
@click.option("--fix", is_flag=True, help="Correct layout, titles' markup, identifiers' spelling.")
@click.option("--documents", is_flag=True, help="Also hash the documents beside the references.")
@write_options
@json_option
@with_session
def command(
    session: Session,
    paths: tuple[str, ...],
    form: str,
    strict: bool,
    fix: bool,
    documents: bool,
    write: Write,
    as_json: bool,
) -> None:
    """Check the whole library, or PATHS of it; exit status 3 when something is wrong.

    With --fix, see what would be rewritten first with --dry-run.
    """
    from pressmark import render
    from pressmark.check import check, status
    from pressmark.check import fix as rewrite

    library = session.library
    form = "json" if as_json else form
    if fix:
        outcome = rewrite(library, list(paths) or None, write=write)
        for line in outcome_text(outcome, write) if outcome else ():
            session.print_line(line, err=form != "text" or not write.dry_run)
        session.say_where(outcome, write)
    elif write != Write():
        raise BadInput("A check writes nothing.", next="give --fix as well")
    found = check(library, list(paths) or None, documents=documents)
    if lines := render.findings(found, form):
        click.echo(lines.rstrip("\n"))
    errors = sum(each.severity == "error" for each in found)
    session.say(
        f"{render.counted(errors, 'error')}, {render.counted(len(found) - errors, 'warning')}."
    )
    click.get_current_context().exit(status(found, strict=strict))
