"""A command line with filters in; `-tag:x` is taken as the filter that it is, not as options."""

from __future__ import annotations

import re
from typing import Any

import click

NEGATED = re.compile(r"-[a-z]+:")
MARK = "\0"
"""Before a word that is no option; no argument of a process can hold it."""


class Filtered(click.Command):
    """A command that takes references by filters, also by ones that must not hold."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        marked = [MARK + word if NEGATED.match(word) else word for word in args]
        rest = super().parse_args(ctx, marked)
        ctx.params = {name: _unmarked(value) for name, value in ctx.params.items()}
        return rest


def _unmarked(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_unmarked(each) for each in value)
    return value.removeprefix(MARK) if isinstance(value, str) else value
