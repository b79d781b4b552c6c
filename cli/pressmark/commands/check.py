"""`pressmark check`: the library's rules, for a person, a git hook or a pull request."""

from __future__ import annotations

import click

from pressmark.commands.session import Session, json_option, with_session


@click.command(short_help="Check the library and what its prose cites.")
@click.argument("paths", nargs=-1)
@click.option(
    "--format", "form", type=click.Choice(["text", "json", "github"]), default="text", help="Form."
)
@click.option("--strict", is_flag=True, help="Warnings fail the check too.")
@click.option("--fix", is_flag=True, help="Rewrite files whose layout only differs.")
@json_option
@with_session
def command(
    session: Session, paths: tuple[str, ...], form: str, strict: bool, fix: bool, as_json: bool
) -> None:
    """Check the whole library, or PATHS of it; exit status 3 when something is wrong."""
    from pressmark import check, render

    library = session.library
    if fix:
        outcome = check.fix(library)
        for change in outcome.changes:
            session.say(f"rewritten {change.path}")
    found = check.check(library, list(paths) or None)
    errors = [each for each in found if each.severity == "error"]
    failed = bool(errors or (strict and found))
    if as_json:
        data = {
            "errors": len(errors),
            "warnings": len(found) - len(errors),
            "findings": [render.finding_json(each) for each in found],
        }
        click.echo(render.envelope(data))
    else:
        if lines := render.findings(found, form):
            click.echo(lines.rstrip("\n"))
        session.say(f"{len(errors)} errors, {len(found) - len(errors)} warnings.")
    if failed:
        click.get_current_context().exit(3)
