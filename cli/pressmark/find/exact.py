"""A term in, the lines out in which it stands exactly so: no stems, no ranking, no index.

A pattern is taken too, but none whose repeats can nest: such a one may run for years on a line.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from re import _parser  # type: ignore[attr-defined]  # what a pattern says, as Python reads it
from typing import Any

from pressmark import disk
from pressmark.catalogue import layout
from pressmark.errors import BadInput, PressmarkError
from pressmark.find.hits import Line
from pressmark.find.selecting import selected
from pressmark.library import Library

KINDS = ("reference", "fulltext", "note")
MOST = 1000
LONGEST_PATTERN = 1000
LONGEST = 400
"""Characters of a line that are shown, around the term."""


def grep(
    library: Library,
    term: str,
    filters: Sequence[str] = (),
    *,
    case: bool = False,
    regex: bool = False,
    context: int = 0,
    kinds: Sequence[str] = KINDS,
    limit: int = MOST,
) -> list[Line]:
    """The lines of references, full texts and notes that hold a term, by path and place.

    With `regex` the term is a regular expression of Python's; `context` lines are given around
    each. BadInput for an empty term or a pattern that is none or that could run for ever.
    """
    if not term.strip() or "\n" in term:
        raise BadInput("grep needs a term that stands on one line.")
    pattern = _pattern(term, regex, 0 if case else re.IGNORECASE)
    wanted = set(selected(library, filters)) if filters else None
    found: list[Line] = []
    for file in library.catalogue.files():
        if file.kind not in kinds or (wanted is not None and file.name not in wanted):
            continue
        for line in _lines(library, file.path, pattern, context, plain=not regex):
            found.append(line)
            if len(found) == limit:
                return found
    return found


def _lines(
    library: Library, path: str, pattern: re.Pattern[str], context: int, *, plain: bool
) -> Iterator[Line]:
    try:
        text = disk.read_bytes(library.root, path).decode("utf-8", "replace")
    except (PressmarkError, OSError):
        return
    if plain and not pattern.search(text):
        return
    # As editors count them: a form feed or U+2028 ends no line.
    lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
    kind = layout.kind(path) or ""
    for number, line in enumerate(lines, 1):
        match = pattern.search(line)
        if match:
            yield Line(
                path=path, key=layout.name(path), kind=kind, line=number,
                column=match.start() + 1, text=_window(line, match),
                before=_around(lines, number - 1 - context, number - 1),
                after=_around(lines, number, number + context),
            )  # fmt: skip


def _around(lines: list[str], start: int, end: int) -> tuple[str, ...]:
    return tuple(line[:LONGEST] for line in lines[max(start, 0) : end])


def _pattern(term: str, regex: bool, flags: int) -> re.Pattern[str]:
    if not regex:
        return re.compile(re.escape(term), flags)
    if len(term) > LONGEST_PATTERN:
        raise BadInput(f"A pattern has at most {LONGEST_PATTERN} characters.")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what will mean something else in some later Python
            pattern, parsed = re.compile(term, flags), _parser.parse(term)
    except (ValueError, re.error, RecursionError, OverflowError) as problem:
        raise BadInput(
            f"{term!r} is no regular expression: {problem}.", next="leave --regex out"
        ) from problem
    if _nests(parsed):
        raise BadInput(
            f"A repeat inside a repeat could run for ever on a long line: {term!r}.",
            next="write the pattern without one, such as a+ for (a+)+",
        )
    return pattern


def _nests(parsed: Any, inside: bool = False) -> bool:
    """Whether a repeat that may be long stands in another, or in a choice that is repeated."""
    for name, value in parsed:
        kind = str(name)
        if kind in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            _, most, item = value
            long = int(most) > 10
            if (inside and long) or _nests(item, inside or long):
                return True
        elif kind == "BRANCH":
            if inside or any(_nests(each, inside) for each in value[1]):
                return True
        elif kind == "GROUPREF" and inside:
            return True
        elif kind in ("SUBPATTERN", "ATOMIC_GROUP", "ASSERT", "ASSERT_NOT"):
            if _nests(value[-1] if isinstance(value, tuple) else value, inside):
                return True
        elif kind == "GROUPREF_EXISTS" and any(_nests(each, inside) for each in value[1:] if each):
            return True
    return False


def _window(line: str, match: re.Match[str]) -> str:
    """The line, or of a long one what stands around the term."""
    if len(line) <= LONGEST:
        return line
    start = max(0, min(match.start() - LONGEST // 2, len(line) - LONGEST))
    shown = line[start : start + LONGEST]
    return f"{'…' if start else ''}{shown}{'…' if start + LONGEST < len(line) else ''}"
