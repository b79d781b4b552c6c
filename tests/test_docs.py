"""The guide says everything the program can do: a command, option, field or setting cannot hide."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import pytest

from pressmark import record
from pressmark.commands import COMMANDS
from pressmark.commands.run import cli
from pressmark.config.settings import SETTINGS

PROJECT = Path(__file__).resolve().parent.parent
GUIDE = PROJECT / "site" / "guide"
sys.path.insert(0, str(PROJECT / "bench"))

import reference  # noqa: E402


def commands() -> list[tuple[str, click.Command]]:
    context = click.Context(cli)
    found: list[tuple[str, click.Command]] = []
    for name in COMMANDS:
        command = cli.get_command(context, name)
        assert command is not None
        found.append((name, command))
        if isinstance(command, click.Group):
            found += [(f"{name} {child}", command.commands[child]) for child in command.commands]
    return found


def test_the_command_reference_is_fresh() -> None:
    assert (GUIDE / "commands.md").read_text("utf-8") == reference.reference(), "run: make docs"


@pytest.mark.parametrize(
    ("name", "command"), commands(), ids=lambda v: v if isinstance(v, str) else ""
)
def test_every_command_and_option_has_help(name: str, command: click.Command) -> None:
    assert command.help and command.get_short_help_str()
    for param in command.params:
        if isinstance(param, click.Option):
            assert param.help, f"{name} {param.opts}"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_line_in_the_list_is_the_commands_own(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.short_help == COMMANDS[name][1]


@pytest.mark.parametrize(
    "cls", [record.Reference, record.FullText, record.Topic, record.Search, record.Note]
)
def test_every_field_is_in_the_guide(cls: type[record.Reference]) -> None:
    page = (GUIDE / "files.md").read_text("utf-8")
    assert [name for name in cls.FIELDS if f"`{name}`" not in page] == []


def test_every_setting_is_in_the_guide() -> None:
    page = (GUIDE / "settings.md").read_text("utf-8")
    shown = [name.replace("*", "NAME") for name in SETTINGS]
    assert [name for name in shown if f"`{name}`" not in page] == []
