"""What every command shares: the library of the call, its options, and how an answer is printed."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pressmark.text import plain

if TYPE_CHECKING:
    from pressmark.config import Config
    from pressmark.errors import PressmarkError
    from pressmark.http import Client, NullClient
    from pressmark.library import Library, Outcome, Write

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass
class Session:
    """One call: where it works, what it may do, and how it talks."""

    directory: str | None = None
    offline: bool | None = None
    quiet: bool = False
    verbose: bool = False

    @property
    def start(self) -> Path:
        """The folder the call works from."""
        if self.directory:
            return Path(self.directory)
        try:
            return Path.cwd()
        except FileNotFoundError as problem:
            from pressmark.errors import NotFound

            raise NotFound("The folder you are in is gone.", next="cd somewhere else") from problem

    @cached_property
    def library(self) -> Library:
        """The library found by walking up from where the call stands."""
        from pressmark.library import Library

        return Library.open(self.start, self.config)

    def cited(self, path: str) -> set[str]:
        """Keys of the references that a file or folder of prose cites."""
        from pressmark.links import cited_keys  # slow to import, and seldom asked

        return cited_keys(self.library, path)

    @cached_property
    def config(self) -> Config:
        """The library's settings, the user's, and the environment's."""
        from pressmark.config import find_root, load

        # A call that was told a place means that place, whatever the environment says.
        env = {
            k: v for k, v in os.environ.items() if not (self.directory and k == "PRESSMARK_LIBRARY")
        }
        root = find_root(self.start, env)
        config = load(root, env, offline=self.offline)
        for line in config.warnings:
            self.say(line)
        return config

    @cached_property
    def client(self) -> Client | NullClient:
        """The one way out to the network."""
        from pressmark.http import open_client

        return open_client(self.config)

    def client_for(self, refresh: bool) -> Client | NullClient:
        """The client; with `refresh` one that asks past the cache and the pauses."""
        from pressmark.http import open_client

        return open_client(self.config, refresh=True) if refresh else self.client

    @property
    def today(self) -> str:
        return date.today().isoformat()

    def say(self, message: str) -> None:
        """Talk to the person: stderr, unless --quiet."""
        self.print_line(message, err=True)

    def say_all(self, lines: Sequence[str]) -> None:
        """Several lines of talk."""
        for line in lines:
            self.say(line)

    def print_line(self, line: str, *, err: bool = False) -> None:
        """One line of an answer, or of talk."""
        if not (err and self.quiet):
            click.echo(plain(line), err=err)

    def emit(
        self,
        data: object,
        text: str | Sequence[str],
        as_json: bool,
        warnings: Sequence[str] = (),
        failure: PressmarkError | None = None,
        then: str | None = None,
    ) -> None:
        """Print an answer: data on stdout, as text or as the JSON envelope.

        `then` is what to do next. With a `failure` what there is of an answer is printed, and
        the call ends as that error.
        """
        if as_json:
            click.echo(envelope(data, warnings, failure, then))
        else:
            for warning in warnings:
                self.say(warning)
            lines = text if isinstance(text, str) else "\n".join(text)
            if lines:
                click.echo(plain(lines))
            if then:
                self.say(f"next: {then}")
        if failure:
            complain(failure, as_json)
            raise click.exceptions.Exit(failure.exit_status)

    def report(self, outcome: Outcome, write: Write, as_json: bool) -> None:
        """Print what a writing command did."""
        data, text = outcome_data(outcome, write), outcome_text(outcome, write)
        self.emit(data, text, as_json, outcome.warnings)
        self.say_where(outcome, write)

    def say_where(self, outcome: Outcome, write: Write) -> None:
        """Say it when what was written is not on the branch that is checked out."""
        if write.dry_run:
            self.say("Nothing was written: --dry-run.")
        elif outcome.changes and write.branch and not self._is_out(write.branch):
            self.say(f"Committed on the branch {write.branch}; your files are as they were.")
        elif outcome.changes and not outcome.commit:
            self.say("Written, not committed.")

    def progress(self, what: str) -> Callable[[int, int], None] | None:
        """What shows on a terminal how far long work is; None where nobody watches."""
        if self.quiet or not sys.stderr.isatty():
            return None

        def tell(done: int, of: int) -> None:
            click.echo(f"\r{what} {done:,} of {of:,}\x1b[K", nl=False, err=True)
            if done >= of - 100:
                click.echo("\r\x1b[K", nl=False, err=True)

        return tell

    def unread(self, folder: str) -> list[str]:
        """A sentence for each file below a folder that the answer lacks: it cannot be read."""
        wrecks = self.library.catalogue.unreadable()
        return [f"{each} (left out)" for each in wrecks if each.path.startswith(folder)]

    def _is_out(self, branch: str) -> bool:
        """Whether a branch is the one that is checked out."""
        repository = self.library.repository
        return repository is not None and repository.branch() == branch


