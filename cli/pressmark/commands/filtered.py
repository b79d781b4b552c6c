"""A command line with filters in; `-tag:x` is taken as the filter that it is, not as options."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click

Function = TypeVar("Function", bound=Callable[..., Any])

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


FILTERS = {
    "year": ("2018..2020", "Only these years; also 2020.. and ..2010."),
    "venue": ("NAME", "Only this venue."),
    "tag": ("TAG", "Only what is tagged so."),
    "topic": ("SLUG", "Only what this topic found."),
    "type": ("TYPE", "Only this type, e.g. book."),
    "stage": ("STAGE", "Only candidate, or only kept."),
}
"""Filters that have an option of their own: what it takes, and what it does."""


def filter_options(function: Function) -> Function:
    """`--year 2020..` and its like beside `--filter`; the command gets them as `filters`."""

    @wraps(function)
    def call(*args: Any, filters: tuple[str, ...], **kw: Any) -> Any:
        given = {name: kw.pop(name) for name in FILTERS}
        named = (f"{name}:{value}" for name, value in given.items() if value)
        return function(*args, filters=(*filters, *named), **kw)

    decorated: Any = call
    for name, (takes, does) in reversed(FILTERS.items()):
        decorated = click.option(f"--{name}", metavar=takes, help=does)(decorated)
    option = click.option(
        "--filter", "filters", multiple=True, metavar="FILTER", help="Any other: has:fulltext."
    )
    return option(decorated)  # type: ignore[no-any-return]
