"""`pressmark completion SHELL`: the script that makes a shell complete our commands."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from pressmark.errors import BadInput


@click.command(short_help="Print a shell's completion script.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the completion script of SHELL.

    For bash, add `eval "$(pressmark completion bash)"` to ~/.bashrc; zsh and fish work the same.
    """
    complete = get_completion_class(shell)
    if complete is None:
        raise BadInput(f"No completion is known for {shell}.")
    root = ctx.find_root().command
    click.echo(complete(root, {}, "pressmark", "_PRESSMARK_COMPLETE").source())
