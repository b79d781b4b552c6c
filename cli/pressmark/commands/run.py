"""One call of the command line: arguments in, an exit status out, never a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import click

from pressmark import __version__
from pressmark.commands import Commands
from pressmark.errors import Interrupted, PressmarkError


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("-C", "directory", metavar="DIR", help="Work in the library at DIR.")
@click.option("--offline", is_flag=True, help="Open no network connection.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but data and errors.")
@click.option("-v", "--verbose", is_flag=True, help="Say more; show tracebacks of defects.")
@click.version_option(__version__, "--version", message="pressmark %(version)s")
@click.pass_context
def cli(
    ctx: click.Context, directory: str | None, offline: bool, quiet: bool, verbose: bool
) -> None:
    """A research literature library as plain Markdown in git."""
    ctx.obj = {
        "directory": directory,
        "offline": True if offline else None,
        "quiet": quiet,
        "verbose": verbose,
    }


def run(arguments: Sequence[str]) -> int:
    """Run one command line; errors become a sentence on stderr and, with --json, an envelope."""
    as_json = "--json" in arguments
    try:
        status = cli.main(args=list(arguments), prog_name="pressmark", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except click.ClickException as error:
        usage = getattr(error, "ctx", None)
        hint = f"See `{usage.command_path} --help`." if usage else None
        return _fail(error.format_message(), "invalid_request", 2, hint, as_json)
    except PressmarkError as error:
        return _fail(str(error), error.code, error.exit_status, error.next, as_json)
    except (click.Abort, KeyboardInterrupt):
        return _fail("Interrupted.", Interrupted.code, Interrupted.exit_status, None, as_json)
    except BrokenPipeError:
        # The reader (`head`, a pager) has gone: nothing more to say, also not at exit.
        os.dup2(os.open(os.devnull, os.O_RDONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        return _defect(error, as_json, "-v" in arguments or "--verbose" in arguments)


def _fail(message: str, code: str, status: int, next_: str | None, as_json: bool) -> int:
    from pressmark.text import plain

    if as_json:
        from pressmark.render import envelope

        click.echo(envelope(None, code=code, error=plain(message), next=next_))
    click.echo(f"pressmark: {plain(message)}", err=True)
    if next_ and not as_json:
        click.echo(f"  {plain(next_)}", err=True)
    return status


def _defect(error: Exception, as_json: bool, verbose: bool) -> int:
    """A defect of ours: one sentence; its traceback only for who asks."""
    if verbose:
        import traceback

        click.echo("".join(traceback.format_exception(error)), err=True)
    where = f"{type(error).__name__}: {error}"
    return _fail(
        f"This is a defect in Pressmark ({where}); nothing more was done.",
        "defect",
        2,
        "Run it again with `pressmark -v …` and report what it prints.",
        as_json,
    )
