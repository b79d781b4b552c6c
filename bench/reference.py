"""Write site/guide/commands.md from the commands themselves: `make docs`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from pressmark.commands import COMMANDS
from pressmark.commands.run import cli

TARGET = Path(__file__).resolve().parent.parent / "site" / "guide" / "commands.md"


def reference() -> str:
    """The whole page, as Markdown."""
    context = click.Context(cli, info_name="pressmark")
    lines = [
        "# Commands",
        "",
        "This page is generated from the program: `make docs`.",
        "Every command that prints data takes `--json`; writers take `--dry-run`, `--no-commit`,",
        "`--branch` and `-m`.",
        "Where a command takes references it takes keys, identifiers in any spelling, and filters.",
        "",
        "## pressmark",
        "",
        *options(cli, context),
    ]
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        lines += section(command, click.Context(command, info_name=name, parent=context), 2)
    return "\n".join(lines).rstrip() + "\n"


def section(command: click.Command, context: click.Context, level: int) -> Iterator[str]:
    """A command's usage, its help, its arguments and options, then its own commands."""
    pieces = [piece for piece in command.collect_usage_pieces(context) if piece]
    yield f"{'#' * level} {context.command_path}"
    yield ""
    yield f"```\n{context.command_path} {' '.join(pieces)}".rstrip() + "\n```"
    yield ""
    yield from (line.strip() for line in (command.help or "").strip().splitlines())
    yield ""
    yield from options(command, context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            yield from section(
                child, click.Context(child, info_name=name, parent=context), level + 1
            )


def options(command: click.Command, context: click.Context) -> Iterator[str]:
    """A table of the options."""
    # Every command has --help; how click spells it depends on who asked first.
    own = [p for p in command.get_params(context) if "--help" not in p.opts]
    shown = [row for p in own if (row := p.get_help_record(context))]
    if shown:
        yield "| option | does |"
        yield "|---|---|"
        for name, text in shown:
            yield f"| `{_cell(name)}` | {_cell(text).replace('[[', chr(92) + '[' * 2)} |"
        yield ""


def _cell(text: str) -> str:
    return text.replace("|", chr(92) + "|")


if __name__ == "__main__":
    page = reference()
    if "--check" in sys.argv:
        sys.exit(0 if TARGET.read_text("utf-8") == page else f"{TARGET.name} is stale: make docs")
    TARGET.write_text(page, "utf-8")