def password() -> str:
    """A password from stdin: its first line, typed without an echo where a person sits there."""
    if sys.stdin.isatty():
        return str(click.prompt("Password", hide_input=True, err=True))
    return sys.stdin.readline().rstrip("\r\n")


def envelope(
    data: object,
    warnings: Sequence[str],
    failure: PressmarkError | None,
    then: str | None = None,
) -> str:
    """The one shape of every JSON answer; `ok` says that the exit status is 0."""
    from pressmark import render

    if failure is None:
        return render.envelope(data, warnings, next=then)
    return render.envelope(
        data, warnings, code=failure.code, error=plain(str(failure)), next=failure.next
    )


def complain(failure: PressmarkError, as_json: bool) -> None:
    """An error on stderr: its sentence, and for a person what to do next."""
    click.echo(f"pressmark: {plain(str(failure))}", err=True)
    if failure.next and not as_json:
        click.echo(f"  {plain(failure.next)}", err=True)


def session_of(ctx: click.Context) -> Session:
    """The session of a running command."""
    root = ctx.find_root()
    if isinstance(root.obj, dict):
        root.obj = Session(**root.obj)
    assert isinstance(root.obj, Session)
    return root.obj


def with_session(function: Function) -> Function:
    """Hand the command its Session as the first argument."""
    from functools import wraps

    @click.pass_context
    @wraps(function)
    def call(ctx: click.Context, *args: Any, **kwargs: Any) -> Any:
        return function(session_of(ctx), *args, **kwargs)

    return call  # type: ignore[return-value]


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


BRANCH = click.option("--branch", metavar="NAME", help="Commit on branch NAME, not on yours.")


def writing(branch: Callable[[Function], Function]) -> Callable[[Function], Function]:
    """The options that every writing command takes; the command gets one `write` argument."""

    def decorate(function: Function) -> Function:
        from functools import wraps

        @click.option("--dry-run", is_flag=True, help="Print what would be written, write nothing.")
        @click.option("--no-commit", is_flag=True, help="Write the files, leave the commit to you.")
        @branch  # type: ignore[arg-type]
        @click.option("-m", "--message", metavar="TEXT", help="The commit's subject.")
        @wraps(function)
        def call(
            *args: Any,
            dry_run: bool,
            no_commit: bool,
            branch: str | None,
            message: str | None,
            **kw: Any,
        ) -> Any:
            from pressmark.library import Write

            write: Write = Write(
                dry_run=dry_run, commit=False if no_commit else None, branch=branch, message=message
            )
            return function(*args, write=write, **kw)

        return call

    return decorate


write_options = writing(BRANCH)


def outcome_data(outcome: Outcome, write: Write) -> dict[str, object]:
    """The JSON of what a writing command did."""
    return {
        "changes": changes_data(outcome, write),
        "commit": outcome.commit,
        "left_uncommitted": list(outcome.left_uncommitted),
    }


def changes_data(outcome: Outcome, write: Write) -> list[dict[str, object]]:
    """Each file and what becomes of it; with --dry-run its content too, byte for byte.

    A byte that is no UTF-8 stands as a lone surrogate (Python's `surrogateescape`).
    """
    rows: list[dict[str, object]] = []
    for change in outcome.changes:
        row: dict[str, object] = {"path": change.path, "kind": change.kind}
        if write.dry_run:
            after = change.after
            row["content"] = None if after is None else after.decode("utf-8", "surrogateescape")
        rows.append(row)
    return rows


def outcome_text(outcome: Outcome, write: Write) -> list[str]:
    """What a writing command did: a line a file, or with --dry-run the files themselves."""
    if not outcome.changes:
        return ["Nothing to change."]
    if write.dry_run:
        return preview(outcome)
    return [f"{change.kind:8} {change.path}" for change in outcome.changes]


def preview(outcome: Outcome) -> list[str]:
    """Every file that would be written, under its path."""
    lines = []
    for change in outcome.changes:
        body = "" if change.after is None else change.after.decode("utf-8", "replace")
        lines.append(f"--- {change.kind} {change.path}\n{body}")
    return lines


def on_terminal() -> bool:
    """Whether a person sits at both ends, so that a progress line or a question makes sense."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def terminal_width() -> int | None:
    """Columns to cut a table to; None where stdout is no terminal and nothing may be cut."""
    from shutil import get_terminal_size

    return get_terminal_size().columns if sys.stdout.isatty() else None
