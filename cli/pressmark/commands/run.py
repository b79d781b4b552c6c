"""One call of the command line: arguments in, an exit status out, never a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

import click

from pressmark import __version__
from pressmark.commands import Commands
from pressmark.errors import (
    Ambiguous,
    BadInput,
    Interrupted,
    NotFound,
    PressmarkError,
    Unavailable,
)

COMPLETE = "_PRESSMARK_COMPLETE"
"""Set by the script that `completion` prints, when a shell wants a word completed."""


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
    try:
        status = _status(arguments)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        # The reader (`head`, a pager) has gone: nothing more to say, also not at exit.
        _close_stdout()
        return 0
    except OSError as problem:
        _close_stdout()
        reason = problem.strerror or type(problem).__name__
        return _fail(Unavailable(f"The answer could not be written: {reason}."), False)


def _status(arguments: Sequence[str]) -> int:
    as_json = "--json" in arguments
    _print_whatever_comes()
    try:
        if asked := os.environ.get(COMPLETE):
            from click.shell_completion import shell_complete

            return shell_complete(cli, {}, "pressmark", COMPLETE, asked)
        with cli.make_context("pressmark", list(arguments)) as context:
            cli.invoke(context)
        return 0
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except click.exceptions.NoArgsIsHelpError as helpful:
        click.echo(helpful.format_message())
        return 0
    except click.ClickException as error:
        return _fail(BadInput(error.format_message(), next=_advice(error)), as_json)
    except PressmarkError as error:
        return _fail(error, as_json)
    except (click.Abort, KeyboardInterrupt):
        return _fail(Interrupted("Interrupted."), as_json)
    except OSError as error:
        if not error.filename:  # it was the answer that could not be written
            raise
        return _fail(_of_the_system(error), as_json)
    except Exception as error:
        return _defect(error, as_json, "-v" in arguments or "--verbose" in arguments)


def _advice(error: click.ClickException) -> str | None:
    """Where to look; an option of the program itself has its place before the command."""
    context = getattr(error, "ctx", None)
    option = getattr(error, "option_name", None)
    if any(option in each.opts for each in cli.params):
        return f"Write {option} before the command: pressmark {option} …"
    return f"See `{context.command_path} --help`." if context else None


def _print_whatever_comes() -> None:
    """A letter that the terminal's encoding lacks is printed as an escape, not refused."""
    with suppress(AttributeError, ValueError):
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def _close_stdout() -> None:
    """What is still in the buffer is lost; without this Python would complain at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(error: PressmarkError, as_json: bool) -> int:
    from pressmark.commands.session import complain, envelope

    if as_json:
        data = {"candidates": list(error.candidates)} if isinstance(error, Ambiguous) else None
        click.echo(envelope(data, (), error))
    complain(error, as_json)
    return error.exit_status


def _of_the_system(error: OSError) -> PressmarkError:
    """A file of the user's that the system would not give us, and nobody foresaw it."""
    kind = NotFound if isinstance(error, FileNotFoundError) else Unavailable
    return kind(f"{os.fsdecode(error.filename)}: {error.strerror}.")


def _defect(error: Exception, as_json: bool, verbose: bool) -> int:
    """A defect of ours: one sentence; its traceback only for who asks."""
    if verbose:
        import traceback

        click.echo("".join(traceback.format_exception(error)), err=True)
    where = f"{type(error).__name__}: {error}"
    failure = Defect(
        f"This is a defect in Pressmark ({where}); nothing more was done.",
        next="Run it again with `pressmark -v …` and report what it prints.",
    )
    return _fail(failure, as_json)


class Defect(PressmarkError):
    """Something that nobody foresaw."""

    code = "defect"
