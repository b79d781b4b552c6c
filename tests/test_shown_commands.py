"""Every `pressmark …` that a page or a workflow shows exists, with these options and arguments."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
import yaml

from pressmark.commands.run import cli

PROJECT = Path(__file__).resolve().parent.parent
PAGES = [
    PROJECT / "README.md",
    PROJECT / "CONTRIBUTING.md",
    PROJECT / "site" / "index.md",
    *(p for p in sorted((PROJECT / "site" / "guide").glob("*.md")) if p.name != "commands.md"),
    *sorted((PROJECT / "docs").rglob("*.md")),
]
WORKFLOWS = sorted((PROJECT / ".github" / "workflows").glob("*.yml"))
PLACEHOLDER = re.compile(r"…|\[[A-Z-]+\]|\.\.\.")


def in_markdown(text: str) -> list[str]:
    """Lines of code blocks, and code within sentences, that begin with the program's name."""
    found: list[str] = []
    rest: list[str] = []
    inside = False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            inside = not inside
        elif inside:
            found += re.split(r"\s(?:&&|\|)\s|\$\(|\)\"", line.strip())
        else:
            rest.append(line)
    found += re.findall(r"`([^`]+)`", "\n".join(rest))
    return [each.strip() for each in found if each.strip().startswith("pressmark ")]


def in_workflow(text: str) -> list[str]:
    """The lines of every step that run the program."""
    steps = [s for job in yaml.safe_load(text)["jobs"].values() for s in job["steps"]]
    lines = [line.strip() for step in steps for line in step.get("run", "").splitlines()]
    return [line for line in lines if line.startswith("pressmark ")]


def parses(line: str) -> str | None:
    """What is wrong with a command line as it is shown; None when the program takes it."""
    words = shlex.split(PLACEHOLDER.sub("", line).split("  #")[0].split(" >")[0])[1:]
    context = click.Context(cli, info_name="pressmark")
    command: click.Command = cli
    while True:
        try:
            # The parser alone: it knows options and arguments and runs nothing.
            values, left, _ = command.make_parser(context).parse_args(list(words))
        except click.UsageError as problem:
            return f"{line}: {problem.format_message()}"
        if not isinstance(command, click.Group):
            return f"{line}: {left} is too much" if left and not values else None
        if not left:
            return None  # options of a group, such as `pressmark --version`
        child = command.get_command(context, left[0])
        if child is None:
            return f"{line}: there is no {left[0]}"
        context = click.Context(child, info_name=left[0], parent=context)
        command, words = child, left[1:]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(PROJECT).as_posix())
def test_what_a_page_shows_exists(path: Path) -> None:
    assert [bad for line in in_markdown(path.read_text("utf-8")) if (bad := parses(line))] == []


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_what_a_workflow_runs_exists(path: Path) -> None:
    assert [bad for line in in_workflow(path.read_text("utf-8")) if (bad := parses(line))] == []


def test_what_does_not_exist_is_seen() -> None:
    text = "Use `pressmark lsit` or\n\n```\npressmark list --nonsense && pressmark site bake\n```\n"
    assert [parses(line) for line in in_markdown(text)] == [
        "pressmark list --nonsense: No such option '--nonsense'.",
        "pressmark site bake: there is no bake",
        "pressmark lsit: there is no lsit",
    ]
    assert parses('pressmark drop stage:candidate --reason "off topic"') is None


def test_the_pages_show_most_commands() -> None:
    from pressmark.commands import COMMANDS

    shown = {line.split()[1] for path in PAGES for line in in_markdown(path.read_text("utf-8"))}
    assert sorted(set(COMMANDS) - shown) == []
